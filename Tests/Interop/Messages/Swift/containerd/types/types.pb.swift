// Written by protoc-gen-pulseboard-swift from containerd/types/types.proto.
// Do not edit: change that file and generate again.

internal import InteropMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// `containerd.types.Status`.
public enum Containerd_Types_Status: ProtobufEnum {
    /// `UNKNOWN`, number 0.
    case unknown
    /// `CREATED`, number 1.
    case created
    /// `RUNNING`, number 2.
    case running
    /// `STOPPED`, number 3.
    case stopped
    /// `PAUSED`, number 4.
    case paused
    /// `PAUSING`, number 5.
    case pausing
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .unknown }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .unknown
        case 1: .created
        case 2: .running
        case 3: .stopped
        case 4: .paused
        case 5: .pausing
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .unknown: 0
        case .created: 1
        case .running: 2
        case .stopped: 3
        case .paused: 4
        case .pausing: 5
        case .unrecognized(let number): number
        }
    }
}

/// `containerd.types.Mount`.
public struct Containerd_Types_Mount: Message {
    /// `type`, field 1.
    public var type: String = ""
    /// `source`, field 2.
    public var source: String = ""
    /// `target`, field 3.
    public var target: String = ""
    /// `options`, field 4.
    public var options: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        type: String = "",
        source: String = "",
        target: String = "",
        options: [String] = []
    ) {
        self.type = type
        self.source = source
        self.target = target
        self.options = options
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Types__Mount.self,
        initializedBy: containerd__types__mount__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Types__Mount.self)
        self.type = MessageReader.string(message.pointee.type)
        self.source = MessageReader.string(message.pointee.source)
        self.target = MessageReader.string(message.pointee.target)
        self.options = MessageReader.strings(message.pointee.n_options, message.pointee.options)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Types__Mount.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.type.isEmpty {
            message.pointee.type = try encoder.string(self.type, field: "type")
        }
        if !self.source.isEmpty {
            message.pointee.source = try encoder.string(self.source, field: "source")
        }
        if !self.target.isEmpty {
            message.pointee.target = try encoder.string(self.target, field: "target")
        }
        (message.pointee.n_options, message.pointee.options) = try encoder.strings(self.options, field: "options")
    }
}

/// `containerd.types.ProcessInfo`.
public struct Containerd_Types_ProcessInfo: Message {
    /// `pid`, field 1.
    public var pid: UInt32 = 0
    /// `info`, field 2.
    public var info: Google_Protobuf_Any?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        pid: UInt32 = 0,
        info: Google_Protobuf_Any? = nil
    ) {
        self.pid = pid
        self.info = info
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Types__ProcessInfo.self,
        initializedBy: containerd__types__process_info__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Types__ProcessInfo.self)
        self.pid = message.pointee.pid
        self.info = MessageReader.message(message.pointee.info)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Types__ProcessInfo.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.pid = self.pid
        message.pointee.info = try encoder.message(self.info, as: Google__Protobuf__Any.self, field: "info")
    }
}

/// `containerd/types/types.proto` in protobuf's own terms, for server reflection.
public enum Containerd_Types_TypesFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "containerd/types/types.proto",
        dependencies: [
            Google_Protobuf_AnyFile.descriptor,
        ],
        serialized: """
            \n\u{1c}containerd/types/types.proto\u{12}\u{10}containerd.types\u{1a}\u{19}google/protobuf/any.pro\
            to\"e\n\u{5}Mount\u{12}\u{12}\n\u{4}type\u{18}\u{1} \u{1}(\tR\u{4}type\u{12}\u{16}\n\u{6}source\
            \u{18}\u{2} \u{1}(\tR\u{6}source\u{12}\u{16}\n\u{6}target\u{18}\u{3} \u{1}(\tR\u{6}target\u{12}\
            \u{18}\n\u{7}options\u{18}\u{4} \u{3}(\tR\u{7}options\"I\n\u{b}ProcessInfo\u{12}\u{10}\n\u{3}pid\
            \u{18}\u{1} \u{1}(\rR\u{3}pid\u{12}(\n\u{4}info\u{18}\u{2} \u{1}(\u{b}2\u{14}.google.protobuf.AnyR\
            \u{4}info*U\n\u{6}Status\u{12}\u{b}\n\u{7}UNKNOWN\u{10}\0\u{12}\u{b}\n\u{7}CREATED\u{10}\u{1}\u{12}\
            \u{b}\n\u{7}RUNNING\u{10}\u{2}\u{12}\u{b}\n\u{7}STOPPED\u{10}\u{3}\u{12}\n\n\u{6}PAUSED\u{10}\u{4}\
            \u{12}\u{b}\n\u{7}PAUSING\u{10}\u{5}b\u{6}proto3
            """)
}
