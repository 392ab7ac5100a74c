/// A language the catalogue speaks.
public enum Language: String, Sendable, CaseIterable {
    case korean = "ko"
    case english = "en"

    /// Chooses the language for an `accept-language` value (RFC 9110, 12.5.4): the highest weight wins, the first
    /// among equals; English when nothing fits.
    public init(acceptLanguage: String) {
        var best: (language: Language, weight: Double)?
        for range in acceptLanguage.split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let tag = parts.first?.lowercased() else { continue }
            let primary = tag.prefix { $0 != "-" }
            guard let language = primary == "*" ? .english : Language(rawValue: String(primary)) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        self = best?.language ?? .english
    }
}

/// One text in every language of the catalogue.
public struct LocalizedText: Hashable, Sendable {
    public let korean: String
    public let english: String

    public init(korean: String, english: String) {
        self.korean = korean
        self.english = english
    }

    /// The text in one language.
    public func text(in language: Language) -> String {
        switch language {
        case .korean: korean
        case .english: english
        }
    }
}
