extension String {
    /// Whether three English words stand in a row, as in a sentence that nobody has translated. Paths, options and SQL count as one word each.
    package var hasEnglishSentence: Bool { contains(#/(^|[\s(])[A-Za-z']+,?( [A-Za-z']+,?){2,}/#) }
}
