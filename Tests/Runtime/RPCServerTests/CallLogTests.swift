import Logging
import RPCClient
import RPCCore
import RPCServer
import Testing

@Suite struct CallLogTests {
    /// Keeps level, code and fields of each call's end, and everything as text.
    private func recorder(_ lines: SharedValue<[String]>) -> Logger {
        LogListener.logger { event, all in
            let fields = all.filter { !["rpc.duration", "peer.pid", "peer.uid"].contains($0.key) }
                .map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
            lines.change { $0.append("\(event.level) \(event.message): \(fields)\(all["peer.pid"] == nil ? " nobody" : "")") }
        }
    }

    @Test("the end of each call is logged with its code and its caller: the server's own failures as errors, and never what was said")
    func levels() async throws {
        struct Unforeseen: Error {}
        let lines = SharedValue<[String]>([])
        let server = try TestServer(observers: [CallLog(level: .info)], logger: recorder(lines)) { router in
            router.register(TestMethods.echo) { request, _ in request }
            router.register(TestMethods.fail) { _, _ in throw RPCError(.notFound, "secret text") }
            router.register(TestMethods.wait) { _, _ in throw Unforeseen() }
            router.registerServerStreaming(StreamTests.watch) { request, responses, _ in try await responses.write(request) }
        }
        try await withChannel(to: server.path) { channel in
            _ = try await channel.call(TestMethods.echo, "secret", metadata: ["authorization": "secret"])
            #expect(await code { try await channel.call(TestMethods.fail, "secret") } == .notFound)
            #expect(await code { try await channel.call(TestMethods.wait, "secret") } == .internal)
            for try await _ in channel.serverStream(StreamTests.watch, text("secret"), options: CallOptions()) {}
        }
        await server.server.shutdown(gracePeriod: .zero)
        let ends = lines.value.filter { $0.contains("a call ended") }
        let expected = [("info", "OK", "Echo", 8), ("info", "NOT_FOUND", "Fail", 0), ("error", "INTERNAL", "Wait", 0), ("info", "OK", "Watch", 8)]
        #expect(ends == expected.map { level, code, method, bytes in
            "\(level) a call ended: rpc.code=\(code) rpc.method=\(TestMethods.service)/\(method) rpc.request.bytes=8 rpc.response.bytes=\(bytes)"
        })
        #expect(lines.value.allSatisfy { !$0.contains("secret") })
    }

    @Test("an error that nobody foresaw is logged by its type, whatever kind of handler throws it, and the caller is not told")
    func unforeseen() async throws {
        struct Unforeseen: Error { let secret = "secret" }
        let lines = SharedValue<[String]>([])
        let remembered = TestMethods.text("Remembered")
        let server = try TestServer(logger: recorder(lines)) { router in
            router.registerSynchronous(TestMethods.echo) { _, _ in throw Unforeseen() }
            router.register(TestMethods.wait) { _, _ in throw Unforeseen() }
            router.register(remembered) { request, _ in request }
            router.answerFromMemory(remembered) { _, _ in throw Unforeseen() }
            router.registerSynchronous(TestMethods.fail) { _, _ in throw RPCError(.notFound, "not logged") }
        }
        let methods = [TestMethods.echo, TestMethods.wait, remembered]
        try await withChannel(to: server.path) { channel in
            for method in methods { #expect(await code { try await channel.call(method, "secret") } == .internal) }
            #expect(await code { try await channel.call(TestMethods.fail, "secret") } == .notFound)
        }
        await server.server.shutdown(gracePeriod: .zero)
        #expect(lines.value.filter { $0.hasPrefix("error") } == methods.map {
            "error a handler failed: error.type=Unforeseen rpc.method=\($0.path)"
        })
        #expect(lines.value.allSatisfy { !$0.contains("secret") })
    }
}
