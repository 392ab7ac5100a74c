extension String {
    /// The key under which two spellings of one name are the same name (X15): who has a key has the name.
    ///
    /// Stored, and unique, in `username`: a change of this function needs a migration that finds the names which fall together.
    package var uniquenessKey: String { caseFolded }

    /// The form in which names are looked through, and what is looked for with them: a text finds the names whose folded form starts with its
    /// own.
    ///
    /// Stored in `profile_term`: a change of this function needs the terms to be made again, and nobody loses a name by it. For a username it
    /// is the ``uniquenessKey``: what a search finds by a username is compared with that.
    package var searchFolded: String { caseFolded }

    /// Unicode full case folding, by the standard library's upper-case and then lower-case mappings, composed afterwards. The mappings agree with it
    /// for `ß`, final sigma and every name that the username rule admits.
    private var caseFolded: String {
        isKnownComposed ? lowercased() : normalizedNFC.uppercased().lowercased().normalizedNFC
    }
}
