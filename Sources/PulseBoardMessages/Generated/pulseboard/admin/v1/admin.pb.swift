// Written by protoc-gen-pulseboard-swift from pulseboard/admin/v1/admin.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// Has no fields: there is one server.
public struct PBGetServerInfoRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__GetServerInfoRequest.self,
        initializedBy: pulseboard__admin__v1__get_server_info_request__init)

    public init(unpacked pointer: UnsafeRawPointer) {
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}

/// How the server is at this moment.
public struct PBServerInfo: Message {
    /// Of the program, such as `0.1.0`.
    public var version: String = ""
    /// The server's process id, as the server itself sees it.
    public var pid: Int32 = 0
    /// When the process began to serve, UTC.
    public var startTime: Google_Protobuf_Timestamp?
    /// How long ago that was, by a clock that nobody sets.
    public var uptime: Google_Protobuf_Duration?
    /// Open connections, this call's among them.
    public var connections: Int32 = 0
    /// Calls whose handlers are running. This call is not counted.
    public var runningCalls: Int32 = 0
    /// Whether the server's end has begun: it accepts no connection any more.
    public var draining: Bool = false
    /// Path of the socket that is served.
    public var socket: String = ""
    /// Whether the socket was handed over by another process, such as systemd, and stays when this server ends.
    public var socketHandedOver: Bool = false
    /// Kind and version of the store, such as `SQLite 3.40.1`.
    public var store: String = ""
    /// Path of the socket for a gateway. Empty: there is none.
    public var remoteSocket: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        version: String = "",
        pid: Int32 = 0,
        startTime: Google_Protobuf_Timestamp? = nil,
        uptime: Google_Protobuf_Duration? = nil,
        connections: Int32 = 0,
        runningCalls: Int32 = 0,
        draining: Bool = false,
        socket: String = "",
        socketHandedOver: Bool = false,
        store: String = "",
        remoteSocket: String = ""
    ) {
        self.version = version
        self.pid = pid
        self.startTime = startTime
        self.uptime = uptime
        self.connections = connections
        self.runningCalls = runningCalls
        self.draining = draining
        self.socket = socket
        self.socketHandedOver = socketHandedOver
        self.store = store
        self.remoteSocket = remoteSocket
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__ServerInfo.self,
        initializedBy: pulseboard__admin__v1__server_info__init)

    public init(unpacked pointer: UnsafeRawPointer) {
        let message = pointer.assumingMemoryBound(to: Pulseboard__Admin__V1__ServerInfo.self)
        self.version = MessageReader.string(message.pointee.version)
        self.pid = message.pointee.pid
        self.startTime = MessageReader.message(message.pointee.start_time)
        self.uptime = MessageReader.message(message.pointee.uptime)
        self.connections = message.pointee.connections
        self.runningCalls = message.pointee.running_calls
        self.draining = MessageReader.bool(message.pointee.draining)
        self.socket = MessageReader.string(message.pointee.socket)
        self.socketHandedOver = MessageReader.bool(message.pointee.socket_handed_over)
        self.store = MessageReader.string(message.pointee.store)
        self.remoteSocket = MessageReader.string(message.pointee.remote_socket)
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        let message = pointer.assumingMemoryBound(to: Pulseboard__Admin__V1__ServerInfo.self)
        if !self.version.isEmpty {
            message.pointee.version = try encoder.string(self.version, field: "version")
        }
        message.pointee.pid = self.pid
        message.pointee.start_time = try encoder.message(
            self.startTime, as: Google__Protobuf__Timestamp.self, field: "start_time")
        message.pointee.uptime = try encoder.message(self.uptime, as: Google__Protobuf__Duration.self, field: "uptime")
        message.pointee.connections = self.connections
        message.pointee.running_calls = self.runningCalls
        message.pointee.draining = self.draining ? 1 : 0
        if !self.socket.isEmpty {
            message.pointee.socket = try encoder.string(self.socket, field: "socket")
        }
        message.pointee.socket_handed_over = self.socketHandedOver ? 1 : 0
        if !self.store.isEmpty {
            message.pointee.store = try encoder.string(self.store, field: "store")
        }
        if !self.remoteSocket.isEmpty {
            message.pointee.remote_socket = try encoder.string(self.remoteSocket, field: "remote_socket")
        }
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}

/// Asks the server to end.
public struct PBDrainRequest: Message {
    /// How long running calls may take to finish: 0 to 86,400 seconds. Absent: the server's configured grace period.
    public var gracePeriod: Google_Protobuf_Duration?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(gracePeriod: Google_Protobuf_Duration? = nil) {
        self.gracePeriod = gracePeriod
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__DrainRequest.self,
        initializedBy: pulseboard__admin__v1__drain_request__init)

    public init(unpacked pointer: UnsafeRawPointer) {
        let message = pointer.assumingMemoryBound(to: Pulseboard__Admin__V1__DrainRequest.self)
        self.gracePeriod = MessageReader.message(message.pointee.grace_period)
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        let message = pointer.assumingMemoryBound(to: Pulseboard__Admin__V1__DrainRequest.self)
        message.pointee.grace_period = try encoder.message(
            self.gracePeriod, as: Google__Protobuf__Duration.self, field: "grace_period")
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}

/// The server's end has begun.
public struct PBDrainResponse: Message {
    /// The process that ends.
    public var pid: Int32 = 0
    /// How long the calls that run now may take to finish.
    public var gracePeriod: Google_Protobuf_Duration?
    /// Open connections, this call's among them.
    public var connections: Int32 = 0
    /// Calls whose handlers are running. This call is not counted.
    public var runningCalls: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        pid: Int32 = 0,
        gracePeriod: Google_Protobuf_Duration? = nil,
        connections: Int32 = 0,
        runningCalls: Int32 = 0
    ) {
        self.pid = pid
        self.gracePeriod = gracePeriod
        self.connections = connections
        self.runningCalls = runningCalls
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__DrainResponse.self,
        initializedBy: pulseboard__admin__v1__drain_response__init)

    public init(unpacked pointer: UnsafeRawPointer) {
        let message = pointer.assumingMemoryBound(to: Pulseboard__Admin__V1__DrainResponse.self)
        self.pid = message.pointee.pid
        self.gracePeriod = MessageReader.message(message.pointee.grace_period)
        self.connections = message.pointee.connections
        self.runningCalls = message.pointee.running_calls
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        let message = pointer.assumingMemoryBound(to: Pulseboard__Admin__V1__DrainResponse.self)
        message.pointee.pid = self.pid
        message.pointee.grace_period = try encoder.message(
            self.gracePeriod, as: Google__Protobuf__Duration.self, field: "grace_period")
        message.pointee.connections = self.connections
        message.pointee.running_calls = self.runningCalls
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}

/// `pulseboard/admin/v1/admin.proto` in protobuf's own terms, for server reflection.
public enum PBAdminFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/admin/v1/admin.proto",
        dependencies: [
            Google_Protobuf_DurationFile.descriptor,
            Google_Protobuf_TimestampFile.descriptor,
        ],
        serialized: """
            \n\u{1f}pulseboard/admin/v1/admin.proto\u{12}\u{13}pulseboard.admin.v1\u{1a}\u{1e}google/protobuf/d\
            uration.proto\u{1a}\u{1f}google/protobuf/timestamp.proto\"\u{16}\n\u{14}GetServerInfoRequest\"\
            \u{8a}\u{3}\n\nServerInfo\u{12}\u{18}\n\u{7}version\u{18}\u{1} \u{1}(\tR\u{7}version\u{12}\u{10}\n\
            \u{3}pid\u{18}\u{2} \u{1}(\u{5}R\u{3}pid\u{12}9\n\nstart_time\u{18}\u{3} \u{1}(\u{b}2\u{1a}.google.\
            protobuf.TimestampR\tstartTime\u{12}1\n\u{6}uptime\u{18}\u{4} \u{1}(\u{b}2\u{19}.google.protobuf.Du\
            rationR\u{6}uptime\u{12} \n\u{b}connections\u{18}\u{5} \u{1}(\u{5}R\u{b}connections\u{12}#\n\rrunni\
            ng_calls\u{18}\u{6} \u{1}(\u{5}R\u{c}runningCalls\u{12}\u{1a}\n\u{8}draining\u{18}\u{7} \u{1}(\u{8}\
            R\u{8}draining\u{12}\u{16}\n\u{6}socket\u{18}\u{8} \u{1}(\tR\u{6}socket\u{12},\n\u{12}socket_handed\
            _over\u{18}\t \u{1}(\u{8}R\u{10}socketHandedOver\u{12}\u{14}\n\u{5}store\u{18}\n \u{1}(\tR\u{5}stor\
            e\u{12}#\n\rremote_socket\u{18}\u{b} \u{1}(\tR\u{c}remoteSocket\"L\n\u{c}DrainRequest\u{12}<\n\u{c}\
            grace_period\u{18}\u{1} \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\u{b}gracePeriod\"\u{a6}\u{1}\n\
            \rDrainResponse\u{12}\u{10}\n\u{3}pid\u{18}\u{1} \u{1}(\u{5}R\u{3}pid\u{12}<\n\u{c}grace_period\
            \u{18}\u{2} \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\u{b}gracePeriod\u{12} \n\u{b}connections\
            \u{18}\u{3} \u{1}(\u{5}R\u{b}connections\u{12}#\n\rrunning_calls\u{18}\u{4} \u{1}(\u{5}R\u{c}runnin\
            gCalls2\u{bb}\u{1}\n\u{c}AdminService\u{12}[\n\rGetServerInfo\u{12}).pulseboard.admin.v1.GetServerI\
            nfoRequest\u{1a}\u{1f}.pulseboard.admin.v1.ServerInfo\u{12}N\n\u{5}Drain\u{12}!.pulseboard.admin.v1\
            .DrainRequest\u{1a}\".pulseboard.admin.v1.DrainResponseB\u{5}\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
