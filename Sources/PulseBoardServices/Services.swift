import PulseBoardDomain

/// PulseBoard's services over one store: the in-process product, and what the server puts behind its sockets.
public struct Services: Sendable {
    public let auth: AuthService
    public let profiles: ProfileService
    public let follows: FollowService

    /// Wires the services. Reads the page-token key from the store, making it on the first start.
    public init(
        store: any PulseBoardStore, configuration: ServicesConfiguration
    ) async throws(RepositoryError) {
        let key = try await store.secret(
            named: PageTokenSealer.secretName,
            orStore: configuration.random.bytes(PageTokenSealer.keyByteCount))
        let pageTokens = PageTokenSealer(key: key)
        let sessionCache = SessionCache(capacity: configuration.sessionCacheCapacity)
        let currentProfiles = CurrentProfiles(users: store, capacity: configuration.profileCacheCapacity)
        auth = AuthService(
            sessions: store, cache: sessionCache, profiles: currentProfiles, configuration: configuration)
        profiles = ProfileService(
            users: store, profiles: currentProfiles, sessionCache: sessionCache, pageTokens: pageTokens,
            configuration: configuration)
        follows = FollowService(follows: store, pageTokens: pageTokens, configuration: configuration)
    }
}
