import RPCCore
import TestHarness
import Testing

/// The scripted conversations in `Tests/Vectors/grpc`, each delivered in every way that a socket could.
@Suite struct VectorTests {
    @Test func thereAreVectors() {
        #expect(Vector.all.count >= 20)
        for vector in Vector.all { #expect(vector.hasReason, "\(vector.name) must begin with the reason for it") }
    }

    @Test("server", arguments: Vector.all.filter { !$0.isClient })
    func server(_ vector: Vector) throws {
        for pieces in Self.deliveries(of: vector.input) {
            let recorder = try ServerRecorder(vector)
            let violates = Self.deliver(pieces) { (piece) throws(ProtocolViolation) in try recorder.receive(piece) }
            guard Self.check(vector, recorder.log, recorder.frames(), violates, pieces) else { break }
        }
    }

    @Test("client", arguments: Vector.all.filter(\.isClient))
    func client(_ vector: Vector) throws {
        for pieces in Self.deliveries(of: vector.input) {
            let recorder = try ClientRecorder(vector)
            let violates = Self.deliver(pieces) { (piece) throws(ProtocolViolation) in try recorder.receive(piece) }
            guard Self.check(vector, recorder.log, recorder.frames(), violates, pieces) else { break }
        }
    }

    /// Whether one of the pieces ends the connection.
    private static func deliver(_ pieces: [[UInt8]], _ receive: ([UInt8]) throws(ProtocolViolation) -> Void) -> Bool {
        for piece in pieces {
            do throws(ProtocolViolation) { try receive(piece) } catch { return true }
        }
        return false
    }

    private static func check(_ vector: Vector, _ log: [String], _ frames: [String], _ violates: Bool, _ pieces: [[UInt8]]) -> Bool {
        #expect(log == vector.expected, "in pieces of \(pieces.map(\.count))")
        #expect(frames == vector.frames, "in pieces of \(pieces.map(\.count))")
        #expect(violates == vector.violates, "in pieces of \(pieces.map(\.count))")
        return log == vector.expected && frames == vector.frames && violates == vector.violates
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
