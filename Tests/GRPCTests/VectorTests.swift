import RPCCore
import Testing

/// The scripted conversations in `Tests/Vectors/grpc`, each in every way that a socket could deliver it.
@Suite struct VectorTests {
    @Test func thereAreVectors() {
        #expect(Vector.all.count >= 20)
        for vector in Vector.all { #expect(vector.hasReason, "\(vector.name) must begin with the reason for it") }
    }

    @Test("server", arguments: Vector.all)
    func server(_ vector: Vector) {
        for pieces in Self.deliveries(of: vector.input) {
            let recorder = ServerRecorder(vector)
            var violates = false
            for piece in pieces where !violates {
                do throws(ProtocolViolation) { try recorder.receive(piece) } catch { violates = true }
            }
            let frames = recorder.frames()
            #expect(recorder.log == vector.expected, "in pieces of \(pieces.map(\.count))")
            #expect(frames == vector.frames, "in pieces of \(pieces.map(\.count))")
            #expect(violates == vector.violates)
            if recorder.log != vector.expected || frames != vector.frames { break }
        }
    }

    /// Whole, byte by byte, and split in two at every offset.
    private static func deliveries(of input: [[UInt8]]) -> [[[UInt8]]] {
        let cuts = input.indices.flatMap { index in
            input[index].indices.map { offset in
                input[..<index] + [Array(input[index][..<offset]), Array(input[index][offset...])] + input[(index + 1)...]
            }
        }
        return [input, input.flatMap { $0 }.map { [$0] }] + cuts.map { Array($0) }
    }
}
