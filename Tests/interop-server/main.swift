import Dispatch
import Glibc
import Logging
import ProtobufWellKnownTypes
import RPCCore
import RPCServer
import SocketTransport

// A server for the tests with clients that others wrote: `interop-server SOCKET`. It serves `interop.v1.Shapes` until SIGTERM, then drains.
guard CommandLine.arguments.count == 2 else {
    print("usage: interop-server SOCKET")
    exit(64)
}
signal(SIGTERM, SIG_IGN)
let server = try Server(
    router: Shapes.router(), logger: Logger(label: "interop", factory: { StreamLogHandler.standardError(label: $0) }))
server.start(on: try ListeningSocket(path: CommandLine.arguments[1]))
// Every open stream, standard output among them, so that whoever waits for the word reads it.
print("ready")
fflush(nil)
let terminated = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    terminated.setEventHandler {
        terminated.cancel()
        continuation.resume()
    }
    terminated.resume()
}
await server.shutdown(gracePeriod: .seconds(10))
