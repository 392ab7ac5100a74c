import ProtobufWellKnownTypes
import RPCCore
import TestHarness
import Testing

@testable import TTRPCWire

/// A request for a known method has the same effect as one whose method is looked up.
@Suite struct KnownMethodTests {
    /// A field of an envelope: number and contents.
    private typealias Field = (number: UInt8, contents: String)

    private func request(_ id: UInt32, _ fields: [Field], cut: Int = 0) -> [UInt8] {
        let data = fields.flatMap { [$0.number << 3 | 2, UInt8($0.contents.utf8.count)] + Array($0.contents.utf8) }
        return TestFrame(streamID: id, kind: 1, flags: 0, data: data.dropLast(cut)).bytes
    }

    /// The events and output of a session for the last of these requests. Their ids are 1, 3, ….
    private func last(_ requests: [[UInt8]]) throws -> (log: [String], output: [UInt8]) {
        let recorder = ServerRecorder(Vector("none"))
        var before = 0
        for request in requests {
            before = recorder.log.count
            _ = recorder.session.drainOutput()
            try recorder.session.receive(request.span.bytes, events: recorder)
        }
        return (Array(recorder.log[before...]), recorder.session.drainOutput())
    }

    @Test("whatever came before, a request is for the method that it names last, in any order of fields")
    func sameAsAlone() throws {
        var random = SeededRandom(seed: 20261122)
        let services: [Field] = [(1, "test.v1.S"), (1, "test.v1.S"), (1, "test.v1.T"), (1, "test.v1.SE"), (1, "")]
        let methods: [Field] = [(2, "Echo"), (2, "Echo"), (2, "Other"), (2, "None"), (2, "EchoEcho"), (2, "")]
        // Some are metadata: field 5 with key and value.
        let others: [Field] = [(3, "payload"), (3, ""), (9, "unknown"), (5, "\n\u{1}k\u{12}\u{1}v"), (5, "\n\u{1}k\u{12}\u{1}w")]
        func anyRequest() -> [Field] {
            var fields = [services.randomElement(using: &random)!, methods.randomElement(using: &random)!]
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let field = [services, methods, others].randomElement(using: &random)!.randomElement(using: &random)!
                fields.insert(field, at: Int.random(in: 0...fields.count, using: &random))
            }
            return fields
        }
        for _ in 0..<2000 {
            let before = (0..<Int.random(in: 1..<7, using: &random)).map { _ in anyRequest() }
            // Mostly for the same method as one before, with an additional field.
            var fields = Bool.random(using: &random) ? before.randomElement(using: &random)! : anyRequest()
            if Bool.random(using: &random) {
                fields.insert((services + methods + others).randomElement(using: &random)!, at: Int.random(in: 0...fields.count, using: &random))
            }
            let cut = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 0..<6, using: &random) : 0
            let alone = try last([request(13, fields, cut: cut)])
            let after = try last(before.enumerated().map { request(UInt32($0 * 2 + 1), $1) } + [request(13, fields, cut: cut)])
            #expect(alone == after, "\(fields) after \(before), cut by \(cut)")
        }
    }

    private static func method(_ name: String, service: String = "s") -> RegisteredMethod {
        var router = Router()
        router.registerSynchronous(
            MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(service: service, method: name, shape: .unary)
        ) { request, _ in request }
        return router.methodTable().methods[0]
    }

    private static func fields(_ name: String) -> [UInt8] {
        [1 << 3 | 2, 1, 0x73, 2 << 3 | 2, UInt8(name.utf8.count)] + Array(name.utf8)
    }

    private static func match(_ known: inout KnownMethods, _ envelope: [UInt8]) -> (path: String, byteCount: Int)? {
        envelope.withUnsafeBytes { envelope in
            known.match(envelope).map { found in (found.method._withUnsafeGuaranteedRef { $0.path }, found.byteCount) }
        }
    }

    @Test("a method's names at the front of an envelope are compared to their last byte, whatever their length", arguments: 0...40)
    func names(length: Int) {
        let name = String(repeating: "m", count: length)
        let fields = Self.fields(name)
        var known = KnownMethods()
        #expect(Self.match(&known, fields) == nil)
        known.note(Self.method(name))
        #expect(Self.match(&known, fields)?.byteCount == fields.count)
        #expect(Self.match(&known, fields + [0])?.byteCount == fields.count)
        #expect(Self.match(&known, Array(fields.dropLast())) == nil)
        #expect(Self.match(&known, []) == nil)
        for index in fields.indices {
            var other = fields
            other[index] ^= 1
            #expect(Self.match(&known, other) == nil, "byte \(index) of \(fields.count) is another")
        }
    }

    @Test("the five methods that were called last are known, in whatever order they come; names of 128 bytes never are")
    func several() {
        var known = KnownMethods()
        let names = ["a", "b", "c", "d", "e", "f"]
        for name in names { known.note(Self.method(name)) }
        #expect(Self.match(&known, Self.fields("a")) == nil, "it was called longest ago")
        for name in names.dropFirst() + ["b", "f", "c"] { #expect(Self.match(&known, Self.fields(name))?.path == "s/" + name) }
        // Finding a method makes it the newest, so another one is evicted.
        known.note(Self.method("g"))
        #expect(Self.match(&known, Self.fields("d")) == nil)
        for name in ["b", "c", "e", "f", "g"] { #expect(Self.match(&known, Self.fields(name))?.path == "s/" + name) }
        let long = String(repeating: "m", count: 128)
        known.note(Self.method(long))
        #expect(Self.match(&known, [0x0A, 1, 0x73, 0x12, 0x80, 1] + Array(long.utf8)) == nil)
    }
}
