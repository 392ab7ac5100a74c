import PulseBoardDomain

/// PulseBoard's services over one store: the in-process product, and what the server puts behind its sockets.
public struct Services: Sendable {
    public let auth: AuthService
    public let profiles: ProfileService
    public let follows: FollowService
    /// Wakes those who watch.
    let hub = ChangeHub()
    private let sessionCache: SessionCache
    private let currentProfiles: CurrentProfiles

    /// How the memory that spares the store is used.
    public var cacheUsage: [CacheUsage] { [sessionCache.usage, currentProfiles.usage] }

    /// Wires the services. Reads the page-token key from the store, making it on the first start.
    public init(
        store: any PulseBoardStore, configuration: ServicesConfiguration
    ) async throws(RepositoryError) {
        let key = try await store.secret(
            named: PageTokenSealer.secretName,
            orStore: configuration.random.bytes(PageTokenSealer.keyByteCount))
        let pageTokens = PageTokenSealer(key: key)
        sessionCache = SessionCache(capacity: configuration.sessionCacheCapacity)
        currentProfiles = CurrentProfiles(users: store, capacity: configuration.profileCacheCapacity)
        let hub = hub
        store.onFollowsEnded { hub.announce(.allFollows) }
        let watches = WatchDependencies(
            hub: hub, sessions: store, clock: configuration.clock, timer: configuration.timer)
        auth = AuthService(
            sessions: store, cache: sessionCache, profiles: currentProfiles, watches: watches,
            configuration: configuration)
        profiles = ProfileService(
            users: store, profiles: currentProfiles, sessionCache: sessionCache, pageTokens: pageTokens,
            watches: watches, configuration: configuration)
        follows = FollowService(
            follows: store, events: store, pageTokens: pageTokens, watches: watches, configuration: configuration)
    }

    /// Ends every watch with `shuttingDown`, at once, and every later one as it begins; all else goes on.
    ///
    /// To be called when the shutdown begins: a watch has no end of its own, and waiting for it would take the whole grace
    /// period. Its client resumes at the next server.
    public func finishWatches() { hub.finish() }
}
