// Written by protoc-gen-pulseboard-swift from pulseboard/auth/v1/auth.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Issues, lists and ends sessions.
///
/// A session's token goes with each call in the metadata `authorization: Bearer <token>`. The services never believe an
/// account that a request body claims.
public enum PBAuthService {
    /// The service's name on the wire.
    public static let fullName = "pulseboard.auth.v1.AuthService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { PBAuthFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `pulseboard.auth.v1.AuthService/SignIn`.
        public static let signIn = MethodDescriptor<PBSignInRequest, PBSignInResponse>(
            service: PBAuthService.fullName, method: "SignIn", shape: .unary)
        /// `pulseboard.auth.v1.AuthService/CreateSignInNonce`.
        public static let createSignInNonce = MethodDescriptor<PBCreateSignInNonceRequest, PBSignInNonce>(
            service: PBAuthService.fullName, method: "CreateSignInNonce", shape: .unary)
        /// `pulseboard.auth.v1.AuthService/SignOut`.
        public static let signOut = MethodDescriptor<PBSignOutRequest, PBSignOutResponse>(
            service: PBAuthService.fullName, method: "SignOut", shape: .unary)
        /// `pulseboard.auth.v1.AuthService/GetAuthState`.
        public static let getAuthState = MethodDescriptor<PBGetAuthStateRequest, PBAuthState>(
            service: PBAuthService.fullName, method: "GetAuthState", shape: .unary)
        /// `pulseboard.auth.v1.AuthService/WatchAuthState`.
        public static let watchAuthState = MethodDescriptor<PBWatchAuthStateRequest, PBWatchAuthStateResponse>(
            service: PBAuthService.fullName, method: "WatchAuthState", shape: .serverStreaming)
        /// `pulseboard.auth.v1.AuthService/ListSessions`.
        public static let listSessions = MethodDescriptor<PBListSessionsRequest, PBListSessionsResponse>(
            service: PBAuthService.fullName, method: "ListSessions", shape: .unary)
        /// `pulseboard.auth.v1.AuthService/RevokeSession`.
        public static let revokeSession = MethodDescriptor<PBRevokeSessionRequest, PBRevokeSessionResponse>(
            service: PBAuthService.fullName, method: "RevokeSession", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `pulseboard.auth.v1.AuthService/SignIn`.
        public var signIn: (@Sendable (PBSignInRequest, CallContext) throws -> PBSignInResponse)?
        /// `pulseboard.auth.v1.AuthService/CreateSignInNonce`.
        public var createSignInNonce: (@Sendable (PBCreateSignInNonceRequest, CallContext) throws -> PBSignInNonce)?
        /// `pulseboard.auth.v1.AuthService/SignOut`.
        public var signOut: (@Sendable (PBSignOutRequest, CallContext) throws -> PBSignOutResponse)?
        /// `pulseboard.auth.v1.AuthService/GetAuthState`.
        public var getAuthState: (@Sendable (PBGetAuthStateRequest, CallContext) throws -> PBAuthState)?
        /// `pulseboard.auth.v1.AuthService/ListSessions`.
        public var listSessions: (@Sendable (PBListSessionsRequest, CallContext) throws -> PBListSessionsResponse)?
        /// `pulseboard.auth.v1.AuthService/RevokeSession`.
        public var revokeSession: (@Sendable (PBRevokeSessionRequest, CallContext) throws -> PBRevokeSessionResponse)?

        /// Methods without a handler here may wait.
        public init(
            signIn: (@Sendable (PBSignInRequest, CallContext) throws -> PBSignInResponse)? = nil,
            createSignInNonce: (@Sendable (PBCreateSignInNonceRequest, CallContext) throws -> PBSignInNonce)? = nil,
            signOut: (@Sendable (PBSignOutRequest, CallContext) throws -> PBSignOutResponse)? = nil,
            getAuthState: (@Sendable (PBGetAuthStateRequest, CallContext) throws -> PBAuthState)? = nil,
            listSessions: (@Sendable (PBListSessionsRequest, CallContext) throws -> PBListSessionsResponse)? = nil,
            revokeSession: (@Sendable (PBRevokeSessionRequest, CallContext) throws -> PBRevokeSessionResponse)? = nil
        ) {
            self.signIn = signIn
            self.createSignInNonce = createSignInNonce
            self.signOut = signOut
            self.getAuthState = getAuthState
            self.listSessions = listSessions
            self.revokeSession = revokeSession
        }
    }
}

/// Implements `pulseboard.auth.v1.AuthService` on a server: `Server(services: […])`.
public protocol PBAuthServiceHandler: RPCService {
    /// Opens a session for the account that the credential proves.
    ///
    /// An account seen for the first time is made here; it then has no profile (`STATE_NEEDS_PROFILE`).
    /// Errors: INVALID_ARGUMENT (FIELD_MISSING) without a credential, (DEVICE_INVALID) for a malformed device; PERMISSION_DENIED
    /// (IDENTITY_NOT_PROVEN) when the connection proves no identity, as through a gateway, and for a uid without a number in the server's user
    /// namespace; INVALID_ARGUMENT (ACCOUNT_NAME_INVALID) for a malformed account name; PERMISSION_DENIED (ACCOUNT_NOT_PERMITTED) when the
    /// peer may not speak for the account it names. With an ID token: INVALID_ARGUMENT (ID_TOKEN_MALFORMED), (REQUEST_ID_INVALID);
    /// UNAUTHENTICATED (ID_TOKEN_ISSUER_UNKNOWN), (ID_TOKEN_ALGORITHM), (ID_TOKEN_KEY_UNKNOWN) to be tried again after a while,
    /// (ID_TOKEN_SIGNATURE), (ID_TOKEN_AUDIENCE), (ID_TOKEN_EXPIRED), (ID_TOKEN_NOT_YET_VALID), (ID_TOKEN_NONCE), (ID_TOKEN_REPLAYED), the first
    /// that applies; RESOURCE_EXHAUSTED (RATE_LIMITED).
    func signIn(
        _ request: PBSignInRequest, context: CallContext
    ) async throws -> PBSignInResponse
    /// Makes a nonce for one sign-in, or one linking, with an ID token. The client hands it to the identity provider, which puts it into the token.
    /// It needs no session.
    ///
    /// Errors: RESOURCE_EXHAUSTED (RATE_LIMITED).
    func createSignInNonce(
        _ request: PBCreateSignInNonceRequest, context: CallContext
    ) async throws -> PBSignInNonce
    /// Ends the session of this call, or all sessions of its account. Stored data stays.
    ///
    /// Errors: UNAUTHENTICATED (NOT_AUTHENTICATED).
    func signOut(
        _ request: PBSignOutRequest, context: CallContext
    ) async throws -> PBSignOutResponse
    /// Says what the caller's client should do next: sign in, make a profile, or go on.
    ///
    /// A missing, unknown, expired or revoked token is the answer `STATE_SIGNED_OUT`, not an error.
    /// Errors: DATA_LOSS (DATA_LOSS), UNAVAILABLE when the server cannot tell whether there is a profile.
    func getAuthState(
        _ request: PBGetAuthStateRequest, context: CallContext
    ) async throws -> PBAuthState
    /// The same now and after every change, up to the end of the session.
    ///
    /// The first message is the present state. A session that ends (sign-out, revocation, withdrawal, expiry) gives
    /// `STATE_SIGNED_OUT`, and the stream then ends with OK; a missing, unknown or ended token gives that at once, since no session
    /// can come to it later: watch again with the token of the next sign-in. A reader that is slow gets the newest state only. While the server
    /// cannot tell the state, it says so with `unchecked` and looks again.
    /// Errors: UNAVAILABLE when the server shuts down: watch again.
    func watchAuthState(
        _ request: PBWatchAuthStateRequest, responses: MessageWriter<PBWatchAuthStateResponse>, context: CallContext
    ) async throws
    /// Lists the open sessions of the caller's account, newest first.
    ///
    /// Errors: UNAUTHENTICATED (NOT_AUTHENTICATED); INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE), (PAGE_TOKEN_INVALID).
    func listSessions(
        _ request: PBListSessionsRequest, context: CallContext
    ) async throws -> PBListSessionsResponse
    /// Ends one session of the caller's account. The session of this very call may be named.
    ///
    /// Errors: UNAUTHENTICATED (NOT_AUTHENTICATED); INVALID_ARGUMENT (IDENTIFIER_INVALID); NOT_FOUND (SESSION_NOT_FOUND) for
    /// one that is unknown, already ended, or another account's (the three look alike on purpose).
    func revokeSession(
        _ request: PBRevokeSessionRequest, context: CallContext
    ) async throws -> PBRevokeSessionResponse
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: PBAuthService.SynchronousHandlers { get }
}

extension PBAuthServiceHandler {
    public var synchronousHandlers: PBAuthService.SynchronousHandlers { PBAuthService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(PBAuthService.Methods.signIn, synchronous: synchronous.signIn) {
            try await self.signIn($0, context: $1)
        }
        router.register(PBAuthService.Methods.createSignInNonce, synchronous: synchronous.createSignInNonce) {
            try await self.createSignInNonce($0, context: $1)
        }
        router.register(PBAuthService.Methods.signOut, synchronous: synchronous.signOut) {
            try await self.signOut($0, context: $1)
        }
        router.register(PBAuthService.Methods.getAuthState, synchronous: synchronous.getAuthState) {
            try await self.getAuthState($0, context: $1)
        }
        router.registerServerStreaming(PBAuthService.Methods.watchAuthState) {
            try await self.watchAuthState($0, responses: $1, context: $2)
        }
        router.register(PBAuthService.Methods.listSessions, synchronous: synchronous.listSessions) {
            try await self.listSessions($0, context: $1)
        }
        router.register(PBAuthService.Methods.revokeSession, synchronous: synchronous.revokeSession) {
            try await self.revokeSession($0, context: $1)
        }
    }
}

/// Calls `pulseboard.auth.v1.AuthService` over any channel.
public struct PBAuthServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// Opens a session for the account that the credential proves.
    ///
    /// An account seen for the first time is made here; it then has no profile (`STATE_NEEDS_PROFILE`).
    /// Errors: INVALID_ARGUMENT (FIELD_MISSING) without a credential, (DEVICE_INVALID) for a malformed device; PERMISSION_DENIED
    /// (IDENTITY_NOT_PROVEN) when the connection proves no identity, as through a gateway, and for a uid without a number in the server's user
    /// namespace; INVALID_ARGUMENT (ACCOUNT_NAME_INVALID) for a malformed account name; PERMISSION_DENIED (ACCOUNT_NOT_PERMITTED) when the
    /// peer may not speak for the account it names. With an ID token: INVALID_ARGUMENT (ID_TOKEN_MALFORMED), (REQUEST_ID_INVALID);
    /// UNAUTHENTICATED (ID_TOKEN_ISSUER_UNKNOWN), (ID_TOKEN_ALGORITHM), (ID_TOKEN_KEY_UNKNOWN) to be tried again after a while,
    /// (ID_TOKEN_SIGNATURE), (ID_TOKEN_AUDIENCE), (ID_TOKEN_EXPIRED), (ID_TOKEN_NOT_YET_VALID), (ID_TOKEN_NONCE), (ID_TOKEN_REPLAYED), the first
    /// that applies; RESOURCE_EXHAUSTED (RATE_LIMITED).
    public func signIn(
        _ request: PBSignInRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBSignInResponse {
        try await channel.unary(PBAuthService.Methods.signIn, request, options: options)
    }

    /// Makes a nonce for one sign-in, or one linking, with an ID token. The client hands it to the identity provider, which puts it into the token.
    /// It needs no session.
    ///
    /// Errors: RESOURCE_EXHAUSTED (RATE_LIMITED).
    public func createSignInNonce(
        _ request: PBCreateSignInNonceRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBSignInNonce {
        try await channel.unary(PBAuthService.Methods.createSignInNonce, request, options: options)
    }

    /// Ends the session of this call, or all sessions of its account. Stored data stays.
    ///
    /// Errors: UNAUTHENTICATED (NOT_AUTHENTICATED).
    public func signOut(
        _ request: PBSignOutRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBSignOutResponse {
        try await channel.unary(PBAuthService.Methods.signOut, request, options: options)
    }

    /// Says what the caller's client should do next: sign in, make a profile, or go on.
    ///
    /// A missing, unknown, expired or revoked token is the answer `STATE_SIGNED_OUT`, not an error.
    /// Errors: DATA_LOSS (DATA_LOSS), UNAVAILABLE when the server cannot tell whether there is a profile.
    public func getAuthState(
        _ request: PBGetAuthStateRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBAuthState {
        try await channel.unary(PBAuthService.Methods.getAuthState, request, options: options)
    }

    /// The same now and after every change, up to the end of the session.
    ///
    /// The first message is the present state. A session that ends (sign-out, revocation, withdrawal, expiry) gives
    /// `STATE_SIGNED_OUT`, and the stream then ends with OK; a missing, unknown or ended token gives that at once, since no session
    /// can come to it later: watch again with the token of the next sign-in. A reader that is slow gets the newest state only. While the server
    /// cannot tell the state, it says so with `unchecked` and looks again.
    /// Errors: UNAVAILABLE when the server shuts down: watch again.
    public func watchAuthState(
        _ request: PBWatchAuthStateRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<PBWatchAuthStateResponse> {
        channel.serverStream(PBAuthService.Methods.watchAuthState, request, options: options)
    }

    /// Lists the open sessions of the caller's account, newest first.
    ///
    /// Errors: UNAUTHENTICATED (NOT_AUTHENTICATED); INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE), (PAGE_TOKEN_INVALID).
    public func listSessions(
        _ request: PBListSessionsRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBListSessionsResponse {
        try await channel.unary(PBAuthService.Methods.listSessions, request, options: options)
    }

    /// Ends one session of the caller's account. The session of this very call may be named.
    ///
    /// Errors: UNAUTHENTICATED (NOT_AUTHENTICATED); INVALID_ARGUMENT (IDENTIFIER_INVALID); NOT_FOUND (SESSION_NOT_FOUND) for
    /// one that is unknown, already ended, or another account's (the three look alike on purpose).
    public func revokeSession(
        _ request: PBRevokeSessionRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBRevokeSessionResponse {
        try await channel.unary(PBAuthService.Methods.revokeSession, request, options: options)
    }
}
