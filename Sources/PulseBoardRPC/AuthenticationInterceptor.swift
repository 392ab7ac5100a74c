import ProtobufC
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Says who calls: leaves the ``Caller`` that the call's token proves in its context, and ends a call that needs one and proves none.
///
/// It stands before every handler and before the handler's reading of its request, so a call without a session learns nothing else
/// (X21), and no user id in a request is ever believed. What the domain refuses, here or in the handler, it puts into words
/// (``Refusal``): each interceptor costs a call about a fifth of what the handler does, so these two are one.
///
/// Unary and streaming calls are written out, rather than `intercept` for both, because that is two steps fewer for each call.
public struct AuthenticationInterceptor: ServerInterceptor {
    /// The methods (`service/method`) of PulseBoard that need no session; every other method needs one, also one that is added later.
    ///
    /// Whoever signs in has none yet. A missing or ended session is a state that clients ask for, not an error (B15, B16). The
    /// administrator is known by the kernel's word, which `AdminHandler` checks itself.
    private static let methodsWithoutCaller = [
        PBAuthService.Methods.signIn.path,
        PBAuthService.Methods.getAuthState.path,
        PBAuthService.Methods.watchAuthState.path,
        PBAdminService.Methods.getServerInfo.path,
        PBAdminService.Methods.drain.path,
    ]

    private let auth: AuthService
    private let methodsWithoutCaller: [String]

    /// - Parameter publicMethods: methods (`service/method`) of other services on the same server that need no session either.
    public init(auth: AuthService, publicMethods: [String] = []) {
        self.auth = auth
        methodsWithoutCaller = Self.methodsWithoutCaller + publicMethods
    }

    /// Before a unary call: what is in memory of its session is found without another asynchronous step.
    public func interceptUnary<Request: Message, Response: Message>(
        _ request: Request, _ context: CallContext, _ next: NextUnary<Request, Response>
    ) async throws -> Response {
        do {
            guard needsCaller(context.method) else { return try await next(request, context) }
            let token = context.bearerToken
            if let token, let caller = try auth.knownCaller(token) { return try await next(request, context.called(by: caller)) }
            return try await next(request, context.called(by: try await auth.authenticate(token)))
        } catch let error as RepositoryError {
            throw Refusal.status(for: error, context)
        }
    }

    /// Before a streaming call, once, whatever it carries.
    public func interceptStream<Request: Message, Response: Message>(
        _ requests: MessageStream<Request>, _ responses: MessageWriter<Response>, _ context: CallContext,
        _ next: NextStream<Request, Response>
    ) async throws {
        do {
            guard needsCaller(context.method) else { return try await next(requests, responses, context) }
            let caller = try await auth.authenticate(context.bearerToken)
            try await next(requests, responses, context.called(by: caller))
        } catch let error as RepositoryError {
            throw Refusal.status(for: error, context)
        }
    }

    /// Whether the method is none of those that need no session. Looks at lengths first: comparing names is dear for what every call
    /// pays, and hashing them dearer.
    private func needsCaller(_ method: String) -> Bool {
        !methodsWithoutCaller.contains { $0.utf8.count == method.utf8.count && $0 == method }
    }
}
