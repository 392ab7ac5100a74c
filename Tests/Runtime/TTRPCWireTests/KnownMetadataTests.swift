import RPCCore
import TestHarness
import Testing
import WireBytes

@testable import TTRPCWire

/// Metadata that is reused from the request before equals metadata that is decoded.
@Suite struct KnownMetadataTests {
    /// A field of an envelope: a pair, or something between pairs.
    private enum Field {
        case pair(String, String)
        case timeout

        var bytes: [UInt8] {
            switch self {
            case .timeout: return [4 << 3, 7]
            case .pair(let key, let value):
                var pair: [UInt8] = [], field: [UInt8] = []
                appendField(1, key.utf8, to: &pair)
                appendField(2, value.utf8, to: &pair)
                appendField(5, pair, to: &field)
                return field
            }
        }
    }

    private func read(_ fields: [Field], _ known: inout KnownMetadata) throws -> RequestEnvelope {
        // The parts of the bytes are not used afterwards.
        try fields.flatMap(\.bytes).withUnsafeBytes { try RequestEnvelope($0, &known) }
    }

    @Test("whatever came before, an envelope says what it says alone")
    func sameAsAlone() throws {
        var random = SeededRandom(seed: 20261121)
        let choices: [Field] = [
            .pair("authorization", "Bearer a"), .pair("authorization", "Bearer b"), .pair("k", ""), .pair("pulse-ttrpc", "drain"),
            .pair("pulse-ttrpc", "drain,window=9"), .timeout,
        ]
        var known = KnownMetadata()
        var before: [Field] = []
        for _ in 0..<20_000 {
            // Often the same as before, sometimes with an additional field before, between or after.
            var fields = Int.random(in: 0..<3, using: &random) == 0 ? [] : before
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                fields.insert(choices.randomElement(using: &random)!, at: Int.random(in: 0...fields.count, using: &random))
            }
            if fields.count > 6 { fields.removeFirst(3) }
            var nothing = KnownMetadata()
            let alone = try read(fields, &nothing), envelope = try read(fields, &known)
            #expect(envelope.metadata == alone.metadata && envelope.extensions == alone.extensions, "\(fields) after \(before)")
            #expect(envelope.timeoutNanoseconds == alone.timeoutNanoseconds)
            before = fields
        }
    }

    @Test(
        "an envelope has at most 1,024 fields, of whatever kinds",
        arguments: [[0x30, 0x00], [0x0A, 0x00], [0x12, 0x00], [0x1A, 0x00], [0x20, 0x01]] as [[UInt8]])
    func manyFields(_ field: [UInt8]) throws {
        for (count, isTooMuch) in [(1_024, false), (1_025, true), (100_000, true)] {
            var known = KnownMetadata()
            let bytes = (0..<count).flatMap { _ in field }
            var failure: RequestEnvelope.Failure?
            bytes.withUnsafeBytes { bytes in
                do throws(RequestEnvelope.Failure) { _ = try RequestEnvelope(bytes, &known) } catch { failure = error }
            }
            #expect(failure == (isTooMuch ? .malformed : nil))
        }
    }

    @Test("what a client asks for is read from its bytes, and a value with more than 256 of them asks for nothing")
    func extensions() throws {
        func extensions(_ value: String, key: String = "pulse-ttrpc") throws -> Extensions {
            var known = KnownMetadata()
            return try read([.pair(key, value)], &known).extensions
        }
        #expect(try extensions("drain,window=9") == Extensions(drain: true, window: 9))
        #expect(try extensions(",later=1,window=18446744073709551615,") == Extensions(window: .max))
        #expect(try extensions("window=-1,window=") == Extensions())
        #expect(try extensions("drain\u{0301}") == Extensions())
        #expect(try extensions("drain," + String(repeating: "x", count: 250)) == Extensions(drain: true))
        #expect(try extensions("drain," + String(repeating: "x", count: 251)) == Extensions())
        #expect(try extensions("drain", key: "pulse-ttrpc\u{0301}") == Extensions())
    }

    @Test("more than 4 KiB are not kept, and read each time")
    func tooMuch() throws {
        var known = KnownMetadata()
        let fields = (0..<60).map { Field.pair("key\($0)", String(repeating: "x", count: 90)) }
        for _ in 0..<2 { #expect(try read(fields, &known).metadata.count == 60) }
        #expect(known.metadata.count == 0)
    }

    @Test("the limit of pairs holds for what is known too")
    func tooMany() throws {
        var known = KnownMetadata()
        let most = (0..<128).map { _ in Field.pair("k", "") }
        for _ in 0..<2 { #expect(try read(most, &known).metadata.count == 128) }
        #expect(throws: RequestEnvelope.Failure.tooMuchMetadata) { try read(most + [.pair("k", "")], &known) }
        #expect(throws: RequestEnvelope.Failure.tooMuchMetadata) { try read(most + [.timeout, .pair("k", "")], &known) }
    }

    @Test("our own pair counts like any other, known or not")
    func ownPairs() throws {
        let most = Array(repeating: Field.pair("pulse-ttrpc", "drain"), count: 128)
        var known = KnownMetadata()
        for _ in 0..<2 { #expect(try read(most, &known).extensions.drain) }
        #expect(throws: RequestEnvelope.Failure.tooMuchMetadata) { try read(most + [.pair("pulse-ttrpc", "drain")], &known) }
        #expect(throws: RequestEnvelope.Failure.tooMuchMetadata) { try read(most + [.timeout, .pair("k", "")], &known) }
    }

    @Test("all pairs of a request have 16 KiB together", arguments: [1, 4, 100])
    func bytes(_ count: Int) throws {
        // Each pair has three bytes of key, and four before its value.
        let size = (16 << 10) / count
        let value = String(repeating: "v", count: size - 3 - (size < 131 ? 2 : 3))
        var known = KnownMetadata()
        let most = (0..<count).map { _ in Field.pair("k", value) }
        #expect(try read(most, &known).metadata.count == count)
        #expect(throws: RequestEnvelope.Failure.tooMuchMetadata) { try read(most + [.timeout, .pair("k", value)], &known) }
        #expect(throws: RequestEnvelope.Failure.tooMuchMetadata) { try read([.pair("k", String(repeating: "v", count: 1 << 20))], &known) }
    }
}
