import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Says who calls: leaves the ``Caller`` that the call's token proves in its context, and ends a call that needs one and proves none.
///
/// It stands before every handler, so a call without a session learns nothing else (X21), unless its token has to be looked up and its request's
/// bytes are no message at all; and no user id in a request is ever believed. What the domain refuses, here or in the handler, it puts into words (``Refusal``).
public struct DomainInterceptor: ContextInterceptor {
    /// The methods (`service/method`) of PulseBoard that need no session; every other method needs one, also one that is added later.
    ///
    /// Whoever signs in has none yet. The limits are the same for everybody. A missing or ended session is a state that clients ask for, not an error (B15, B16). The
    /// administrator is known by the kernel's word, which `AdminHandler` checks itself.
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
    private let refusal = Refusal()
    private let methodsWithoutCaller: [String]
    /// Those of them that are not there for who calls through a gateway.
    private let localMethods: [String]
    /// Whether one of those that need no session has a name of so many bytes: comparing names is dear for what every call pays, and hashing them dearer.
    private let hasLength: [Bool]

    /// - Parameters:
    ///   - publicMethods: methods (`service/method`) of other services on the same server that need no session either.
    ///   - localMethods: those of them that are not there for who calls through a gateway: they end with `UNIMPLEMENTED`.
    public init(auth: AuthService, publicMethods: [String] = [], localMethods: [String] = []) {
        self.auth = auth
        self.localMethods = localMethods
        methodsWithoutCaller = Self.methodsWithoutCaller + publicMethods
        let lengths = Set(methodsWithoutCaller.map(\.utf8.count))
        hasLength = (0...(lengths.max() ?? 0)).map { lengths.contains($0) }
    }

    /// Finds the caller of a session that is in memory.
    public func prepare(_ context: inout CallContext) throws -> Bool {
        guard needsCaller(context.method) else {
            if context.origin.isRemote, localMethods.contains(context.method) {
                throw RPCError(.unimplemented, "\(context.method) is not served here")
            }
            return true
        }
        let consistency = context.consistency
        guard let caller = try context.withBearerToken({ try auth.knownCaller($0, consistency ?? .latest) }) ?? nil else { return false }
        try leave(caller, consistency, &context)
        return true
    }

    /// Leaves the caller, unless what the call says of consistency cannot be understood: only a caller is told so (X21).
    private func leave(_ caller: Caller, _ consistency: Consistency?, _ context: inout CallContext) throws(RepositoryError) {
        guard consistency != nil else { throw .consistencyInvalid }
        context.leave(caller)
    }

    /// Asks the store for the session.
    public func prepareWaiting(_ context: inout CallContext) async throws {
        let consistency = context.consistency
        try leave(await auth.authenticate(context.bearerToken, consistency ?? .latest), consistency, &context)
    }

    public func convert(_ error: any Error, _ context: CallContext) -> any Error {
        if let error = error as? RepositoryError { refusal.status(for: error, context) } else { error }
    }

    /// Whether the method is none of those that need no session.
    private func needsCaller(_ method: String) -> Bool {
        let length = method.utf8.count
        return length >= hasLength.count || !hasLength[length] || !methodsWithoutCaller.contains(method)
    }
}
