import Crypto
import CryptoExtras
import FoundationEssentials
import IDTokens
import PulseBoardDomain

/// A private key of a test, with the JWK of its public key.
package struct TestKey: Sendable {
    package let name: String?
    package let algorithm: IDTokenAlgorithm
    private let key: Key

    private enum Key: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    /// RSA keys take long to make, so tests share two.
    private static let rsaKeys = (0..<2).map { _ in Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) } }

    package init(_ algorithm: IDTokenAlgorithm, name: String? = "k1", rsaKey: Int = 0) throws {
        self.name = name
        self.algorithm = algorithm
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: key = .rsa(try Self.rsaKeys[rsaKey].get())
        case .es256: key = .p256(P256.Signing.PrivateKey())
        case .es384: key = .p384(P384.Signing.PrivateKey())
        case .es512: key = .p521(P521.Signing.PrivateKey())
        case .edDSA: key = .ed25519(Curve25519.Signing.PrivateKey())
        }
    }

    package func sign(_ message: [UInt8]) throws -> [UInt8] {
        switch key {
        case .rsa(let key):
            switch algorithm {
            case .rs256: Array(try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
            case .rs384: Array(try key.signature(for: SHA384.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
            case .rs512: Array(try key.signature(for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
            case .ps384: Array(try key.signature(for: SHA384.hash(data: message), padding: .PSS).rawRepresentation)
            case .ps512: Array(try key.signature(for: SHA512.hash(data: message), padding: .PSS).rawRepresentation)
            default: Array(try key.signature(for: SHA256.hash(data: message), padding: .PSS).rawRepresentation)
            }
        case .p256(let key): Array(try key.signature(for: message).rawRepresentation)
        case .p384(let key): Array(try key.signature(for: message).rawRepresentation)
        case .p521(let key): Array(try key.signature(for: message).rawRepresentation)
        case .ed25519(let key): Array(try key.signature(for: message))
        }
    }

    /// The JWK with changed members. `nil` leaves a member out.
    package func jwk(_ changes: [String: String?] = [:]) throws -> String {
        var members: [String: String] = ["alg": algorithm.rawValue, "use": "sig"]
        members["kid"] = name
        func point(_ bytes: Data) {
            let half = (bytes.count - 1) / 2
            members["kty"] = "EC"
            members["x"] = Base64URL.encode(Array(bytes.dropFirst().prefix(half)))
            members["y"] = Base64URL.encode(Array(bytes.suffix(half)))
        }
        switch key {
        case .rsa(let key):
            let numbers = try key.publicKey.getKeyPrimitives()
            members["kty"] = "RSA"
            members["n"] = Base64URL.encode(Array(numbers.modulus))
            members["e"] = Base64URL.encode(Array(numbers.publicExponent))
        case .p256(let key):
            point(key.publicKey.x963Representation)
            members["crv"] = "P-256"
        case .p384(let key):
            point(key.publicKey.x963Representation)
            members["crv"] = "P-384"
        case .p521(let key):
            point(key.publicKey.x963Representation)
            members["crv"] = "P-521"
        case .ed25519(let key):
            members["kty"] = "OKP"
            members["crv"] = "Ed25519"
            members["x"] = Base64URL.encode(Array(key.publicKey.rawRepresentation))
        }
        for (name, value) in changes { members[name] = value }
        return json(members.mapValues { quoted($0) })
    }
}

package func quoted(_ text: String) -> String { "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }

/// A JSON object from values that are JSON already.
package func json(_ members: [String: String]) -> String {
    "{" + members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value)" }.joined(separator: ",") + "}"
}
