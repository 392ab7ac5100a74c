import ProtobufC
import ProtobufWellKnownTypes
import RPCCore
import Testing

@Suite struct MethodTableTests {
    private typealias Descriptor = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>

    private func table(_ names: [(String, String)]) -> MethodTable {
        var router = Router()
        for (service, method) in names {
            router.registerSynchronous(Descriptor(service: service, method: method, shape: .unary)) { request, _ in request }
        }
        return router.methodTable()
    }

    private func find(_ table: MethodTable, _ service: String, _ method: String) -> String? {
        table.find(service: Array(service.utf8).span.bytes, method: Array(method.utf8).span.bytes)?.path
    }

    @Test func anEmptyTableFindsNothing() {
        #expect(find(table([]), "a", "b") == nil)
        #expect(find(table([]), "", "") == nil)
    }

    @Test("each of a thousand methods is found, and nothing near it")
    func manyMethods() {
        let names = (0..<1000).map { ("pkg.v1.Service\($0 % 37)", "Method\($0)") }
        let table = table(names)
        #expect(table.methods.map(\.path) == names.map { "\($0)/\($1)" })
        for (service, method) in names {
            #expect(find(table, service, method) == "\(service)/\(method)")
            #expect(find(table, service, method + "x") == nil)
            #expect(find(table, service, String(method.dropLast()) + "!") == nil)
            #expect(find(table, method, service) == nil)
        }
    }

    @Test("where the service ends and the method begins is part of the name")
    func boundary() {
        let table = table([("ab", "c"), ("a", "bc")])
        #expect(find(table, "ab", "c") == "ab/c")
        #expect(find(table, "a", "bc") == "a/bc")
        #expect(find(table, "abc", "") == nil)
        #expect(find(table, "", "abc") == nil)
    }

    @Test("names of every length from 0 to 40 are compared to their last byte")
    func everyLength() {
        let names = (0...40).map { ("s", String(repeating: "m", count: $0)) }
        let table = table(names)
        for (service, method) in names {
            #expect(find(table, service, method) == "\(service)/\(method)")
            if !method.isEmpty { #expect(find(table, service, method.dropLast() + "n") == nil) }
        }
    }

    @Test("a registered method says what its messages are, whatever its shape, on a server as before")
    func messageDescriptors() {
        var router = Router()
        let unary = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_BytesValue>(service: "s", method: "unary", shape: .unary)
        let stream = MethodDescriptor<Google_Protobuf_BytesValue, Google_Protobuf_StringValue>(
            service: "s", method: "stream", shape: .serverStreaming)
        router.register(unary) { _, _ in Google_Protobuf_BytesValue() }
        router.registerServerStreaming(stream) { _, _, _ in }
        let methods = router.methodTable().methods
        #expect(methods.map(\.requestDescriptor.fullName) == ["google.protobuf.StringValue", "google.protobuf.BytesValue"])
        #expect(methods.map(\.responseDescriptor.fullName) == ["google.protobuf.BytesValue", "google.protobuf.StringValue"])
    }

    @Test("two handlers for one method stop the program at once, at start, with the method's name")
    func registeredTwice() async {
        await #expect(processExitsWith: .failure) {
            let method = MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(
                service: "s", method: "m", shape: .unary)
            var router = Router()
            router.registerSynchronous(method) { request, _ in request }
            router.register(method) { request, _ in request }
        }
    }
}
