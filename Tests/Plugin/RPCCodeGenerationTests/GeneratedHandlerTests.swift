import GoldenMessages
import ProtobufC
import RPCCore
import Testing

/// Generated handler protocols of every call shape, called through the router on which they are registered.
@Suite struct GeneratedHandlerTests {
    private let items = ["a", "b", "c"].map { GSItem(text: $0) }

    @Test("registering a handler offers every method of the service under its path and with its shape")
    func registration() {
        let methods = methods { ShapeHandler().register(on: &$0) }
        #expect(methods.map(\.path) == ["Ask", "Watch", "Upload", "Chat", "Plain"].map { "golden.v1.ShapeService/" + $0 })
        #expect(methods.map(\.shape) == [
            .unary, .serverStreaming, .clientStreaming, .bidirectionalStreaming, .bidirectionalStreaming,
        ])
        let names = self.methods { NameHandler().register(on: &$0) }
        // A method's name on the wire is the name in the file, whatever the name in Swift.
        let wireNames = ["FindName", "Self", "Protocol", "Delete", "Register", "Init", "Default", "Return", "Linux"]
        #expect(names.map(\.path) == wireNames.map { "golden.v1.NameService/" + $0 })
    }

    @Test("each shape's handler gets its requests and its call, and its responses go out in order")
    func shapes() async throws {
        let methods = methods { ShapeHandler().register(on: &$0) }
        let path = methods.map(\.path)
        #expect(try await RegisteredCall(methods[0]).responses(to: [items[0]]) == [GSTotal(count: 1, texts: [path[0], "a"])])
        #expect(try await RegisteredCall(methods[1]).responses(to: [items[0]]) == [
            GSTotal(count: 1, texts: [path[1], "a"]), GSTotal(count: 2, texts: [path[1], "a"]),
        ])
        #expect(try await RegisteredCall(methods[2]).responses(to: items) == [
            GSTotal(count: 3, texts: [path[2], "a", "b", "c"])
        ])
        #expect(try await RegisteredCall(methods[3]).responses(to: items) == [
            GSTotal(count: 1, texts: [path[3], "a"]), GSTotal(count: 2, texts: [path[3], "b"]),
            GSTotal(count: 3, texts: [path[3], "c"]),
        ])
        #expect(try await RegisteredCall(methods[4]).responses(to: items) == items)
    }

    @Test("streams without a message are empty, not missing")
    func emptyStreams() async throws {
        let methods = methods { ShapeHandler().register(on: &$0) }
        let none: [GSItem] = []
        #expect(try await RegisteredCall(methods[2]).responses(to: none) == [GSTotal(count: 0, texts: [methods[2].path])])
        #expect(try await RegisteredCall(methods[3]).responses(to: none) == [GSTotal]())
    }

    @Test("what a handler throws ends its call", arguments: 0..<4)
    func errors(index: Int) async throws {
        let methods = methods { ShapeHandler().register(on: &$0) }
        await #expect(throws: RPCError(.outOfRange, "refused")) {
            _ = try await RegisteredCall(methods[index]).responses(to: [GSItem(text: "refuse")]) as [GSTotal]
        }
    }

    @Test("a service chooses for each unary method whether its handler may wait")
    func synchronousHandlers() async throws {
        let synchronous = methods { SynchronousAsk().register(on: &$0) }
        let waiting = methods { ShapeHandler().register(on: &$0) }
        #expect(synchronous.map(\.path) == waiting.map(\.path))
        #expect(try RegisteredCall(synchronous[0]).isAnsweredAtOnce(items[0]))
        #expect(try !RegisteredCall(waiting[0]).isAnsweredAtOnce(items[0]))
        #expect(try await RegisteredCall(synchronous[0]).responses(to: [items[0]]) == [GSTotal(count: 1, texts: ["a at once"])])
        #expect(try await RegisteredCall(synchronous[2]).responses(to: items) == [
            GSTotal(count: 3, texts: [synchronous[2].path, "a", "b", "c"])
        ])
    }

    @Test("each method named like a word of Swift leads to its own function")
    func words() async throws {
        let methods = methods { WordHandler().register(on: &$0) }
        #expect(methods.map(\.method) == ["In", "Where", "Repeat", "Defer", "Self", "Init_"])
        try await expectOwnFunctions(methods)
    }

    @Test("each method named like a parameter or member of generated code leads to its own function")
    func parameters() async throws {
        let methods = methods { ParameterHandler().register(on: &$0) }
        #expect(methods.map(\.method) == [
            "Request", "Requests", "Response", "Responses", "Context", "Options", "Register_", "Router", "Channel", "FullName",
            "Methods",
        ])
        try await expectOwnFunctions(methods)
    }

    /// Every function of these handlers answers with the name of its method.
    private func expectOwnFunctions(_ methods: [RegisteredMethod]) async throws {
        for method in methods {
            #expect(try await RegisteredCall(method).responses(to: [GSItem()]) == [GSItem(text: method.method)])
        }
    }

    private func methods(_ register: (inout Router) -> Void) -> [RegisteredMethod] {
        var router = Router()
        register(&router)
        return router.methodTable().methods
    }
}

/// Answers `Ask` synchronously, and leaves the streams to another handler.
private struct SynchronousAsk: GSShapeServiceHandler {
    private let others = ShapeHandler()

    func ask(_ request: GSItem, context: CallContext) throws -> GSTotal { GSTotal(count: 1, texts: [request.text + " at once"]) }

    var synchronousHandlers: GSShapeService.SynchronousHandlers { GSShapeService.SynchronousHandlers(ask: ask) }

    func watch(_ request: GSItem, responses: MessageWriter<GSTotal>, context: CallContext) async throws {
        try await others.watch(request, responses: responses, context: context)
    }

    func upload(_ requests: MessageStream<GSItem>, context: CallContext) async throws -> GSTotal {
        try await others.upload(requests, context: context)
    }

    func chat(_ requests: MessageStream<GSItem>, responses: MessageWriter<GSTotal>, context: CallContext) async throws {
        try await others.chat(requests, responses: responses, context: context)
    }

    func plain(_ requests: MessageStream<GSItem>, responses: MessageWriter<GSItem>, context: CallContext) async throws {
        try await others.plain(requests, responses: responses, context: context)
    }
}

/// Counts the messages. Its texts begin with the method's name. An item `refuse` causes an error.
private struct ShapeHandler: GSShapeServiceHandler {
    func ask(_ request: GSItem, context: CallContext) async throws -> GSTotal {
        GSTotal(count: 1, texts: [context.method, try text(of: request)])
    }

    func watch(_ request: GSItem, responses: MessageWriter<GSTotal>, context: CallContext) async throws {
        for count in 1...2 {
            try await responses.write(GSTotal(count: Int32(count), texts: [context.method, try text(of: request)]))
        }
    }

    func upload(_ requests: MessageStream<GSItem>, context: CallContext) async throws -> GSTotal {
        var total = GSTotal(texts: [context.method])
        for try await request in requests {
            total.count += 1
            total.texts.append(try text(of: request))
        }
        return total
    }

    func chat(_ requests: MessageStream<GSItem>, responses: MessageWriter<GSTotal>, context: CallContext) async throws {
        var count: Int32 = 0
        for try await request in requests {
            count += 1
            try await responses.write(GSTotal(count: count, texts: [context.method, try text(of: request)]))
        }
    }

    func plain(_ requests: MessageStream<GSItem>, responses: MessageWriter<GSItem>, context: CallContext) async throws {
        for try await request in requests { try await responses.write(request) }
    }

    private func text(of item: GSItem) throws -> String {
        guard item.text != "refuse" else { throw RPCError(.outOfRange, "refused") }
        return item.text
    }
}

private typealias Items = MessageStream<GSItem>
private typealias ItemWriter = MessageWriter<GSItem>

private struct WordHandler: GSWordServiceHandler {
    func `in`(_ request: GSItem, context: CallContext) async throws -> GSItem { GSItem(text: "In") }
    func `where`(_ request: GSItem, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Where"))
    }
    func `repeat`(_ requests: Items, context: CallContext) async throws -> GSItem { GSItem(text: "Repeat") }
    func `defer`(_ requests: Items, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Defer"))
    }
    func self_(_ requests: Items, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Self"))
    }
    func init_(_ request: GSItem, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Init_"))
    }
}

private struct ParameterHandler: GSParameterServiceHandler {
    func request(_ request: GSItem, context: CallContext) async throws -> GSItem { GSItem(text: "Request") }
    func requests(_ requests: Items, context: CallContext) async throws -> GSItem { GSItem(text: "Requests") }
    func response(_ request: GSItem, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Response"))
    }
    func responses(_ requests: Items, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Responses"))
    }
    func context(_ request: GSItem, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Context"))
    }
    func options(_ requests: Items, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Options"))
    }
    func register(_ requests: Items, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Register_"))
    }
    func router(_ requests: Items, context: CallContext) async throws -> GSItem { GSItem(text: "Router") }
    func channel_(_ request: GSItem, responses: ItemWriter, context: CallContext) async throws {
        try await responses.write(GSItem(text: "Channel"))
    }
    func fullName(_ request: GSItem, context: CallContext) async throws -> GSItem { GSItem(text: "FullName") }
    func methods(_ request: GSItem, context: CallContext) async throws -> GSItem { GSItem(text: "Methods") }
}

private struct NameHandler: GPNameServiceHandler {
    func findName(_ request: GPWords, context: CallContext) async throws -> GPNames { GPNames() }
    func self_(_ request: GPHTTPThing_x, context: CallContext) async throws -> GPHTTPThing_x { request }
    func `protocol`(_ request: GPNames, context: CallContext) async throws -> GPWords { GPWords() }
    func delete(_ request: GPNames, context: CallContext) async throws -> GPWords { GPWords() }
    func register(_ request: GPNames, responses: MessageWriter<GPWords>, context: CallContext) async throws {}
    func init_(_ requests: MessageStream<GPNames>, context: CallContext) async throws -> GPWords { GPWords() }
    func `default`(_ request: GPNames, context: CallContext) async throws -> GPWords { GPWords() }
    func `return`(_ requests: MessageStream<GPNames>, responses: MessageWriter<GPWords>, context: CallContext) async throws {}
    func linux(_ request: GPNames, context: CallContext) async throws -> GPWords { GPWords() }
}
