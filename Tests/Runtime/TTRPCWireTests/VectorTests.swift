import RPCCore
import TestHarness
import Testing

@testable import TTRPCWire

/// The scripted conversations in `Tests/Vectors/ttrpc`, each delivered in every way that a socket could.
@Suite struct VectorTests {
    @Test func thereAreVectors() {
        #expect(Vector.all.count { $0.isServer } >= 55)
        #expect(Vector.all.count { !$0.isServer } >= 30)
        for vector in Vector.all { #expect(vector.hasReason, "\(vector.name) must begin with the reason for it") }
    }

    @Test("server", arguments: Vector.all.filter(\.isServer))
    func server(_ vector: Vector) throws {
        for pieces in Self.deliveries(of: vector.input) {
            let recorder = ServerRecorder(vector)
            for piece in pieces { try recorder.session.receive(piece.span.bytes, events: recorder) }
            #expect(recorder.log == vector.expected, "in pieces of \(pieces.map(\.count))")
            #expect(recorder.frames() == vector.frames, "in pieces of \(pieces.map(\.count))")
        }
    }

    @Test("client", arguments: Vector.all.filter { !$0.isServer })
    func client(_ vector: Vector) throws {
        for pieces in Self.deliveries(of: vector.input) {
            let recorder = ClientRecorder(vector)
            #expect(recorder.frames() == vector.frames)
            for piece in pieces { try recorder.receive(piece) }
            #expect(recorder.log == vector.expected, "in pieces of \(pieces.map(\.count))")
            #expect(recorder.answerFrames() == vector.answerFrames, "in pieces of \(pieces.map(\.count))")
        }
    }

    /// Whole, byte by byte, and split in two at every offset.
    private static func deliveries(of input: [UInt8]) -> [[[UInt8]]] {
        [[input], input.map { [$0] }] + (0...input.count).map { [Array(input[..<$0]), Array(input[$0...])] }
    }
}
