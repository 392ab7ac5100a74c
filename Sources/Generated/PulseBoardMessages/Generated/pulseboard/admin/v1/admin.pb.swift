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

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
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
    /// How the store is.
    public var storeStatus: PBStoreStatus? {
        get { storeStatusStorage_.first }
        set { storeStatusStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `storeStatus` out of line: in line it would take much memory also when it is not set.
    private var storeStatusStorage_: [PBStoreStatus] = []
    /// What is kept in memory, and how often it was found there.
    public var caches: [PBCacheStatus] = []
    /// Path of the socket for a gateway. Empty: there is none.
    public var remoteSocket: String = ""
    /// How the keys of each configured issuer of ID tokens are, in the order of the configuration.
    public var issuers: [PBIssuerStatus] = []
    /// The methods that were called since the start, by name. This call is not among those that have ended.
    public var methods: [PBMethodStatus] = []
    /// What each user takes now, and has taken since the start: those with most running calls first, then those with most calls; at most 1,024.
    public var users: [PBUserStatus] = []
    /// How often which limit has refused what kind of users something since the start. Those that have.
    public var refusals: [PBLimitRefusals] = []
    /// The server's event loops.
    public var loops: [PBLoopStatus] = []
    /// The uid that the server runs as.
    public var uid: UInt32 = 0
    /// Where the server keeps its files: an absolute path.
    public var dataDirectory: String = ""
    /// How the directory of the profiles' pictures is.
    public var imageDirectory: PBImageDirectoryStatus?
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
        storeStatus: PBStoreStatus? = nil,
        caches: [PBCacheStatus] = [],
        remoteSocket: String = "",
        issuers: [PBIssuerStatus] = [],
        methods: [PBMethodStatus] = [],
        users: [PBUserStatus] = [],
        refusals: [PBLimitRefusals] = [],
        loops: [PBLoopStatus] = [],
        uid: UInt32 = 0,
        dataDirectory: String = "",
        imageDirectory: PBImageDirectoryStatus? = nil
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
        self.storeStatus = storeStatus
        self.caches = caches
        self.remoteSocket = remoteSocket
        self.issuers = issuers
        self.methods = methods
        self.users = users
        self.refusals = refusals
        self.loops = loops
        self.uid = uid
        self.dataDirectory = dataDirectory
        self.imageDirectory = imageDirectory
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__ServerInfo.self,
        initializedBy: pulseboard__admin__v1__server_info__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__ServerInfo.self)
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
        self.storeStatus = MessageReader.message(message.pointee.store_status)
        self.caches = MessageReader.messages(message.pointee.n_caches, message.pointee.caches)
        self.remoteSocket = MessageReader.string(message.pointee.remote_socket)
        self.issuers = MessageReader.messages(message.pointee.n_issuers, message.pointee.issuers)
        self.methods = MessageReader.messages(message.pointee.n_methods, message.pointee.methods)
        self.users = MessageReader.messages(message.pointee.n_users, message.pointee.users)
        self.refusals = MessageReader.messages(message.pointee.n_refusals, message.pointee.refusals)
        self.loops = MessageReader.messages(message.pointee.n_loops, message.pointee.loops)
        self.uid = message.pointee.uid
        self.dataDirectory = MessageReader.string(message.pointee.data_directory)
        self.imageDirectory = MessageReader.message(message.pointee.image_directory)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__ServerInfo.self)
        encoder.unknownFields(self.unknownFields, into: blank)
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
        message.pointee.store_status = try encoder.message(
            self.storeStatus, as: Pulseboard__Admin__V1__StoreStatus.self, field: "store_status")
        (message.pointee.n_caches, message.pointee.caches) = try encoder.messages(
            self.caches, as: Pulseboard__Admin__V1__CacheStatus.self, field: "caches")
        if !self.remoteSocket.isEmpty {
            message.pointee.remote_socket = try encoder.string(self.remoteSocket, field: "remote_socket")
        }
        (message.pointee.n_issuers, message.pointee.issuers) = try encoder.messages(
            self.issuers, as: Pulseboard__Admin__V1__IssuerStatus.self, field: "issuers")
        (message.pointee.n_methods, message.pointee.methods) = try encoder.messages(
            self.methods, as: Pulseboard__Admin__V1__MethodStatus.self, field: "methods")
        (message.pointee.n_users, message.pointee.users) = try encoder.messages(
            self.users, as: Pulseboard__Admin__V1__UserStatus.self, field: "users")
        (message.pointee.n_refusals, message.pointee.refusals) = try encoder.messages(
            self.refusals, as: Pulseboard__Admin__V1__LimitRefusals.self, field: "refusals")
        (message.pointee.n_loops, message.pointee.loops) = try encoder.messages(
            self.loops, as: Pulseboard__Admin__V1__LoopStatus.self, field: "loops")
        message.pointee.uid = self.uid
        if !self.dataDirectory.isEmpty {
            message.pointee.data_directory = try encoder.string(self.dataDirectory, field: "data_directory")
        }
        message.pointee.image_directory = try encoder.message(
            self.imageDirectory, as: Pulseboard__Admin__V1__ImageDirectoryStatus.self, field: "image_directory")
    }
}

/// How the directory is where profiles' pictures are kept, and where uploads wait until they are decoded.
public struct PBImageDirectoryStatus: Message {
    /// The directory.
    public var path: String = ""
    /// What its file system has left for the server, bytes. 0 also when it does not say.
    public var freeBytes: Int64 = 0
    /// What keeps pictures from being stored now. Absent while nothing does.
    public var trouble: PBStoreTrouble?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        path: String = "",
        freeBytes: Int64 = 0,
        trouble: PBStoreTrouble? = nil
    ) {
        self.path = path
        self.freeBytes = freeBytes
        self.trouble = trouble
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__ImageDirectoryStatus.self,
        initializedBy: pulseboard__admin__v1__image_directory_status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__ImageDirectoryStatus.self)
        self.path = MessageReader.string(message.pointee.path)
        self.freeBytes = message.pointee.free_bytes
        self.trouble = MessageReader.message(message.pointee.trouble)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__ImageDirectoryStatus.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.path.isEmpty {
            message.pointee.path = try encoder.string(self.path, field: "path")
        }
        message.pointee.free_bytes = self.freeBytes
        message.pointee.trouble = try encoder.message(
            self.trouble, as: Pulseboard__Admin__V1__StoreTrouble.self, field: "trouble")
    }
}

/// What one user of the server takes. With neither `uid` nor `gateway` it is everybody together who was here longest ago.
public struct PBUserStatus: Message {
    /// All connections of one uid of this machine.
    public var uid: UInt32?
    /// All connections of a gateway's socket, by its number.
    public var gateway: Int32?
    /// Open connections.
    public var connections: Int64 = 0
    /// Calls whose handlers are running, the one that asks included.
    public var runningCalls: Int64 = 0
    /// Bytes that the server holds for the user.
    public var memoryBytes: Int64 = 0
    /// Calls that have ended since the start.
    public var calls: Int64 = 0
    /// Those of them that ended with another code than OK.
    public var failedCalls: Int64 = 0
    /// Requests of ended calls, bytes.
    public var requestBytes: Int64 = 0
    /// The same for their responses.
    public var responseBytes: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        uid: UInt32? = nil,
        gateway: Int32? = nil,
        connections: Int64 = 0,
        runningCalls: Int64 = 0,
        memoryBytes: Int64 = 0,
        calls: Int64 = 0,
        failedCalls: Int64 = 0,
        requestBytes: Int64 = 0,
        responseBytes: Int64 = 0
    ) {
        self.uid = uid
        self.gateway = gateway
        self.connections = connections
        self.runningCalls = runningCalls
        self.memoryBytes = memoryBytes
        self.calls = calls
        self.failedCalls = failedCalls
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__UserStatus.self,
        initializedBy: pulseboard__admin__v1__user_status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__UserStatus.self)
        if message.pointee._uid_case.rawValue == 1 {
            self.uid = message.pointee.uid
        }
        if message.pointee._gateway_case.rawValue == 2 {
            self.gateway = message.pointee.gateway
        }
        self.connections = message.pointee.connections
        self.runningCalls = message.pointee.running_calls
        self.memoryBytes = message.pointee.memory_bytes
        self.calls = message.pointee.calls
        self.failedCalls = message.pointee.failed_calls
        self.requestBytes = message.pointee.request_bytes
        self.responseBytes = message.pointee.response_bytes
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__UserStatus.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if let value = self.uid {
            message.pointee._uid_case = .init(rawValue: 1)
            message.pointee.uid = value
        }
        if let value = self.gateway {
            message.pointee._gateway_case = .init(rawValue: 2)
            message.pointee.gateway = value
        }
        message.pointee.connections = self.connections
        message.pointee.running_calls = self.runningCalls
        message.pointee.memory_bytes = self.memoryBytes
        message.pointee.calls = self.calls
        message.pointee.failed_calls = self.failedCalls
        message.pointee.request_bytes = self.requestBytes
        message.pointee.response_bytes = self.responseBytes
    }
}

/// How often one limit has refused users of one kind something.
public struct PBLimitRefusals: Message {
    /// The limit's name, as `--limit` of the server has it, such as `calls-per-user`; also `handlers`, the limit of a method.
    public var limit: String = ""
    /// `server` for root and the server's own uid, `local` for other uids of this machine, `gateway` for those who come through one.
    public var userClass: String = ""
    /// Refusals.
    public var count: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        limit: String = "",
        userClass: String = "",
        count: Int64 = 0
    ) {
        self.limit = limit
        self.userClass = userClass
        self.count = count
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__LimitRefusals.self,
        initializedBy: pulseboard__admin__v1__limit_refusals__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__LimitRefusals.self)
        self.limit = MessageReader.string(message.pointee.limit)
        self.userClass = MessageReader.string(message.pointee.user_class)
        self.count = message.pointee.count
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__LimitRefusals.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.limit.isEmpty {
            message.pointee.limit = try encoder.string(self.limit, field: "limit")
        }
        if !self.userClass.isEmpty {
            message.pointee.user_class = try encoder.string(self.userClass, field: "user_class")
        }
        message.pointee.count = self.count
    }
}

/// How one event loop of the server is. All connections of a loop wait while a turn of it lasts.
public struct PBLoopStatus: Message {
    /// Turns since the start.
    public var turns: Int64 = 0
    /// Time that they took, all together.
    public var busyTime: Google_Protobuf_Duration?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        turns: Int64 = 0,
        busyTime: Google_Protobuf_Duration? = nil
    ) {
        self.turns = turns
        self.busyTime = busyTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__LoopStatus.self,
        initializedBy: pulseboard__admin__v1__loop_status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__LoopStatus.self)
        self.turns = message.pointee.turns
        self.busyTime = MessageReader.message(message.pointee.busy_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__LoopStatus.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.turns = self.turns
        message.pointee.busy_time = try encoder.message(
            self.busyTime, as: Google__Protobuf__Duration.self, field: "busy_time")
    }
}

/// How the keys of one issuer of ID tokens are.
public struct PBIssuerStatus: Message {
    /// The configuration's name for it, such as `google`.
    public var name: String = ""
    /// Its address, such as `https://accounts.google.com`.
    public var issuer: String = ""
    /// Keys that tokens may be signed with.
    public var keys: Int32 = 0
    /// When the file that they were read from was last written. Absent while none could be read.
    public var keysTime: Google_Protobuf_Timestamp?
    /// Why the file as it is now could not be read; the keys are those from before. Empty: it could.
    public var problem: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        name: String = "",
        issuer: String = "",
        keys: Int32 = 0,
        keysTime: Google_Protobuf_Timestamp? = nil,
        problem: String = ""
    ) {
        self.name = name
        self.issuer = issuer
        self.keys = keys
        self.keysTime = keysTime
        self.problem = problem
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__IssuerStatus.self,
        initializedBy: pulseboard__admin__v1__issuer_status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__IssuerStatus.self)
        self.name = MessageReader.string(message.pointee.name)
        self.issuer = MessageReader.string(message.pointee.issuer)
        self.keys = message.pointee.keys
        self.keysTime = MessageReader.message(message.pointee.keys_time)
        self.problem = MessageReader.string(message.pointee.problem)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__IssuerStatus.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
        if !self.issuer.isEmpty {
            message.pointee.issuer = try encoder.string(self.issuer, field: "issuer")
        }
        message.pointee.keys = self.keys
        message.pointee.keys_time = try encoder.message(
            self.keysTime, as: Google__Protobuf__Timestamp.self, field: "keys_time")
        if !self.problem.isEmpty {
            message.pointee.problem = try encoder.string(self.problem, field: "problem")
        }
    }
}

/// How the calls of one method went since the start.
public struct PBMethodStatus: Message {
    /// `service/method`, such as `pulseboard.profile.v1.ProfileService/GetProfile`.
    public var method: String = ""
    /// Handlers that are running. Calls that are answered at once never count.
    public var running: Int64 = 0
    /// Calls that have ended, by code, lowest code first. Codes that occurred only.
    public var ended: [PBCodeCount] = []
    /// Requests of ended calls, bytes: messages before compression, without frames and metadata.
    public var requestBytes: Int64 = 0
    /// The same for their responses.
    public var responseBytes: Int64 = 0
    /// Time that ended calls took, all together.
    public var totalTime: Google_Protobuf_Duration?
    /// How long ended calls took: from the reading of the request, or the opening of the stream, to the end. Shortest first; buckets that have calls only.
    public var latencies: [PBLatencyBucket] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        method: String = "",
        running: Int64 = 0,
        ended: [PBCodeCount] = [],
        requestBytes: Int64 = 0,
        responseBytes: Int64 = 0,
        totalTime: Google_Protobuf_Duration? = nil,
        latencies: [PBLatencyBucket] = []
    ) {
        self.method = method
        self.running = running
        self.ended = ended
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
        self.totalTime = totalTime
        self.latencies = latencies
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__MethodStatus.self,
        initializedBy: pulseboard__admin__v1__method_status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__MethodStatus.self)
        self.method = MessageReader.string(message.pointee.method)
        self.running = message.pointee.running
        self.ended = MessageReader.messages(message.pointee.n_ended, message.pointee.ended)
        self.requestBytes = message.pointee.request_bytes
        self.responseBytes = message.pointee.response_bytes
        self.totalTime = MessageReader.message(message.pointee.total_time)
        self.latencies = MessageReader.messages(message.pointee.n_latencies, message.pointee.latencies)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__MethodStatus.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.method.isEmpty {
            message.pointee.method = try encoder.string(self.method, field: "method")
        }
        message.pointee.running = self.running
        (message.pointee.n_ended, message.pointee.ended) = try encoder.messages(
            self.ended, as: Pulseboard__Admin__V1__CodeCount.self, field: "ended")
        message.pointee.request_bytes = self.requestBytes
        message.pointee.response_bytes = self.responseBytes
        message.pointee.total_time = try encoder.message(
            self.totalTime, as: Google__Protobuf__Duration.self, field: "total_time")
        (message.pointee.n_latencies, message.pointee.latencies) = try encoder.messages(
            self.latencies, as: Pulseboard__Admin__V1__LatencyBucket.self, field: "latencies")
    }
}

/// How many calls ended with a code.
public struct PBCodeCount: Message {
    /// A gRPC status code, 0 to 16.
    public var code: Int32 = 0
    /// Calls.
    public var count: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        code: Int32 = 0,
        count: Int64 = 0
    ) {
        self.code = code
        self.count = count
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__CodeCount.self,
        initializedBy: pulseboard__admin__v1__code_count__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__CodeCount.self)
        self.code = message.pointee.code
        self.count = message.pointee.count
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__CodeCount.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.code = self.code
        message.pointee.count = self.count
    }
}

/// Calls that took about as long as each other.
public struct PBLatencyBucket: Message {
    /// What they took less than. Bounds are the same on every server, four to each power of two from 1,024 ns to 2^37 ns. Absent: the calls took longer.
    public var upperBound: Google_Protobuf_Duration?
    /// Calls.
    public var count: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        upperBound: Google_Protobuf_Duration? = nil,
        count: Int64 = 0
    ) {
        self.upperBound = upperBound
        self.count = count
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__LatencyBucket.self,
        initializedBy: pulseboard__admin__v1__latency_bucket__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__LatencyBucket.self)
        self.upperBound = MessageReader.message(message.pointee.upper_bound)
        self.count = message.pointee.count
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__LatencyBucket.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.upper_bound = try encoder.message(
            self.upperBound, as: Google__Protobuf__Duration.self, field: "upper_bound")
        message.pointee.count = self.count
    }
}

/// How the store is at this moment.
public struct PBStoreStatus: Message {
    /// The database file.
    public var path: String = ""
    /// Length of the database file, bytes.
    public var databaseBytes: Int64 = 0
    /// Length of the write-ahead log, bytes: what is durable and not yet in the database file, and room that is kept for more.
    public var walBytes: Int64 = 0
    /// What the file system of the database has left for the server, bytes. 0 also when it does not say.
    public var freeBytes: Int64 = 0
    /// When a write was last made durable. Absent when none was since the start.
    public var lastCommitTime: Google_Protobuf_Timestamp?
    /// What keeps the store from its work now. Absent while it works.
    public var trouble: PBStoreTrouble? {
        get { troubleStorage_.first }
        set { troubleStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `trouble` out of line: in line it would take much memory also when it is not set.
    private var troubleStorage_: [PBStoreTrouble] = []
    /// The last failure since the start, over or not. Absent when there was none.
    public var lastTrouble: PBStoreTrouble? {
        get { lastTroubleStorage_.first }
        set { lastTroubleStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `lastTrouble` out of line: in line it would take much memory also when it is not set.
    private var lastTroubleStorage_: [PBStoreTrouble] = []
    /// Transactions that were made durable since the start.
    public var commits: Int64 = 0
    /// Writes in those.
    public var writes: Int64 = 0
    /// Copies of the log into the database since the start.
    public var checkpoints: Int64 = 0
    /// Where what is committed is archived, so that a backup can be brought forward. Empty: nowhere.
    public var archiveDirectory: String = ""
    /// When the last commit was made that is archived. Absent when none was since the start.
    public var archiveTime: Google_Protobuf_Timestamp?
    /// What keeps the archive from going on. Empty: nothing does.
    public var archiveProblem: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        path: String = "",
        databaseBytes: Int64 = 0,
        walBytes: Int64 = 0,
        freeBytes: Int64 = 0,
        lastCommitTime: Google_Protobuf_Timestamp? = nil,
        trouble: PBStoreTrouble? = nil,
        lastTrouble: PBStoreTrouble? = nil,
        commits: Int64 = 0,
        writes: Int64 = 0,
        checkpoints: Int64 = 0,
        archiveDirectory: String = "",
        archiveTime: Google_Protobuf_Timestamp? = nil,
        archiveProblem: String = ""
    ) {
        self.path = path
        self.databaseBytes = databaseBytes
        self.walBytes = walBytes
        self.freeBytes = freeBytes
        self.lastCommitTime = lastCommitTime
        self.trouble = trouble
        self.lastTrouble = lastTrouble
        self.commits = commits
        self.writes = writes
        self.checkpoints = checkpoints
        self.archiveDirectory = archiveDirectory
        self.archiveTime = archiveTime
        self.archiveProblem = archiveProblem
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__StoreStatus.self,
        initializedBy: pulseboard__admin__v1__store_status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__StoreStatus.self)
        self.path = MessageReader.string(message.pointee.path)
        self.databaseBytes = message.pointee.database_bytes
        self.walBytes = message.pointee.wal_bytes
        self.freeBytes = message.pointee.free_bytes
        self.lastCommitTime = MessageReader.message(message.pointee.last_commit_time)
        self.trouble = MessageReader.message(message.pointee.trouble)
        self.lastTrouble = MessageReader.message(message.pointee.last_trouble)
        self.commits = message.pointee.commits
        self.writes = message.pointee.writes
        self.checkpoints = message.pointee.checkpoints
        self.archiveDirectory = MessageReader.string(message.pointee.archive_directory)
        self.archiveTime = MessageReader.message(message.pointee.archive_time)
        self.archiveProblem = MessageReader.string(message.pointee.archive_problem)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__StoreStatus.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.path.isEmpty {
            message.pointee.path = try encoder.string(self.path, field: "path")
        }
        message.pointee.database_bytes = self.databaseBytes
        message.pointee.wal_bytes = self.walBytes
        message.pointee.free_bytes = self.freeBytes
        message.pointee.last_commit_time = try encoder.message(
            self.lastCommitTime, as: Google__Protobuf__Timestamp.self, field: "last_commit_time")
        message.pointee.trouble = try encoder.message(
            self.trouble, as: Pulseboard__Admin__V1__StoreTrouble.self, field: "trouble")
        message.pointee.last_trouble = try encoder.message(
            self.lastTrouble, as: Pulseboard__Admin__V1__StoreTrouble.self, field: "last_trouble")
        message.pointee.commits = self.commits
        message.pointee.writes = self.writes
        message.pointee.checkpoints = self.checkpoints
        if !self.archiveDirectory.isEmpty {
            message.pointee.archive_directory = try encoder.string(self.archiveDirectory, field: "archive_directory")
        }
        message.pointee.archive_time = try encoder.message(
            self.archiveTime, as: Google__Protobuf__Timestamp.self, field: "archive_time")
        if !self.archiveProblem.isEmpty {
            message.pointee.archive_problem = try encoder.string(self.archiveProblem, field: "archive_problem")
        }
    }
}

/// What keeps, or kept, the store from its work.
public struct PBStoreTrouble: Message {
    /// The reason that refused calls carry, such as `STORE_FULL`. `UNAVAILABLE` is a failure that says nothing of other calls.
    public var reason: String = ""
    /// SQLite's words, or the server's own.
    public var detail: String = ""
    /// When it began.
    public var startTime: Google_Protobuf_Timestamp?
    /// Reads and writes that it has failed.
    public var count: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        reason: String = "",
        detail: String = "",
        startTime: Google_Protobuf_Timestamp? = nil,
        count: Int64 = 0
    ) {
        self.reason = reason
        self.detail = detail
        self.startTime = startTime
        self.count = count
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__StoreTrouble.self,
        initializedBy: pulseboard__admin__v1__store_trouble__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__StoreTrouble.self)
        self.reason = MessageReader.string(message.pointee.reason)
        self.detail = MessageReader.string(message.pointee.detail)
        self.startTime = MessageReader.message(message.pointee.start_time)
        self.count = message.pointee.count
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__StoreTrouble.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.reason.isEmpty {
            message.pointee.reason = try encoder.string(self.reason, field: "reason")
        }
        if !self.detail.isEmpty {
            message.pointee.detail = try encoder.string(self.detail, field: "detail")
        }
        message.pointee.start_time = try encoder.message(
            self.startTime, as: Google__Protobuf__Timestamp.self, field: "start_time")
        message.pointee.count = self.count
    }
}

/// A part of the server's memory that spares it the store.
public struct PBCacheStatus: Message {
    /// What it holds, such as `profiles`.
    public var name: String = ""
    /// Entries held now.
    public var entries: Int64 = 0
    /// Most entries held.
    public var capacity: Int64 = 0
    /// Answers from memory since the start.
    public var hits: Int64 = 0
    /// Questions to the store since the start, because memory had no answer.
    public var misses: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        name: String = "",
        entries: Int64 = 0,
        capacity: Int64 = 0,
        hits: Int64 = 0,
        misses: Int64 = 0
    ) {
        self.name = name
        self.entries = entries
        self.capacity = capacity
        self.hits = hits
        self.misses = misses
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__CacheStatus.self,
        initializedBy: pulseboard__admin__v1__cache_status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__CacheStatus.self)
        self.name = MessageReader.string(message.pointee.name)
        self.entries = message.pointee.entries
        self.capacity = message.pointee.capacity
        self.hits = message.pointee.hits
        self.misses = message.pointee.misses
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__CacheStatus.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
        message.pointee.entries = self.entries
        message.pointee.capacity = self.capacity
        message.pointee.hits = self.hits
        message.pointee.misses = self.misses
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

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__DrainRequest.self)
        self.gracePeriod = MessageReader.message(message.pointee.grace_period)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__DrainRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.grace_period = try encoder.message(
            self.gracePeriod, as: Google__Protobuf__Duration.self, field: "grace_period")
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

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__DrainResponse.self)
        self.pid = message.pointee.pid
        self.gracePeriod = MessageReader.message(message.pointee.grace_period)
        self.connections = message.pointee.connections
        self.runningCalls = message.pointee.running_calls
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__DrainResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.pid = self.pid
        message.pointee.grace_period = try encoder.message(
            self.gracePeriod, as: Google__Protobuf__Duration.self, field: "grace_period")
        message.pointee.connections = self.connections
        message.pointee.running_calls = self.runningCalls
    }
}

/// Asks for a copy of everything.
public struct PBBackupRequest: Message {
    /// Most bytes a second that the server reads for it, so that others are served as before: 1,048,576 to 4,294,967,296. 0: 33,554,432.
    public var bytesPerSecond: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(bytesPerSecond: Int64 = 0) {
        self.bytesPerSecond = bytesPerSecond
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__BackupRequest.self,
        initializedBy: pulseboard__admin__v1__backup_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__BackupRequest.self)
        self.bytesPerSecond = message.pointee.bytes_per_second
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__BackupRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.bytes_per_second = self.bytesPerSecond
    }
}

/// A part of a backup.
public struct PBBackupResponse: Message {
    /// A part of a later version is none of these: skip it.
    public var part: OneOf_Part?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(part: OneOf_Part? = nil) {
        self.part = part
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__BackupResponse.self,
        initializedBy: pulseboard__admin__v1__backup_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__BackupResponse.self)
        switch message.pointee.part_case.rawValue {
        case 1: self.part = MessageReader.message(message.pointee.progress).map { .progress($0) }
        case 2: self.part = MessageReader.message(message.pointee.file).map { .file($0) }
        case 3: self.part = .data(MessageReader.bytes(message.pointee.data))
        case 4: self.part = MessageReader.message(message.pointee.manifest).map { .manifest($0) }
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__BackupResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.part {
        case .progress(let value)?:
            message.pointee.part_case = .init(rawValue: 1)
            message.pointee.progress = try encoder.message(
                value, as: Pulseboard__Admin__V1__BackupProgress.self, field: "progress")
        case .file(let value)?:
            message.pointee.part_case = .init(rawValue: 2)
            message.pointee.file = try encoder.message(value, as: Pulseboard__Admin__V1__BackupFile.self, field: "file")
        case .data(let value)?:
            message.pointee.part_case = .init(rawValue: 3)
            message.pointee.data = encoder.bytes(value)
        case .manifest(let value)?:
            message.pointee.part_case = .init(rawValue: 4)
            message.pointee.manifest = try encoder.message(
                value, as: Pulseboard__Admin__V1__BackupManifest.self, field: "manifest")
        case nil: break
        }
    }

    /// What ``part`` can be.
    public enum OneOf_Part: Hashable, Sendable {
        /// How far the server is before it can send the first file, about once a second.
        case progress(PBBackupProgress)
        /// A file begins.
        case file(PBBackupFile)
        /// The next bytes of the file that began last, at most 65,536.
        case data([UInt8])
        /// Everything has been sent.
        case manifest(PBBackupManifest)
    }
}

/// How far a backup is.
public struct PBBackupProgress: Message {
    /// What the server does now.
    public var stage: PBBackupProgress.Stage = .init()
    /// Bytes of the database that are copied.
    public var doneBytes: Int64 = 0
    /// Bytes of the database.
    public var totalBytes: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        stage: PBBackupProgress.Stage = .init(),
        doneBytes: Int64 = 0,
        totalBytes: Int64 = 0
    ) {
        self.stage = stage
        self.doneBytes = doneBytes
        self.totalBytes = totalBytes
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__BackupProgress.self,
        initializedBy: pulseboard__admin__v1__backup_progress__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__BackupProgress.self)
        self.stage = MessageReader.enumeration(message.pointee.stage)
        self.doneBytes = message.pointee.done_bytes
        self.totalBytes = message.pointee.total_bytes
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__BackupProgress.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.stage = encoder.enumeration(self.stage, as: Pulseboard__Admin__V1__BackupProgress__Stage.self)
        message.pointee.done_bytes = self.doneBytes
        message.pointee.total_bytes = self.totalBytes
    }

    /// What the server does.
    public enum Stage: ProtobufEnum {
        /// Of a later version.
        case unspecified
        /// Copies the database.
        case copying
        /// Checks the copy.
        case checking
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .copying
            case 2: .checking
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .copying: 1
            case .checking: 2
            case .unrecognized(let number): number
            }
        }
    }
}

/// One file of a backup.
public struct PBBackupFile: Message {
    /// Where it is in the data directory, such as `pulseboard.sqlite` or `images/3d/3d…/….webp`.
    public var path: String = ""
    /// Its length, bytes.
    public var byteCount: Int64 = 0
    /// Of its bytes.
    public var sha256: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        path: String = "",
        byteCount: Int64 = 0,
        sha256: [UInt8] = []
    ) {
        self.path = path
        self.byteCount = byteCount
        self.sha256 = sha256
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__BackupFile.self,
        initializedBy: pulseboard__admin__v1__backup_file__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__BackupFile.self)
        self.path = MessageReader.string(message.pointee.path)
        self.byteCount = message.pointee.byte_count
        self.sha256 = MessageReader.bytes(message.pointee.sha256)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__BackupFile.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.path.isEmpty {
            message.pointee.path = try encoder.string(self.path, field: "path")
        }
        message.pointee.byte_count = self.byteCount
        if !self.sha256.isEmpty {
            message.pointee.sha256 = encoder.bytes(self.sha256)
        }
    }
}

/// What a complete backup has.
public struct PBBackupManifest: Message {
    /// Of the server that made it, such as `0.1.0`.
    public var version: String = ""
    /// The instant whose state it is, UTC, by the server's clock.
    public var time: Google_Protobuf_Timestamp?
    /// Kind and version of the store, such as `SQLite 3.40.1`.
    public var store: String = ""
    /// The newest migration of the database.
    public var schema: String = ""
    /// Rows of the tables, by the tables' names.
    public var counts: [PBBackupCount] = []
    /// Files.
    public var files: Int64 = 0
    /// Bytes of all files.
    public var bytes: Int64 = 0
    /// Files of pictures that the database names and the folder did not have. `pulseboard admin check` names them.
    public var missingFiles: Int64 = 0
    /// From where on the archive of what is committed goes on, to bring the backup forward. Empty: nothing is archived.
    public var archivePosition: String = ""
    /// Files of pictures that the folder has and the server could not read, such as on a damaged disk. The backup lacks them. The server's log names them.
    public var unreadableFiles: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        version: String = "",
        time: Google_Protobuf_Timestamp? = nil,
        store: String = "",
        schema: String = "",
        counts: [PBBackupCount] = [],
        files: Int64 = 0,
        bytes: Int64 = 0,
        missingFiles: Int64 = 0,
        archivePosition: String = "",
        unreadableFiles: Int64 = 0
    ) {
        self.version = version
        self.time = time
        self.store = store
        self.schema = schema
        self.counts = counts
        self.files = files
        self.bytes = bytes
        self.missingFiles = missingFiles
        self.archivePosition = archivePosition
        self.unreadableFiles = unreadableFiles
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__BackupManifest.self,
        initializedBy: pulseboard__admin__v1__backup_manifest__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__BackupManifest.self)
        self.version = MessageReader.string(message.pointee.version)
        self.time = MessageReader.message(message.pointee.time)
        self.store = MessageReader.string(message.pointee.store)
        self.schema = MessageReader.string(message.pointee.schema)
        self.counts = MessageReader.messages(message.pointee.n_counts, message.pointee.counts)
        self.files = message.pointee.files
        self.bytes = message.pointee.bytes
        self.missingFiles = message.pointee.missing_files
        self.archivePosition = MessageReader.string(message.pointee.archive_position)
        self.unreadableFiles = message.pointee.unreadable_files
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__BackupManifest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.version.isEmpty {
            message.pointee.version = try encoder.string(self.version, field: "version")
        }
        message.pointee.time = try encoder.message(self.time, as: Google__Protobuf__Timestamp.self, field: "time")
        if !self.store.isEmpty {
            message.pointee.store = try encoder.string(self.store, field: "store")
        }
        if !self.schema.isEmpty {
            message.pointee.schema = try encoder.string(self.schema, field: "schema")
        }
        (message.pointee.n_counts, message.pointee.counts) = try encoder.messages(
            self.counts, as: Pulseboard__Admin__V1__BackupCount.self, field: "counts")
        message.pointee.files = self.files
        message.pointee.bytes = self.bytes
        message.pointee.missing_files = self.missingFiles
        if !self.archivePosition.isEmpty {
            message.pointee.archive_position = try encoder.string(self.archivePosition, field: "archive_position")
        }
        message.pointee.unreadable_files = self.unreadableFiles
    }
}

/// How many rows a table has.
public struct PBBackupCount: Message {
    /// The table's name.
    public var table: String = ""
    /// Its rows.
    public var rows: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        table: String = "",
        rows: Int64 = 0
    ) {
        self.table = table
        self.rows = rows
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__BackupCount.self,
        initializedBy: pulseboard__admin__v1__backup_count__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__BackupCount.self)
        self.table = MessageReader.string(message.pointee.table)
        self.rows = message.pointee.rows
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__BackupCount.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.table.isEmpty {
            message.pointee.table = try encoder.string(self.table, field: "table")
        }
        message.pointee.rows = self.rows
    }
}

/// Has no fields.
public struct PBGetMetricsRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__GetMetricsRequest.self,
        initializedBy: pulseboard__admin__v1__get_metrics_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// The server's figures at this moment.
public struct PBGetMetricsResponse: Message {
    /// OpenMetrics 1.0.0, UTF-8. Its last line is `# EOF`.
    public var text: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(text: String = "") {
        self.text = text
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__GetMetricsResponse.self,
        initializedBy: pulseboard__admin__v1__get_metrics_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__GetMetricsResponse.self)
        self.text = MessageReader.string(message.pointee.text)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__GetMetricsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.text.isEmpty {
            message.pointee.text = try encoder.string(self.text, field: "text")
        }
    }
}

/// Sets what is logged.
public struct PBSetLogLevelRequest: Message {
    /// `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.
    public var level: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(level: String = "") {
        self.level = level
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__SetLogLevelRequest.self,
        initializedBy: pulseboard__admin__v1__set_log_level_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__SetLogLevelRequest.self)
        self.level = MessageReader.string(message.pointee.level)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__SetLogLevelRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.level.isEmpty {
            message.pointee.level = try encoder.string(self.level, field: "level")
        }
    }
}

/// What is logged now.
public struct PBSetLogLevelResponse: Message {
    /// The level that was asked for.
    public var level: String = ""
    /// The one before.
    public var formerLevel: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        level: String = "",
        formerLevel: String = ""
    ) {
        self.level = level
        self.formerLevel = formerLevel
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Admin__V1__SetLogLevelResponse.self,
        initializedBy: pulseboard__admin__v1__set_log_level_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Admin__V1__SetLogLevelResponse.self)
        self.level = MessageReader.string(message.pointee.level)
        self.formerLevel = MessageReader.string(message.pointee.former_level)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Admin__V1__SetLogLevelResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.level.isEmpty {
            message.pointee.level = try encoder.string(self.level, field: "level")
        }
        if !self.formerLevel.isEmpty {
            message.pointee.former_level = try encoder.string(self.formerLevel, field: "former_level")
        }
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
            \u{be}\u{7}\n\nServerInfo\u{12}\u{18}\n\u{7}version\u{18}\u{1} \u{1}(\tR\u{7}version\u{12}\u{10}\n\
            \u{3}pid\u{18}\u{2} \u{1}(\u{5}R\u{3}pid\u{12}9\n\nstart_time\u{18}\u{3} \u{1}(\u{b}2\u{1a}.google.\
            protobuf.TimestampR\tstartTime\u{12}1\n\u{6}uptime\u{18}\u{4} \u{1}(\u{b}2\u{19}.google.protobuf.Du\
            rationR\u{6}uptime\u{12} \n\u{b}connections\u{18}\u{5} \u{1}(\u{5}R\u{b}connections\u{12}#\n\rrunni\
            ng_calls\u{18}\u{6} \u{1}(\u{5}R\u{c}runningCalls\u{12}\u{1a}\n\u{8}draining\u{18}\u{7} \u{1}(\u{8}\
            R\u{8}draining\u{12}\u{16}\n\u{6}socket\u{18}\u{8} \u{1}(\tR\u{6}socket\u{12},\n\u{12}socket_handed\
            _over\u{18}\t \u{1}(\u{8}R\u{10}socketHandedOver\u{12}\u{14}\n\u{5}store\u{18}\n \u{1}(\tR\u{5}stor\
            e\u{12}C\n\u{c}store_status\u{18}\u{b} \u{1}(\u{b}2 .pulseboard.admin.v1.StoreStatusR\u{b}storeStat\
            us\u{12}8\n\u{6}caches\u{18}\u{c} \u{3}(\u{b}2 .pulseboard.admin.v1.CacheStatusR\u{6}caches\u{12}#\
            \n\rremote_socket\u{18}\r \u{1}(\tR\u{c}remoteSocket\u{12};\n\u{7}issuers\u{18}\u{e} \u{3}(\u{b}2!.\
            pulseboard.admin.v1.IssuerStatusR\u{7}issuers\u{12};\n\u{7}methods\u{18}\u{f} \u{3}(\u{b}2!.pulsebo\
            ard.admin.v1.MethodStatusR\u{7}methods\u{12}5\n\u{5}users\u{18}\u{10} \u{3}(\u{b}2\u{1f}.pulseboard\
            .admin.v1.UserStatusR\u{5}users\u{12}>\n\u{8}refusals\u{18}\u{11} \u{3}(\u{b}2\".pulseboard.admin.v\
            1.LimitRefusalsR\u{8}refusals\u{12}5\n\u{5}loops\u{18}\u{12} \u{3}(\u{b}2\u{1f}.pulseboard.admin.v1\
            .LoopStatusR\u{5}loops\u{12}\u{10}\n\u{3}uid\u{18}\u{13} \u{1}(\rR\u{3}uid\u{12}%\n\u{e}data_direct\
            ory\u{18}\u{14} \u{1}(\tR\rdataDirectory\u{12}R\n\u{f}image_directory\u{18}\u{15} \u{1}(\u{b}2).pul\
            seboard.admin.v1.ImageDirectoryStatusR\u{e}imageDirectory\"\u{86}\u{1}\n\u{14}ImageDirectoryStatus\
            \u{12}\u{12}\n\u{4}path\u{18}\u{1} \u{1}(\tR\u{4}path\u{12}\u{1d}\n\nfree_bytes\u{18}\u{2} \u{1}(\
            \u{3}R\tfreeBytes\u{12};\n\u{7}trouble\u{18}\u{3} \u{1}(\u{b}2!.pulseboard.admin.v1.StoreTroubleR\
            \u{7}trouble\"\u{c5}\u{2}\n\nUserStatus\u{12}\u{15}\n\u{3}uid\u{18}\u{1} \u{1}(\rH\0R\u{3}uid\u{88}\
            \u{1}\u{1}\u{12}\u{1d}\n\u{7}gateway\u{18}\u{2} \u{1}(\u{5}H\u{1}R\u{7}gateway\u{88}\u{1}\u{1}\
            \u{12} \n\u{b}connections\u{18}\u{3} \u{1}(\u{3}R\u{b}connections\u{12}#\n\rrunning_calls\u{18}\
            \u{4} \u{1}(\u{3}R\u{c}runningCalls\u{12}!\n\u{c}memory_bytes\u{18}\u{5} \u{1}(\u{3}R\u{b}memoryByt\
            es\u{12}\u{14}\n\u{5}calls\u{18}\u{6} \u{1}(\u{3}R\u{5}calls\u{12}!\n\u{c}failed_calls\u{18}\u{7} \
            \u{1}(\u{3}R\u{b}failedCalls\u{12}#\n\rrequest_bytes\u{18}\u{8} \u{1}(\u{3}R\u{c}requestBytes\u{12}\
            %\n\u{e}response_bytes\u{18}\t \u{1}(\u{3}R\rresponseBytesB\u{6}\n\u{4}_uidB\n\n\u{8}_gateway\"Z\n\
            \rLimitRefusals\u{12}\u{14}\n\u{5}limit\u{18}\u{1} \u{1}(\tR\u{5}limit\u{12}\u{1d}\n\nuser_class\
            \u{18}\u{2} \u{1}(\tR\tuserClass\u{12}\u{14}\n\u{5}count\u{18}\u{3} \u{1}(\u{3}R\u{5}count\"Z\n\nLo\
            opStatus\u{12}\u{14}\n\u{5}turns\u{18}\u{1} \u{1}(\u{3}R\u{5}turns\u{12}6\n\tbusy_time\u{18}\u{2} \
            \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\u{8}busyTime\"\u{a1}\u{1}\n\u{c}IssuerStatus\u{12}\
            \u{12}\n\u{4}name\u{18}\u{1} \u{1}(\tR\u{4}name\u{12}\u{16}\n\u{6}issuer\u{18}\u{2} \u{1}(\tR\u{6}i\
            ssuer\u{12}\u{12}\n\u{4}keys\u{18}\u{3} \u{1}(\u{5}R\u{4}keys\u{12}7\n\tkeys_time\u{18}\u{4} \u{1}(\
            \u{b}2\u{1a}.google.protobuf.TimestampR\u{8}keysTime\u{12}\u{18}\n\u{7}problem\u{18}\u{5} \u{1}(\tR\
            \u{7}problem\"\u{be}\u{2}\n\u{c}MethodStatus\u{12}\u{16}\n\u{6}method\u{18}\u{1} \u{1}(\tR\u{6}meth\
            od\u{12}\u{18}\n\u{7}running\u{18}\u{2} \u{1}(\u{3}R\u{7}running\u{12}4\n\u{5}ended\u{18}\u{3} \
            \u{3}(\u{b}2\u{1e}.pulseboard.admin.v1.CodeCountR\u{5}ended\u{12}#\n\rrequest_bytes\u{18}\u{4} \
            \u{1}(\u{3}R\u{c}requestBytes\u{12}%\n\u{e}response_bytes\u{18}\u{5} \u{1}(\u{3}R\rresponseBytes\
            \u{12}8\n\ntotal_time\u{18}\u{6} \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\ttotalTime\u{12}@\n\t\
            latencies\u{18}\u{7} \u{3}(\u{b}2\".pulseboard.admin.v1.LatencyBucketR\tlatencies\"5\n\tCodeCount\
            \u{12}\u{12}\n\u{4}code\u{18}\u{1} \u{1}(\u{5}R\u{4}code\u{12}\u{14}\n\u{5}count\u{18}\u{2} \u{1}(\
            \u{3}R\u{5}count\"a\n\rLatencyBucket\u{12}:\n\u{b}upper_bound\u{18}\u{1} \u{1}(\u{b}2\u{19}.google.\
            protobuf.DurationR\nupperBound\u{12}\u{14}\n\u{5}count\u{18}\u{2} \u{1}(\u{3}R\u{5}count\"\u{b6}\
            \u{4}\n\u{b}StoreStatus\u{12}\u{12}\n\u{4}path\u{18}\u{1} \u{1}(\tR\u{4}path\u{12}%\n\u{e}database_\
            bytes\u{18}\u{2} \u{1}(\u{3}R\rdatabaseBytes\u{12}\u{1b}\n\twal_bytes\u{18}\u{3} \u{1}(\u{3}R\u{8}w\
            alBytes\u{12}\u{1d}\n\nfree_bytes\u{18}\u{4} \u{1}(\u{3}R\tfreeBytes\u{12}D\n\u{10}last_commit_time\
            \u{18}\u{5} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{e}lastCommitTime\u{12};\n\u{7}trouble\
            \u{18}\u{6} \u{1}(\u{b}2!.pulseboard.admin.v1.StoreTroubleR\u{7}trouble\u{12}D\n\u{c}last_trouble\
            \u{18}\u{7} \u{1}(\u{b}2!.pulseboard.admin.v1.StoreTroubleR\u{b}lastTrouble\u{12}\u{18}\n\u{7}commi\
            ts\u{18}\u{8} \u{1}(\u{3}R\u{7}commits\u{12}\u{16}\n\u{6}writes\u{18}\t \u{1}(\u{3}R\u{6}writes\
            \u{12} \n\u{b}checkpoints\u{18}\n \u{1}(\u{3}R\u{b}checkpoints\u{12}+\n\u{11}archive_directory\
            \u{18}\u{b} \u{1}(\tR\u{10}archiveDirectory\u{12}=\n\u{c}archive_time\u{18}\u{c} \u{1}(\u{b}2\u{1a}\
            .google.protobuf.TimestampR\u{b}archiveTime\u{12}'\n\u{f}archive_problem\u{18}\r \u{1}(\tR\u{e}arch\
            iveProblem\"\u{8f}\u{1}\n\u{c}StoreTrouble\u{12}\u{16}\n\u{6}reason\u{18}\u{1} \u{1}(\tR\u{6}reason\
            \u{12}\u{16}\n\u{6}detail\u{18}\u{2} \u{1}(\tR\u{6}detail\u{12}9\n\nstart_time\u{18}\u{3} \u{1}(\
            \u{b}2\u{1a}.google.protobuf.TimestampR\tstartTime\u{12}\u{14}\n\u{5}count\u{18}\u{4} \u{1}(\u{3}R\
            \u{5}count\"\u{83}\u{1}\n\u{b}CacheStatus\u{12}\u{12}\n\u{4}name\u{18}\u{1} \u{1}(\tR\u{4}name\
            \u{12}\u{18}\n\u{7}entries\u{18}\u{2} \u{1}(\u{3}R\u{7}entries\u{12}\u{1a}\n\u{8}capacity\u{18}\
            \u{3} \u{1}(\u{3}R\u{8}capacity\u{12}\u{12}\n\u{4}hits\u{18}\u{4} \u{1}(\u{3}R\u{4}hits\u{12}\u{16}\
            \n\u{6}misses\u{18}\u{5} \u{1}(\u{3}R\u{6}misses\"L\n\u{c}DrainRequest\u{12}<\n\u{c}grace_period\
            \u{18}\u{1} \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\u{b}gracePeriod\"\u{a6}\u{1}\n\rDrainRespo\
            nse\u{12}\u{10}\n\u{3}pid\u{18}\u{1} \u{1}(\u{5}R\u{3}pid\u{12}<\n\u{c}grace_period\u{18}\u{2} \
            \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\u{b}gracePeriod\u{12} \n\u{b}connections\u{18}\u{3} \
            \u{1}(\u{5}R\u{b}connections\u{12}#\n\rrunning_calls\u{18}\u{4} \u{1}(\u{5}R\u{c}runningCalls\"9\n\
            \rBackupRequest\u{12}(\n\u{10}bytes_per_second\u{18}\u{1} \u{1}(\u{3}R\u{e}bytesPerSecond\"\u{eb}\
            \u{1}\n\u{e}BackupResponse\u{12}A\n\u{8}progress\u{18}\u{1} \u{1}(\u{b}2#.pulseboard.admin.v1.Backu\
            pProgressH\0R\u{8}progress\u{12}5\n\u{4}file\u{18}\u{2} \u{1}(\u{b}2\u{1f}.pulseboard.admin.v1.Back\
            upFileH\0R\u{4}file\u{12}\u{14}\n\u{4}data\u{18}\u{3} \u{1}(\u{c}H\0R\u{4}data\u{12}A\n\u{8}manifes\
            t\u{18}\u{4} \u{1}(\u{b}2#.pulseboard.admin.v1.BackupManifestH\0R\u{8}manifestB\u{6}\n\u{4}part\"\
            \u{d8}\u{1}\n\u{e}BackupProgress\u{12}?\n\u{5}stage\u{18}\u{1} \u{1}(\u{e}2).pulseboard.admin.v1.Ba\
            ckupProgress.StageR\u{5}stage\u{12}\u{1d}\n\ndone_bytes\u{18}\u{2} \u{1}(\u{3}R\tdoneBytes\u{12}\
            \u{1f}\n\u{b}total_bytes\u{18}\u{3} \u{1}(\u{3}R\ntotalBytes\"E\n\u{5}Stage\u{12}\u{15}\n\u{11}STAG\
            E_UNSPECIFIED\u{10}\0\u{12}\u{11}\n\rSTAGE_COPYING\u{10}\u{1}\u{12}\u{12}\n\u{e}STAGE_CHECKING\
            \u{10}\u{2}\"W\n\nBackupFile\u{12}\u{12}\n\u{4}path\u{18}\u{1} \u{1}(\tR\u{4}path\u{12}\u{1d}\n\nby\
            te_count\u{18}\u{2} \u{1}(\u{3}R\tbyteCount\u{12}\u{16}\n\u{6}sha256\u{18}\u{3} \u{1}(\u{c}R\u{6}sh\
            a256\"\u{e9}\u{2}\n\u{e}BackupManifest\u{12}\u{18}\n\u{7}version\u{18}\u{1} \u{1}(\tR\u{7}version\
            \u{12}.\n\u{4}time\u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{4}time\u{12}\u{14}\n\
            \u{5}store\u{18}\u{3} \u{1}(\tR\u{5}store\u{12}\u{16}\n\u{6}schema\u{18}\u{4} \u{1}(\tR\u{6}schema\
            \u{12}8\n\u{6}counts\u{18}\u{5} \u{3}(\u{b}2 .pulseboard.admin.v1.BackupCountR\u{6}counts\u{12}\
            \u{14}\n\u{5}files\u{18}\u{6} \u{1}(\u{3}R\u{5}files\u{12}\u{14}\n\u{5}bytes\u{18}\u{7} \u{1}(\u{3}\
            R\u{5}bytes\u{12}#\n\rmissing_files\u{18}\u{8} \u{1}(\u{3}R\u{c}missingFiles\u{12})\n\u{10}archive_\
            position\u{18}\t \u{1}(\tR\u{f}archivePosition\u{12})\n\u{10}unreadable_files\u{18}\n \u{1}(\u{3}R\
            \u{f}unreadableFiles\"7\n\u{b}BackupCount\u{12}\u{14}\n\u{5}table\u{18}\u{1} \u{1}(\tR\u{5}table\
            \u{12}\u{12}\n\u{4}rows\u{18}\u{2} \u{1}(\u{3}R\u{4}rows\"\u{13}\n\u{11}GetMetricsRequest\"(\n\
            \u{12}GetMetricsResponse\u{12}\u{12}\n\u{4}text\u{18}\u{1} \u{1}(\tR\u{4}text\"*\n\u{12}SetLogLevel\
            Request\u{12}\u{14}\n\u{5}level\u{18}\u{1} \u{1}(\tR\u{5}level\"N\n\u{13}SetLogLevelResponse\u{12}\
            \u{14}\n\u{5}level\u{18}\u{1} \u{1}(\tR\u{5}level\u{12}!\n\u{c}former_level\u{18}\u{2} \u{1}(\tR\
            \u{b}formerLevel2\u{d1}\u{3}\n\u{c}AdminService\u{12}[\n\rGetServerInfo\u{12}).pulseboard.admin.v1.\
            GetServerInfoRequest\u{1a}\u{1f}.pulseboard.admin.v1.ServerInfo\u{12}N\n\u{5}Drain\u{12}!.pulseboar\
            d.admin.v1.DrainRequest\u{1a}\".pulseboard.admin.v1.DrainResponse\u{12}S\n\u{6}Backup\u{12}\".pulse\
            board.admin.v1.BackupRequest\u{1a}#.pulseboard.admin.v1.BackupResponse0\u{1}\u{12}]\n\nGetMetrics\
            \u{12}&.pulseboard.admin.v1.GetMetricsRequest\u{1a}'.pulseboard.admin.v1.GetMetricsResponse\u{12}`\
            \n\u{b}SetLogLevel\u{12}'.pulseboard.admin.v1.SetLogLevelRequest\u{1a}(.pulseboard.admin.v1.SetLogL\
            evelResponseBH\n\u{16}io.pulseboard.admin.v1B\nAdminProtoP\u{1}Z\u{1b}pulseboard/admin/v1;adminv1\
            \u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
