import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCProtobuf

/// A gRPC server of grpc-swift-2, with its generated messages and service.
///
///     grpc-swift-server SOCKET
@main
struct GRPCSwiftServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { throw RPCError(code: .invalidArgument, message: "grpc-swift-server SOCKET") }
        let server = GRPCServer(
            transport: .http2NIOPosix(
                address: .unixDomainSocket(path: CommandLine.arguments[1]), transportSecurity: .plaintext),
            services: [EchoService()])
        try await server.serve()
    }
}

struct EchoService: Bench_Bench.SimpleServiceProtocol {
    func echo(request: Bench_Payload, context: ServerContext) async throws -> Bench_Payload {
        .with { $0.data = request.data }
    }
}
