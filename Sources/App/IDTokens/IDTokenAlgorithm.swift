import PulseBoardDomain

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
