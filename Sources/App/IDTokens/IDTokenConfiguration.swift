import FoundationEssentials
import Glibc
import OperatorFiles
import PulseBoardVocabulary

/// The issuers whose ID tokens can sign in, and how their tokens are checked. It is the file of `--oidc-config`.
///
///     {"issuers":[{"name":"google","issuer":"https://accounts.google.com","aliases":["accounts.google.com"],
///      "audiences":["APP.apps.googleusercontent.com"],"algorithms":["RS256"],"jwks_file":"google.jwks.json","nonce":"server"}]}
///
/// docs/id-tokens.md lists every member. Unknown members are refused, so that a misspelt one is noticed.
public struct IDTokenConfiguration: Sendable, Hashable {
    /// Longest configuration file, in bytes.
    public static let maximumFileBytes = 1 << 20
    /// Maximum issuers.
    public static let maximumIssuers = 64
    /// Maximum aliases of an issuer.
    public static let maximumAliases = 8
    /// Maximum audiences of an issuer.
    public static let maximumAudiences = 32
    /// Longest issuer, alias or audience, in UTF-8 bytes.
    public static let maximumTextBytes = 255
    /// Longest name of an issuer, in UTF-8 bytes.
    public static let maximumNameBytes = 32
    /// Permitted clock skews, in seconds.
    public static let clockSkews = 0...300
    /// Permitted maximum ages of a token, in seconds.
    public static let maximumAges = 60...2_592_000
    /// Default sign-ins per second of one caller.
    public static let defaultCallerRate = 50
    /// Permitted rates of an issuer or caller, in sign-ins per second.
    public static let rates = 1...100_000

    /// Which nonce a token must have.
    public enum NoncePolicy: String, Sendable, Hashable, CaseIterable {
        /// A nonce that this server made. It can be used once.
        case server
        /// A nonce that the client made. The token has only its SHA-256, so whoever has the token does not have the nonce.
        case clientHashed = "client-hashed"
        /// The nonce in the request, whoever made it, as it is or hashed. It is no protection from somebody who has the token.
        case client
        /// Any nonce, or none.
        case off
    }

    /// One issuer. `jwksFile` is an absolute path, or relative to the working directory.
    public struct Issuer: Sendable, Hashable {
        public let name: String
        public let issuer: String
        public let aliases: [String]
        public let audiences: Set<String>
        public let algorithms: [IDTokenAlgorithm]
        public let jwksFile: String
        public let nonce: NoncePolicy
        /// How far this server's clock and the issuer's may differ, in seconds.
        public let clockSkewSeconds: Int
        /// How long after its issue a token can sign in, in seconds.
        public let maximumAgeSeconds: Int
        /// Maximum sign-ins per second. Default 500.
        public let signInsPerSecond: Int
    }

    public let issuers: [Issuer]
    /// Maximum sign-ins, links and nonces per second of one caller: a connection of the gateway, or a local uid. Default 50.
    public let signInsPerSecondPerCaller: Int

    /// Reads a configuration file. A relative `jwks_file` is relative to its directory.
    public init(path: String) throws(IDTokenConfigurationError) {
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile(path, limit: Self.maximumFileBytes).bytes
        } catch {
            throw IDTokenConfigurationError(error.phrase.after(path))
        }
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        do throws(IDTokenConfigurationError) {
            try self.init(json: bytes, directory: path.hasPrefix("/") && directory.isEmpty ? "/" : directory)
        } catch {
            throw IDTokenConfigurationError(error.phrase.after(path))
        }
    }

    /// Reads a configuration.
    /// - Parameter directory: the directory of a relative `jwks_file`; empty for the working directory.
    public init(json: [UInt8], directory: String) throws(IDTokenConfigurationError) {
        let file: IssuersFile
        do {
            file = try JSONDecoder().decode(IssuersFile.self, from: Data(json))
        } catch let error as DecodingError {
            throw IDTokenConfigurationError(error.phrase)
        } catch {
            throw IDTokenConfigurationError(Phrase("it cannot be read as JSON", "JSON으로 읽을 수 없습니다"))
        }
        try Self.check(
            (1...Self.maximumIssuers).contains(file.issuers.count),
            Phrase("issuers: 1 to \(Self.maximumIssuers) of them", "issuers: 1개에서 \(Self.maximumIssuers)개까지 있어야 합니다"))
        signInsPerSecondPerCaller = file.callerSignInsPerSecond ?? Self.defaultCallerRate
        try Self.check(Self.rates.contains(signInsPerSecondPerCaller), Self.rates.phrase.after("caller_sign_ins_per_second"))
        var issuers: [Issuer] = []
        var names: Set<String> = []
        var spellings: Set<String> = []
        for (index, entry) in file.issuers.enumerated() {
            let issuer = try Issuer(entry, directory: directory, place: "issuers[\(index)]")
            try Self.check(
                names.insert(issuer.name).inserted,
                Phrase("'\(issuer.name)' is taken", "이미 쓰인 이름입니다: '\(issuer.name)'").after("issuers[\(index)].name"))
            for spelling in [issuer.issuer] + issuer.aliases {
                try Self.check(
                    spellings.insert(spelling).inserted,
                    Phrase("'\(spelling)' stands for two issuers", "'\(spelling)'이(가) 두 발급자를 가리킵니다").after("issuers[\(index)]"))
            }
            issuers.append(issuer)
        }
        self.issuers = issuers
    }

    fileprivate static func check(_ holds: Bool, _ words: @autoclosure () -> Phrase) throws(IDTokenConfigurationError) {
        guard holds else { throw IDTokenConfigurationError(words()) }
    }
}

/// What is wrong with a configuration, as a text for the operator.
public struct IDTokenConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let phrase: Phrase
    public var description: String { phrase.english }
    init(_ phrase: Phrase) { self.phrase = phrase }
}

extension IDTokenConfiguration.Issuer {
    fileprivate init(_ entry: IssuersFile.Issuer, directory: String, place: String) throws(IDTokenConfigurationError) {
        typealias Bounds = IDTokenConfiguration
        func check(_ holds: Bool, _ member: String, _ words: Phrase) throws(IDTokenConfigurationError) {
            try Bounds.check(holds, words.after("\(place).\(member)"))
        }
        func isText(_ text: String) -> Bool {
            (1...Bounds.maximumTextBytes).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }

        name = entry.name
        try check(
            (1...Bounds.maximumNameBytes).contains(name.utf8.count)
                && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F },
            "name", Phrase("1 to \(Bounds.maximumNameBytes) of a-z, 0-9, - and _", "a-z, 0-9, -, _로 \(Bounds.maximumNameBytes)자까지 써야 합니다"))
        issuer = entry.issuer
        // `unix` and `account` are not permitted, because no token may sign in to their accounts.
        try check(
            isText(issuer) && issuer.hasPrefix("https://") && issuer.utf8.count > "https://".utf8.count,
            "issuer", Phrase("a https:// address of at most \(Bounds.maximumTextBytes) bytes", "\(Bounds.maximumTextBytes)바이트 이하의 https:// 주소여야 합니다"))
        aliases = entry.aliases ?? []
        try check(
            aliases.count <= Bounds.maximumAliases && aliases.allSatisfy(isText),
            "aliases",
            Phrase(
                "at most \(Bounds.maximumAliases), each of 1 to \(Bounds.maximumTextBytes) bytes of ASCII",
                "\(Bounds.maximumAliases)개까지, 각각 ASCII \(Bounds.maximumTextBytes)바이트 이하여야 합니다"))
        audiences = Set(entry.audiences)
        try check(
            (1...Bounds.maximumAudiences).contains(entry.audiences.count) && audiences.allSatisfy(isText),
            "audiences",
            Phrase(
                "1 to \(Bounds.maximumAudiences), each of 1 to \(Bounds.maximumTextBytes) bytes of ASCII",
                "1개에서 \(Bounds.maximumAudiences)개까지, 각각 ASCII \(Bounds.maximumTextBytes)바이트 이하여야 합니다"))
        let names = IDTokenAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
        let known = entry.algorithms.compactMap { IDTokenAlgorithm(name: $0) }
        algorithms = known
        try check(
            !known.isEmpty && known.count == entry.algorithms.count && Set(known).count == known.count,
            "algorithms", Phrase("one or several of \(names), each once", "다음 가운데 하나 이상을 한 번씩 써야 합니다: \(names)"))
        try check((1...4_096).contains(entry.jwksFile.utf8.count), "jwks_file", Phrase("a path", "경로여야 합니다"))
        jwksFile = entry.jwksFile.hasPrefix("/") || directory.isEmpty
            ? entry.jwksFile : directory + (directory.hasSuffix("/") ? "" : "/") + entry.jwksFile
        guard let policy = entry.nonce.map({ IDTokenConfiguration.NoncePolicy(rawValue: $0) }) ?? .server else {
            throw IDTokenConfigurationError(
                Phrase("server, client-hashed, client or off", "server, client-hashed, client, off 가운데 하나여야 합니다").after("\(place).nonce"))
        }
        nonce = policy
        clockSkewSeconds = entry.clockSkewSeconds ?? 60
        try check(Bounds.clockSkews.contains(clockSkewSeconds), "clock_skew_seconds", Bounds.clockSkews.phrase)
        maximumAgeSeconds = entry.maximumAgeSeconds ?? 86_400
        try check(Bounds.maximumAges.contains(maximumAgeSeconds), "maximum_age_seconds", Bounds.maximumAges.phrase)
        signInsPerSecond = entry.signInsPerSecond ?? 500
        try check(Bounds.rates.contains(signInsPerSecond), "sign_ins_per_second", Bounds.rates.phrase)
    }
}

/// The configuration as it is in the file.
private struct IssuersFile: Decodable {
    let issuers: [Issuer]
    let callerSignInsPerSecond: Int?

    private enum Member: String, CodingKey, CaseIterable {
        case issuers
        case callerSignInsPerSecond = "caller_sign_ins_per_second"
    }

    init(from decoder: any Decoder) throws {
        try decoder.refuseMembers(besides: Member.self)
        let members = try decoder.container(keyedBy: Member.self)
        issuers = try members.decode([Issuer].self, forKey: .issuers)
        callerSignInsPerSecond = try members.whole(.callerSignInsPerSecond)
    }

    struct Issuer: Decodable {
        let name: String
        let issuer: String
        let aliases: [String]?
        let audiences: [String]
        let algorithms: [String]
        let jwksFile: String
        let nonce: String?
        let clockSkewSeconds: Int?
        let maximumAgeSeconds: Int?
        let signInsPerSecond: Int?

        private enum Member: String, CodingKey, CaseIterable {
            case name, issuer, aliases, audiences, algorithms, nonce
            case jwksFile = "jwks_file"
            case clockSkewSeconds = "clock_skew_seconds"
            case maximumAgeSeconds = "maximum_age_seconds"
            case signInsPerSecond = "sign_ins_per_second"
        }

        init(from decoder: any Decoder) throws {
            try decoder.refuseMembers(besides: Member.self)
            let members = try decoder.container(keyedBy: Member.self)
            name = try members.decode(String.self, forKey: .name)
            issuer = try members.decode(String.self, forKey: .issuer)
            aliases = try members.decodeIfPresent([String].self, forKey: .aliases)
            audiences = try members.decode([String].self, forKey: .audiences)
            algorithms = try members.decode([String].self, forKey: .algorithms)
            jwksFile = try members.decode(String.self, forKey: .jwksFile)
            nonce = try members.decodeIfPresent(String.self, forKey: .nonce)
            clockSkewSeconds = try members.whole(.clockSkewSeconds)
            maximumAgeSeconds = try members.whole(.maximumAgeSeconds)
            signInsPerSecond = try members.whole(.signInsPerSecond)
        }
    }
}

/// Any member of a JSON object.
private struct AnyMember: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    fileprivate func refuseMembers<Member: CodingKey & CaseIterable>(besides known: Member.Type) throws {
        let names = Set(known.allCases.map(\.stringValue))
        if let other = try container(keyedBy: AnyMember.self).allKeys.first(where: { !names.contains($0.stringValue) }) {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "'\(other.stringValue)' is no member of it"))
        }
    }
}

extension KeyedDecodingContainer {
    /// A whole number, or `nil` if the member is missing. The decoder itself would report `1.5` as invalid JSON, without its place.
    fileprivate func whole(_ key: Key) throws -> Int? {
        guard let number = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard let whole = Int(exactly: number) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not a whole number")
        }
        return whole
    }
}

extension ClosedRange<Int> {
    fileprivate var phrase: Phrase { Phrase("\(lowerBound) to \(upperBound)", "\(lowerBound)에서 \(upperBound)까지여야 합니다") }
}

extension DecodingError {
    /// The place and the error, such as `issuers[0].name: missing`.
    var phrase: Phrase {
        switch self {
        case .keyNotFound(let key, let context): Phrase("missing", "필요한 값이 없습니다").after(Self.place(context.codingPath + [key]))
        case .typeMismatch(let type, let context): Phrase("not \(type)", "\(Self.korean(type))이 아닙니다").after(Self.place(context.codingPath))
        case .valueNotFound(_, let context): Phrase("null", "null은 쓸 수 없습니다").after(Self.place(context.codingPath))
        case .dataCorrupted(let context):
            Phrase(context.debugDescription, Self.korean(context.debugDescription)).after(Self.place(context.codingPath))
        @unknown default: Phrase("\(self)", "\(self)")
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { place, key in
            place += key.intValue.map { "[\($0)]" } ?? (place.isEmpty ? "" : ".") + key.stringValue
        }
    }

    private static func korean(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "문자열"
        case is Double.Type: "숫자 형식"
        default: "\(type)"
        }
    }

    /// The words of the decoder and of this file.
    private static func korean(_ description: String) -> String {
        if let member = description.wholeMatch(of: #/'(.*)' is no member of it/#) { return "'\(member.1)'은(는) 없는 항목입니다" }
        return description == "not a whole number" ? "정수가 아닙니다" : "올바른 JSON이 아닙니다"
    }
}
