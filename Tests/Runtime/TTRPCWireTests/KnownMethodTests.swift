import RPCCore
import Testing

@testable import TTRPCWire

/// A request for the method that is known from the request before is the same as one whose method is looked up.
@Suite struct KnownMethodTests {
    /// A field of an envelope: number and contents.
    private typealias Field = (number: UInt8, contents: String)

    private func request(_ id: UInt32, _ fields: [Field], cut: Int = 0) -> [UInt8] {
        let data = fields.flatMap { [$0.number << 3 | 2, UInt8($0.contents.utf8.count)] + Array($0.contents.utf8) }
        return TestFrame(streamID: id, kind: 1, flags: 0, data: data.dropLast(cut)).bytes
    }

    /// What a session says and answers to the last of these requests, whose ids are 1, 3, ….
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
        // Metadata among them: field 5, with its key and value in it.
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
            let before = anyRequest()
            // Most often for the same method, with something more somewhere.
            var fields = Bool.random(using: &random) ? before : anyRequest()
            if Bool.random(using: &random) {
                fields.insert((services + methods + others).randomElement(using: &random)!, at: Int.random(in: 0...fields.count, using: &random))
            }
            let cut = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 0..<6, using: &random) : 0
            let alone = try last([request(3, fields, cut: cut)])
            let after = try last([request(1, before), request(3, fields, cut: cut)])
            #expect(alone == after, "\(fields) after \(before), cut by \(cut)")
        }
    }

    @Test("a method is known by both of its names, whole and first, and by nothing less")
    func matches() throws {
        let method = try #require(testMethod("test.v1.S", "Echo"))
        let known = KnownMethod(method)
        func match(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { known.lent.match($0) } }
        let name: [UInt8] = [0x0A, 9] + Array("test.v1.S".utf8) + [0x12, 4] + Array("Echo".utf8)
        #expect(match(name) == name.count)
        #expect(match(name + [1, 2, 3]) == name.count)
        for count in 0..<name.count { #expect(match(Array(name.prefix(count))) == 0) }
        for index in name.indices {
            var other = name
            other[index] ^= 1
            #expect(match(other) == 0)
        }
        #expect(match([0] + name) == 0)
    }
}
