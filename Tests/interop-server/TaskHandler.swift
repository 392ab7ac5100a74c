import InteropMessages
import ProtobufWellKnownTypes
import RPCCore
import Synchronization

/// containerd's Task service without tasks. It records its calls, and `Connect` returns the record. It tests method names that are
/// reserved in C or C++ (`Delete`).
final class TaskHandler: Containerd_Task_V2_TaskHandler {
    private let asked = Mutex<[String]>([])
    private static let exitedAt = Google_Protobuf_Timestamp(seconds: 1_700_000_000, nanos: 5)

    private func note(_ call: String) { asked.withLock { $0.append(call) } }

    private func done(_ call: String) -> Google_Protobuf_Empty {
        note(call)
        return Google_Protobuf_Empty()
    }

    func state(_ request: Containerd_Task_V2_StateRequest, context: CallContext) async throws -> Containerd_Task_V2_StateResponse {
        guard !request.id.isEmpty else { throw RPCError(.notFound, "no such task") }
        return Containerd_Task_V2_StateResponse(
            id: request.id, bundle: "/run/" + request.id, pid: 42, status: .running, stdin: "in", stdout: "out", stderr: "err", terminal: true,
            exitStatus: 7, exitedAt: Self.exitedAt, execID: request.execID)
    }

    func create(_ request: Containerd_Task_V2_CreateTaskRequest, context: CallContext) async throws -> Containerd_Task_V2_CreateTaskResponse {
        let mounts = request.rootfs.map { "\($0.type):\($0.source):\($0.target):\($0.options.joined(separator: "+"))" }
        note("Create \(request.id) \(request.bundle) \(mounts.joined(separator: ";")) \(request.terminal) \(request.options?.typeURL ?? "")")
        return Containerd_Task_V2_CreateTaskResponse(pid: 42)
    }

    func start(_ request: Containerd_Task_V2_StartRequest, context: CallContext) async throws -> Containerd_Task_V2_StartResponse {
        note("Start \(request.id) \(request.execID)")
        return Containerd_Task_V2_StartResponse(pid: 43)
    }

    func delete(_ request: Containerd_Task_V2_DeleteRequest, context: CallContext) async throws -> Containerd_Task_V2_DeleteResponse {
        note("Delete \(request.id) \(request.execID)")
        return Containerd_Task_V2_DeleteResponse(pid: 44, exitStatus: 137, exitedAt: Self.exitedAt)
    }

    func pids(_ request: Containerd_Task_V2_PidsRequest, context: CallContext) async throws -> Containerd_Task_V2_PidsResponse {
        let info = Google_Protobuf_Any(typeURL: "types/info", value: [1, 2, 3])
        return Containerd_Task_V2_PidsResponse(
            processes: [Containerd_Types_ProcessInfo(pid: 42), Containerd_Types_ProcessInfo(pid: 43, info: info)])
    }

    func pause(_ request: Containerd_Task_V2_PauseRequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        done("Pause \(request.id)")
    }

    func resume(_ request: Containerd_Task_V2_ResumeRequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        done("Resume \(request.id)")
    }

    func checkpoint(_ request: Containerd_Task_V2_CheckpointTaskRequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        done("Checkpoint \(request.id) \(request.path)")
    }

    func kill(_ request: Containerd_Task_V2_KillRequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        done("Kill \(request.id) \(request.execID) \(request.signal) \(request.all)")
    }

    func exec(_ request: Containerd_Task_V2_ExecProcessRequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        done("Exec \(request.id) \(request.execID) \(request.terminal) \(request.spec?.value ?? [])")
    }

    func resizePty(_ request: Containerd_Task_V2_ResizePtyRequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        done("ResizePty \(request.id) \(request.width)x\(request.height)")
    }

    func closeIO(_ request: Containerd_Task_V2_CloseIORequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        done("CloseIO \(request.id) \(request.stdin)")
    }

    func update(_ request: Containerd_Task_V2_UpdateTaskRequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        let annotations = request.annotations.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return done("Update \(request.id) \(annotations.joined(separator: "+"))")
    }

    func wait(_ request: Containerd_Task_V2_WaitRequest, context: CallContext) async throws -> Containerd_Task_V2_WaitResponse {
        note("Wait \(request.id) \(request.execID)")
        return Containerd_Task_V2_WaitResponse(exitStatus: 137, exitedAt: Self.exitedAt)
    }

    func stats(_ request: Containerd_Task_V2_StatsRequest, context: CallContext) async throws -> Containerd_Task_V2_StatsResponse {
        Containerd_Task_V2_StatsResponse(stats: Google_Protobuf_Any(typeURL: "types/stats", value: Array(request.id.utf8)))
    }

    func connect(_ request: Containerd_Task_V2_ConnectRequest, context: CallContext) async throws -> Containerd_Task_V2_ConnectResponse {
        Containerd_Task_V2_ConnectResponse(shimPid: 1, taskPid: 42, version: asked.withLock { $0.joined(separator: "\n") })
    }

    func shutdown(_ request: Containerd_Task_V2_ShutdownRequest, context: CallContext) async throws -> Google_Protobuf_Empty {
        done("Shutdown \(request.id) \(request.now)")
    }
}
