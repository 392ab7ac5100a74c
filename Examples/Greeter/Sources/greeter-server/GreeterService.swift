import GreeterMessages
import RPCCore

/// The service of `greeter.proto`. It knows no sockets.
struct GreeterService: GreeterHandler {
    func sayHello(_ request: HelloRequest, context: CallContext) async throws -> HelloReply {
        guard !request.name.isEmpty else { throw RPCError(.invalidArgument, "a name is needed") }
        return HelloReply(text: "Hello, \(request.name)!")
    }

    func countDown(_ request: CountDownRequest, responses: MessageWriter<Count>, context: CallContext) async throws {
        // If the caller cancels the call, the next write throws CANCELLED.
        for number in (0...request.from).reversed() { try await responses.write(Count(number: number)) }
    }

    func sayHelloToAll(_ requests: MessageStream<HelloRequest>, context: CallContext) async throws -> HelloReply {
        var names: [String] = []
        for try await request in requests { names.append(request.name) }
        return HelloReply(text: "Hello, \(names.joined(separator: " and "))!")
    }

    func chat(
        _ requests: MessageStream<ChatLine>, responses: MessageWriter<ChatLine>, context: CallContext
    ) async throws {
        for try await line in requests { try await responses.write(ChatLine(text: "You said: \(line.text)")) }
    }
}
