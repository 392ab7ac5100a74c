// Written by protoc-gen-pulseboard-swift from pulseboard/auth/v1/auth.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// Proof by the kernel: the Unix uid of the process at the other end of the socket.
public struct PBPeerCredential: Message {
    /// The account to sign in as. Empty: the account of the peer's own uid.
    ///
    /// A named account is granted only to a trusted uid: root, the server's own, or one that its configuration names.
    /// When not empty: 1…64 bytes of UTF-8 without white space and control characters.
    public var account: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(account: String = "") {
        self.account = account
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__PeerCredential.self,
        initializedBy: pulseboard__auth__v1__peer_credential__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__PeerCredential.self)
        self.account = MessageReader.string(message.pointee.account)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__PeerCredential.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.account.isEmpty {
            message.pointee.account = try encoder.string(self.account, field: "account")
        }
    }
}

/// Proof by an OpenID Connect provider.
public struct PBIdTokenCredential: Message {
    /// The ID token in its compact form, at most 16 KiB. It signs in once.
    public var token: String = ""
    /// What the client gave the provider as `nonce`, before it was hashed if it was: one of `CreateSignInNonce`, or the client's own where the
    /// server's configuration has the issuer's tokens so. At most 16 KiB together with the token.
    public var nonce: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        token: String = "",
        nonce: String = ""
    ) {
        self.token = token
        self.nonce = nonce
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__IdTokenCredential.self,
        initializedBy: pulseboard__auth__v1__id_token_credential__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__IdTokenCredential.self)
        self.token = MessageReader.string(message.pointee.token)
        self.nonce = MessageReader.string(message.pointee.nonce)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__IdTokenCredential.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.token.isEmpty {
            message.pointee.token = try encoder.string(self.token, field: "token")
        }
        if !self.nonce.isEmpty {
            message.pointee.nonce = try encoder.string(self.nonce, field: "nonce")
        }
    }
}

/// The device on which somebody signs in, as its client describes it. The server shows it to its owner, and proves nothing by it.
public struct PBDevice: Message {
    /// Names the device among those of the account: 1…64 bytes of printable ASCII without the blank, the same at every sign-in. Required.
    public var id: String = ""
    /// For its owner to recognise, such as `Minji's laptop`: at most 64 graphemes and 256 bytes, without control characters. May be empty.
    public var name: String = ""
    /// The kind of system, such as `linux` or `ios`: at most 32 bytes of printable ASCII. May be empty.
    public var platform: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        name: String = "",
        platform: String = ""
    ) {
        self.id = id
        self.name = name
        self.platform = platform
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__Device.self,
        initializedBy: pulseboard__auth__v1__device__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__Device.self)
        self.id = MessageReader.string(message.pointee.id)
        self.name = MessageReader.string(message.pointee.name)
        self.platform = MessageReader.string(message.pointee.platform)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__Device.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
        if !self.platform.isEmpty {
            message.pointee.platform = try encoder.string(self.platform, field: "platform")
        }
    }
}

/// How the caller proves who it is.
public struct PBSignInRequest: Message {
    /// Exactly one must be set.
    public var credential: OneOf_Credential?
    /// The device that signs in. Unset: unknown.
    public var device: PBDevice?
    /// Names this attempt with an ID token: at most 64 bytes of printable ASCII. The same token with the same request id ends the session that it
    /// opened, and opens another: so a client whose answer was lost tries again. If that session has ended, the token counts as used
    /// (ID_TOKEN_REPLAYED). Empty: the token is used up by the first attempt that succeeds.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        credential: OneOf_Credential? = nil,
        device: PBDevice? = nil,
        requestID: String = ""
    ) {
        self.credential = credential
        self.device = device
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__SignInRequest.self,
        initializedBy: pulseboard__auth__v1__sign_in_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__SignInRequest.self)
        switch message.pointee.credential_case.rawValue {
        case 1: self.credential = MessageReader.message(message.pointee.peer).map { .peer($0) }
        case 2: self.credential = MessageReader.message(message.pointee.id_token).map { .idToken($0) }
        default: break
        }
        self.device = MessageReader.message(message.pointee.device)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__SignInRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.credential {
        case .peer(let value)?:
            message.pointee.credential_case = .init(rawValue: 1)
            message.pointee.peer = try encoder.message(
                value, as: Pulseboard__Auth__V1__PeerCredential.self, field: "peer")
        case .idToken(let value)?:
            message.pointee.credential_case = .init(rawValue: 2)
            message.pointee.id_token = try encoder.message(
                value, as: Pulseboard__Auth__V1__IdTokenCredential.self, field: "id_token")
        case nil: break
        }
        message.pointee.device = try encoder.message(
            self.device, as: Pulseboard__Auth__V1__Device.self, field: "device")
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }

    /// What ``credential`` can be.
    public enum OneOf_Credential: Hashable, Sendable {
        /// The identity that the socket proves.
        case peer(PBPeerCredential)
        /// The identity that an ID token proves. It needs no proof by the socket.
        case idToken(PBIdTokenCredential)
    }
}

/// Asks for a nonce.
public struct PBCreateSignInNonceRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__CreateSignInNonceRequest.self,
        initializedBy: pulseboard__auth__v1__create_sign_in_nonce_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// A nonce for one sign-in.
public struct PBSignInNonce: Message {
    /// At most 128 bytes of base64url. It is not a secret, and grants nothing without a token.
    public var nonce: String = ""
    /// From then on no token with it signs in: after ten minutes.
    public var expireTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        nonce: String = "",
        expireTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.nonce = nonce
        self.expireTime = expireTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__SignInNonce.self,
        initializedBy: pulseboard__auth__v1__sign_in_nonce__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__SignInNonce.self)
        self.nonce = MessageReader.string(message.pointee.nonce)
        self.expireTime = MessageReader.message(message.pointee.expire_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__SignInNonce.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.nonce.isEmpty {
            message.pointee.nonce = try encoder.string(self.nonce, field: "nonce")
        }
        message.pointee.expire_time = try encoder.message(
            self.expireTime, as: Google__Protobuf__Timestamp.self, field: "expire_time")
    }
}

/// The session that was opened.
public struct PBSignInResponse: Message {
    /// The session.
    public var session: PBSession? {
        get { sessionStorage_.first }
        set { sessionStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `session` out of line: in line it would take much memory also when it is not set.
    private var sessionStorage_: [PBSession] = []
    /// The secret for `authorization: Bearer`. It is shown here and never again; the server keeps no copy that can be read.
    public var token: String = ""
    /// What the account's client should do next, as of this answer.
    public var state: PBAuthState?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        session: PBSession? = nil,
        token: String = "",
        state: PBAuthState? = nil
    ) {
        self.session = session
        self.token = token
        self.state = state
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__SignInResponse.self,
        initializedBy: pulseboard__auth__v1__sign_in_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__SignInResponse.self)
        self.session = MessageReader.message(message.pointee.session)
        self.token = MessageReader.string(message.pointee.token)
        self.state = MessageReader.message(message.pointee.state)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__SignInResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.session = try encoder.message(
            self.session, as: Pulseboard__Auth__V1__Session.self, field: "session")
        if !self.token.isEmpty {
            message.pointee.token = try encoder.string(self.token, field: "token")
        }
        message.pointee.state = try encoder.message(
            self.state, as: Pulseboard__Auth__V1__AuthState.self, field: "state")
    }
}

/// One sign-in of one account on one client. It holds no secret.
public struct PBSession: Message {
    /// Names the session for `RevokeSession`: lower-case UUID text. It grants nothing.
    public var sessionID: String = ""
    /// The account: lower-case UUID text.
    public var userID: String = ""
    /// The account that signed in, for a person to recognise: `unix:1000`, or `account:gateway` for a named one. Free text: do not parse it.
    public var account: String = ""
    /// The device that signed in. Unset when it did not say.
    public var device: PBDevice?
    /// When the session was opened.
    public var createTime: Google_Protobuf_Timestamp?
    /// When the session ends by itself, unless it is revoked before.
    public var expireTime: Google_Protobuf_Timestamp?
    /// Whether this is the session of the call that asked.
    public var current: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        sessionID: String = "",
        userID: String = "",
        account: String = "",
        device: PBDevice? = nil,
        createTime: Google_Protobuf_Timestamp? = nil,
        expireTime: Google_Protobuf_Timestamp? = nil,
        current: Bool = false
    ) {
        self.sessionID = sessionID
        self.userID = userID
        self.account = account
        self.device = device
        self.createTime = createTime
        self.expireTime = expireTime
        self.current = current
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__Session.self,
        initializedBy: pulseboard__auth__v1__session__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__Session.self)
        self.sessionID = MessageReader.string(message.pointee.session_id)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.account = MessageReader.string(message.pointee.account)
        self.device = MessageReader.message(message.pointee.device)
        self.createTime = MessageReader.message(message.pointee.create_time)
        self.expireTime = MessageReader.message(message.pointee.expire_time)
        self.current = MessageReader.bool(message.pointee.current)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__Session.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.sessionID.isEmpty {
            message.pointee.session_id = try encoder.string(self.sessionID, field: "session_id")
        }
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        if !self.account.isEmpty {
            message.pointee.account = try encoder.string(self.account, field: "account")
        }
        message.pointee.device = try encoder.message(
            self.device, as: Pulseboard__Auth__V1__Device.self, field: "device")
        message.pointee.create_time = try encoder.message(
            self.createTime, as: Google__Protobuf__Timestamp.self, field: "create_time")
        message.pointee.expire_time = try encoder.message(
            self.expireTime, as: Google__Protobuf__Timestamp.self, field: "expire_time")
        message.pointee.current = self.current ? 1 : 0
    }
}

/// Which sessions to end.
public struct PBSignOutRequest: Message {
    /// True: every session of the account. False: only the one of this call.
    public var allSessions: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(allSessions: Bool = false) {
        self.allSessions = allSessions
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__SignOutRequest.self,
        initializedBy: pulseboard__auth__v1__sign_out_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__SignOutRequest.self)
        self.allSessions = MessageReader.bool(message.pointee.all_sessions)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__SignOutRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.all_sessions = self.allSessions ? 1 : 0
    }
}

/// The sessions have ended.
public struct PBSignOutResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__SignOutResponse.self,
        initializedBy: pulseboard__auth__v1__sign_out_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// Asks for the state of the token that comes with the call.
public struct PBGetAuthStateRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__GetAuthStateRequest.self,
        initializedBy: pulseboard__auth__v1__get_auth_state_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// Asks for the states of the token that comes with the call.
public struct PBWatchAuthStateRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__WatchAuthStateRequest.self,
        initializedBy: pulseboard__auth__v1__watch_auth_state_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// One message of a watch.
public struct PBWatchAuthStateResponse: Message {
    /// Exactly one is set. More may come: pass over a message that sets none you know.
    public var update: OneOf_Update?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(update: OneOf_Update? = nil) {
        self.update = update
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__WatchAuthStateResponse.self,
        initializedBy: pulseboard__auth__v1__watch_auth_state_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__WatchAuthStateResponse.self)
        switch message.pointee.update_case.rawValue {
        case 1: self.update = MessageReader.message(message.pointee.state).map { .state($0) }
        case 2: self.update = MessageReader.message(message.pointee.unchecked).map { .unchecked($0) }
        case 3: self.update = MessageReader.message(message.pointee.heartbeat).map { .heartbeat($0) }
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__WatchAuthStateResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.update {
        case .state(let value)?:
            message.pointee.update_case = .init(rawValue: 1)
            message.pointee.state = try encoder.message(value, as: Pulseboard__Auth__V1__AuthState.self, field: "state")
        case .unchecked(let value)?:
            message.pointee.update_case = .init(rawValue: 2)
            message.pointee.unchecked = try encoder.message(
                value, as: Pulseboard__Auth__V1__AuthStateUnchecked.self, field: "unchecked")
        case .heartbeat(let value)?:
            message.pointee.update_case = .init(rawValue: 3)
            message.pointee.heartbeat = try encoder.message(
                value, as: Pulseboard__Auth__V1__Heartbeat.self, field: "heartbeat")
        case nil: break
        }
    }

    /// What ``update`` can be.
    public enum OneOf_Update: Hashable, Sendable {
        /// The state, at first and after every change.
        case state(PBAuthState)
        /// The server cannot tell the state now, and looks again by itself. The last state is the best guess: stay where you are.
        case unchecked(PBAuthStateUnchecked)
        /// Nothing has changed. It comes at least every 30 s, so that whoever forwards the stream keeps it.
        case heartbeat(PBHeartbeat)
    }
}

/// Says nothing but that the stream lives.
public struct PBHeartbeat: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__Heartbeat.self,
        initializedBy: pulseboard__auth__v1__heartbeat__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// Why the state cannot be told.
public struct PBAuthStateUnchecked: Message {
    /// A reason of `pulseboard.errors.v1.ErrorReason`, such as DATA_LOSS.
    public var reason: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(reason: String = "") {
        self.reason = reason
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__AuthStateUnchecked.self,
        initializedBy: pulseboard__auth__v1__auth_state_unchecked__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__AuthStateUnchecked.self)
        self.reason = MessageReader.string(message.pointee.reason)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__AuthStateUnchecked.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.reason.isEmpty {
            message.pointee.reason = try encoder.string(self.reason, field: "reason")
        }
    }
}

/// What the caller's client should do next, as a state. What to show for it is the client's decision.
public struct PBAuthState: Message {
    /// The caller's state.
    public var state: PBAuthState.State = .init()
    /// The account: lower-case UUID text. Empty when signed out.
    public var userID: String = ""
    /// With `STATE_WITHDRAWING`: when everything is removed, unless the user comes back before.
    public var purgeTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        state: PBAuthState.State = .init(),
        userID: String = "",
        purgeTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.state = state
        self.userID = userID
        self.purgeTime = purgeTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__AuthState.self,
        initializedBy: pulseboard__auth__v1__auth_state__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__AuthState.self)
        self.state = MessageReader.enumeration(message.pointee.state)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.purgeTime = MessageReader.message(message.pointee.purge_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__AuthState.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.state = encoder.enumeration(self.state, as: Pulseboard__Auth__V1__AuthState__State.self)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        message.pointee.purge_time = try encoder.message(
            self.purgeTime, as: Google__Protobuf__Timestamp.self, field: "purge_time")
    }

    /// The steps from no session to a usable account. More will come: treat one that you do not know as `STATE_SIGNED_OUT`.
    public enum State: ProtobufEnum {
        /// Never sent.
        case unspecified
        /// No valid session: offer to sign in.
        case signedOut
        /// Signed in without a profile: start onboarding.
        case needsProfile
        /// Signed in with a profile: go on.
        case ready
        /// Signed in after asking to leave: offer to come back, until `purge_time`.
        case withdrawing
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .signedOut
            case 2: .needsProfile
            case 3: .ready
            case 4: .withdrawing
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .signedOut: 1
            case .needsProfile: 2
            case .ready: 3
            case .withdrawing: 4
            case .unrecognized(let number): number
            }
        }
    }
}

/// Which page of the caller's open sessions.
public struct PBListSessionsRequest: Message {
    /// The most sessions to return. 0: 50. More than 200 counts as 200. Negative: INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE).
    public var pageSize: Int32 = 0
    /// `next_page_token` of the page before. Empty: the first page.
    public var pageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__ListSessionsRequest.self,
        initializedBy: pulseboard__auth__v1__list_sessions_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__ListSessionsRequest.self)
        self.pageSize = message.pointee.page_size
        self.pageToken = MessageReader.string(message.pointee.page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__ListSessionsRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.page_size = self.pageSize
        if !self.pageToken.isEmpty {
            message.pointee.page_token = try encoder.string(self.pageToken, field: "page_token")
        }
    }
}

/// One page of the open sessions of the caller's account.
public struct PBListSessionsResponse: Message {
    /// Newest first. A page may hold fewer than asked for; only an empty `next_page_token` is the end.
    public var sessions: [PBSession] = []
    /// Fetches the next page. Empty: this is the last one. Opaque, and good only for this account.
    public var nextPageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        sessions: [PBSession] = [],
        nextPageToken: String = ""
    ) {
        self.sessions = sessions
        self.nextPageToken = nextPageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__ListSessionsResponse.self,
        initializedBy: pulseboard__auth__v1__list_sessions_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__ListSessionsResponse.self)
        self.sessions = MessageReader.messages(message.pointee.n_sessions, message.pointee.sessions)
        self.nextPageToken = MessageReader.string(message.pointee.next_page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__ListSessionsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_sessions, message.pointee.sessions) = try encoder.messages(
            self.sessions, as: Pulseboard__Auth__V1__Session.self, field: "sessions")
        if !self.nextPageToken.isEmpty {
            message.pointee.next_page_token = try encoder.string(self.nextPageToken, field: "next_page_token")
        }
    }
}

/// Names the session to end.
public struct PBRevokeSessionRequest: Message {
    /// `Session.session_id`: lower-case UUID text.
    public var sessionID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(sessionID: String = "") {
        self.sessionID = sessionID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__RevokeSessionRequest.self,
        initializedBy: pulseboard__auth__v1__revoke_session_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__RevokeSessionRequest.self)
        self.sessionID = MessageReader.string(message.pointee.session_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__RevokeSessionRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.sessionID.isEmpty {
            message.pointee.session_id = try encoder.string(self.sessionID, field: "session_id")
        }
    }
}

/// The session has ended.
public struct PBRevokeSessionResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__RevokeSessionResponse.self,
        initializedBy: pulseboard__auth__v1__revoke_session_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `pulseboard/auth/v1/auth.proto` in protobuf's own terms, for server reflection.
public enum PBAuthFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/auth/v1/auth.proto",
        dependencies: [
            Google_Protobuf_TimestampFile.descriptor,
        ],
        serialized: """
            \n\u{1d}pulseboard/auth/v1/auth.proto\u{12}\u{12}pulseboard.auth.v1\u{1a}\u{1f}google/protobuf/time\
            stamp.proto\"*\n\u{e}PeerCredential\u{12}\u{18}\n\u{7}account\u{18}\u{1} \u{1}(\tR\u{7}account\"?\n\
            \u{11}IdTokenCredential\u{12}\u{14}\n\u{5}token\u{18}\u{1} \u{1}(\tR\u{5}token\u{12}\u{14}\n\u{5}no\
            nce\u{18}\u{2} \u{1}(\tR\u{5}nonce\"H\n\u{6}Device\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\
            \u{12}\u{12}\n\u{4}name\u{18}\u{2} \u{1}(\tR\u{4}name\u{12}\u{1a}\n\u{8}platform\u{18}\u{3} \u{1}(\
            \tR\u{8}platform\"\u{ee}\u{1}\n\rSignInRequest\u{12}8\n\u{4}peer\u{18}\u{1} \u{1}(\u{b}2\".pulseboa\
            rd.auth.v1.PeerCredentialH\0R\u{4}peer\u{12}B\n\u{8}id_token\u{18}\u{2} \u{1}(\u{b}2%.pulseboard.au\
            th.v1.IdTokenCredentialH\0R\u{7}idToken\u{12}2\n\u{6}device\u{18}\u{3} \u{1}(\u{b}2\u{1a}.pulseboar\
            d.auth.v1.DeviceR\u{6}device\u{12}\u{1d}\n\nrequest_id\u{18}\u{4} \u{1}(\tR\trequestIdB\u{c}\n\ncre\
            dential\"\u{1a}\n\u{18}CreateSignInNonceRequest\"`\n\u{b}SignInNonce\u{12}\u{14}\n\u{5}nonce\u{18}\
            \u{1} \u{1}(\tR\u{5}nonce\u{12};\n\u{b}expire_time\u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.Ti\
            mestampR\nexpireTime\"\u{92}\u{1}\n\u{e}SignInResponse\u{12}5\n\u{7}session\u{18}\u{1} \u{1}(\u{b}2\
            \u{1b}.pulseboard.auth.v1.SessionR\u{7}session\u{12}\u{14}\n\u{5}token\u{18}\u{2} \u{1}(\tR\u{5}tok\
            en\u{12}3\n\u{5}state\u{18}\u{3} \u{1}(\u{b}2\u{1d}.pulseboard.auth.v1.AuthStateR\u{5}state\"\u{a3}\
            \u{2}\n\u{7}Session\u{12}\u{1d}\n\nsession_id\u{18}\u{1} \u{1}(\tR\tsessionId\u{12}\u{17}\n\u{7}use\
            r_id\u{18}\u{2} \u{1}(\tR\u{6}userId\u{12}\u{18}\n\u{7}account\u{18}\u{3} \u{1}(\tR\u{7}account\
            \u{12}2\n\u{6}device\u{18}\u{4} \u{1}(\u{b}2\u{1a}.pulseboard.auth.v1.DeviceR\u{6}device\u{12};\n\
            \u{b}create_time\u{18}\u{5} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\ncreateTime\u{12};\n\u{b}\
            expire_time\u{18}\u{6} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\nexpireTime\u{12}\u{18}\n\u{7}\
            current\u{18}\u{7} \u{1}(\u{8}R\u{7}current\"3\n\u{e}SignOutRequest\u{12}!\n\u{c}all_sessions\u{18}\
            \u{1} \u{1}(\u{8}R\u{b}allSessions\"\u{11}\n\u{f}SignOutResponse\"\u{15}\n\u{13}GetAuthStateRequest\
            \"\u{17}\n\u{15}WatchAuthStateRequest\"\u{e0}\u{1}\n\u{16}WatchAuthStateResponse\u{12}5\n\u{5}state\
            \u{18}\u{1} \u{1}(\u{b}2\u{1d}.pulseboard.auth.v1.AuthStateH\0R\u{5}state\u{12}F\n\tunchecked\u{18}\
            \u{2} \u{1}(\u{b}2&.pulseboard.auth.v1.AuthStateUncheckedH\0R\tunchecked\u{12}=\n\theartbeat\u{18}\
            \u{3} \u{1}(\u{b}2\u{1d}.pulseboard.auth.v1.HeartbeatH\0R\theartbeatB\u{8}\n\u{6}update\"\u{b}\n\tH\
            eartbeat\",\n\u{12}AuthStateUnchecked\u{12}\u{16}\n\u{6}reason\u{18}\u{1} \u{1}(\tR\u{6}reason\"\
            \u{91}\u{2}\n\tAuthState\u{12}9\n\u{5}state\u{18}\u{1} \u{1}(\u{e}2#.pulseboard.auth.v1.AuthState.S\
            tateR\u{5}state\u{12}\u{17}\n\u{7}user_id\u{18}\u{2} \u{1}(\tR\u{6}userId\u{12}9\n\npurge_time\
            \u{18}\u{3} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\tpurgeTime\"u\n\u{5}State\u{12}\u{15}\n\
            \u{11}STATE_UNSPECIFIED\u{10}\0\u{12}\u{14}\n\u{10}STATE_SIGNED_OUT\u{10}\u{1}\u{12}\u{17}\n\u{13}S\
            TATE_NEEDS_PROFILE\u{10}\u{2}\u{12}\u{f}\n\u{b}STATE_READY\u{10}\u{3}\u{12}\u{15}\n\u{11}STATE_WITH\
            DRAWING\u{10}\u{4}\"Q\n\u{13}ListSessionsRequest\u{12}\u{1b}\n\tpage_size\u{18}\u{1} \u{1}(\u{5}R\
            \u{8}pageSize\u{12}\u{1d}\n\npage_token\u{18}\u{2} \u{1}(\tR\tpageToken\"w\n\u{14}ListSessionsRespo\
            nse\u{12}7\n\u{8}sessions\u{18}\u{1} \u{3}(\u{b}2\u{1b}.pulseboard.auth.v1.SessionR\u{8}sessions\
            \u{12}&\n\u{f}next_page_token\u{18}\u{2} \u{1}(\tR\rnextPageToken\"5\n\u{14}RevokeSessionRequest\
            \u{12}\u{1d}\n\nsession_id\u{18}\u{1} \u{1}(\tR\tsessionId\"\u{17}\n\u{15}RevokeSessionResponse2\
            \u{a2}\u{5}\n\u{b}AuthService\u{12}O\n\u{6}SignIn\u{12}!.pulseboard.auth.v1.SignInRequest\u{1a}\".p\
            ulseboard.auth.v1.SignInResponse\u{12}b\n\u{11}CreateSignInNonce\u{12},.pulseboard.auth.v1.CreateSi\
            gnInNonceRequest\u{1a}\u{1f}.pulseboard.auth.v1.SignInNonce\u{12}R\n\u{7}SignOut\u{12}\".pulseboard\
            .auth.v1.SignOutRequest\u{1a}#.pulseboard.auth.v1.SignOutResponse\u{12}V\n\u{c}GetAuthState\u{12}'.\
            pulseboard.auth.v1.GetAuthStateRequest\u{1a}\u{1d}.pulseboard.auth.v1.AuthState\u{12}i\n\u{e}WatchA\
            uthState\u{12}).pulseboard.auth.v1.WatchAuthStateRequest\u{1a}*.pulseboard.auth.v1.WatchAuthStateRe\
            sponse0\u{1}\u{12}a\n\u{c}ListSessions\u{12}'.pulseboard.auth.v1.ListSessionsRequest\u{1a}(.pulsebo\
            ard.auth.v1.ListSessionsResponse\u{12}d\n\rRevokeSession\u{12}(.pulseboard.auth.v1.RevokeSessionReq\
            uest\u{1a}).pulseboard.auth.v1.RevokeSessionResponseBD\n\u{15}io.pulseboard.auth.v1B\tAuthProtoP\
            \u{1}Z\u{19}pulseboard/auth/v1;authv1\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
