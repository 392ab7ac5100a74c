// Written by protoc-gen-pulseboard-swift from pulseboard/account/v1/account.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Changes what signs the caller in. The methods about identities want a session of at most ten minutes: sign in once more before.
public enum PBAccountService {
    /// The service's name on the wire.
    public static let fullName = "pulseboard.account.v1.AccountService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { PBAccountFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `pulseboard.account.v1.AccountService/ListIdentities`.
        public static let listIdentities = MethodDescriptor<PBListIdentitiesRequest, PBListIdentitiesResponse>(
            service: PBAccountService.fullName, method: "ListIdentities", shape: .unary)
        /// `pulseboard.account.v1.AccountService/LinkIdentity`.
        public static let linkIdentity = MethodDescriptor<PBLinkIdentityRequest, PBIdentity>(
            service: PBAccountService.fullName, method: "LinkIdentity", shape: .unary)
        /// `pulseboard.account.v1.AccountService/UnlinkIdentity`.
        public static let unlinkIdentity = MethodDescriptor<PBUnlinkIdentityRequest, PBUnlinkIdentityResponse>(
            service: PBAccountService.fullName, method: "UnlinkIdentity", shape: .unary)
        /// `pulseboard.account.v1.AccountService/RequestWithdrawal`.
        public static let requestWithdrawal = MethodDescriptor<PBRequestWithdrawalRequest, PBRequestWithdrawalResponse>(
            service: PBAccountService.fullName, method: "RequestWithdrawal", shape: .unary)
        /// `pulseboard.account.v1.AccountService/CancelWithdrawal`.
        public static let cancelWithdrawal = MethodDescriptor<PBCancelWithdrawalRequest, PBCancelWithdrawalResponse>(
            service: PBAccountService.fullName, method: "CancelWithdrawal", shape: .unary)
        /// `pulseboard.account.v1.AccountService/ExportMyData`.
        public static let exportMyData = MethodDescriptor<PBExportMyDataRequest, PBExportMyDataResponse>(
            service: PBAccountService.fullName, method: "ExportMyData", shape: .serverStreaming)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `pulseboard.account.v1.AccountService/ListIdentities`.
        public var listIdentities: (@Sendable (PBListIdentitiesRequest, CallContext) throws -> PBListIdentitiesResponse)?
        /// `pulseboard.account.v1.AccountService/LinkIdentity`.
        public var linkIdentity: (@Sendable (PBLinkIdentityRequest, CallContext) throws -> PBIdentity)?
        /// `pulseboard.account.v1.AccountService/UnlinkIdentity`.
        public var unlinkIdentity: (@Sendable (PBUnlinkIdentityRequest, CallContext) throws -> PBUnlinkIdentityResponse)?
        /// `pulseboard.account.v1.AccountService/RequestWithdrawal`.
        public var requestWithdrawal: (@Sendable (PBRequestWithdrawalRequest, CallContext) throws -> PBRequestWithdrawalResponse)?
        /// `pulseboard.account.v1.AccountService/CancelWithdrawal`.
        public var cancelWithdrawal: (@Sendable (PBCancelWithdrawalRequest, CallContext) throws -> PBCancelWithdrawalResponse)?

        /// Methods without a handler here may wait.
        public init(
            listIdentities: (@Sendable (PBListIdentitiesRequest, CallContext) throws -> PBListIdentitiesResponse)? = nil,
            linkIdentity: (@Sendable (PBLinkIdentityRequest, CallContext) throws -> PBIdentity)? = nil,
            unlinkIdentity: (@Sendable (PBUnlinkIdentityRequest, CallContext) throws -> PBUnlinkIdentityResponse)? = nil,
            requestWithdrawal: (@Sendable (PBRequestWithdrawalRequest, CallContext) throws -> PBRequestWithdrawalResponse)? = nil,
            cancelWithdrawal: (@Sendable (PBCancelWithdrawalRequest, CallContext) throws -> PBCancelWithdrawalResponse)? = nil
        ) {
            self.listIdentities = listIdentities
            self.linkIdentity = linkIdentity
            self.unlinkIdentity = unlinkIdentity
            self.requestWithdrawal = requestWithdrawal
            self.cancelWithdrawal = cancelWithdrawal
        }
    }
}

/// Implements `pulseboard.account.v1.AccountService` on a server: `Server(services: […])`.
public protocol PBAccountServiceHandler: RPCService {
    /// Lists the identities that sign the caller in, oldest first. There are at most 10, so the list has no pages.
    ///
    /// Errors: FAILED_PRECONDITION (SIGN_IN_TOO_OLD).
    func listIdentities(
        _ request: PBListIdentitiesRequest, context: CallContext
    ) async throws -> PBListIdentitiesResponse
    /// Makes the identity that an ID token proves sign the caller in too. One that does so already stays as it is.
    ///
    /// Nothing is linked by an address or a name, only by a token.
    /// Errors: FAILED_PRECONDITION (SIGN_IN_TOO_OLD), (IDENTITY_LIMIT); ALREADY_EXISTS (IDENTITY_IN_USE) when it signs in another user;
    /// INVALID_ARGUMENT (FIELD_MISSING) without a credential, (REQUEST_ID_INVALID), (REQUEST_ID_REUSED); those of `SignIn` with an ID token.
    func linkIdentity(
        _ request: PBLinkIdentityRequest, context: CallContext
    ) async throws -> PBIdentity
    /// Takes an identity from the caller. The sessions that it opened end, but for the one of this call.
    ///
    /// Errors: FAILED_PRECONDITION (SIGN_IN_TOO_OLD), (IDENTITY_LAST) for the only one; NOT_FOUND (IDENTITY_NOT_FOUND);
    /// INVALID_ARGUMENT (REQUEST_ID_INVALID), (REQUEST_ID_REUSED); RESOURCE_EXHAUSTED (RATE_LIMITED) with a new `request_id` when the server
    /// remembers 10,000 writes of the caller.
    func unlinkIdentity(
        _ request: PBUnlinkIdentityRequest, context: CallContext
    ) async throws -> PBUnlinkIdentityResponse
    /// Asks to leave. From then on nobody finds the caller, whose sessions have ended, this one too; follows and the counts of others stay.
    ///
    /// Who signs in before `purge_time` is `STATE_WITHDRAWING` and may take it back. Then everything is removed, the account and its identities too.
    /// Asked again, the first time counts. `ProfileService.DeleteMyProfile` leaves no time to come back.
    /// Errors: DATA_LOSS (DATA_LOSS) when the profile cannot be read: it could not be restored.
    func requestWithdrawal(
        _ request: PBRequestWithdrawalRequest, context: CallContext
    ) async throws -> PBRequestWithdrawalResponse
    /// Takes it back: everything is as it was, with every follow and its time.
    ///
    /// Errors: FAILED_PRECONDITION (NOT_WITHDRAWING).
    func cancelWithdrawal(
        _ request: PBCancelWithdrawalRequest, context: CallContext
    ) async throws -> PBCancelWithdrawalResponse
    /// Everything that is kept about the caller, record by record, and an end record. Without the end record the copy is incomplete: ask again.
    ///
    /// It is no snapshot: what changes meanwhile may be in it or not. A diary entry that changes meanwhile may come twice; the last one counts. It holds
    /// no token and no hash of one, and of others only ids, names and pictures' paths. A copy counts for the limit below when it is complete, or when it
    /// ends early after more than 1,000 records.
    /// Errors: RESOURCE_EXHAUSTED (RATE_LIMITED) while another copy is being made, and for more than 10 in 24 hours; FAILED_PRECONDITION (WITHDRAWING):
    /// take it back first; UNAUTHENTICATED (NOT_AUTHENTICATED) also when the session ends meanwhile; UNAVAILABLE when the server shuts down.
    func exportMyData(
        _ request: PBExportMyDataRequest, responses: MessageWriter<PBExportMyDataResponse>, context: CallContext
    ) async throws
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: PBAccountService.SynchronousHandlers { get }
}

extension PBAccountServiceHandler {
    public var synchronousHandlers: PBAccountService.SynchronousHandlers { PBAccountService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(PBAccountService.Methods.listIdentities, synchronous: synchronous.listIdentities) {
            try await self.listIdentities($0, context: $1)
        }
        router.register(PBAccountService.Methods.linkIdentity, synchronous: synchronous.linkIdentity) {
            try await self.linkIdentity($0, context: $1)
        }
        router.register(PBAccountService.Methods.unlinkIdentity, synchronous: synchronous.unlinkIdentity) {
            try await self.unlinkIdentity($0, context: $1)
        }
        router.register(PBAccountService.Methods.requestWithdrawal, synchronous: synchronous.requestWithdrawal) {
            try await self.requestWithdrawal($0, context: $1)
        }
        router.register(PBAccountService.Methods.cancelWithdrawal, synchronous: synchronous.cancelWithdrawal) {
            try await self.cancelWithdrawal($0, context: $1)
        }
        router.registerServerStreaming(PBAccountService.Methods.exportMyData) {
            try await self.exportMyData($0, responses: $1, context: $2)
        }
    }
}

/// Calls `pulseboard.account.v1.AccountService` over any channel.
public struct PBAccountServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// Lists the identities that sign the caller in, oldest first. There are at most 10, so the list has no pages.
    ///
    /// Errors: FAILED_PRECONDITION (SIGN_IN_TOO_OLD).
    public func listIdentities(
        _ request: PBListIdentitiesRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBListIdentitiesResponse {
        try await channel.unary(PBAccountService.Methods.listIdentities, request, options: options)
    }

    /// Makes the identity that an ID token proves sign the caller in too. One that does so already stays as it is.
    ///
    /// Nothing is linked by an address or a name, only by a token.
    /// Errors: FAILED_PRECONDITION (SIGN_IN_TOO_OLD), (IDENTITY_LIMIT); ALREADY_EXISTS (IDENTITY_IN_USE) when it signs in another user;
    /// INVALID_ARGUMENT (FIELD_MISSING) without a credential, (REQUEST_ID_INVALID), (REQUEST_ID_REUSED); those of `SignIn` with an ID token.
    public func linkIdentity(
        _ request: PBLinkIdentityRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBIdentity {
        try await channel.unary(PBAccountService.Methods.linkIdentity, request, options: options)
    }

    /// Takes an identity from the caller. The sessions that it opened end, but for the one of this call.
    ///
    /// Errors: FAILED_PRECONDITION (SIGN_IN_TOO_OLD), (IDENTITY_LAST) for the only one; NOT_FOUND (IDENTITY_NOT_FOUND);
    /// INVALID_ARGUMENT (REQUEST_ID_INVALID), (REQUEST_ID_REUSED); RESOURCE_EXHAUSTED (RATE_LIMITED) with a new `request_id` when the server
    /// remembers 10,000 writes of the caller.
    public func unlinkIdentity(
        _ request: PBUnlinkIdentityRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBUnlinkIdentityResponse {
        try await channel.unary(PBAccountService.Methods.unlinkIdentity, request, options: options)
    }

    /// Asks to leave. From then on nobody finds the caller, whose sessions have ended, this one too; follows and the counts of others stay.
    ///
    /// Who signs in before `purge_time` is `STATE_WITHDRAWING` and may take it back. Then everything is removed, the account and its identities too.
    /// Asked again, the first time counts. `ProfileService.DeleteMyProfile` leaves no time to come back.
    /// Errors: DATA_LOSS (DATA_LOSS) when the profile cannot be read: it could not be restored.
    public func requestWithdrawal(
        _ request: PBRequestWithdrawalRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBRequestWithdrawalResponse {
        try await channel.unary(PBAccountService.Methods.requestWithdrawal, request, options: options)
    }

    /// Takes it back: everything is as it was, with every follow and its time.
    ///
    /// Errors: FAILED_PRECONDITION (NOT_WITHDRAWING).
    public func cancelWithdrawal(
        _ request: PBCancelWithdrawalRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBCancelWithdrawalResponse {
        try await channel.unary(PBAccountService.Methods.cancelWithdrawal, request, options: options)
    }

    /// Everything that is kept about the caller, record by record, and an end record. Without the end record the copy is incomplete: ask again.
    ///
    /// It is no snapshot: what changes meanwhile may be in it or not. A diary entry that changes meanwhile may come twice; the last one counts. It holds
    /// no token and no hash of one, and of others only ids, names and pictures' paths. A copy counts for the limit below when it is complete, or when it
    /// ends early after more than 1,000 records.
    /// Errors: RESOURCE_EXHAUSTED (RATE_LIMITED) while another copy is being made, and for more than 10 in 24 hours; FAILED_PRECONDITION (WITHDRAWING):
    /// take it back first; UNAUTHENTICATED (NOT_AUTHENTICATED) also when the session ends meanwhile; UNAVAILABLE when the server shuts down.
    public func exportMyData(
        _ request: PBExportMyDataRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<PBExportMyDataResponse> {
        channel.serverStream(PBAccountService.Methods.exportMyData, request, options: options)
    }
}
