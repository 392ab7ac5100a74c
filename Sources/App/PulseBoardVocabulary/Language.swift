/// A language the catalogue speaks.
public enum Language: String, Sendable, CaseIterable {
    case korean = "ko"
    case english = "en"

    /// Most bytes of an `accept-language` value that are looked at.
    public static let maximumHeaderBytes = 256

    /// Chooses the language for an `accept-language` value (RFC 9110, 12.5.4): the highest weight wins, the first
    /// among equals; English when nothing fits. Of a value of more than 256 bytes the ranges count that end within them.
    public init(acceptLanguage: String) {
        var bytes = acceptLanguage.utf8.prefix(Self.maximumHeaderBytes)[...]
        if bytes.endIndex != acceptLanguage.utf8.endIndex {
            bytes = bytes[..<(bytes.lastIndex(of: UInt8(ascii: ",")) ?? bytes.startIndex)]
        }
        var best: (language: Language, weight: Double)?
        for range in bytes.split(separator: UInt8(ascii: ",")) {
            let parts = range.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
                // White space goes, and of ASCII letters the case.
                part.lazy.filter { $0 > 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            }
            guard let tag = parts.first else { continue }
            let primary = String(decoding: tag.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
            guard let language = primary == "*" ? .english : Language(rawValue: primary) else { continue }
            let weight = parts.dropFirst().first { $0.starts(with: "q=".utf8) }
                .map { Double(String(decoding: $0.dropFirst(2), as: UTF8.self)) ?? 0 }
            if weight ?? 1 > best?.weight ?? 0 { best = (language, weight ?? 1) }
        }
        self = best?.language ?? .english
    }

    /// The language that a process's locale asks for: the first non-empty one of `LC_ALL`, `LC_MESSAGES` and `LANG` decides, as POSIX
    /// orders them. Every language but Korean gets English.
    public init(variables: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let tag = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
        self = tag.lowercased() == "ko" ? .korean : .english
    }
}

/// One text in every language of the catalogue, so that none can be forgotten.
public struct Phrase: Sendable, Hashable {
    public let english: String
    public let korean: String

    public init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }

    /// The text in one language.
    public func text(in language: Language) -> String {
        switch language {
        case .english: english
        case .korean: korean
        }
    }
}
