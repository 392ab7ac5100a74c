// Written by protoc-gen-pulseboard-swift from pulseboard/profile/v1/profile.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Reads and writes profiles. A caller writes only its own.
public enum PBProfileService {
    /// The service's name on the wire.
    public static let fullName = "pulseboard.profile.v1.ProfileService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { PBProfileFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `pulseboard.profile.v1.ProfileService/GetMyProfile`.
        public static let getMyProfile = MethodDescriptor<PBGetMyProfileRequest, PBProfile>(
            service: PBProfileService.fullName, method: "GetMyProfile", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/GetProfile`.
        public static let getProfile = MethodDescriptor<PBGetProfileRequest, PBProfile>(
            service: PBProfileService.fullName, method: "GetProfile", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/BatchGetProfiles`.
        public static let batchGetProfiles = MethodDescriptor<PBBatchGetProfilesRequest, PBBatchGetProfilesResponse>(
            service: PBProfileService.fullName, method: "BatchGetProfiles", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/CreateProfile`.
        public static let createProfile = MethodDescriptor<PBCreateProfileRequest, PBProfile>(
            service: PBProfileService.fullName, method: "CreateProfile", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/UpdateProfile`.
        public static let updateProfile = MethodDescriptor<PBUpdateProfileRequest, PBProfile>(
            service: PBProfileService.fullName, method: "UpdateProfile", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/DeleteMyProfile`.
        public static let deleteMyProfile = MethodDescriptor<PBDeleteMyProfileRequest, PBDeleteMyProfileResponse>(
            service: PBProfileService.fullName, method: "DeleteMyProfile", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/CheckUsername`.
        public static let checkUsername = MethodDescriptor<PBCheckUsernameRequest, PBCheckUsernameResponse>(
            service: PBProfileService.fullName, method: "CheckUsername", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/CheckUsernames`.
        public static let checkUsernames = MethodDescriptor<PBCheckUsernamesRequest, PBCheckUsernamesResponse>(
            service: PBProfileService.fullName, method: "CheckUsernames", shape: .bidirectionalStreaming)
        /// `pulseboard.profile.v1.ProfileService/ReserveUsername`.
        public static let reserveUsername = MethodDescriptor<PBReserveUsernameRequest, PBReserveUsernameResponse>(
            service: PBProfileService.fullName, method: "ReserveUsername", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/WatchProfile`.
        public static let watchProfile = MethodDescriptor<PBWatchProfileRequest, PBWatchProfileResponse>(
            service: PBProfileService.fullName, method: "WatchProfile", shape: .serverStreaming)
        /// `pulseboard.profile.v1.ProfileService/SearchProfiles`.
        public static let searchProfiles = MethodDescriptor<PBSearchProfilesRequest, PBSearchProfilesResponse>(
            service: PBProfileService.fullName, method: "SearchProfiles", shape: .unary)
        /// `pulseboard.profile.v1.ProfileService/GetLimits`.
        public static let getLimits = MethodDescriptor<PBGetLimitsRequest, PBGetLimitsResponse>(
            service: PBProfileService.fullName, method: "GetLimits", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `pulseboard.profile.v1.ProfileService/GetMyProfile`.
        public var getMyProfile: (@Sendable (PBGetMyProfileRequest, CallContext) throws -> PBProfile)?
        /// `pulseboard.profile.v1.ProfileService/GetProfile`.
        public var getProfile: (@Sendable (PBGetProfileRequest, CallContext) throws -> PBProfile)?
        /// `pulseboard.profile.v1.ProfileService/BatchGetProfiles`.
        public var batchGetProfiles: (@Sendable (PBBatchGetProfilesRequest, CallContext) throws -> PBBatchGetProfilesResponse)?
        /// `pulseboard.profile.v1.ProfileService/CreateProfile`.
        public var createProfile: (@Sendable (PBCreateProfileRequest, CallContext) throws -> PBProfile)?
        /// `pulseboard.profile.v1.ProfileService/UpdateProfile`.
        public var updateProfile: (@Sendable (PBUpdateProfileRequest, CallContext) throws -> PBProfile)?
        /// `pulseboard.profile.v1.ProfileService/DeleteMyProfile`.
        public var deleteMyProfile: (@Sendable (PBDeleteMyProfileRequest, CallContext) throws -> PBDeleteMyProfileResponse)?
        /// `pulseboard.profile.v1.ProfileService/CheckUsername`.
        public var checkUsername: (@Sendable (PBCheckUsernameRequest, CallContext) throws -> PBCheckUsernameResponse)?
        /// `pulseboard.profile.v1.ProfileService/ReserveUsername`.
        public var reserveUsername: (@Sendable (PBReserveUsernameRequest, CallContext) throws -> PBReserveUsernameResponse)?
        /// `pulseboard.profile.v1.ProfileService/SearchProfiles`.
        public var searchProfiles: (@Sendable (PBSearchProfilesRequest, CallContext) throws -> PBSearchProfilesResponse)?
        /// `pulseboard.profile.v1.ProfileService/GetLimits`.
        public var getLimits: (@Sendable (PBGetLimitsRequest, CallContext) throws -> PBGetLimitsResponse)?

        /// Methods without a handler here may wait.
        public init(
            getMyProfile: (@Sendable (PBGetMyProfileRequest, CallContext) throws -> PBProfile)? = nil,
            getProfile: (@Sendable (PBGetProfileRequest, CallContext) throws -> PBProfile)? = nil,
            batchGetProfiles: (@Sendable (PBBatchGetProfilesRequest, CallContext) throws -> PBBatchGetProfilesResponse)? = nil,
            createProfile: (@Sendable (PBCreateProfileRequest, CallContext) throws -> PBProfile)? = nil,
            updateProfile: (@Sendable (PBUpdateProfileRequest, CallContext) throws -> PBProfile)? = nil,
            deleteMyProfile: (@Sendable (PBDeleteMyProfileRequest, CallContext) throws -> PBDeleteMyProfileResponse)? = nil,
            checkUsername: (@Sendable (PBCheckUsernameRequest, CallContext) throws -> PBCheckUsernameResponse)? = nil,
            reserveUsername: (@Sendable (PBReserveUsernameRequest, CallContext) throws -> PBReserveUsernameResponse)? = nil,
            searchProfiles: (@Sendable (PBSearchProfilesRequest, CallContext) throws -> PBSearchProfilesResponse)? = nil,
            getLimits: (@Sendable (PBGetLimitsRequest, CallContext) throws -> PBGetLimitsResponse)? = nil
        ) {
            self.getMyProfile = getMyProfile
            self.getProfile = getProfile
            self.batchGetProfiles = batchGetProfiles
            self.createProfile = createProfile
            self.updateProfile = updateProfile
            self.deleteMyProfile = deleteMyProfile
            self.checkUsername = checkUsername
            self.reserveUsername = reserveUsername
            self.searchProfiles = searchProfiles
            self.getLimits = getLimits
        }
    }
}

/// Implements `pulseboard.profile.v1.ProfileService` on a server: `Server(services: […])`.
public protocol PBProfileServiceHandler: RPCService {
    /// The caller's own profile.
    ///
    /// Errors: NOT_FOUND (USER_NOT_FOUND) when there is none yet: a state, the client starts onboarding.
    func getMyProfile(
        _ request: PBGetMyProfileRequest, context: CallContext
    ) async throws -> PBProfile
    /// One profile by account or by username.
    ///
    /// Errors: INVALID_ARGUMENT (FIELD_MISSING) without a key, (IDENTIFIER_INVALID) for a malformed id; NOT_FOUND
    /// (USER_NOT_FOUND).
    func getProfile(
        _ request: PBGetProfileRequest, context: CallContext
    ) async throws -> PBProfile
    /// Several profiles at once.
    ///
    /// Errors: INVALID_ARGUMENT (TOO_MANY_ITEMS) for more than 100 ids, (IDENTIFIER_INVALID) for each malformed one.
    func batchGetProfiles(
        _ request: PBBatchGetProfilesRequest, context: CallContext
    ) async throws -> PBBatchGetProfilesResponse
    /// Makes the caller's profile. It never overwrites one.
    ///
    /// Errors: ALREADY_EXISTS (PROFILE_EXISTS, USERNAME_DUPLICATED, USERNAME_CONFUSABLE); INVALID_ARGUMENT (USERNAME_EMPTY, USERNAME_TOO_SHORT,
    /// USERNAME_TOO_LONG, USERNAME_INVALID_CHARACTERS, USERNAME_RESERVED, DISPLAY_NAME_TOO_LONG, DISPLAY_NAME_TOO_MANY_BYTES,
    /// DISPLAY_NAME_INVALID_CHARACTERS, DISPLAY_NAME_INVISIBLE, DISPLAY_NAME_RESERVED, STATUS_MESSAGE_TOO_LONG,
    /// STATUS_MESSAGE_TOO_MANY_BYTES, STATUS_MESSAGE_INVALID_CHARACTERS, REQUEST_ID_INVALID, REQUEST_ID_REUSED); FAILED_PRECONDITION (IMAGE_NOT_STAGED) when there is no such upload any more.
    func createProfile(
        _ request: PBCreateProfileRequest, context: CallContext
    ) async throws -> PBProfile
    /// Changes the fields of the caller's profile that the mask names, and no others. It never makes a profile.
    ///
    /// Errors: FAILED_PRECONDITION (PROFILE_REQUIRED) when the caller has none; PERMISSION_DENIED (NOT_OWNER) when `profile.user_id`
    /// names somebody else; ABORTED (ETAG_MISMATCH); ALREADY_EXISTS (USERNAME_DUPLICATED, USERNAME_CONFUSABLE);
    /// FAILED_PRECONDITION (USERNAME_CHANGED_RECENTLY) when the username was changed a short time ago: `available_time` of
    /// `ErrorInfo.metadata` says when it may be changed again; INVALID_ARGUMENT
    /// (FIELD_UNKNOWN, FIELD_READ_ONLY for a path of the mask; IDENTIFIER_INVALID; the reasons of `CreateProfile`);
    /// FAILED_PRECONDITION (IMAGE_NOT_STAGED).
    func updateProfile(
        _ request: PBUpdateProfileRequest, context: CallContext
    ) async throws -> PBProfile
    /// Removes the caller's profile, its picture, follows in both directions, sessions and diary. Nobody sees them from the answer on, even if many
    /// follows are still being removed. To leave and perhaps come back, see `AccountService.RequestWithdrawal`.
    ///
    /// Errors: FAILED_PRECONDITION (PROFILE_REQUIRED) when the caller has no profile; INVALID_ARGUMENT (REQUEST_ID_INVALID,
    /// REQUEST_ID_REUSED).
    func deleteMyProfile(
        _ request: PBDeleteMyProfileRequest, context: CallContext
    ) async throws -> PBDeleteMyProfileResponse
    /// Says whether the caller could take a username, and if not, why. A bad name is an answer, not an error.
    ///
    /// The answer reserves nothing: `CreateProfile` and `UpdateProfile` decide again.
    func checkUsername(
        _ request: PBCheckUsernameRequest, context: CallContext
    ) async throws -> PBCheckUsernameResponse
    /// The same for a name that is being typed: send the text after every keystroke, end the requests with the typing.
    ///
    /// A text equal to the one before is passed over. A malformed one is answered at once. A well-formed one is answered `STATE_CHECKING` at once,
    /// and with the verdict after a pause of 400 ms in typing, or at once when the requests have ended. A text that has been typed over gets no
    /// verdict any more, so that answers come in the order of the texts and the last one is for the last text. A verdict that the server cannot
    /// find is `STATE_FAILED`, and the stream goes on: the next text is checked, even if it is the same.
    /// Errors: UNAUTHENTICATED (NOT_AUTHENTICATED) also when the session ends meanwhile; UNAVAILABLE when the server shuts down.
    func checkUsernames(
        _ requests: MessageStream<PBCheckUsernamesRequest>, responses: MessageWriter<PBCheckUsernamesResponse>, context: CallContext
    ) async throws
    /// Keeps a username for the caller for ten minutes, so that nobody takes it while the rest of a form is filled in.
    ///
    /// A caller has one such name: the one before becomes free. `CreateProfile` and `UpdateProfile` take the name, or free it by taking another one.
    /// Errors: ALREADY_EXISTS (USERNAME_DUPLICATED, USERNAME_CONFUSABLE); FAILED_PRECONDITION (USERNAME_CHANGED_RECENTLY);
    /// RESOURCE_EXHAUSTED (RATE_LIMITED) after 20 calls in an hour; both with `available_time`; INVALID_ARGUMENT (the reasons of a username).
    func reserveUsername(
        _ request: PBReserveUsernameRequest, context: CallContext
    ) async throws -> PBReserveUsernameResponse
    /// One profile now and after every change.
    ///
    /// The first message is the present profile. A reader that is slow gets the newest state, never a queue of old ones. A profile that is withdrawn
    /// gives `withdrawn`, and the stream then ends with OK.
    /// Errors: INVALID_ARGUMENT (IDENTIFIER_INVALID); NOT_FOUND (USER_NOT_FOUND) when there is no such profile; UNAUTHENTICATED
    /// (NOT_AUTHENTICATED) also when the session ends meanwhile; UNAVAILABLE when the server shuts down: watch again.
    func watchProfile(
        _ request: PBWatchProfileRequest, responses: MessageWriter<PBWatchProfileResponse>, context: CallContext
    ) async throws
    /// Finds users whose username or display name starts with a text, each once, in order of the name that matched.
    ///
    /// A Hangul syllable at the end may still be in the making: "하" finds "한", "한" finds "하나", "민ㅈ" finds "민지"; names that begin with the text
    /// as it is come first. A text of initial consonants finds names by those: "ㅁㅈ" finds "민지".
    /// Errors: INVALID_ARGUMENT (QUERY_INVALID, PAGE_SIZE_NEGATIVE, PAGE_TOKEN_INVALID).
    func searchProfiles(
        _ request: PBSearchProfilesRequest, context: CallContext
    ) async throws -> PBSearchProfilesResponse
    /// The limits of this server, for clients to check and count by. They change with its configuration only, so ask once a start.
    ///
    /// It needs no session.
    func getLimits(
        _ request: PBGetLimitsRequest, context: CallContext
    ) async throws -> PBGetLimitsResponse
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: PBProfileService.SynchronousHandlers { get }
}

extension PBProfileServiceHandler {
    public var synchronousHandlers: PBProfileService.SynchronousHandlers { PBProfileService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(PBProfileService.Methods.getMyProfile, synchronous: synchronous.getMyProfile) {
            try await self.getMyProfile($0, context: $1)
        }
        router.register(PBProfileService.Methods.getProfile, synchronous: synchronous.getProfile) {
            try await self.getProfile($0, context: $1)
        }
        router.register(PBProfileService.Methods.batchGetProfiles, synchronous: synchronous.batchGetProfiles) {
            try await self.batchGetProfiles($0, context: $1)
        }
        router.register(PBProfileService.Methods.createProfile, synchronous: synchronous.createProfile) {
            try await self.createProfile($0, context: $1)
        }
        router.register(PBProfileService.Methods.updateProfile, synchronous: synchronous.updateProfile) {
            try await self.updateProfile($0, context: $1)
        }
        router.register(PBProfileService.Methods.deleteMyProfile, synchronous: synchronous.deleteMyProfile) {
            try await self.deleteMyProfile($0, context: $1)
        }
        router.register(PBProfileService.Methods.checkUsername, synchronous: synchronous.checkUsername) {
            try await self.checkUsername($0, context: $1)
        }
        router.registerBidirectionalStreaming(PBProfileService.Methods.checkUsernames) {
            try await self.checkUsernames($0, responses: $1, context: $2)
        }
        router.register(PBProfileService.Methods.reserveUsername, synchronous: synchronous.reserveUsername) {
            try await self.reserveUsername($0, context: $1)
        }
        router.registerServerStreaming(PBProfileService.Methods.watchProfile) {
            try await self.watchProfile($0, responses: $1, context: $2)
        }
        router.register(PBProfileService.Methods.searchProfiles, synchronous: synchronous.searchProfiles) {
            try await self.searchProfiles($0, context: $1)
        }
        router.register(PBProfileService.Methods.getLimits, synchronous: synchronous.getLimits) {
            try await self.getLimits($0, context: $1)
        }
    }
}

/// Calls `pulseboard.profile.v1.ProfileService` over any channel.
public struct PBProfileServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// The caller's own profile.
    ///
    /// Errors: NOT_FOUND (USER_NOT_FOUND) when there is none yet: a state, the client starts onboarding.
    public func getMyProfile(
        _ request: PBGetMyProfileRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBProfile {
        try await channel.unary(PBProfileService.Methods.getMyProfile, request, options: options)
    }

    /// One profile by account or by username.
    ///
    /// Errors: INVALID_ARGUMENT (FIELD_MISSING) without a key, (IDENTIFIER_INVALID) for a malformed id; NOT_FOUND
    /// (USER_NOT_FOUND).
    public func getProfile(
        _ request: PBGetProfileRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBProfile {
        try await channel.unary(PBProfileService.Methods.getProfile, request, options: options)
    }

    /// Several profiles at once.
    ///
    /// Errors: INVALID_ARGUMENT (TOO_MANY_ITEMS) for more than 100 ids, (IDENTIFIER_INVALID) for each malformed one.
    public func batchGetProfiles(
        _ request: PBBatchGetProfilesRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBBatchGetProfilesResponse {
        try await channel.unary(PBProfileService.Methods.batchGetProfiles, request, options: options)
    }

    /// Makes the caller's profile. It never overwrites one.
    ///
    /// Errors: ALREADY_EXISTS (PROFILE_EXISTS, USERNAME_DUPLICATED, USERNAME_CONFUSABLE); INVALID_ARGUMENT (USERNAME_EMPTY, USERNAME_TOO_SHORT,
    /// USERNAME_TOO_LONG, USERNAME_INVALID_CHARACTERS, USERNAME_RESERVED, DISPLAY_NAME_TOO_LONG, DISPLAY_NAME_TOO_MANY_BYTES,
    /// DISPLAY_NAME_INVALID_CHARACTERS, DISPLAY_NAME_INVISIBLE, DISPLAY_NAME_RESERVED, STATUS_MESSAGE_TOO_LONG,
    /// STATUS_MESSAGE_TOO_MANY_BYTES, STATUS_MESSAGE_INVALID_CHARACTERS, REQUEST_ID_INVALID, REQUEST_ID_REUSED); FAILED_PRECONDITION (IMAGE_NOT_STAGED) when there is no such upload any more.
    public func createProfile(
        _ request: PBCreateProfileRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBProfile {
        try await channel.unary(PBProfileService.Methods.createProfile, request, options: options)
    }

    /// Changes the fields of the caller's profile that the mask names, and no others. It never makes a profile.
    ///
    /// Errors: FAILED_PRECONDITION (PROFILE_REQUIRED) when the caller has none; PERMISSION_DENIED (NOT_OWNER) when `profile.user_id`
    /// names somebody else; ABORTED (ETAG_MISMATCH); ALREADY_EXISTS (USERNAME_DUPLICATED, USERNAME_CONFUSABLE);
    /// FAILED_PRECONDITION (USERNAME_CHANGED_RECENTLY) when the username was changed a short time ago: `available_time` of
    /// `ErrorInfo.metadata` says when it may be changed again; INVALID_ARGUMENT
    /// (FIELD_UNKNOWN, FIELD_READ_ONLY for a path of the mask; IDENTIFIER_INVALID; the reasons of `CreateProfile`);
    /// FAILED_PRECONDITION (IMAGE_NOT_STAGED).
    public func updateProfile(
        _ request: PBUpdateProfileRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBProfile {
        try await channel.unary(PBProfileService.Methods.updateProfile, request, options: options)
    }

    /// Removes the caller's profile, its picture, follows in both directions, sessions and diary. Nobody sees them from the answer on, even if many
    /// follows are still being removed. To leave and perhaps come back, see `AccountService.RequestWithdrawal`.
    ///
    /// Errors: FAILED_PRECONDITION (PROFILE_REQUIRED) when the caller has no profile; INVALID_ARGUMENT (REQUEST_ID_INVALID,
    /// REQUEST_ID_REUSED).
    public func deleteMyProfile(
        _ request: PBDeleteMyProfileRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDeleteMyProfileResponse {
        try await channel.unary(PBProfileService.Methods.deleteMyProfile, request, options: options)
    }

    /// Says whether the caller could take a username, and if not, why. A bad name is an answer, not an error.
    ///
    /// The answer reserves nothing: `CreateProfile` and `UpdateProfile` decide again.
    public func checkUsername(
        _ request: PBCheckUsernameRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBCheckUsernameResponse {
        try await channel.unary(PBProfileService.Methods.checkUsername, request, options: options)
    }

    /// The same for a name that is being typed: send the text after every keystroke, end the requests with the typing.
    ///
    /// A text equal to the one before is passed over. A malformed one is answered at once. A well-formed one is answered `STATE_CHECKING` at once,
    /// and with the verdict after a pause of 400 ms in typing, or at once when the requests have ended. A text that has been typed over gets no
    /// verdict any more, so that answers come in the order of the texts and the last one is for the last text. A verdict that the server cannot
    /// find is `STATE_FAILED`, and the stream goes on: the next text is checked, even if it is the same.
    /// Errors: UNAUTHENTICATED (NOT_AUTHENTICATED) also when the session ends meanwhile; UNAVAILABLE when the server shuts down.
    public func checkUsernames(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<PBCheckUsernamesRequest, PBCheckUsernamesResponse> {
        channel.bidirectionalStream(PBProfileService.Methods.checkUsernames, options: options)
    }

    /// Keeps a username for the caller for ten minutes, so that nobody takes it while the rest of a form is filled in.
    ///
    /// A caller has one such name: the one before becomes free. `CreateProfile` and `UpdateProfile` take the name, or free it by taking another one.
    /// Errors: ALREADY_EXISTS (USERNAME_DUPLICATED, USERNAME_CONFUSABLE); FAILED_PRECONDITION (USERNAME_CHANGED_RECENTLY);
    /// RESOURCE_EXHAUSTED (RATE_LIMITED) after 20 calls in an hour; both with `available_time`; INVALID_ARGUMENT (the reasons of a username).
    public func reserveUsername(
        _ request: PBReserveUsernameRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBReserveUsernameResponse {
        try await channel.unary(PBProfileService.Methods.reserveUsername, request, options: options)
    }

    /// One profile now and after every change.
    ///
    /// The first message is the present profile. A reader that is slow gets the newest state, never a queue of old ones. A profile that is withdrawn
    /// gives `withdrawn`, and the stream then ends with OK.
    /// Errors: INVALID_ARGUMENT (IDENTIFIER_INVALID); NOT_FOUND (USER_NOT_FOUND) when there is no such profile; UNAUTHENTICATED
    /// (NOT_AUTHENTICATED) also when the session ends meanwhile; UNAVAILABLE when the server shuts down: watch again.
    public func watchProfile(
        _ request: PBWatchProfileRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<PBWatchProfileResponse> {
        channel.serverStream(PBProfileService.Methods.watchProfile, request, options: options)
    }

    /// Finds users whose username or display name starts with a text, each once, in order of the name that matched.
    ///
    /// A Hangul syllable at the end may still be in the making: "하" finds "한", "한" finds "하나", "민ㅈ" finds "민지"; names that begin with the text
    /// as it is come first. A text of initial consonants finds names by those: "ㅁㅈ" finds "민지".
    /// Errors: INVALID_ARGUMENT (QUERY_INVALID, PAGE_SIZE_NEGATIVE, PAGE_TOKEN_INVALID).
    public func searchProfiles(
        _ request: PBSearchProfilesRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBSearchProfilesResponse {
        try await channel.unary(PBProfileService.Methods.searchProfiles, request, options: options)
    }

    /// The limits of this server, for clients to check and count by. They change with its configuration only, so ask once a start.
    ///
    /// It needs no session.
    public func getLimits(
        _ request: PBGetLimitsRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBGetLimitsResponse {
        try await channel.unary(PBProfileService.Methods.getLimits, request, options: options)
    }
}
