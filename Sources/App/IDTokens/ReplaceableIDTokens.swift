import Logging
import PulseBoardDomain
import Synchronization

/// Judges ID tokens by the configuration that was read last: another one takes its place while the server runs.
///
/// A token that is being judged is judged to its end by the configuration that it began with. Without a configuration every issuer is unknown.
public final class ReplaceableIDTokens: IDTokenVerifier {
    private let current: Mutex<ConfiguredIDTokens?>
    private let logger: Logger

    /// - Parameter configuration: whose tokens sign people in; `nil`: nobody's.
    public init(_ configuration: IDTokenConfiguration?, logger: Logger) {
        self.logger = logger
        current = Mutex(configuration.map { ConfiguredIDTokens($0, logger: logger) })
    }

    /// Judges by another configuration from now on. Sessions that are open stay open.
    public func replace(by configuration: IDTokenConfiguration?) {
        // Files are read outside of the lock: others judge meanwhile.
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
