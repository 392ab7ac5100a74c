// Written by protoc-gen-pulseboard-swift from pulseboard/account/v1/account.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// One of the ways in which the caller signs in.
public struct PBIdentity: Message {
    /// The identity provider's address, such as `https://accounts.google.com`; `unix` and `account` are the server's own.
    public var issuer: String = ""
    /// Who the caller is to it: 1…255 bytes. Compared byte by byte.
    public var subject: String = ""
    /// The server's name for the issuer, such as `google`, for a person to recognise. The issuer when the server does not know it any more.
    public var issuerName: String = ""
    /// When it first signed in, or was linked.
    public var createTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        issuer: String = "",
        subject: String = "",
        issuerName: String = "",
        createTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.issuerName = issuerName
        self.createTime = createTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__Identity.self,
        initializedBy: pulseboard__account__v1__identity__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__Identity.self)
        self.issuer = MessageReader.string(message.pointee.issuer)
        self.subject = MessageReader.string(message.pointee.subject)
        self.issuerName = MessageReader.string(message.pointee.issuer_name)
        self.createTime = MessageReader.message(message.pointee.create_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__Identity.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.issuer.isEmpty {
            message.pointee.issuer = try encoder.string(self.issuer, field: "issuer")
        }
        if !self.subject.isEmpty {
            message.pointee.subject = try encoder.string(self.subject, field: "subject")
        }
        if !self.issuerName.isEmpty {
            message.pointee.issuer_name = try encoder.string(self.issuerName, field: "issuer_name")
        }
        message.pointee.create_time = try encoder.message(
            self.createTime, as: Google__Protobuf__Timestamp.self, field: "create_time")
    }
}

/// Asks for all identities of the caller.
public struct PBListIdentitiesRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ListIdentitiesRequest.self,
        initializedBy: pulseboard__account__v1__list_identities_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// The identities of the caller.
public struct PBListIdentitiesResponse: Message {
    /// Oldest first; at least one.
    public var identities: [PBIdentity] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(identities: [PBIdentity] = []) {
        self.identities = identities
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__ListIdentitiesResponse.self,
        initializedBy: pulseboard__account__v1__list_identities_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__ListIdentitiesResponse.self)
        self.identities = MessageReader.messages(message.pointee.n_identities, message.pointee.identities)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__ListIdentitiesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_identities, message.pointee.identities) = try encoder.messages(
            self.identities, as: Pulseboard__Account__V1__Identity.self, field: "identities")
    }
}

/// Which identity to link.
public struct PBLinkIdentityRequest: Message {
    /// Proof of the identity. Required.
    public var idToken: PBIdTokenCredential?
    /// Names this request, so that a retry is answered with the first result: at most 64 bytes of printable ASCII. Empty: no retry is recognised.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        idToken: PBIdTokenCredential? = nil,
        requestID: String = ""
    ) {
        self.idToken = idToken
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__LinkIdentityRequest.self,
        initializedBy: pulseboard__account__v1__link_identity_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__LinkIdentityRequest.self)
        self.idToken = MessageReader.message(message.pointee.id_token)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__LinkIdentityRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.id_token = try encoder.message(
            self.idToken, as: Pulseboard__Auth__V1__IdTokenCredential.self, field: "id_token")
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }
}

/// Which identity to unlink.
public struct PBUnlinkIdentityRequest: Message {
    /// `Identity.issuer`.
    public var issuer: String = ""
    /// `Identity.subject`.
    public var subject: String = ""
    /// Names this request, so that a retry is answered with the first result: at most 64 bytes of printable ASCII. Empty: no retry is recognised.
    public var requestID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        issuer: String = "",
        subject: String = "",
        requestID: String = ""
    ) {
        self.issuer = issuer
        self.subject = subject
        self.requestID = requestID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__UnlinkIdentityRequest.self,
        initializedBy: pulseboard__account__v1__unlink_identity_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Account__V1__UnlinkIdentityRequest.self)
        self.issuer = MessageReader.string(message.pointee.issuer)
        self.subject = MessageReader.string(message.pointee.subject)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Account__V1__UnlinkIdentityRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.issuer.isEmpty {
            message.pointee.issuer = try encoder.string(self.issuer, field: "issuer")
        }
        if !self.subject.isEmpty {
            message.pointee.subject = try encoder.string(self.subject, field: "subject")
        }
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
    }
}

/// The identity no longer signs the caller in.
public struct PBUnlinkIdentityResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Account__V1__UnlinkIdentityResponse.self,
        initializedBy: pulseboard__account__v1__unlink_identity_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `pulseboard/account/v1/account.proto` in protobuf's own terms, for server reflection.
public enum PBAccountFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/account/v1/account.proto",
        dependencies: [
            Google_Protobuf_TimestampFile.descriptor,
            PBAuthFile.descriptor,
        ],
        serialized: """
            \n#pulseboard/account/v1/account.proto\u{12}\u{15}pulseboard.account.v1\u{1a}\u{1f}google/protobuf/\
            timestamp.proto\u{1a}\u{1d}pulseboard/auth/v1/auth.proto\"\u{9a}\u{1}\n\u{8}Identity\u{12}\u{16}\n\
            \u{6}issuer\u{18}\u{1} \u{1}(\tR\u{6}issuer\u{12}\u{18}\n\u{7}subject\u{18}\u{2} \u{1}(\tR\u{7}subj\
            ect\u{12}\u{1f}\n\u{b}issuer_name\u{18}\u{3} \u{1}(\tR\nissuerName\u{12};\n\u{b}create_time\u{18}\
            \u{4} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\ncreateTime\"\u{17}\n\u{15}ListIdentitiesReques\
            t\"Y\n\u{16}ListIdentitiesResponse\u{12}?\n\nidentities\u{18}\u{1} \u{3}(\u{b}2\u{1f}.pulseboard.ac\
            count.v1.IdentityR\nidentities\"v\n\u{13}LinkIdentityRequest\u{12}@\n\u{8}id_token\u{18}\u{1} \u{1}\
            (\u{b}2%.pulseboard.auth.v1.IdTokenCredentialR\u{7}idToken\u{12}\u{1d}\n\nrequest_id\u{18}\u{2} \
            \u{1}(\tR\trequestId\"h\n\u{15}UnlinkIdentityRequest\u{12}\u{16}\n\u{6}issuer\u{18}\u{1} \u{1}(\tR\
            \u{6}issuer\u{12}\u{18}\n\u{7}subject\u{18}\u{2} \u{1}(\tR\u{7}subject\u{12}\u{1d}\n\nrequest_id\
            \u{18}\u{3} \u{1}(\tR\trequestId\"\u{18}\n\u{16}UnlinkIdentityResponse2\u{cb}\u{2}\n\u{e}AccountSer\
            vice\u{12}m\n\u{e}ListIdentities\u{12},.pulseboard.account.v1.ListIdentitiesRequest\u{1a}-.pulseboa\
            rd.account.v1.ListIdentitiesResponse\u{12}[\n\u{c}LinkIdentity\u{12}*.pulseboard.account.v1.LinkIde\
            ntityRequest\u{1a}\u{1f}.pulseboard.account.v1.Identity\u{12}m\n\u{e}UnlinkIdentity\u{12},.pulseboa\
            rd.account.v1.UnlinkIdentityRequest\u{1a}-.pulseboard.account.v1.UnlinkIdentityResponseBP\n\u{18}io\
            .pulseboard.account.v1B\u{c}AccountProtoP\u{1}Z\u{1f}pulseboard/account/v1;accountv1\u{ba}\u{2}\
            \u{2}PBb\u{6}proto3
            """)
}
