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

/// How the caller proves who it is.
public struct PBSignInRequest: Message {
    /// Exactly one must be set.
    public var credential: OneOf_Credential?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(credential: OneOf_Credential? = nil) {
        self.credential = credential
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__SignInRequest.self,
        initializedBy: pulseboard__auth__v1__sign_in_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__SignInRequest.self)
        switch message.pointee.credential_case.rawValue {
        case 1: self.credential = MessageReader.message(message.pointee.peer).map { .peer($0) }
        default: break
        }
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
        case nil: break
        }
    }

    /// What ``credential`` can be.
    public enum OneOf_Credential: Hashable, Sendable {
        /// The identity that the socket proves.
        case peer(PBPeerCredential)
    }
}

/// One sign-in of one account on one client.
public struct PBSession: Message {
    /// Names the session for `RevokeSession`: lower-case UUID text. It grants nothing.
    public var id: String = ""
    /// The secret for `authorization: Bearer`. Set only in the answer of `SignIn`; the server keeps no copy that can be read.
    public var token: String = ""
    /// The account: lower-case UUID text.
    public var userID: String = ""
    /// When the session was opened.
    public var createTime: Google_Protobuf_Timestamp?
    /// When the session ends by itself, unless it is revoked before.
    public var expireTime: Google_Protobuf_Timestamp?
    /// What the account's client should do next, as of this answer.
    public var state: PBAuthState.State = .init()
    /// The account that signed in, for a person to recognise: `unix:1000`, or `account:gateway` for a named one.
    public var account: String = ""
    /// Whether this is the session of the call that asked.
    public var current: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        token: String = "",
        userID: String = "",
        createTime: Google_Protobuf_Timestamp? = nil,
        expireTime: Google_Protobuf_Timestamp? = nil,
        state: PBAuthState.State = .init(),
        account: String = "",
        current: Bool = false
    ) {
        self.id = id
        self.token = token
        self.userID = userID
        self.createTime = createTime
        self.expireTime = expireTime
        self.state = state
        self.account = account
        self.current = current
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__Session.self,
        initializedBy: pulseboard__auth__v1__session__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__Session.self)
        self.id = MessageReader.string(message.pointee.id)
        self.token = MessageReader.string(message.pointee.token)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.createTime = MessageReader.message(message.pointee.create_time)
        self.expireTime = MessageReader.message(message.pointee.expire_time)
        self.state = MessageReader.enumeration(message.pointee.state)
        self.account = MessageReader.string(message.pointee.account)
        self.current = MessageReader.bool(message.pointee.current)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__Session.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.token.isEmpty {
            message.pointee.token = try encoder.string(self.token, field: "token")
        }
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        message.pointee.create_time = try encoder.message(
            self.createTime, as: Google__Protobuf__Timestamp.self, field: "create_time")
        message.pointee.expire_time = try encoder.message(
            self.expireTime, as: Google__Protobuf__Timestamp.self, field: "expire_time")
        message.pointee.state = encoder.enumeration(self.state, as: Pulseboard__Auth__V1__AuthState__State.self)
        if !self.account.isEmpty {
            message.pointee.account = try encoder.string(self.account, field: "account")
        }
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

/// What the caller's client should do next, as a state. What to show for it is the client's decision.
public struct PBAuthState: Message {
    /// The caller's state.
    public var state: PBAuthState.State = .init()
    /// The account: lower-case UUID text. Empty when signed out.
    public var userID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        state: PBAuthState.State = .init(),
        userID: String = ""
    ) {
        self.state = state
        self.userID = userID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__AuthState.self,
        initializedBy: pulseboard__auth__v1__auth_state__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__AuthState.self)
        self.state = MessageReader.enumeration(message.pointee.state)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__AuthState.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.state = encoder.enumeration(self.state, as: Pulseboard__Auth__V1__AuthState__State.self)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
    }

    /// The steps from no session to a usable account.
    public enum State: ProtobufEnum {
        /// Never sent.
        case unspecified
        /// No valid session: offer to sign in.
        case signedOut
        /// Signed in without a profile: start onboarding.
        case needsProfile
        /// Signed in with a profile: go on.
        case ready
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
            case .unrecognized(let number): number
            }
        }
    }
}

/// Asks for all open sessions of the caller's account.
public struct PBListSessionsRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__ListSessionsRequest.self,
        initializedBy: pulseboard__auth__v1__list_sessions_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// The open sessions of the caller's account.
public struct PBListSessionsResponse: Message {
    /// Newest first. `token` is empty in each.
    public var sessions: [PBSession] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(sessions: [PBSession] = []) {
        self.sessions = sessions
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Auth__V1__ListSessionsResponse.self,
        initializedBy: pulseboard__auth__v1__list_sessions_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Auth__V1__ListSessionsResponse.self)
        self.sessions = MessageReader.messages(message.pointee.n_sessions, message.pointee.sessions)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Auth__V1__ListSessionsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_sessions, message.pointee.sessions) = try encoder.messages(
            self.sessions, as: Pulseboard__Auth__V1__Session.self, field: "sessions")
    }
}

/// Names the session to end.
public struct PBRevokeSessionRequest: Message {
    /// `Session.id`: lower-case UUID text.
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
            stamp.proto\"*\n\u{e}PeerCredential\u{12}\u{18}\n\u{7}account\u{18}\u{1} \u{1}(\tR\u{7}account\"g\n\
            \rSignInRequest\u{12}8\n\u{4}peer\u{18}\u{1} \u{1}(\u{b}2\".pulseboard.auth.v1.PeerCredentialH\0R\
            \u{4}peerB\u{c}\n\ncredentialJ\u{4}\u{8}\u{2}\u{10}\u{3}R\u{8}id_token\"\u{b1}\u{2}\n\u{7}Session\
            \u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}\u{14}\n\u{5}token\u{18}\u{2} \u{1}(\tR\u{5}t\
            oken\u{12}\u{17}\n\u{7}user_id\u{18}\u{3} \u{1}(\tR\u{6}userId\u{12};\n\u{b}create_time\u{18}\u{4} \
            \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\ncreateTime\u{12};\n\u{b}expire_time\u{18}\u{5} \u{1}\
            (\u{b}2\u{1a}.google.protobuf.TimestampR\nexpireTime\u{12}9\n\u{5}state\u{18}\u{6} \u{1}(\u{e}2#.pu\
            lseboard.auth.v1.AuthState.StateR\u{5}state\u{12}\u{18}\n\u{7}account\u{18}\u{7} \u{1}(\tR\u{7}acco\
            unt\u{12}\u{18}\n\u{7}current\u{18}\u{8} \u{1}(\u{8}R\u{7}current\"3\n\u{e}SignOutRequest\u{12}!\n\
            \u{c}all_sessions\u{18}\u{1} \u{1}(\u{8}R\u{b}allSessions\"\u{11}\n\u{f}SignOutResponse\"\u{15}\n\
            \u{13}GetAuthStateRequest\"\u{17}\n\u{15}WatchAuthStateRequest\"\u{bf}\u{1}\n\tAuthState\u{12}9\n\
            \u{5}state\u{18}\u{1} \u{1}(\u{e}2#.pulseboard.auth.v1.AuthState.StateR\u{5}state\u{12}\u{17}\n\
            \u{7}user_id\u{18}\u{2} \u{1}(\tR\u{6}userId\"^\n\u{5}State\u{12}\u{15}\n\u{11}STATE_UNSPECIFIED\
            \u{10}\0\u{12}\u{14}\n\u{10}STATE_SIGNED_OUT\u{10}\u{1}\u{12}\u{17}\n\u{13}STATE_NEEDS_PROFILE\
            \u{10}\u{2}\u{12}\u{f}\n\u{b}STATE_READY\u{10}\u{3}\"\u{15}\n\u{13}ListSessionsRequest\"O\n\u{14}Li\
            stSessionsResponse\u{12}7\n\u{8}sessions\u{18}\u{1} \u{3}(\u{b}2\u{1b}.pulseboard.auth.v1.SessionR\
            \u{8}sessions\"5\n\u{14}RevokeSessionRequest\u{12}\u{1d}\n\nsession_id\u{18}\u{1} \u{1}(\tR\tsessio\
            nId\"\u{17}\n\u{15}RevokeSessionResponse2\u{aa}\u{4}\n\u{b}AuthService\u{12}H\n\u{6}SignIn\u{12}!.p\
            ulseboard.auth.v1.SignInRequest\u{1a}\u{1b}.pulseboard.auth.v1.Session\u{12}R\n\u{7}SignOut\u{12}\"\
            .pulseboard.auth.v1.SignOutRequest\u{1a}#.pulseboard.auth.v1.SignOutResponse\u{12}V\n\u{c}GetAuthSt\
            ate\u{12}'.pulseboard.auth.v1.GetAuthStateRequest\u{1a}\u{1d}.pulseboard.auth.v1.AuthState\u{12}\\\
            \n\u{e}WatchAuthState\u{12}).pulseboard.auth.v1.WatchAuthStateRequest\u{1a}\u{1d}.pulseboard.auth.v\
            1.AuthState0\u{1}\u{12}a\n\u{c}ListSessions\u{12}'.pulseboard.auth.v1.ListSessionsRequest\u{1a}(.pu\
            lseboard.auth.v1.ListSessionsResponse\u{12}d\n\rRevokeSession\u{12}(.pulseboard.auth.v1.RevokeSessi\
            onRequest\u{1a}).pulseboard.auth.v1.RevokeSessionResponseB\u{5}\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
