/// The languages the program speaks.
enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case korean = "ko"

    /// The language that the locale variables ask for: the first non-empty one of `LC_ALL`, `LC_MESSAGES` and `LANG`
    /// decides, as POSIX orders them. Every language but Korean gets English.
    init(variables: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let tag = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
        self = tag.lowercased() == "ko" ? .korean : .english
    }
}

/// One text in both languages, so that neither can be forgotten.
struct Phrase: Sendable, Hashable {
    let english: String
    let korean: String

    init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    /// The text in one language.
    func text(in language: Language) -> String {
        switch language {
        case .english: english
        case .korean: korean
        }
    }
}
