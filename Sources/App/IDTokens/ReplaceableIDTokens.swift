import Logging
import PulseBoardDomain
import Synchronization

/// Verifies ID tokens with the newest configuration. The configuration can be replaced while the server runs.
///
/// A running verification ends with the configuration that it began with. Without a configuration every issuer is unknown.
public final class ReplaceableIDTokens: IDTokenVerifier {
    private let current: Mutex<ConfiguredIDTokens?>
    private let logger: Logger

    /// - Parameter configuration: the issuers; `nil` for none.
    public init(_ configuration: IDTokenConfiguration?, logger: Logger) {
        self.logger = logger
        current = Mutex(configuration.map { ConfiguredIDTokens($0, logger: logger) })
    }

    /// Uses another configuration from now on. Open sessions stay open.
    public func replace(by configuration: IDTokenConfiguration?) {
        // Files are read outside the lock, so that verification goes on meanwhile.
        let former = present
        let next = configuration.map { ConfiguredIDTokens($0, succeeding: former, logger: logger) }
        current.withLock { $0 = next }
    }

    private var present: ConfiguredIDTokens? { current.withLock { $0 } }

    public func verify(_ token: String, nonce: String, at now: Timestamp) async throws(IDTokenRefusal) -> VerifiedIDToken {
        guard let present else { throw .issuerUnknown }
        return try await present.verify(token, nonce: nonce, at: now)
    }

    public func name(ofIssuer issuer: String) -> String? { present?.name(ofIssuer: issuer) }

    public func signInsPerSecond(ofIssuer issuer: String) -> Int { present?.signInsPerSecond(ofIssuer: issuer) ?? 0 }

    public var signInsPerSecondPerCaller: Int? { present?.signInsPerSecondPerCaller ?? IDTokenConfiguration.defaultCallerRate }

    public func issuers() -> [IssuerStatus] { present?.issuers() ?? [] }
}
