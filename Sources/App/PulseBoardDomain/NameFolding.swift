extension String {
    /// The key that all spellings of one name share (X15). Two names with the same key are the same name.
    ///
    /// It is stored, and unique, in `username`. A change of this function needs a migration that finds names which become equal.
    package var uniquenessKey: String { caseFolded }

    /// The folded form that a search compares. A search text finds the names whose folded form begins with its own.
    ///
    /// It is stored in `profile_term`. A change of this function needs new terms, but no user loses a name. For a username it equals the
    /// ``uniquenessKey``, because matches by username are compared with that.
    package var searchFolded: String { caseFolded }

    /// Unicode full case folding, by the standard library's upper-case and then lower-case mappings, composed afterwards. The mappings agree with it
    /// for `ß`, final sigma and every name that the username rule admits.
    private var caseFolded: String {
        isKnownComposed ? lowercased() : normalizedNFC.uppercased().lowercased().normalizedNFC
    }
}
