/// A language of the catalogue.
public enum Language: String, Sendable, CaseIterable {
    case korean = "ko"
    case english = "en"

    /// How many bytes of an `accept-language` value are read at most.
    public static let maximumHeaderBytes = 256

    /// Chooses the language for an `accept-language` value (RFC 9110, 12.5.4): the highest weight wins, and the first among equals. `*` stands for
    /// the languages that the value does not name, English before Korean. The result is English when nothing fits. In a longer value only the ranges
    /// that end within ``maximumHeaderBytes`` count.
    public init(acceptLanguage: String) {
        var bytes = acceptLanguage.utf8.prefix(Self.maximumHeaderBytes)[...]
        if bytes.endIndex != acceptLanguage.utf8.endIndex {
            bytes = bytes[..<(bytes.lastIndex(of: UInt8(ascii: ",")) ?? bytes.startIndex)]
        }
        var wishes: [(language: Language?, weight: Double)] = []
        for range in bytes.split(separator: UInt8(ascii: ",")) {
            let parts = range.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
                // Drop white space, and convert ASCII letters to lower case.
                part.lazy.filter { $0 > 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            }
            guard let tag = parts.first else { continue }
            let primary = String(decoding: tag.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
            let language = Language(rawValue: primary)
            guard language != nil || primary == "*" else { continue }
            let weight = parts.dropFirst().first { $0.starts(with: "q=".utf8) }
                .map { Double(String(decoding: $0.dropFirst(2), as: UTF8.self)) ?? 0 }
            wishes.append((language, weight ?? 1))
        }
        let named = wishes.compactMap(\.language)
        let unnamed: Language? = named.contains(.english) ? (named.contains(.korean) ? nil : .korean) : .english
        var best: (language: Language, weight: Double)?
        for wish in wishes {
            guard let language = wish.language ?? unnamed, wish.weight > best?.weight ?? 0 else { continue }
            best = (language, wish.weight)
        }
        self = best?.language ?? .english
    }

    /// The language of a process's locale. As in POSIX, the first non-empty variable of `LC_ALL`, `LC_MESSAGES` and `LANG` decides.
    /// A language that the catalogue lacks becomes English.
    public init(variables: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let tag = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
        self = Language(rawValue: tag.lowercased()) ?? .english
    }
}

/// One text in every language of the catalogue. The compiler ensures that none is missing.
public struct Phrase: Sendable, Hashable {
    public let english: String
    public let korean: String

    public init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    /// The text as a heading of a table.
    public var heading: Phrase { Phrase(english.uppercased(), korean) }

    /// The text in one language.
    public func text(in language: Language) -> String {
        switch language {
        case .english: english
        case .korean: korean
        }
    }
}
