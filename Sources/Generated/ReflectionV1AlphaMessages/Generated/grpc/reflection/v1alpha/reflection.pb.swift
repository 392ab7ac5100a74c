// Written by protoc-gen-pulseboard-swift from grpc/reflection/v1alpha/reflection.proto.
// Do not edit: change that file and generate again.

internal import StandardServicesC
import ProtobufC

/// One question.
public struct Grpc_Reflection_V1alpha_ServerReflectionRequest: Message {
    /// The host that the client believes to speak to; given back as it came.
    public var host: String = ""
    /// The `message_request` that is set, if any.
    public var messageRequest: OneOf_MessageRequest?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        host: String = "",
        messageRequest: OneOf_MessageRequest? = nil
    ) {
        self.host = host
        self.messageRequest = messageRequest
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Reflection__V1alpha__ServerReflectionRequest.self,
        initializedBy: grpc__reflection__v1alpha__server_reflection_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Reflection__V1alpha__ServerReflectionRequest.self)
        self.host = MessageReader.string(message.pointee.host)
        switch message.pointee.message_request_case.rawValue {
        case 3: self.messageRequest = .fileByFilename(MessageReader.string(message.pointee.file_by_filename))
        case 4: self.messageRequest = .fileContainingSymbol(
            MessageReader.string(message.pointee.file_containing_symbol))
        case 5: self.messageRequest = MessageReader.message(message.pointee.file_containing_extension).map { .fileContainingExtension($0) }
        case 6: self.messageRequest = .allExtensionNumbersOfType(
            MessageReader.string(message.pointee.all_extension_numbers_of_type))
        case 7: self.messageRequest = .listServices(MessageReader.string(message.pointee.list_services))
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Reflection__V1alpha__ServerReflectionRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.host.isEmpty {
            message.pointee.host = try encoder.string(self.host, field: "host")
        }
        switch self.messageRequest {
        case .fileByFilename(let value)?:
            message.pointee.message_request_case = .init(rawValue: 3)
            message.pointee.file_by_filename = try encoder.string(value, field: "file_by_filename")
        case .fileContainingSymbol(let value)?:
            message.pointee.message_request_case = .init(rawValue: 4)
            message.pointee.file_containing_symbol = try encoder.string(value, field: "file_containing_symbol")
        case .fileContainingExtension(let value)?:
            message.pointee.message_request_case = .init(rawValue: 5)
            message.pointee.file_containing_extension = try encoder.message(
                value, as: Grpc__Reflection__V1alpha__ExtensionRequest.self, field: "file_containing_extension")
        case .allExtensionNumbersOfType(let value)?:
            message.pointee.message_request_case = .init(rawValue: 6)
            message.pointee.all_extension_numbers_of_type = try encoder.string(
                value, field: "all_extension_numbers_of_type")
        case .listServices(let value)?:
            message.pointee.message_request_case = .init(rawValue: 7)
            message.pointee.list_services = try encoder.string(value, field: "list_services")
        case nil: break
        }
    }

    /// What ``messageRequest`` can be.
    public enum OneOf_MessageRequest: Hashable, Sendable {
        /// The file of that name, as others import it.
        case fileByFilename(String)
        /// The file that declares this full name: a service, method, message, field, enum, enum value or extension.
        case fileContainingSymbol(String)
        /// The file that declares this extension.
        case fileContainingExtension(Grpc_Reflection_V1alpha_ExtensionRequest)
        /// The numbers of all extensions of the message of this full name.
        case allExtensionNumbersOfType(String)
        /// The names of all services. The value says nothing.
        case listServices(String)
    }
}

/// Names an extension by the message that it extends.
public struct Grpc_Reflection_V1alpha_ExtensionRequest: Message {
    /// Full name of the extended message, without a leading dot.
    public var containingType: String = ""
    /// `extension_number`, field 2.
    public var extensionNumber: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        containingType: String = "",
        extensionNumber: Int32 = 0
    ) {
        self.containingType = containingType
        self.extensionNumber = extensionNumber
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Reflection__V1alpha__ExtensionRequest.self,
        initializedBy: grpc__reflection__v1alpha__extension_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Reflection__V1alpha__ExtensionRequest.self)
        self.containingType = MessageReader.string(message.pointee.containing_type)
        self.extensionNumber = message.pointee.extension_number
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Reflection__V1alpha__ExtensionRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.containingType.isEmpty {
            message.pointee.containing_type = try encoder.string(self.containingType, field: "containing_type")
        }
        message.pointee.extension_number = self.extensionNumber
    }
}

/// One answer.
public struct Grpc_Reflection_V1alpha_ServerReflectionResponse: Message {
    /// `valid_host`, field 1.
    public var validHost: String = ""
    /// The question.
    public var originalRequest: Grpc_Reflection_V1alpha_ServerReflectionRequest?
    /// The `message_response` that is set, if any.
    public var messageResponse: OneOf_MessageResponse?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        validHost: String = "",
        originalRequest: Grpc_Reflection_V1alpha_ServerReflectionRequest? = nil,
        messageResponse: OneOf_MessageResponse? = nil
    ) {
        self.validHost = validHost
        self.originalRequest = originalRequest
        self.messageResponse = messageResponse
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Reflection__V1alpha__ServerReflectionResponse.self,
        initializedBy: grpc__reflection__v1alpha__server_reflection_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Reflection__V1alpha__ServerReflectionResponse.self)
        self.validHost = MessageReader.string(message.pointee.valid_host)
        self.originalRequest = MessageReader.message(message.pointee.original_request)
        switch message.pointee.message_response_case.rawValue {
        case 4: self.messageResponse = MessageReader.message(message.pointee.file_descriptor_response).map { .fileDescriptorResponse($0) }
        case 5: self.messageResponse = MessageReader.message(message.pointee.all_extension_numbers_response).map { .allExtensionNumbersResponse($0) }
        case 6: self.messageResponse = MessageReader.message(message.pointee.list_services_response).map { .listServicesResponse($0) }
        case 7: self.messageResponse = MessageReader.message(message.pointee.error_response).map { .errorResponse($0) }
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Reflection__V1alpha__ServerReflectionResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.validHost.isEmpty {
            message.pointee.valid_host = try encoder.string(self.validHost, field: "valid_host")
        }
        message.pointee.original_request = try encoder.message(
            self.originalRequest, as: Grpc__Reflection__V1alpha__ServerReflectionRequest.self, field: "original_request")
        switch self.messageResponse {
        case .fileDescriptorResponse(let value)?:
            message.pointee.message_response_case = .init(rawValue: 4)
            message.pointee.file_descriptor_response = try encoder.message(
                value, as: Grpc__Reflection__V1alpha__FileDescriptorResponse.self, field: "file_descriptor_response")
        case .allExtensionNumbersResponse(let value)?:
            message.pointee.message_response_case = .init(rawValue: 5)
            message.pointee.all_extension_numbers_response = try encoder.message(
                value, as: Grpc__Reflection__V1alpha__ExtensionNumberResponse.self, field: "all_extension_numbers_response")
        case .listServicesResponse(let value)?:
            message.pointee.message_response_case = .init(rawValue: 6)
            message.pointee.list_services_response = try encoder.message(
                value, as: Grpc__Reflection__V1alpha__ListServiceResponse.self, field: "list_services_response")
        case .errorResponse(let value)?:
            message.pointee.message_response_case = .init(rawValue: 7)
            message.pointee.error_response = try encoder.message(
                value, as: Grpc__Reflection__V1alpha__ErrorResponse.self, field: "error_response")
        case nil: break
        }
    }

    /// What ``messageResponse`` can be.
    public enum OneOf_MessageResponse: Hashable, Sendable {
        /// `file_descriptor_response`, field 4.
        case fileDescriptorResponse(Grpc_Reflection_V1alpha_FileDescriptorResponse)
        /// `all_extension_numbers_response`, field 5.
        case allExtensionNumbersResponse(Grpc_Reflection_V1alpha_ExtensionNumberResponse)
        /// `list_services_response`, field 6.
        case listServicesResponse(Grpc_Reflection_V1alpha_ListServiceResponse)
        /// `error_response`, field 7.
        case errorResponse(Grpc_Reflection_V1alpha_ErrorResponse)
    }
}

/// `grpc.reflection.v1alpha.FileDescriptorResponse`.
public struct Grpc_Reflection_V1alpha_FileDescriptorResponse: Message {
    /// Each a google.protobuf.FileDescriptorProto in wire form: the file asked for, then all that it imports, directly or not.
    public var fileDescriptorProto: [[UInt8]] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(fileDescriptorProto: [[UInt8]] = []) {
        self.fileDescriptorProto = fileDescriptorProto
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Reflection__V1alpha__FileDescriptorResponse.self,
        initializedBy: grpc__reflection__v1alpha__file_descriptor_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Reflection__V1alpha__FileDescriptorResponse.self)
        self.fileDescriptorProto = MessageReader.bytesArray(
            message.pointee.n_file_descriptor_proto, message.pointee.file_descriptor_proto)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Reflection__V1alpha__FileDescriptorResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_file_descriptor_proto, message.pointee.file_descriptor_proto) = encoder.bytesArray(
            self.fileDescriptorProto)
    }
}

/// `grpc.reflection.v1alpha.ExtensionNumberResponse`.
public struct Grpc_Reflection_V1alpha_ExtensionNumberResponse: Message {
    /// Full name of the extended message.
    public var baseTypeName: String = ""
    /// `extension_number`, field 2.
    public var extensionNumber: [Int32] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        baseTypeName: String = "",
        extensionNumber: [Int32] = []
    ) {
        self.baseTypeName = baseTypeName
        self.extensionNumber = extensionNumber
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Reflection__V1alpha__ExtensionNumberResponse.self,
        initializedBy: grpc__reflection__v1alpha__extension_number_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Reflection__V1alpha__ExtensionNumberResponse.self)
        self.baseTypeName = MessageReader.string(message.pointee.base_type_name)
        self.extensionNumber = MessageReader.scalars(
            message.pointee.n_extension_number, message.pointee.extension_number)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Reflection__V1alpha__ExtensionNumberResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.baseTypeName.isEmpty {
            message.pointee.base_type_name = try encoder.string(self.baseTypeName, field: "base_type_name")
        }
        (message.pointee.n_extension_number, message.pointee.extension_number) = encoder.scalars(self.extensionNumber)
    }
}

/// `grpc.reflection.v1alpha.ListServiceResponse`.
public struct Grpc_Reflection_V1alpha_ListServiceResponse: Message {
    /// `service`, field 1.
    public var service: [Grpc_Reflection_V1alpha_ServiceResponse] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(service: [Grpc_Reflection_V1alpha_ServiceResponse] = []) {
        self.service = service
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Reflection__V1alpha__ListServiceResponse.self,
        initializedBy: grpc__reflection__v1alpha__list_service_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Reflection__V1alpha__ListServiceResponse.self)
        self.service = MessageReader.messages(message.pointee.n_service, message.pointee.service)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Reflection__V1alpha__ListServiceResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_service, message.pointee.service) = try encoder.messages(
            self.service, as: Grpc__Reflection__V1alpha__ServiceResponse.self, field: "service")
    }
}

/// `grpc.reflection.v1alpha.ServiceResponse`.
public struct Grpc_Reflection_V1alpha_ServiceResponse: Message {
    /// Full name of a service.
    public var name: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(name: String = "") {
        self.name = name
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Reflection__V1alpha__ServiceResponse.self,
        initializedBy: grpc__reflection__v1alpha__service_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Reflection__V1alpha__ServiceResponse.self)
        self.name = MessageReader.string(message.pointee.name)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Reflection__V1alpha__ServiceResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
    }
}

/// `grpc.reflection.v1alpha.ErrorResponse`.
public struct Grpc_Reflection_V1alpha_ErrorResponse: Message {
    /// A gRPC status code.
    public var errorCode: Int32 = 0
    /// `error_message`, field 2.
    public var errorMessage: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        errorCode: Int32 = 0,
        errorMessage: String = ""
    ) {
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Reflection__V1alpha__ErrorResponse.self,
        initializedBy: grpc__reflection__v1alpha__error_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Reflection__V1alpha__ErrorResponse.self)
        self.errorCode = message.pointee.error_code
        self.errorMessage = MessageReader.string(message.pointee.error_message)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Reflection__V1alpha__ErrorResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.error_code = self.errorCode
        if !self.errorMessage.isEmpty {
            message.pointee.error_message = try encoder.string(self.errorMessage, field: "error_message")
        }
    }
}

/// `grpc/reflection/v1alpha/reflection.proto` in protobuf's own terms, for server reflection.
public enum Grpc_Reflection_V1alpha_ReflectionFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "grpc/reflection/v1alpha/reflection.proto",
        dependencies: [],
        serialized: """
            \n(grpc/reflection/v1alpha/reflection.proto\u{12}\u{17}grpc.reflection.v1alpha\"\u{f8}\u{2}\n\u{17}\
            ServerReflectionRequest\u{12}\u{12}\n\u{4}host\u{18}\u{1} \u{1}(\tR\u{4}host\u{12}*\n\u{10}file_by_\
            filename\u{18}\u{3} \u{1}(\tH\0R\u{e}fileByFilename\u{12}6\n\u{16}file_containing_symbol\u{18}\u{4}\
             \u{1}(\tH\0R\u{14}fileContainingSymbol\u{12}g\n\u{19}file_containing_extension\u{18}\u{5} \u{1}(\
            \u{b}2).grpc.reflection.v1alpha.ExtensionRequestH\0R\u{17}fileContainingExtension\u{12}B\n\u{1d}all\
            _extension_numbers_of_type\u{18}\u{6} \u{1}(\tH\0R\u{19}allExtensionNumbersOfType\u{12}%\n\rlist_se\
            rvices\u{18}\u{7} \u{1}(\tH\0R\u{c}listServicesB\u{11}\n\u{f}message_request\"f\n\u{10}ExtensionReq\
            uest\u{12}'\n\u{f}containing_type\u{18}\u{1} \u{1}(\tR\u{e}containingType\u{12})\n\u{10}extension_n\
            umber\u{18}\u{2} \u{1}(\u{5}R\u{f}extensionNumber\"\u{c7}\u{4}\n\u{18}ServerReflectionResponse\
            \u{12}\u{1d}\n\nvalid_host\u{18}\u{1} \u{1}(\tR\tvalidHost\u{12}[\n\u{10}original_request\u{18}\
            \u{2} \u{1}(\u{b}20.grpc.reflection.v1alpha.ServerReflectionRequestR\u{f}originalRequest\u{12}k\n\
            \u{18}file_descriptor_response\u{18}\u{4} \u{1}(\u{b}2/.grpc.reflection.v1alpha.FileDescriptorRespo\
            nseH\0R\u{16}fileDescriptorResponse\u{12}w\n\u{1e}all_extension_numbers_response\u{18}\u{5} \u{1}(\
            \u{b}20.grpc.reflection.v1alpha.ExtensionNumberResponseH\0R\u{1b}allExtensionNumbersResponse\u{12}d\
            \n\u{16}list_services_response\u{18}\u{6} \u{1}(\u{b}2,.grpc.reflection.v1alpha.ListServiceResponse\
            H\0R\u{14}listServicesResponse\u{12}O\n\u{e}error_response\u{18}\u{7} \u{1}(\u{b}2&.grpc.reflection\
            .v1alpha.ErrorResponseH\0R\rerrorResponseB\u{12}\n\u{10}message_response\"L\n\u{16}FileDescriptorRe\
            sponse\u{12}2\n\u{15}file_descriptor_proto\u{18}\u{1} \u{3}(\u{c}R\u{13}fileDescriptorProto\"j\n\
            \u{17}ExtensionNumberResponse\u{12}$\n\u{e}base_type_name\u{18}\u{1} \u{1}(\tR\u{c}baseTypeName\
            \u{12})\n\u{10}extension_number\u{18}\u{2} \u{3}(\u{5}R\u{f}extensionNumber\"Y\n\u{13}ListServiceRe\
            sponse\u{12}B\n\u{7}service\u{18}\u{1} \u{3}(\u{b}2(.grpc.reflection.v1alpha.ServiceResponseR\u{7}s\
            ervice\"%\n\u{f}ServiceResponse\u{12}\u{12}\n\u{4}name\u{18}\u{1} \u{1}(\tR\u{4}name\"S\n\rErrorRes\
            ponse\u{12}\u{1d}\n\nerror_code\u{18}\u{1} \u{1}(\u{5}R\terrorCode\u{12}#\n\rerror_message\u{18}\
            \u{2} \u{1}(\tR\u{c}errorMessage2\u{93}\u{1}\n\u{10}ServerReflection\u{12}\u{7f}\n\u{14}ServerRefle\
            ctionInfo\u{12}0.grpc.reflection.v1alpha.ServerReflectionRequest\u{1a}1.grpc.reflection.v1alpha.Ser\
            verReflectionResponse(\u{1}0\u{1}b\u{6}proto3
            """)
}
