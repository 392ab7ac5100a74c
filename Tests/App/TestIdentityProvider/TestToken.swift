import IDTokens
import PulseBoardDomain

/// The parts of a token: a test changes one of them and signs.
package struct TestToken {
    /// Members with JSON values. A missing member is left out.
    package var header: [String: String] = [:]
    package var claims: [String: String] = [:]
    /// Bytes that replace those of the header or the payload, or that follow the signature.
    package var headerBytes: [UInt8]?
    package var payloadBytes: [UInt8]?
    package var change: (String) -> String = { $0 }

    package static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    /// A good token, issued at an instant and valid for an hour.
    package init(_ key: TestKey, subject: String = "minji", nonce: String = "n-1", at time: Timestamp = Self.now) {
        let seconds = time.microseconds / 1_000_000
        header = ["alg": quoted(key.algorithm.rawValue), "typ": "\"JWT\""]
        header["kid"] = key.name.map(quoted)
        claims = [
            "iss": "\"https://id.example\"", "sub": quoted(subject), "aud": "\"app\"", "exp": String(seconds + 3_600), "iat": String(seconds),
            "nonce": quoted(nonce),
        ]
    }

    package func signed(by key: TestKey) throws -> String {
        let message =
            Base64URL.encode(headerBytes ?? Array(json(header).utf8)) + "." + Base64URL.encode(payloadBytes ?? Array(json(claims).utf8))
        return change(message + "." + Base64URL.encode(try key.sign(Array(message.utf8))))
    }
}
