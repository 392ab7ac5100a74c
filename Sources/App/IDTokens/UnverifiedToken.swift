import FoundationEssentials
import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardDomain

/// A parsed ID token. Nothing in it is verified yet.
struct UnverifiedToken {
    /// Longest token, in bytes. A longer one is refused before any work.
    static let maximumBytes = 16_384
    /// Longest `sub`, in UTF-8 bytes.
    static let maximumSubjectBytes = 255

    let header: Header
    let claims: Claims
    /// `header.payload`, which is the signed message.
    let message: [UInt8]
    let signature: [UInt8]

    /// The members of the header that are used.
    struct Header: Decodable {
        let algorithm: String
        let keyName: String?
        /// Whether it asks for critical extensions. None is supported.
        let isCritical: Bool

        private enum Member: String, CodingKey { case alg, kid, crit, typ }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            if let type = try members.decodeIfPresent(String.self, forKey: .typ), !Self.isJWT(type) {
                throw Swift.DecodingError.dataCorruptedError(forKey: .typ, in: members, debugDescription: "no ID token")
            }
            algorithm = try members.decode(String.self, forKey: .alg)
            keyName = try members.decodeIfPresent(String.self, forKey: .kid)
            isCritical = members.contains(.crit)
        }

        /// Whether a `typ` may be that of an ID token. An issuer signs other tokens with the same keys. They have types such as `logout+jwt` (RFC
        /// 8725, section 3.11). The case of a type's letters does not count, and `application/` may be left out (RFC 7515, section 4.1.9).
        private static func isJWT(_ type: String) -> Bool {
            let lowered = type.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            return ["jwt", "application/jwt"].contains { $0.utf8.elementsEqual(lowered) }
        }
    }

    /// The claims that are used.
    struct Claims: Decodable {
        let issuer: String
        let subject: String
        let audiences: [String]
        let authorizedParty: String?
        /// Times in microseconds since 1970.
        let expiry: Int64
        let issued: Int64
        let notBefore: Int64?
        let nonce: String?

        private enum Member: String, CodingKey { case iss, sub, aud, azp, exp, iat, nbf, nonce, events }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            // A logout token has `events`, and may have no type (OpenID Connect Back-Channel Logout 1.0, section 2.4).
            guard !members.contains(.events) else {
                throw Swift.DecodingError.dataCorruptedError(forKey: .events, in: members, debugDescription: "no ID token")
            }
            issuer = try members.decode(String.self, forKey: .iss)
            subject = try members.decode(String.self, forKey: .sub)
            audiences =
                if let one = try? members.decode(String.self, forKey: .aud) { [one] } else { try members.decode([String].self, forKey: .aud) }
            authorizedParty = try members.decodeIfPresent(String.self, forKey: .azp)
            expiry = try Self.time(members, .exp)
            issued = try Self.time(members, .iat)
            notBefore = members.contains(.nbf) ? try Self.time(members, .nbf) : nil
            nonce = try members.decodeIfPresent(String.self, forKey: .nonce)
        }

        /// Reads a NumericDate (RFC 7519): seconds, perhaps with a fraction.
        /// - Throws: if it is out of range.
        private static func time(_ members: KeyedDecodingContainer<Member>, _ member: Member) throws -> Int64 {
            let seconds = try members.decode(Double.self, forKey: member)
            // Up to the year 9999.
            guard (0...253_402_300_799).contains(seconds) else {
                throw Swift.DecodingError.dataCorruptedError(forKey: member, in: members, debugDescription: "no time")
            }
            return Int64(seconds * 1_000_000)
        }
    }

    /// - Throws: `malformed`.
    init(_ token: String) throws(IDTokenRefusal) {
        guard token.utf8.count <= Self.maximumBytes else { throw .malformed }
        let text = Array(token.utf8)
        let dots = text.indices.filter { text[$0] == UInt8(ascii: ".") }
        guard
            dots.count == 2, let header = Base64URL.decode(text.span.extracting(0..<dots[0])),
            let payload = Base64URL.decode(text.span.extracting((dots[0] + 1)..<dots[1])),
            let signature = Base64URL.decode(text.span.extracting((dots[1] + 1)..<text.count))
        else { throw .malformed }
        do {
            self.header = try Self.read(header)
            claims = try Self.read(payload)
        } catch {
            throw .malformed
        }
        guard self.header.algorithm.utf8.count <= Self.maximumNameBytes else { throw .malformed }
        // No issuer uses control characters in a subject. They could only confuse a terminal.
        guard (1...Self.maximumSubjectBytes).contains(claims.subject.utf8.count), !claims.subject.unicodeScalars.contains(where: \.isControl)
        else { throw .malformed }
        message = Array(text[..<dots[1]])
        self.signature = signature
    }

    /// Longest name of a member, and of an algorithm, in bytes of the JSON. Hashing or comparing a run of combining marks takes time that grows with
    /// its square, and nothing is verified yet.
    private static let maximumNameBytes = 256

    /// How deeply the parts' JSON may be nested, as levels of `google.protobuf.Struct`: three for an object and two for an array.
    private static let maximumNesting = 96

    private static func read<Part: Decodable>(_ json: [UInt8]) throws -> Part {
        guard namesAreShort(json) else { throw IDTokenRefusal.malformed }
        // Foundation takes the first of two members with one name, and skips a byte order mark. Another reader of the token may take the last. So
        // the names must be unique (RFC 7515 section 4, RFC 7519 section 4).
        _ = try Google_Protobuf_Struct(jsonUTF8Bytes: json, options: JSONDecodingOptions(maxNestingDepth: maximumNesting))
        return try JSONDecoder().decode(Part.self, from: Data(json))
    }

    /// Looks at the strings before a colon. Whether the rest is JSON is decided later.
    private static func namesAreShort(_ json: [UInt8]) -> Bool {
        var at = 0
        while let start = json[at...].firstIndex(of: UInt8(ascii: "\"")) {
            var end = start + 1
            while end < json.count, json[end] != UInt8(ascii: "\"") { end += json[end] == UInt8(ascii: "\\") ? 2 : 1 }
            guard end < json.count else { return true }
            at = end + 1
            guard end - start - 1 > maximumNameBytes else { continue }
            let next = json[at...].first { ![UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
            if next == UInt8(ascii: ":") { return false }
        }
        return true
    }
}
