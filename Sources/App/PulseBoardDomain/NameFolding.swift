extension String {
    /// The key under which two spellings of one name are the same name (X15). Two names with one key are one name.
    ///
    /// It is stored, and unique, in `username`. A change of this function needs a migration that finds names which become equal.
    package var uniquenessKey: String { caseFolded }

    /// The form of names, and of what is searched for. A text finds the names whose folded form begins with its own folded form.
    ///
    /// It is stored in `profile_term`. A change of this function needs new terms, and no user loses a name by it. For a username it is the
    /// ``uniquenessKey``, because matches by username are compared with that.
    package var searchFolded: String { caseFolded }

    /// Unicode full case folding, by the standard library's upper-case and then lower-case mappings, composed afterwards. The mappings agree with it
    /// for `ß`, final sigma and every name that the username rule admits.
    private var caseFolded: String {
        isKnownComposed ? lowercased() : normalizedNFC.uppercased().lowercased().normalizedNFC
    }
}
