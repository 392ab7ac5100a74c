import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Authenticates calls. It puts the ``Caller`` that the call's token proves into the context, and ends a call that needs a caller and has none.
///
/// It runs before every handler, so a call without a session learns nothing else (X21). There is one exception: if the session is not in memory, a
/// small request that cannot be decoded is refused first. A user id in a request never proves the caller. The interceptor also turns errors of the
/// domain into statuses (``StatusMapper``).
public struct DomainInterceptor: ContextInterceptor {
    /// The methods (`service/method`) of PulseBoard that need no session. Every other method needs one, including new methods.
    ///
    /// A client that signs in has no session yet. The limits are the same for everybody. For the state of the sign-in, a missing or ended session is
    /// an answer and not an error (B15, B16). `AdminHandler` checks itself that the uid from the kernel is an administrator's.
    private static let methodsWithoutCaller = [
        PBAuthService.Methods.signIn.path,
        PBAuthService.Methods.createSignInNonce.path,
        PBAuthService.Methods.getAuthState.path,
        PBAuthService.Methods.watchAuthState.path,
        PBProfileService.Methods.getLimits.path,
        PBAdminService.Methods.getServerInfo.path,
        PBAdminService.Methods.drain.path,
        PBAdminService.Methods.backup.path,
        PBAdminService.Methods.getMetrics.path,
        PBAdminService.Methods.setLogLevel.path,
    ]

    private let auth: AuthService
    private let statusMapper: StatusMapper
    private let methodsWithoutCaller: [String]
    /// Those of the public methods that a gateway's callers cannot call.
    private let localMethods: [String]
    /// By length in bytes: whether a method that needs no session has a name this long. Every call pays for this check, and comparing or hashing
    /// names would cost more.
    private let hasLength: [Bool]
    private let callsBehindGateway = UserPlaces(limit: Self.mostCallsBehindGateway)
    private let signOutsBehindGateway = Places<SessionID>(limit: Self.mostSignOutsBehindGateway)
    private let sessionCallsBehindGateway = Places<SessionID>(limit: Self.mostSessionCallsBehindGateway)
    private let callsOfStrangers = Places<Stranger>(limit: Self.mostCallsOfStrangers)
    private let streamsOfStrangers = Places<Stranger>(limit: Self.mostStreamsOfStrangers)

    /// Unary calls that one signed-in user may have behind a gateway at once, on all connections. A call counts until its answer is sent.
    ///
    /// To the runtime, all people behind a gateway are one user. Without this limit, one person who reads no answers could take that user's places
    /// and memory from all others. An answer has up to 150 KB. Larger ones, and what streams have not read, have their own limits (``DiaryService``,
    /// ``DiaryImageService``, ``ImageService``). With ttrpc, which no gateway forwards, a call counts only until its handler begins.
    static let mostCallsBehindGateway = 128

    /// The same for `SignOut`. It and ``sessionMethods`` are counted by session, not by user. So a thief of a token cannot keep the owner from ending
    /// that session.
    static let mostSignOutsBehindGateway = 8
    /// The same for ``sessionMethods``.
    static let mostSessionCallsBehindGateway = 16

    /// Unary calls of methods that need no session, from all callers behind gateways at once. They have places of their own, so that strangers
    /// cannot take those of people who have signed in.
    static let mostCallsOfStrangers = 1_024
    /// The same for streams: health watches, which never end. (A watch of the sign-in's state ends at once for a stranger.)
    static let mostStreamsOfStrangers = 256

    /// Methods that list the user's sessions and end others.
    private static let sessionMethods: Set<String> = [PBAuthService.Methods.listSessions.path, PBAuthService.Methods.revokeSession.path]

    /// The holder of the places of all strangers.
    private enum Stranger { case any }

    /// - Parameters:
    ///   - publicMethods: methods (`service/method`) of other services on the same server that need no session either.
    ///   - localMethods: those of them that a gateway's callers cannot call: such calls end with `UNIMPLEMENTED`.
    public init(auth: AuthService, publicMethods: [String] = [], localMethods: [String] = []) {
        self.auth = auth
        statusMapper = StatusMapper(clock: auth.clock)
        self.localMethods = localMethods
        methodsWithoutCaller = Self.methodsWithoutCaller + publicMethods
        let lengths = Set(methodsWithoutCaller.map(\.utf8.count))
        hasLength = (0...(lengths.max() ?? 0)).map { lengths.contains($0) }
    }

    /// Finds the caller of a session that is in memory.
    public func prepare(_ context: inout CallContext) throws -> Bool {
        guard needsCaller(context.method) else {
            if context.origin.isRemote { try admitStranger(context) }
            return true
        }
        let consistency = context.consistency
        guard let caller = try context.withBearerToken({ try auth.knownCaller($0, consistency ?? .latest) }) ?? nil else { return false }
        try leave(caller, consistency, &context)
        return true
    }

    /// Admits a call from behind a gateway to a method that needs no session.
    private func admitStranger(_ context: CallContext) throws(RPCError) {
        guard !localMethods.contains(context.method) else { throw RPCError(.unimplemented, "\(context.method) is not served here") }
        // Who is signed in may watch the state of the sign-in, and has a limit for that.
        if context.method == PBAuthService.Methods.watchAuthState.path { return }
        let places = context.shape == .unary ? callsOfStrangers : streamsOfStrangers
        try take(places, .any, "callers without a session", for: context)
    }

    /// Stores the caller. It checks the consistency only now, because only an authenticated caller may learn that it is invalid (X21).
    /// - Throws: `consistencyInvalid`; an `RPCError` with the reason `USER_CALLS` if the caller has too many calls behind a gateway.
    private func leave(_ caller: Caller, _ consistency: Consistency?, _ context: inout CallContext) throws {
        guard consistency != nil else { throw RepositoryError.consistencyInvalid }
        if context.origin.isRemote, context.shape == .unary { try takePlace(caller, context) }
        context.leave(caller)
    }

    /// Takes one of the caller's places for a call from behind a gateway.
    private func takePlace(_ caller: Caller, _ context: CallContext) throws(RPCError) {
        if context.method == PBAuthService.Methods.signOut.path {
            try take(signOutsBehindGateway, caller.sessionID, "one session", for: context)
        } else if Self.sessionMethods.contains(context.method) {
            try take(sessionCallsBehindGateway, caller.sessionID, "one session", for: context)
        } else {
            try take(callsBehindGateway, caller.userID, "one user", for: context)
        }
    }

    /// Takes a place, and keeps it until the call's answer is sent.
    private func take<Holder>(_ places: Places<Holder>, _ holder: Holder, _ name: String, for context: CallContext) throws(RPCError) {
        guard let place = places.takeNow(holder) else {
            throw RPCError.limitReached(.userCalls, "\(name) may have \(places.limit) such calls behind a gateway at once")
        }
        context.keepUntilSent(place)
    }

    /// Finds the caller by reading the session from the store.
    public func prepareWaiting(_ context: inout CallContext) async throws {
        let consistency = context.consistency
        let caller = try await auth.authenticate(context.bearerToken, consistency ?? .latest, from: context.source)
        try leave(caller, consistency, &context)
    }

    /// Turns a `RepositoryError` into the call's status. Other errors stay as they are.
    public func convert(_ error: any Error, _ context: CallContext) -> any Error {
        if let error = error as? RepositoryError { statusMapper.status(for: error, context) } else { error }
    }

    /// Whether the method needs a session.
    private func needsCaller(_ method: String) -> Bool {
        let length = method.utf8.count
        return length >= hasLength.count || !hasLength[length] || !methodsWithoutCaller.contains(method)
    }
}
