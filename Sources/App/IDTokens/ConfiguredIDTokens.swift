import Crypto
import Logging
import PulseBoardDomain
import PulseBoardVocabulary
import Synchronization

/// Verifies ID tokens with a configuration and the key files that it names.
///
/// The checks are in the order of ``PulseBoardDomain/IDTokenRefusal``. It parses a token once and makes all checks itself; only signatures are
/// verified by a library (docs/id-tokens.md says why).
public final class ConfiguredIDTokens: IDTokenVerifier {
    private let issuersByName: [String: Trusted]
    private let inOrder: [Trusted]
    /// The rate of the configuration, which has a default.
    public let signInsPerSecondPerCaller: Int?

    private final class Trusted: Sendable {
        let configuration: IDTokenConfiguration.Issuer
        let keys: IssuerKeys

        init(_ configuration: IDTokenConfiguration.Issuer, _ keys: IssuerKeys) {
            self.configuration = configuration
            self.keys = keys
        }
    }

    /// Reads the key files. A file that is missing or invalid is reported in the log, and read again later.
    ///
    /// - Parameters:
    ///   - former: the verifier before this one. An issuer with the same file and algorithms keeps its keys if the file cannot be read now.
    ///   - uptime: a monotonic clock.
    ///   - files: makes what runs the later checks of one issuer's key file. They may block, so every issuer has its own: one whose file system hangs
    ///     keeps no other waiting.
    public init(
        _ configuration: IDTokenConfiguration, succeeding former: ConfiguredIDTokens? = nil, clock: any WallClock = SystemWallClock(), logger: Logger,
        uptime: @escaping @Sendable () -> Duration = ConfiguredIDTokens.processUptime,
        files: @escaping @Sendable () -> any TaskExecutor = { globalConcurrentExecutor }
    ) {
        signInsPerSecondPerCaller = configuration.signInsPerSecondPerCaller
        let kept = former?.inOrder ?? []
        inOrder = configuration.issuers.map { issuer in
            let keys = kept.first { $0.keys.belong(to: issuer) }?.keys
            return Trusted(issuer, keys ?? IssuerKeys(issuer, clock: clock, uptime: uptime, files: files(), logger: logger))
        }
        var issuersByName: [String: Trusted] = [:]
        for trusted in inOrder {
            for spelling in [trusted.configuration.issuer] + trusted.configuration.aliases { issuersByName[spelling] = trusted }
            trusted.keys.lookAtOnce(named: trusted.configuration.name)
        }
        self.issuersByName = issuersByName
    }

    /// The time since this process first asked for it.
    public static let processUptime: @Sendable () -> Duration = { [start = ContinuousClock.now] in start.duration(to: .now) }

    /// The issuer with this spelling. A text that is longer than a configured issuer may be is not looked up: hashing a run of combining marks takes
    /// time that grows with its square.
    private func trusted(_ issuer: String) -> Trusted? {
        guard issuer.utf8.count <= IDTokenConfiguration.maximumTextBytes, let place = issuersByName.index(forKey: issuer) else { return nil }
        return Self.isSame(issuersByName[place].key, issuer) ? issuersByName[place].value : nil
    }

    /// Whether two texts have the same code points. Swift's `==` takes some texts with others for the same. Source: RFC 7519, section 2, StringOrURI.
    private static func isSame(_ first: String, _ second: String) -> Bool { first.utf8.elementsEqual(second.utf8) }

    public func name(ofIssuer issuer: String) -> String? { trusted(issuer)?.configuration.name }

    public func signInsPerSecond(ofIssuer issuer: String) -> Int { trusted(issuer)?.configuration.signInsPerSecond ?? 0 }

    public func issuers() -> [IssuerStatus] { inOrder.map(\.keys.status) }

    public func verify(_ token: String, nonce: String, at now: Timestamp) async throws(IDTokenRefusal) -> VerifiedIDToken {
        // Checked before changing threads, so that texts that are too long are not copied. The nonce counts, because it is hashed and compared.
        guard token.utf8.count + nonce.utf8.count <= UnverifiedToken.maximumBytes else { throw .malformed }
        // Otherwise a task of an event loop would run everything on that loop, even `@concurrent` functions.
        let outcome = await withTaskExecutorPreference(globalConcurrentExecutor) { await self.outcome(token, nonce, now) }
        return try outcome.get()
    }

    @concurrent
    private func outcome(_ token: String, _ nonce: String, _ now: Timestamp) async -> Result<VerifiedIDToken, IDTokenRefusal> {
        do throws(IDTokenRefusal) { return .success(try await judge(token, nonce, now)) } catch { return .failure(error) }
    }

    /// Makes the checks in order. Do not call it on an event loop.
    func judge(_ text: String, _ nonce: String, _ now: Timestamp) async throws(IDTokenRefusal) -> VerifiedIDToken {
        let token = try UnverifiedToken(text)
        let claims = token.claims
        guard let trusted = trusted(claims.issuer) else { throw .issuerUnknown }
        let issuer = trusted.configuration
        guard
            !token.header.isCritical, let algorithm = IDTokenAlgorithm(name: token.header.algorithm), issuer.algorithms.contains(algorithm)
        else { throw .algorithm }
        let keys = await trusted.keys.current()
        guard let key = Self.key(named: token.header.keyName, for: algorithm, of: keys) else { throw .keyUnknown }
        guard key.signed(token.message, token.signature) else { throw .signature }
        let isOurs = { (client: String) in issuer.audiences.contains { Self.isSame($0, client) } }
        guard claims.audiences.contains(where: isOurs), claims.authorizedParty.map(isOurs) ?? true else { throw .audience }
        let skew = Timestamp.Interval.seconds(Int64(issuer.clockSkewSeconds))
        let expiry = min(
            Timestamp(microseconds: claims.expiry).advanced(by: skew),
            Timestamp(microseconds: claims.issued).advanced(by: .seconds(Int64(issuer.maximumAgeSeconds))))
        guard now < expiry else { throw .expired }
        let latest = now.advanced(by: skew).microseconds
        guard claims.issued <= latest, claims.notBefore ?? 0 <= latest else { throw .notYetValid }
        guard issuer.nonce == .off || Self.isNonce(claims.nonce, nonce, issuer.nonce) else { throw .nonce }
        return VerifiedIDToken(
            account: AccountID(issuer: issuer.issuer, subject: claims.subject), hash: Array(SHA256.hash(data: token.message)),
            expireTime: Self.end(of: claims), needsServerNonce: issuer.nonce == .server)
    }

    /// When a token has expired in every permitted configuration. Its use is remembered until then, because a reload may permit a larger skew or age.
    private static func end(of claims: UnverifiedToken.Claims) -> Timestamp {
        min(
            Timestamp(microseconds: claims.expiry).advanced(by: .seconds(Int64(IDTokenConfiguration.clockSkews.upperBound))),
            Timestamp(microseconds: claims.issued).advanced(by: .seconds(Int64(IDTokenConfiguration.maximumAges.upperBound))))
    }

    /// The key for a token: by name and algorithm, or by the algorithm alone if only one key has it.
    private static func key(named name: String?, for algorithm: IDTokenAlgorithm, of keys: [VerificationKey]) -> VerificationKey? {
        let fitting = keys.filter { key in
            key.algorithm == algorithm && name.map { key.name?.hasSameBytes(as: $0) == true } ?? true
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// Whether the claim is the request's nonce, or its SHA-256 in hexadecimal digits. Google copies the nonce; apps for Apple hash it.
    /// - Parameter policy: with `clientHashed`, only the hash counts. Otherwise somebody who has the token could send the claim as the nonce.
    private static func isNonce(_ claim: String?, _ nonce: String, _ policy: IDTokenConfiguration.NoncePolicy) -> Bool {
        guard let claim, !nonce.isEmpty else { return false }
        if policy != .clientHashed, claim.hasSameBytes(as: nonce) { return true }
        return claim == SHA256.hash(data: Array(nonce.utf8)).hexadecimal
    }
}

/// Verifies ID tokens with the newest configuration. The configuration can be replaced while the server runs.
///
/// A running verification ends with the configuration that it began with. Without a configuration every issuer is unknown.
public final class ReplaceableIDTokens: IDTokenVerifier {
    private let current: Mutex<ConfiguredIDTokens?>
    private let logger: Logger
    private let files: @Sendable () -> any TaskExecutor

    /// - Parameters:
    ///   - configuration: the issuers; `nil` for none.
    ///   - files: makes what runs the checks of one issuer's key file while the server serves. They block their thread for as long as a file system
    ///     hangs.
    public init(
        _ configuration: IDTokenConfiguration?, logger: Logger, files: @escaping @Sendable () -> any TaskExecutor = { globalConcurrentExecutor }
    ) {
        self.logger = logger
        self.files = files
        current = Mutex(configuration.map { ConfiguredIDTokens($0, logger: logger, files: files) })
    }

    /// Uses another configuration from now on. Open sessions stay open.
    public func replace(by configuration: IDTokenConfiguration?) {
        // Files are read outside the lock, so that verification goes on meanwhile.
        let former = present
        let next = configuration.map { ConfiguredIDTokens($0, succeeding: former, logger: logger, files: files) }
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
