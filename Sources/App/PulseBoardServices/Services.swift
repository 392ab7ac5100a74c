import PulseBoardDomain
import Synchronization

/// PulseBoard's services over one store. A program can use them in its own process. The server offers them on its sockets.
///
///     let store = try SQLiteStore(directory: "/var/lib/example")
///     let services = try await Services(store: store, configuration: ServicesConfiguration(trustedUIDs: []))
///     let caller = try await services.auth.authenticate(services.auth.signIn(peerUID: 1000).token)
///     let profile = try await services.profiles.createProfile(username: "minji", caller)
///
/// Every function that asks the store may also throw `storeUnavailable`, `corruptRow`, `emptyValue`, and `cancelled` when its task is cancelled.
public struct Services: Sendable {
    /// Sign-in, sessions, and who a caller is.
    public let auth: AuthService
    /// Profiles and usernames.
    public let profiles: ProfileService
    /// Follows and their lists.
    public let follows: FollowService
    /// The identities by which a user signs in.
    public let identities: IdentityService
    /// Leaving, and coming back.
    public let withdrawals: WithdrawalService
    /// Everything about a user, as records.
    public let exports: ExportService
    /// Diaries and their changes.
    public let diaries: DiaryService
    /// The pictures of diaries.
    public let diaryImages: DiaryImageService
    /// The pictures of profiles; `nil` if no pictures are served.
    public let images: ImageService?
    /// Wakes the watchers.
    let hub = ChangeHub()
    /// The rules that can change while the services run.
    private let rules: ServiceRules
    private let sessionCache: SessionCache
    private let profileCache: ProfileCache

    /// The usage of the caches.
    public var cacheUsage: [CacheUsage] { [sessionCache.usage, profileCache.usage] }

    /// What pictures need besides the store: a store for their bytes, and a decoder for uploads.
    public struct ImageParts: Sendable {
        let store: any ImageStore
        let decoder: any ImageDecoding

        public init(store: any ImageStore, decoder: any ImageDecoding) {
            self.store = store
            self.decoder = decoder
        }
    }

    /// Makes the services. Reads the key for page tokens from the store, which creates it on the first start.
    /// - Parameters:
    ///   - images: `nil` to serve no pictures.
    ///   - idTokens: verifies ID tokens; `nil` to permit no sign-in with them.
    /// - Throws: an error of the store, if the key cannot be read or written.
    public init(
        store: any PulseBoardStore, images parts: ImageParts? = nil, idTokens: (any IDTokenVerifier)? = nil, configuration: ServicesConfiguration
    ) async throws(RepositoryError) {
        let key = try await store.secret(
            named: PageTokenSealer.secretName,
            orStore: configuration.random.bytes(PageTokenSealer.keyByteCount))
        let pageTokens = PageTokenSealer(key: key)
        let proofs = IDTokenProofs(verifier: idTokens, nonces: SignInNonceSealer(secret: key), configuration: configuration)
        let shared = store as? any SharedStore
        let freshness = Freshness(shared)
        sessionCache = SessionCache(capacity: configuration.sessionCacheCapacity, freshness: freshness)
        profileCache = ProfileCache(users: store, capacity: configuration.profileCacheCapacity, freshness: freshness)
        let hub = hub
        shared?.listen(
            SharedStoreListener(
                watched: { hub.watchedUsers }, changed: { hub.announceAll(of: $0) }, forget: { freshness.forget($0) }))
        store.onFollowsEnded { users in hub.announce(users.map { .follows(of: $0) }) }
        rules = ServiceRules(usernames: configuration.usernameRules, withdrawalGrace: configuration.withdrawalGrace)
        let watches = WatchDependencies(
            hub: hub, sessions: store, clock: configuration.clock, timer: configuration.timer)
        let leaving = Leaving(sessions: sessionCache, profiles: profileCache, hub: hub)
        auth = AuthService(
            sessions: store, cache: sessionCache, profiles: profileCache, pageTokens: pageTokens, watches: watches, proofs: proofs,
            freshness: freshness, configuration: configuration)
        identities = IdentityService(
            identities: store, proofs: proofs, cache: sessionCache, watches: watches, configuration: configuration)
        profiles = ProfileService(
            users: store, profiles: profileCache, leaving: leaving, pageTokens: pageTokens,
            watches: watches, rules: rules, configuration: configuration)
        let uploading = UploadingUsers(limit: configuration.uploadsAtOnce)
        images = parts.map { [profileCache] parts in
            ImageService(
                repository: store, profiles: profileCache, store: parts.store, decoder: parts.decoder, uploading: uploading, watches: watches,
                configuration: configuration)
        }
        diaryImages = DiaryImageService(
            store: store, decoder: parts?.decoder, uploading: uploading, watches: watches, configuration: configuration)
        diaries = DiaryService(store: store, tokens: pageTokens, watches: watches, configuration: configuration)
        follows = FollowService(
            follows: store, events: store, pageTokens: pageTokens, watches: watches, configuration: configuration)
        withdrawals = WithdrawalService(withdrawals: store, leaving: leaving, rules: rules, configuration: configuration)
        exports = ExportService(store: store, images: images, watches: watches, configuration: configuration)
    }

    /// Sets the rules for all later calls. Existing names and withdrawals stay as they are.
    public func setRules(usernames: UsernameRules, withdrawalGrace: Timestamp.Interval) {
        rules.replace(usernames: usernames, withdrawalGrace: withdrawalGrace)
    }

    /// Ends every watch and export with `shuttingDown`, and each later watch when it begins. Everything else goes on.
    ///
    /// Call it when the shutdown begins. A watch does not end by itself, so waiting for it would take the whole grace period. The client resumes
    /// it at the next server.
    public func finishWatches() { hub.finish() }
}

/// The settings of the services. The defaults are those of a server without configuration.
///
///     var configuration = ServicesConfiguration(trustedUIDs: [0])
///     configuration.sessionLifetime = .days(7)
///     let services = try await Services(store: store, configuration: configuration)
public struct ServicesConfiguration: Sendable {
    /// The only Unix uids that may sign in to named accounts. `pulseboardd` puts root, its own uid and `--trusted-uid` here.
    public var trustedUIDs: Set<UInt32>
    /// How long a session lasts. Default 30 days.
    public var sessionLifetime: Timestamp.Interval
    /// Maximum sessions of a user, at least 1. One more sign-in ends the oldest. Default 100.
    public var sessionsPerUser: Int
    /// The rules for usernames, until ``Services/setRules(usernames:withdrawalGrace:)`` replaces them.
    public var usernameRules: UsernameRules
    /// Sign-ins with ID tokens, links and nonces of one caller per second, and four times as many at once. If the verifier of ID tokens has a rate of
    /// its own, that rate counts instead. `CallSource.inProcess` is not counted. Over it: `rateLimited`. Default 50.
    public var signInsPerSecondPerCaller: Int
    /// How long users who have asked to leave may come back. Default 30 days. It is not checked here; pulseboardd permits 0 to 90 days.
    public var withdrawalGrace: Timestamp.Interval
    /// Maximum sessions in memory, at least 1. Default 65,536.
    public var sessionCacheCapacity: Int
    /// Maximum profiles in memory, at least 1, each with its encoded bytes. Default 16,384.
    public var profileCacheCapacity: Int
    /// Maximum uploads of pictures at once, of all users, for profiles and diaries. Each takes a descriptor. Over it, the new upload takes the place
    /// of the slowest one that is older than ten seconds, which gets `imageRefused(.busy)`. If there is none, the new one gets it. Default 256. See
    /// also ``limitUploads(toDescriptors:)``.
    public var uploadsAtOnce: Int
    /// How long typing must pause before the store is asked about a username (B19). Default 400 ms.
    public var typingPause: Duration
    /// The present time, by which sessions and names expire.
    public var clock: any WallClock
    /// The timer for waits. It is injected, so that a test decides how fast time passes.
    public var timer: any Clock<Duration>
    /// The source of tokens and ids.
    public var random: any RandomSource

    public init(
        trustedUIDs: Set<UInt32>, sessionLifetime: Timestamp.Interval = .days(30), sessionsPerUser: Int = 100,
        usernameRules: UsernameRules = UsernameRules(), signInsPerSecondPerCaller: Int = 50,
        withdrawalGrace: Timestamp.Interval = .days(30), sessionCacheCapacity: Int = 65_536,
        profileCacheCapacity: Int = 16_384, uploadsAtOnce: Int = 256, typingPause: Duration = .milliseconds(400),
        clock: any WallClock = SystemWallClock(), timer: any Clock<Duration> = ContinuousClock(),
        random: any RandomSource = SystemRandomSource()
    ) {
        precondition(sessionsPerUser > 0, "a user who signs in has at least that session")
        self.trustedUIDs = trustedUIDs
        self.sessionLifetime = sessionLifetime
        self.sessionsPerUser = sessionsPerUser
        self.usernameRules = usernameRules
        self.signInsPerSecondPerCaller = signInsPerSecondPerCaller
        self.withdrawalGrace = withdrawalGrace
        self.sessionCacheCapacity = sessionCacheCapacity
        self.profileCacheCapacity = profileCacheCapacity
        self.uploadsAtOnce = uploadsAtOnce
        self.typingPause = typingPause
        self.clock = clock
        self.timer = timer
        self.random = random
    }

    /// Lowers ``uploadsAtOnce`` to an eighth of the descriptors that the process may have open, but not below 1.
    public mutating func limitUploads(toDescriptors count: Int) { uploadsAtOnce = min(uploadsAtOnce, max(1, count / 8)) }

    /// How many descriptors uploads take at most. It is more than ``uploadsAtOnce``, because an upload that has lost its place ends a moment later.
    public var uploadDescriptors: Int { uploadsAtOnce + UploadingUsers.mostLost(of: uploadsAtOnce) }
}

/// Rules of the services that an operator can change while they serve: ``Services/setRules(usernames:withdrawalGrace:)``.
final class ServiceRules: Sendable {
    private struct Values {
        var usernames: UsernameRules
        var withdrawalGrace: Timestamp.Interval
    }

    private let values: Mutex<Values>

    init(usernames: UsernameRules, withdrawalGrace: Timestamp.Interval) {
        values = Mutex(Values(usernames: usernames, withdrawalGrace: withdrawalGrace))
    }

    /// The rules for new usernames.
    var usernames: UsernameRules { values.withLock { $0.usernames } }

    /// The longest username in bytes.
    var maximumUsernameBytes: Int { values.withLock { $0.usernames.maximumBytes } }

    /// How long users who ask to leave may come back.
    var withdrawalGrace: Timestamp.Interval { values.withLock { $0.withdrawalGrace } }

    func replace(usernames: UsernameRules, withdrawalGrace: Timestamp.Interval) {
        values.withLock { $0 = Values(usernames: usernames, withdrawalGrace: withdrawalGrace) }
    }
}
