import Crypto
import CryptoExtras
import PulseBoardDomain
import PulseBoardVocabulary

/// A public key of an issuer. Its algorithm is fixed when the key is read, so a token cannot choose another one.
struct VerificationKey: Sendable {
    /// The name by which tokens refer to it (`kid`); `nil` if it has none.
    let name: String?
    let algorithm: IDTokenAlgorithm
    private let key: PublicKey

    private enum PublicKey: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    /// Largest RSA modulus, in bits. The cost of a signature grows with the square of its size.
    static let maximumRSABits = 8_192
    private static let maximumExponentBytes = 4

    /// An RSA key of 2,048 to 8,192 bits, from the big-endian numbers of a JWK.
    init(name: String?, algorithm: IDTokenAlgorithm, modulus: [UInt8], exponent: [UInt8]) throws(KeyProblem) {
        guard modulus.count <= Self.maximumRSABits / 8, exponent.count <= Self.maximumExponentBytes else {
            throw KeyProblem(
                Phrase(
                    "an RSA key of more than \(Self.maximumRSABits) bits, or with an exponent of more than 32",
                    "\(Self.maximumRSABits)비트를 넘거나 지수가 32비트를 넘는 RSA 키입니다"))
        }
        do { key = .rsa(try _RSA.Signing.PublicKey(n: modulus, e: exponent)) } catch {
            throw KeyProblem(Phrase("not an RSA key of at least 2048 bits", "2048비트 이상의 RSA 키가 아닙니다"))
        }
        self.name = name
        self.algorithm = algorithm
    }

    /// A key on an elliptic curve: ES256, ES384 and ES512 with both coordinates, EdDSA (Ed25519) with its only one.
    init(name: String?, algorithm: IDTokenAlgorithm, x: [UInt8], y: [UInt8]) throws(KeyProblem) {
        let point = [0x04] + x + y
        do {
            switch algorithm {
            case .es256: key = .p256(try P256.Signing.PublicKey(x963Representation: point))
            case .es384: key = .p384(try P384.Signing.PublicKey(x963Representation: point))
            case .es512: key = .p521(try P521.Signing.PublicKey(x963Representation: point))
            case .edDSA: key = .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: x))
            case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
                throw KeyProblem(Phrase("\(algorithm.rawValue) needs an RSA key", "\(algorithm.rawValue)에는 RSA 키가 필요합니다"))
            }
        } catch let problem as KeyProblem {
            throw problem
        } catch {
            throw KeyProblem(Phrase("not a point of the curve", "곡선 위의 점이 아닙니다"))
        }
        self.name = name
        self.algorithm = algorithm
    }

    /// Whether this key made the signature of a JWS. `message` is `header.payload`.
    func signed(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
        switch key {
        case .rsa(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return switch algorithm {
            case .rs256: key.isValidSignature(signature, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
            case .rs384: key.isValidSignature(signature, for: SHA384.hash(data: message), padding: .insecurePKCS1v1_5)
            case .rs512: key.isValidSignature(signature, for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
            case .ps256: key.isValidSignature(signature, for: SHA256.hash(data: message), padding: .PSS)
            case .ps384: key.isValidSignature(signature, for: SHA384.hash(data: message), padding: .PSS)
            case .ps512: key.isValidSignature(signature, for: SHA512.hash(data: message), padding: .PSS)
            case .es256, .es384, .es512, .edDSA: false
            }
        // swift-crypto uses the digest of each algorithm for its curve: SHA-256, 384, 512.
        case .p256(let key):
            return (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: message) } ?? false
        case .p384(let key):
            return (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: message) } ?? false
        case .p521(let key):
            return (try? P521.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: message) } ?? false
        case .ed25519(let key): return key.isValidSignature(signature, for: message)
        }
    }
}

/// Why a key is skipped, as a text for the operator.
struct KeyProblem: Error, Hashable, CustomStringConvertible {
    let phrase: Phrase
    var description: String { phrase.english }
    init(_ phrase: Phrase) { self.phrase = phrase }
}

/// A signature algorithm of ID tokens, with its JWA name (RFC 7518 and 8037). `none` and algorithms with a shared secret are not
/// supported.
public enum IDTokenAlgorithm: String, Sendable, Hashable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"

    /// The algorithm with this JWA name. Bytes are compared, because a token may have any text.
    init?(name: String) {
        guard let algorithm = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else { return nil }
        self = algorithm
    }

    /// Whether it uses RSA keys.
    var isRSA: Bool {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: true
        case .es256, .es384, .es512, .edDSA: false
        }
    }
}
