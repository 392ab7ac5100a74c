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

    @Test("a method's names at the front of a message are compared to their last byte, whatever their length", arguments: 0...40)
    func matchedNames(length: Int) throws {
        let name = String(repeating: "m", count: length)
        let method = try #require(table([("s", name)]).methods.first)
        let fields: [UInt8] = [1 << 3 | 2, 1, 0x73, 2 << 3 | 2, UInt8(length)] + Array(name.utf8)
        #expect(method.matchName(at: fields.span.bytes) == fields.count)
        #expect(method.matchName(at: (fields + [0]).span.bytes) == fields.count)
        #expect(method.matchName(at: Array(fields.dropLast()).span.bytes) == 0)
        for index in fields.indices {
            var other = fields
            other[index] ^= 1
            #expect(method.matchName(at: other.span.bytes) == 0, "byte \(index) of \(fields.count) is another")
        }
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
