// Written by protoc-gen-pulseboard-swift from google/rpc/error_details.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// The cause of an error, for programs.
public struct Google_Rpc_ErrorInfo: Message {
    /// The cause in capitals, such as `USERNAME_DUPLICATED`. At most 63 characters. Unique within `domain`.
    public var reason: String = ""
    /// Who defines `reason`; ours is "pulseboard".
    public var domain: String = ""
    /// More about the cause; the keys belong to `reason`.
    public var metadata: [String: String] = [:]
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        reason: String = "",
        domain: String = "",
        metadata: [String: String] = [:]
    ) {
        self.reason = reason
        self.domain = domain
        self.metadata = metadata
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Rpc__ErrorInfo.self,
        initializedBy: google__rpc__error_info__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Rpc__ErrorInfo.self)
        self.reason = MessageReader.string(message.pointee.reason)
        self.domain = MessageReader.string(message.pointee.domain)
        let metadataEntries: [MetadataEntry] = MessageReader.messages(
            message.pointee.n_metadata, message.pointee.metadata)
        self.metadata = Dictionary(metadataEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Rpc__ErrorInfo.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.reason.isEmpty {
            message.pointee.reason = try encoder.string(self.reason, field: "reason")
        }
        if !self.domain.isEmpty {
            message.pointee.domain = try encoder.string(self.domain, field: "domain")
        }
        let metadataEntries = self.metadata.sorted { $0.key < $1.key }
            .map { MetadataEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_metadata, message.pointee.metadata) = try encoder.messages(
            metadataEntries, as: Google__Rpc__ErrorInfo__MetadataEntry.self, field: "metadata")
    }

    /// One pair of a map: `google.rpc.ErrorInfo.MetadataEntry`.
    fileprivate struct MetadataEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: String = ""
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: String = ""
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Google__Rpc__ErrorInfo__MetadataEntry.self,
            initializedBy: google__rpc__error_info__metadata_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Google__Rpc__ErrorInfo__MetadataEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.string(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Google__Rpc__ErrorInfo__MetadataEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            if !self.value.isEmpty {
                message.pointee.value = try encoder.string(self.value, field: "value")
            }
        }
    }
}

/// When it makes sense to try again.
public struct Google_Rpc_RetryInfo: Message {
    /// How long to wait at least.
    public var retryDelay: Google_Protobuf_Duration?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(retryDelay: Google_Protobuf_Duration? = nil) {
        self.retryDelay = retryDelay
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Rpc__RetryInfo.self,
        initializedBy: google__rpc__retry_info__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Rpc__RetryInfo.self)
        self.retryDelay = MessageReader.message(message.pointee.retry_delay)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Rpc__RetryInfo.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.retry_delay = try encoder.message(
            self.retryDelay, as: Google__Protobuf__Duration.self, field: "retry_delay")
    }
}

/// What is wrong with a request, field by field.
public struct Google_Rpc_BadRequest: Message {
    /// Every violated field.
    public var fieldViolations: [Google_Rpc_BadRequest.FieldViolation] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(fieldViolations: [Google_Rpc_BadRequest.FieldViolation] = []) {
        self.fieldViolations = fieldViolations
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Rpc__BadRequest.self,
        initializedBy: google__rpc__bad_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Rpc__BadRequest.self)
        self.fieldViolations = MessageReader.messages(
            message.pointee.n_field_violations, message.pointee.field_violations)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Rpc__BadRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_field_violations, message.pointee.field_violations) = try encoder.messages(
            self.fieldViolations, as: Google__Rpc__BadRequest__FieldViolation.self, field: "field_violations")
    }

    /// One field and what is wrong with it.
    public struct FieldViolation: Message {
        /// The path of the field in the request, such as `profile.username`.
        public var field: String = ""
        /// What is wrong, for developers.
        public var description_: String = ""
        /// The cause in capitals, as `ErrorInfo.reason`.
        public var reason: String = ""
        /// What is wrong, for users.
        public var localizedMessage: Google_Rpc_LocalizedMessage?
        public var unknownFields = UnknownFields()

        /// A message with every field at its default.
        public init() {}

        /// A message with the fields given; the others have their defaults.
        public init(
            field: String = "",
            description_: String = "",
            reason: String = "",
            localizedMessage: Google_Rpc_LocalizedMessage? = nil
        ) {
            self.field = field
            self.description_ = description_
            self.reason = reason
            self.localizedMessage = localizedMessage
        }

        public static let descriptor = MessageDescriptor(
            of: Google__Rpc__BadRequest__FieldViolation.self,
            initializedBy: google__rpc__bad_request__field_violation__init)

        public init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Google__Rpc__BadRequest__FieldViolation.self)
            self.field = MessageReader.string(message.pointee.field)
            self.description_ = MessageReader.string(message.pointee.description)
            self.reason = MessageReader.string(message.pointee.reason)
            self.localizedMessage = MessageReader.message(message.pointee.localized_message)
            self.unknownFields = unpacked.unknownFields
        }

        public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Google__Rpc__BadRequest__FieldViolation.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.field.isEmpty {
                message.pointee.field = try encoder.string(self.field, field: "field")
            }
            if !self.description_.isEmpty {
                message.pointee.description = try encoder.string(self.description_, field: "description")
            }
            if !self.reason.isEmpty {
                message.pointee.reason = try encoder.string(self.reason, field: "reason")
            }
            message.pointee.localized_message = try encoder.message(
                self.localizedMessage, as: Google__Rpc__LocalizedMessage.self, field: "localized_message")
        }
    }
}

/// Names the request for a report to the operator.
public struct Google_Rpc_RequestInfo: Message {
    /// An opaque id that the server's log knows.
    public var requestID: String = ""
    /// Whatever else helps to find it.
    public var servingData: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        requestID: String = "",
        servingData: String = ""
    ) {
        self.requestID = requestID
        self.servingData = servingData
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Rpc__RequestInfo.self,
        initializedBy: google__rpc__request_info__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Rpc__RequestInfo.self)
        self.requestID = MessageReader.string(message.pointee.request_id)
        self.servingData = MessageReader.string(message.pointee.serving_data)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Rpc__RequestInfo.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.requestID.isEmpty {
            message.pointee.request_id = try encoder.string(self.requestID, field: "request_id")
        }
        if !self.servingData.isEmpty {
            message.pointee.serving_data = try encoder.string(self.servingData, field: "serving_data")
        }
    }
}

/// What the error is about.
public struct Google_Rpc_ResourceInfo: Message {
    /// The kind of thing, such as a message's full name.
    public var resourceType: String = ""
    /// Which one of that kind.
    public var resourceName: String = ""
    /// Whose it is, when that matters.
    public var owner: String = ""
    /// What happened to it, for developers.
    public var description_: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        resourceType: String = "",
        resourceName: String = "",
        owner: String = "",
        description_: String = ""
    ) {
        self.resourceType = resourceType
        self.resourceName = resourceName
        self.owner = owner
        self.description_ = description_
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Rpc__ResourceInfo.self,
        initializedBy: google__rpc__resource_info__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Rpc__ResourceInfo.self)
        self.resourceType = MessageReader.string(message.pointee.resource_type)
        self.resourceName = MessageReader.string(message.pointee.resource_name)
        self.owner = MessageReader.string(message.pointee.owner)
        self.description_ = MessageReader.string(message.pointee.description)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Rpc__ResourceInfo.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.resourceType.isEmpty {
            message.pointee.resource_type = try encoder.string(self.resourceType, field: "resource_type")
        }
        if !self.resourceName.isEmpty {
            message.pointee.resource_name = try encoder.string(self.resourceName, field: "resource_name")
        }
        if !self.owner.isEmpty {
            message.pointee.owner = try encoder.string(self.owner, field: "owner")
        }
        if !self.description_.isEmpty {
            message.pointee.description = try encoder.string(self.description_, field: "description")
        }
    }
}

/// Where to read on.
public struct Google_Rpc_Help: Message {
    /// The pages to read.
    public var links: [Google_Rpc_Help.Link] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(links: [Google_Rpc_Help.Link] = []) {
        self.links = links
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Rpc__Help.self,
        initializedBy: google__rpc__help__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Rpc__Help.self)
        self.links = MessageReader.messages(message.pointee.n_links, message.pointee.links)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Rpc__Help.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_links, message.pointee.links) = try encoder.messages(
            self.links, as: Google__Rpc__Help__Link.self, field: "links")
    }

    /// One page to read.
    public struct Link: Message {
        /// What the page is about.
        public var description_: String = ""
        /// Where it is.
        public var url: String = ""
        public var unknownFields = UnknownFields()

        /// A message with every field at its default.
        public init() {}

        /// A message with the fields given; the others have their defaults.
        public init(
            description_: String = "",
            url: String = ""
        ) {
            self.description_ = description_
            self.url = url
        }

        public static let descriptor = MessageDescriptor(
            of: Google__Rpc__Help__Link.self,
            initializedBy: google__rpc__help__link__init)

        public init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Google__Rpc__Help__Link.self)
            self.description_ = MessageReader.string(message.pointee.description)
            self.url = MessageReader.string(message.pointee.url)
            self.unknownFields = unpacked.unknownFields
        }

        public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Google__Rpc__Help__Link.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.description_.isEmpty {
                message.pointee.description = try encoder.string(self.description_, field: "description")
            }
            if !self.url.isEmpty {
                message.pointee.url = try encoder.string(self.url, field: "url")
            }
        }
    }
}

/// A text for a user.
public struct Google_Rpc_LocalizedMessage: Message {
    /// The text's language as a BCP 47 tag, such as "ko" or "en-US".
    public var locale: String = ""
    /// The text.
    public var message: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        locale: String = "",
        message: String = ""
    ) {
        self.locale = locale
        self.message = message
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Rpc__LocalizedMessage.self,
        initializedBy: google__rpc__localized_message__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Rpc__LocalizedMessage.self)
        self.locale = MessageReader.string(message.pointee.locale)
        self.message = MessageReader.string(message.pointee.message)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Rpc__LocalizedMessage.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.locale.isEmpty {
            message.pointee.locale = try encoder.string(self.locale, field: "locale")
        }
        if !self.message.isEmpty {
            message.pointee.message = try encoder.string(self.message, field: "message")
        }
    }
}

/// `google/rpc/error_details.proto` in protobuf's own terms, for server reflection.
public enum Google_Rpc_ErrorDetailsFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/rpc/error_details.proto",
        dependencies: [
            Google_Protobuf_DurationFile.descriptor,
        ],
        serialized: """
            \n\u{1e}google/rpc/error_details.proto\u{12}\ngoogle.rpc\u{1a}\u{1e}google/protobuf/duration.proto\
            \"\u{b9}\u{1}\n\tErrorInfo\u{12}\u{16}\n\u{6}reason\u{18}\u{1} \u{1}(\tR\u{6}reason\u{12}\u{16}\n\
            \u{6}domain\u{18}\u{2} \u{1}(\tR\u{6}domain\u{12}?\n\u{8}metadata\u{18}\u{3} \u{3}(\u{b}2#.google.r\
            pc.ErrorInfo.MetadataEntryR\u{8}metadata\u{1a};\n\rMetadataEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \
            \u{1}(\tR\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\tR\u{5}value:\u{2}8\u{1}\"G\n\tRetryInf\
            o\u{12}:\n\u{b}retry_delay\u{18}\u{1} \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\nretryDelay\"\
            \u{8c}\u{2}\n\nBadRequest\u{12}P\n\u{10}field_violations\u{18}\u{1} \u{3}(\u{b}2%.google.rpc.BadReq\
            uest.FieldViolationR\u{f}fieldViolations\u{1a}\u{ab}\u{1}\n\u{e}FieldViolation\u{12}\u{14}\n\u{5}fi\
            eld\u{18}\u{1} \u{1}(\tR\u{5}field\u{12} \n\u{b}description\u{18}\u{2} \u{1}(\tR\u{b}description\
            \u{12}\u{16}\n\u{6}reason\u{18}\u{3} \u{1}(\tR\u{6}reason\u{12}I\n\u{11}localized_message\u{18}\
            \u{4} \u{1}(\u{b}2\u{1c}.google.rpc.LocalizedMessageR\u{10}localizedMessage\"O\n\u{b}RequestInfo\
            \u{12}\u{1d}\n\nrequest_id\u{18}\u{1} \u{1}(\tR\trequestId\u{12}!\n\u{c}serving_data\u{18}\u{2} \
            \u{1}(\tR\u{b}servingData\"\u{90}\u{1}\n\u{c}ResourceInfo\u{12}#\n\rresource_type\u{18}\u{1} \u{1}(\
            \tR\u{c}resourceType\u{12}#\n\rresource_name\u{18}\u{2} \u{1}(\tR\u{c}resourceName\u{12}\u{14}\n\
            \u{5}owner\u{18}\u{3} \u{1}(\tR\u{5}owner\u{12} \n\u{b}description\u{18}\u{4} \u{1}(\tR\u{b}descrip\
            tion\"o\n\u{4}Help\u{12}+\n\u{5}links\u{18}\u{1} \u{3}(\u{b}2\u{15}.google.rpc.Help.LinkR\u{5}links\
            \u{1a}:\n\u{4}Link\u{12} \n\u{b}description\u{18}\u{1} \u{1}(\tR\u{b}description\u{12}\u{10}\n\u{3}\
            url\u{18}\u{2} \u{1}(\tR\u{3}url\"D\n\u{10}LocalizedMessage\u{12}\u{16}\n\u{6}locale\u{18}\u{1} \
            \u{1}(\tR\u{6}locale\u{12}\u{18}\n\u{7}message\u{18}\u{2} \u{1}(\tR\u{7}messageb\u{6}proto3
            """)
}
