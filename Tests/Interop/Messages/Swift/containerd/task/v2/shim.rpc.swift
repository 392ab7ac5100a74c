// Written by protoc-gen-pulseboard-swift from containerd/task/v2/shim.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// `containerd.task.v2.Task`.
public enum Containerd_Task_V2_Task {
    /// The service's name on the wire.
    public static let fullName = "containerd.task.v2.Task"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { Containerd_Task_V2_ShimFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `containerd.task.v2.Task/State`.
        public static let state = MethodDescriptor<Containerd_Task_V2_StateRequest, Containerd_Task_V2_StateResponse>(
            service: Containerd_Task_V2_Task.fullName, method: "State", shape: .unary)
        /// `containerd.task.v2.Task/Create`.
        public static let create = MethodDescriptor<Containerd_Task_V2_CreateTaskRequest, Containerd_Task_V2_CreateTaskResponse>(
            service: Containerd_Task_V2_Task.fullName, method: "Create", shape: .unary)
        /// `containerd.task.v2.Task/Start`.
        public static let start = MethodDescriptor<Containerd_Task_V2_StartRequest, Containerd_Task_V2_StartResponse>(
            service: Containerd_Task_V2_Task.fullName, method: "Start", shape: .unary)
        /// `containerd.task.v2.Task/Delete`.
        public static let delete = MethodDescriptor<Containerd_Task_V2_DeleteRequest, Containerd_Task_V2_DeleteResponse>(
            service: Containerd_Task_V2_Task.fullName, method: "Delete", shape: .unary)
        /// `containerd.task.v2.Task/Pids`.
        public static let pids = MethodDescriptor<Containerd_Task_V2_PidsRequest, Containerd_Task_V2_PidsResponse>(
            service: Containerd_Task_V2_Task.fullName, method: "Pids", shape: .unary)
        /// `containerd.task.v2.Task/Pause`.
        public static let pause = MethodDescriptor<Containerd_Task_V2_PauseRequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "Pause", shape: .unary)
        /// `containerd.task.v2.Task/Resume`.
        public static let resume = MethodDescriptor<Containerd_Task_V2_ResumeRequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "Resume", shape: .unary)
        /// `containerd.task.v2.Task/Checkpoint`.
        public static let checkpoint = MethodDescriptor<Containerd_Task_V2_CheckpointTaskRequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "Checkpoint", shape: .unary)
        /// `containerd.task.v2.Task/Kill`.
        public static let kill = MethodDescriptor<Containerd_Task_V2_KillRequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "Kill", shape: .unary)
        /// `containerd.task.v2.Task/Exec`.
        public static let exec = MethodDescriptor<Containerd_Task_V2_ExecProcessRequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "Exec", shape: .unary)
        /// `containerd.task.v2.Task/ResizePty`.
        public static let resizePty = MethodDescriptor<Containerd_Task_V2_ResizePtyRequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "ResizePty", shape: .unary)
        /// `containerd.task.v2.Task/CloseIO`.
        public static let closeIO = MethodDescriptor<Containerd_Task_V2_CloseIORequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "CloseIO", shape: .unary)
        /// `containerd.task.v2.Task/Update`.
        public static let update = MethodDescriptor<Containerd_Task_V2_UpdateTaskRequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "Update", shape: .unary)
        /// `containerd.task.v2.Task/Wait`.
        public static let wait = MethodDescriptor<Containerd_Task_V2_WaitRequest, Containerd_Task_V2_WaitResponse>(
            service: Containerd_Task_V2_Task.fullName, method: "Wait", shape: .unary)
        /// `containerd.task.v2.Task/Stats`.
        public static let stats = MethodDescriptor<Containerd_Task_V2_StatsRequest, Containerd_Task_V2_StatsResponse>(
            service: Containerd_Task_V2_Task.fullName, method: "Stats", shape: .unary)
        /// `containerd.task.v2.Task/Connect`.
        public static let connect = MethodDescriptor<Containerd_Task_V2_ConnectRequest, Containerd_Task_V2_ConnectResponse>(
            service: Containerd_Task_V2_Task.fullName, method: "Connect", shape: .unary)
        /// `containerd.task.v2.Task/Shutdown`.
        public static let shutdown = MethodDescriptor<Containerd_Task_V2_ShutdownRequest, Google_Protobuf_Empty>(
            service: Containerd_Task_V2_Task.fullName, method: "Shutdown", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `containerd.task.v2.Task/State`.
        public var state: (@Sendable (Containerd_Task_V2_StateRequest, CallContext) throws -> Containerd_Task_V2_StateResponse)?
        /// `containerd.task.v2.Task/Create`.
        public var create: (@Sendable (Containerd_Task_V2_CreateTaskRequest, CallContext) throws -> Containerd_Task_V2_CreateTaskResponse)?
        /// `containerd.task.v2.Task/Start`.
        public var start: (@Sendable (Containerd_Task_V2_StartRequest, CallContext) throws -> Containerd_Task_V2_StartResponse)?
        /// `containerd.task.v2.Task/Delete`.
        public var delete: (@Sendable (Containerd_Task_V2_DeleteRequest, CallContext) throws -> Containerd_Task_V2_DeleteResponse)?
        /// `containerd.task.v2.Task/Pids`.
        public var pids: (@Sendable (Containerd_Task_V2_PidsRequest, CallContext) throws -> Containerd_Task_V2_PidsResponse)?
        /// `containerd.task.v2.Task/Pause`.
        public var pause: (@Sendable (Containerd_Task_V2_PauseRequest, CallContext) throws -> Google_Protobuf_Empty)?
        /// `containerd.task.v2.Task/Resume`.
        public var resume: (@Sendable (Containerd_Task_V2_ResumeRequest, CallContext) throws -> Google_Protobuf_Empty)?
        /// `containerd.task.v2.Task/Checkpoint`.
        public var checkpoint: (@Sendable (Containerd_Task_V2_CheckpointTaskRequest, CallContext) throws -> Google_Protobuf_Empty)?
        /// `containerd.task.v2.Task/Kill`.
        public var kill: (@Sendable (Containerd_Task_V2_KillRequest, CallContext) throws -> Google_Protobuf_Empty)?
        /// `containerd.task.v2.Task/Exec`.
        public var exec: (@Sendable (Containerd_Task_V2_ExecProcessRequest, CallContext) throws -> Google_Protobuf_Empty)?
        /// `containerd.task.v2.Task/ResizePty`.
        public var resizePty: (@Sendable (Containerd_Task_V2_ResizePtyRequest, CallContext) throws -> Google_Protobuf_Empty)?
        /// `containerd.task.v2.Task/CloseIO`.
        public var closeIO: (@Sendable (Containerd_Task_V2_CloseIORequest, CallContext) throws -> Google_Protobuf_Empty)?
        /// `containerd.task.v2.Task/Update`.
        public var update: (@Sendable (Containerd_Task_V2_UpdateTaskRequest, CallContext) throws -> Google_Protobuf_Empty)?
        /// `containerd.task.v2.Task/Wait`.
        public var wait: (@Sendable (Containerd_Task_V2_WaitRequest, CallContext) throws -> Containerd_Task_V2_WaitResponse)?
        /// `containerd.task.v2.Task/Stats`.
        public var stats: (@Sendable (Containerd_Task_V2_StatsRequest, CallContext) throws -> Containerd_Task_V2_StatsResponse)?
        /// `containerd.task.v2.Task/Connect`.
        public var connect: (@Sendable (Containerd_Task_V2_ConnectRequest, CallContext) throws -> Containerd_Task_V2_ConnectResponse)?
        /// `containerd.task.v2.Task/Shutdown`.
        public var shutdown: (@Sendable (Containerd_Task_V2_ShutdownRequest, CallContext) throws -> Google_Protobuf_Empty)?

        /// Methods without a handler here may wait.
        public init(
            state: (@Sendable (Containerd_Task_V2_StateRequest, CallContext) throws -> Containerd_Task_V2_StateResponse)? = nil,
            create: (@Sendable (Containerd_Task_V2_CreateTaskRequest, CallContext) throws -> Containerd_Task_V2_CreateTaskResponse)? = nil,
            start: (@Sendable (Containerd_Task_V2_StartRequest, CallContext) throws -> Containerd_Task_V2_StartResponse)? = nil,
            delete: (@Sendable (Containerd_Task_V2_DeleteRequest, CallContext) throws -> Containerd_Task_V2_DeleteResponse)? = nil,
            pids: (@Sendable (Containerd_Task_V2_PidsRequest, CallContext) throws -> Containerd_Task_V2_PidsResponse)? = nil,
            pause: (@Sendable (Containerd_Task_V2_PauseRequest, CallContext) throws -> Google_Protobuf_Empty)? = nil,
            resume: (@Sendable (Containerd_Task_V2_ResumeRequest, CallContext) throws -> Google_Protobuf_Empty)? = nil,
            checkpoint: (@Sendable (Containerd_Task_V2_CheckpointTaskRequest, CallContext) throws -> Google_Protobuf_Empty)? = nil,
            kill: (@Sendable (Containerd_Task_V2_KillRequest, CallContext) throws -> Google_Protobuf_Empty)? = nil,
            exec: (@Sendable (Containerd_Task_V2_ExecProcessRequest, CallContext) throws -> Google_Protobuf_Empty)? = nil,
            resizePty: (@Sendable (Containerd_Task_V2_ResizePtyRequest, CallContext) throws -> Google_Protobuf_Empty)? = nil,
            closeIO: (@Sendable (Containerd_Task_V2_CloseIORequest, CallContext) throws -> Google_Protobuf_Empty)? = nil,
            update: (@Sendable (Containerd_Task_V2_UpdateTaskRequest, CallContext) throws -> Google_Protobuf_Empty)? = nil,
            wait: (@Sendable (Containerd_Task_V2_WaitRequest, CallContext) throws -> Containerd_Task_V2_WaitResponse)? = nil,
            stats: (@Sendable (Containerd_Task_V2_StatsRequest, CallContext) throws -> Containerd_Task_V2_StatsResponse)? = nil,
            connect: (@Sendable (Containerd_Task_V2_ConnectRequest, CallContext) throws -> Containerd_Task_V2_ConnectResponse)? = nil,
            shutdown: (@Sendable (Containerd_Task_V2_ShutdownRequest, CallContext) throws -> Google_Protobuf_Empty)? = nil
        ) {
            self.state = state
            self.create = create
            self.start = start
            self.delete = delete
            self.pids = pids
            self.pause = pause
            self.resume = resume
            self.checkpoint = checkpoint
            self.kill = kill
            self.exec = exec
            self.resizePty = resizePty
            self.closeIO = closeIO
            self.update = update
            self.wait = wait
            self.stats = stats
            self.connect = connect
            self.shutdown = shutdown
        }
    }
}

/// Implements `containerd.task.v2.Task` on a server: `Server(services: […])`.
public protocol Containerd_Task_V2_TaskHandler: RPCService {
    /// `containerd.task.v2.Task/State`.
    func state(
        _ request: Containerd_Task_V2_StateRequest, context: CallContext
    ) async throws -> Containerd_Task_V2_StateResponse
    /// `containerd.task.v2.Task/Create`.
    func create(
        _ request: Containerd_Task_V2_CreateTaskRequest, context: CallContext
    ) async throws -> Containerd_Task_V2_CreateTaskResponse
    /// `containerd.task.v2.Task/Start`.
    func start(
        _ request: Containerd_Task_V2_StartRequest, context: CallContext
    ) async throws -> Containerd_Task_V2_StartResponse
    /// `containerd.task.v2.Task/Delete`.
    func delete(
        _ request: Containerd_Task_V2_DeleteRequest, context: CallContext
    ) async throws -> Containerd_Task_V2_DeleteResponse
    /// `containerd.task.v2.Task/Pids`.
    func pids(
        _ request: Containerd_Task_V2_PidsRequest, context: CallContext
    ) async throws -> Containerd_Task_V2_PidsResponse
    /// `containerd.task.v2.Task/Pause`.
    func pause(
        _ request: Containerd_Task_V2_PauseRequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// `containerd.task.v2.Task/Resume`.
    func resume(
        _ request: Containerd_Task_V2_ResumeRequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// `containerd.task.v2.Task/Checkpoint`.
    func checkpoint(
        _ request: Containerd_Task_V2_CheckpointTaskRequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// `containerd.task.v2.Task/Kill`.
    func kill(
        _ request: Containerd_Task_V2_KillRequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// `containerd.task.v2.Task/Exec`.
    func exec(
        _ request: Containerd_Task_V2_ExecProcessRequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// `containerd.task.v2.Task/ResizePty`.
    func resizePty(
        _ request: Containerd_Task_V2_ResizePtyRequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// `containerd.task.v2.Task/CloseIO`.
    func closeIO(
        _ request: Containerd_Task_V2_CloseIORequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// `containerd.task.v2.Task/Update`.
    func update(
        _ request: Containerd_Task_V2_UpdateTaskRequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// `containerd.task.v2.Task/Wait`.
    func wait(
        _ request: Containerd_Task_V2_WaitRequest, context: CallContext
    ) async throws -> Containerd_Task_V2_WaitResponse
    /// `containerd.task.v2.Task/Stats`.
    func stats(
        _ request: Containerd_Task_V2_StatsRequest, context: CallContext
    ) async throws -> Containerd_Task_V2_StatsResponse
    /// `containerd.task.v2.Task/Connect`.
    func connect(
        _ request: Containerd_Task_V2_ConnectRequest, context: CallContext
    ) async throws -> Containerd_Task_V2_ConnectResponse
    /// `containerd.task.v2.Task/Shutdown`.
    func shutdown(
        _ request: Containerd_Task_V2_ShutdownRequest, context: CallContext
    ) async throws -> Google_Protobuf_Empty
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: Containerd_Task_V2_Task.SynchronousHandlers { get }
}

extension Containerd_Task_V2_TaskHandler {
    public var synchronousHandlers: Containerd_Task_V2_Task.SynchronousHandlers { Containerd_Task_V2_Task.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(Containerd_Task_V2_Task.Methods.state, synchronous: synchronous.state) {
            try await self.state($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.create, synchronous: synchronous.create) {
            try await self.create($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.start, synchronous: synchronous.start) {
            try await self.start($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.delete, synchronous: synchronous.delete) {
            try await self.delete($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.pids, synchronous: synchronous.pids) {
            try await self.pids($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.pause, synchronous: synchronous.pause) {
            try await self.pause($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.resume, synchronous: synchronous.resume) {
            try await self.resume($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.checkpoint, synchronous: synchronous.checkpoint) {
            try await self.checkpoint($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.kill, synchronous: synchronous.kill) {
            try await self.kill($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.exec, synchronous: synchronous.exec) {
            try await self.exec($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.resizePty, synchronous: synchronous.resizePty) {
            try await self.resizePty($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.closeIO, synchronous: synchronous.closeIO) {
            try await self.closeIO($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.update, synchronous: synchronous.update) {
            try await self.update($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.wait, synchronous: synchronous.wait) {
            try await self.wait($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.stats, synchronous: synchronous.stats) {
            try await self.stats($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.connect, synchronous: synchronous.connect) {
            try await self.connect($0, context: $1)
        }
        router.register(Containerd_Task_V2_Task.Methods.shutdown, synchronous: synchronous.shutdown) {
            try await self.shutdown($0, context: $1)
        }
    }
}

/// Calls `containerd.task.v2.Task` over any channel.
public struct Containerd_Task_V2_TaskClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// `containerd.task.v2.Task/State`.
    public func state(
        _ request: Containerd_Task_V2_StateRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Containerd_Task_V2_StateResponse {
        try await channel.unary(Containerd_Task_V2_Task.Methods.state, request, options: options)
    }

    /// `containerd.task.v2.Task/Create`.
    public func create(
        _ request: Containerd_Task_V2_CreateTaskRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Containerd_Task_V2_CreateTaskResponse {
        try await channel.unary(Containerd_Task_V2_Task.Methods.create, request, options: options)
    }

    /// `containerd.task.v2.Task/Start`.
    public func start(
        _ request: Containerd_Task_V2_StartRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Containerd_Task_V2_StartResponse {
        try await channel.unary(Containerd_Task_V2_Task.Methods.start, request, options: options)
    }

    /// `containerd.task.v2.Task/Delete`.
    public func delete(
        _ request: Containerd_Task_V2_DeleteRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Containerd_Task_V2_DeleteResponse {
        try await channel.unary(Containerd_Task_V2_Task.Methods.delete, request, options: options)
    }

    /// `containerd.task.v2.Task/Pids`.
    public func pids(
        _ request: Containerd_Task_V2_PidsRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Containerd_Task_V2_PidsResponse {
        try await channel.unary(Containerd_Task_V2_Task.Methods.pids, request, options: options)
    }

    /// `containerd.task.v2.Task/Pause`.
    public func pause(
        _ request: Containerd_Task_V2_PauseRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.pause, request, options: options)
    }

    /// `containerd.task.v2.Task/Resume`.
    public func resume(
        _ request: Containerd_Task_V2_ResumeRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.resume, request, options: options)
    }

    /// `containerd.task.v2.Task/Checkpoint`.
    public func checkpoint(
        _ request: Containerd_Task_V2_CheckpointTaskRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.checkpoint, request, options: options)
    }

    /// `containerd.task.v2.Task/Kill`.
    public func kill(
        _ request: Containerd_Task_V2_KillRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.kill, request, options: options)
    }

    /// `containerd.task.v2.Task/Exec`.
    public func exec(
        _ request: Containerd_Task_V2_ExecProcessRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.exec, request, options: options)
    }

    /// `containerd.task.v2.Task/ResizePty`.
    public func resizePty(
        _ request: Containerd_Task_V2_ResizePtyRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.resizePty, request, options: options)
    }

    /// `containerd.task.v2.Task/CloseIO`.
    public func closeIO(
        _ request: Containerd_Task_V2_CloseIORequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.closeIO, request, options: options)
    }

    /// `containerd.task.v2.Task/Update`.
    public func update(
        _ request: Containerd_Task_V2_UpdateTaskRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.update, request, options: options)
    }

    /// `containerd.task.v2.Task/Wait`.
    public func wait(
        _ request: Containerd_Task_V2_WaitRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Containerd_Task_V2_WaitResponse {
        try await channel.unary(Containerd_Task_V2_Task.Methods.wait, request, options: options)
    }

    /// `containerd.task.v2.Task/Stats`.
    public func stats(
        _ request: Containerd_Task_V2_StatsRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Containerd_Task_V2_StatsResponse {
        try await channel.unary(Containerd_Task_V2_Task.Methods.stats, request, options: options)
    }

    /// `containerd.task.v2.Task/Connect`.
    public func connect(
        _ request: Containerd_Task_V2_ConnectRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Containerd_Task_V2_ConnectResponse {
        try await channel.unary(Containerd_Task_V2_Task.Methods.connect, request, options: options)
    }

    /// `containerd.task.v2.Task/Shutdown`.
    public func shutdown(
        _ request: Containerd_Task_V2_ShutdownRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Google_Protobuf_Empty {
        try await channel.unary(Containerd_Task_V2_Task.Methods.shutdown, request, options: options)
    }
}
