import FoundationEssentials
import OperatorFiles
import PulseBoardDomain
import PulseBoardVocabulary

/// The keys of a JWKS file (RFC 7517). Each is read separately, so an invalid key does not affect the others (C6).
public struct JSONWebKeySet: Sendable {
    /// Longest file, in bytes.
    public static let maximumFileBytes = 1 << 20
    /// Maximum keys. Later ones are skipped.
    public static let maximumKeys = 100
    /// Longest name of a key (`kid`), in UTF-8 bytes.
    public static let maximumNameBytes = 256

    /// A skipped key, which cannot sign tokens.
    public struct PassedOver: Sendable, Hashable, CustomStringConvertible {
        /// Its index in the file, from 0.
        public let index: Int
        /// Its name, if it has a readable one.
        public let name: String?
        /// Why it was skipped, as a text for the operator.
        public let why: Phrase

        /// The key and why it was skipped, as a text for the operator.
        public var phrase: Phrase {
            let name = name.map { " (\($0))" } ?? ""
            return Phrase("key \(index)\(name): \(why.english)", "\(index)번 키\(name): \(why.korean)")
        }

        public var description: String { phrase.english }
    }

    let keys: [VerificationKey]
    /// The skipped keys, in the order of the file.
    public let passedOver: [PassedOver]

    /// How many keys can sign tokens.
    public var count: Int { keys.count }

    /// Name and algorithm of each key, such as `k1 RS256`. A key without a name is a dash.
    public var descriptions: [String] { keys.map { "\($0.name ?? "-") \($0.algorithm.rawValue)" } }

    /// Reads a file.
    /// - Throws: `IDTokenConfigurationError` if it is missing, too long, or not a set of keys.
    public init(path: String) throws(IDTokenConfigurationError) {
        do throws(BoundedFile.Failure) {
            try self.init(json: try BoundedFile(path, limit: Self.maximumFileBytes).bytes, algorithms: IDTokenAlgorithm.allCases)
        } catch {
            throw IDTokenConfigurationError(error.phrase)
        }
    }

    /// - Parameter algorithms: the issuer's algorithms. An RSA key without an algorithm gets the first RSA algorithm of them.
    init(json: [UInt8], algorithms: [IDTokenAlgorithm]) throws(BoundedFile.Failure) {
        let entries: [Entry]
        do {
            entries = try JSONDecoder().decode(File.self, from: Data(json)).keys
        } catch let error as DecodingError {
            throw BoundedFile.Failure(phrase: Phrase("no set of keys: \(error.phrase.english)", "키 묶음이 아닙니다: \(error.phrase.korean)"))
        } catch {
            throw BoundedFile.Failure(phrase: Phrase("no set of keys", "키 묶음이 아닙니다"))
        }
        var keys: [VerificationKey] = []
        var passedOver: [PassedOver] = []
        for (index, entry) in entries.enumerated() {
            do throws(KeyProblem) {
                guard keys.count < Self.maximumKeys else {
                    throw KeyProblem(Phrase("more than \(Self.maximumKeys) keys", "키가 \(Self.maximumKeys)개를 넘습니다"))
                }
                let key = try entry.verificationKey(algorithms)
                guard !keys.contains(where: { $0.name == key.name && $0.algorithm == key.algorithm && key.name != nil }) else {
                    throw KeyProblem(Phrase("its name is an earlier key's", "앞의 키와 이름이 같습니다"))
                }
                keys.append(key)
            } catch {
                passedOver.append(PassedOver(index: index, name: entry.name, why: error.phrase))
            }
        }
        self.keys = keys
        self.passedOver = passedOver
    }

    private struct File: Decodable {
        let keys: [Entry]
    }

    /// One element of `keys`, valid or not.
    private struct Entry: Decodable {
        let name: String?
        let key: Result<JSONWebKey, KeyProblem>

        init(from decoder: any Decoder) throws {
            do {
                let read = try JSONWebKey(from: decoder)
                name = read.kid
                key = .success(read)
            } catch {
                name = nil
                key = .failure(KeyProblem((error as? DecodingError)?.phrase ?? Phrase("not a key", "키가 아닙니다")))
            }
        }

        func verificationKey(_ algorithms: [IDTokenAlgorithm]) throws(KeyProblem) -> VerificationKey {
            try key.get().verificationKey(algorithms)
        }
    }
}

/// The members of a JWK that are used.
private struct JSONWebKey: Decodable {
    let kty: String
    let kid: String?
    let use: String?
    let alg: String?
    let crv: String?
    let n: String?
    let e: String?
    let x: String?
    let y: String?

    func verificationKey(_ algorithms: [IDTokenAlgorithm]) throws(KeyProblem) -> VerificationKey {
        if let kid, !(1...JSONWebKeySet.maximumNameBytes).contains(kid.utf8.count) {
            throw KeyProblem(
                Phrase("its name has no or more than \(JSONWebKeySet.maximumNameBytes) bytes", "이름이 비었거나 \(JSONWebKeySet.maximumNameBytes)바이트를 넘습니다"))
        }
        guard use == nil || use == "sig" else { throw KeyProblem(Phrase("its use is '\(use ?? "")', not 'sig'", "용도가 'sig'가 아니라 '\(use ?? "")'입니다")) }
        switch (kty, crv) {
        case ("RSA", _):
            let algorithm = try algorithm(or: algorithms.first(where: \.isRSA))
            guard algorithm.isRSA else {
                throw KeyProblem(Phrase("\(algorithm.rawValue) needs no RSA key", "\(algorithm.rawValue)에는 RSA 키를 쓰지 않습니다"))
            }
            return try VerificationKey(
                name: kid, algorithm: algorithm, modulus: Self.bytes(n, "n"), exponent: Self.bytes(e, "e"))
        case ("EC", "P-256"): return try curveKey(.es256)
        case ("EC", "P-384"): return try curveKey(.es384)
        case ("EC", "P-521"): return try curveKey(.es512)
        case ("OKP", "Ed25519"): return try curveKey(.edDSA)
        default:
            throw KeyProblem(Phrase(
                "a key of type '\(kty)'\(crv.map { " on the curve '\($0)'" } ?? "") signs no ID token",
                "'\(kty)' 키\(crv.map { "(곡선 '\($0)')" } ?? "")로는 ID 토큰에 서명하지 않습니다"))
        }
    }

    private func curveKey(_ curves: IDTokenAlgorithm) throws(KeyProblem) -> VerificationKey {
        let algorithm = try algorithm(or: curves)
        guard algorithm == curves else {
            throw KeyProblem(Phrase("\(algorithm.rawValue) is not of the curve '\(crv ?? "")'", "\(algorithm.rawValue)의 곡선은 '\(crv ?? "")'이(가) 아닙니다"))
        }
        return try VerificationKey(
            name: kid, algorithm: algorithm, x: Self.bytes(x, "x"), y: curves == .edDSA ? [] : Self.bytes(y, "y"))
    }

    private func algorithm(or standing: IDTokenAlgorithm?) throws(KeyProblem) -> IDTokenAlgorithm {
        guard let alg else {
            guard let standing else { throw KeyProblem(Phrase("the issuer signs with no RSA key", "발급자가 RSA 키로 서명하지 않습니다")) }
            return standing
        }
        guard let algorithm = IDTokenAlgorithm(rawValue: alg) else {
            throw KeyProblem(Phrase("no ID token is signed with '\(alg)'", "'\(alg)'(으)로 서명한 ID 토큰은 없습니다"))
        }
        return algorithm
    }

    private static func bytes(_ text: String?, _ member: String) throws(KeyProblem) -> [UInt8] {
        guard let text, let bytes = Base64URL.decode(text), !bytes.isEmpty else {
            throw KeyProblem(Phrase("'\(member)' is not base64url", "'\(member)'이(가) base64url이 아닙니다"))
        }
        return bytes
    }
}
