/// A signature that ID tokens may have: the names of JWA (RFC 7518 and 8037). There is no `none`, and none with a shared secret.
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

    /// Whether RSA keys make it.
    var isRSA: Bool {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: true
        case .es256, .es384, .es512, .edDSA: false
        }
    }
}
