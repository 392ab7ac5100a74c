import Foundation
import Testing

/// Published services of other projects, with method names that are reserved in C. Their code is generated unchanged, and their own clients
/// call it.
@Suite("Services that others have published", .serialized, .timeLimit(.minutes(5)))
struct PublishedServiceTests {
    @Test("containerd's Task service, all 17 methods by ttrpc for Go", .enabled(if: GoPeer.isExpected, GoPeer.absence))
    func tasks() async throws {
        try await Household.with { house in
            let server = try await house.startInteropServer()
            let run = try await house.run(GoPeer.program(), [house.root + "/interop.sock", "tasks"])
            #expect(run.exit == .status(0), "\(run)")
            let exited = "<seconds:1700000000 nanos:5 >"
            let asked = [
                "Create t1 /b overlay:none:/:ro+lowerdir=/a;proc::: true types/options", "Start t1 e1", "Exec t1 e1 true [9]", "ResizePty t1 80x25",
                "CloseIO t1 true", "Pause t1", "Resume t1", "Checkpoint t1 /c", "Update t1 a=1+b=2", "Kill t1  9 true", "Wait t1 e1", "Delete t1 e1",
                "Shutdown t1 true",
            ]
            let expected = [
                "Create: pid:42 ", "Start: pid:43 ",
                #"State: id:"t1" bundle:"/run/t1" pid:42 status:2 stdin:"in" stdout:"out" stderr:"err" terminal:true exit_status:7 "#
                    + #"exited_at:\#(exited) exec_id:"e1" "#,
                "Exec: ", "ResizePty: ", "CloseIO: ",
                #"Pids: processes:<pid:42 > processes:<pid:43 info:<type_url:"types/info" value:"\001\002\003" > > "#, "Pause: ", "Resume: ",
                "Checkpoint: ", "Update: ", #"Stats: stats:<type_url:"types/stats" value:"t1" > "#, "Kill: ",
                "Wait: exit_status:137 exited_at:\(exited) ", "Delete: pid:44 exit_status:137 exited_at:\(exited) ", "Shutdown: ",
                #"Connect: shim_pid:1 task_pid:42 version:"\#(asked.joined(separator: #"\n"#))" "#,
                "State without a task: rpc error: code = NotFound desc = no such task",
            ]
            #expect(run.output.split(separator: "\n").map(String.init) == expected)
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }

    @Test("The kubelet's device-plugin API, all 6 methods by grpcio", .enabled(if: PythonPeer.isExpected, PythonPeer.absence))
    func devices() async throws {
        try await Household.with { house in
            let server = try await house.startInteropServer()
            let run = try await house.run(
                PythonPeer.interpreter(), [PythonPeer.client("device_plugin_client"), house.root + "/interop.sock"], ["GRPC_VERBOSITY": "NONE"])
            #expect(run.exit == .status(0), "\(run)")
            let methods = ["Register", "GetDevicePluginOptions", "ListAndWatch", "GetPreferredAllocation", "Allocate", "PreStartContainer"]
            #expect(run.output.split(separator: "\n").map(String.init) == methods.map { $0 + ": ok" })
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
        }
    }
}
