#if DEBUG || FUZZING
import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

@testable import TTRPCWire

extension FuzzTarget {
    /// The frames of a stream do not depend on how its bytes are split.
    static let ttrpcFrames = FuzzTarget("ttrpc-frames", seeds: { WireVectors.ttrpc(side: "server") }) { input in
        guard input.byteCount > 1 else { return }
        let piece = Int(input.unsafeLoad(fromByteOffset: 0, as: UInt8.self)) + 1
        let bytes = input.extracting(1..<input.byteCount).copied
        require(frames(bytes, piece: bytes.count) == frames(bytes, piece: piece), "frames differ when the bytes come in pieces of \(piece)")
    }

    /// Each frame's length, stream, kind and flags, and its data if it was not too long.
    private static func frames(_ bytes: [UInt8], piece: Int) -> [[UInt8]] {
        var reader = FrameReader(limit: 4096)
        var found: [[UInt8]] = []
        bytes.withUnsafeBytes { all in
            var start = 0
            while start < all.count {
                let end = min(all.count, start + piece)
                var rest = UnsafeRawBufferPointer(rebasing: all[start..<end])
                while let frame = reader.next(&rest) {
                    switch frame {
                    case .complete(let header, let data): found.append(said(header) + data)
                    case .oversized(let header): found.append(said(header))
                    }
                }
                start = end
            }
        }
        return found
    }

    private static func said(_ header: FrameHeader) -> [UInt8] {
        withUnsafeBytes(of: (UInt32(header.dataLength), header.streamID, header.kind, header.flags)) { Array($0.prefix(10)) }
    }

    /// An envelope has the same meaning if its metadata is known already.
    static let ttrpcEnvelope = FuzzTarget("ttrpc-envelope", seeds: { WireVectors.ttrpc(side: "server").map { Array($0.dropFirst(10)) } }) { input in
        input.withUnsafeBytes { bytes in
            var known = KnownMetadata()
            let first = try? RequestEnvelope(bytes, &known)
            let second = try? RequestEnvelope(bytes, &known)
            require((first == nil) == (second == nil), "an envelope is read once, and refused then")
            guard let first, let second else { return }
            require(first.metadata.count <= RequestEnvelope.maximumMetadataCount, "more pairs than are taken")
            require(first.metadata.map { "\($0.key)=\($0.value)" } == second.metadata.map { "\($0.key)=\($0.value)" }, "metadata differs when known")
            require(Array(first.payload) == Array(second.payload), "the payload differs")
        }
    }

    static let ttrpcServer = FuzzTarget("ttrpc-server", seeds: { WireVectors.ttrpc(side: "server") }) { input in
        let session = ServerSession(maximumMessageByteCount: 4096, now: { 1 })
        FuzzedCalls(session).take(input)
    }

    static let ttrpcClient = FuzzTarget("ttrpc-client", seeds: { WireVectors.ttrpc(side: "client") }) { input in
        let session = ClientSession(maximumMessageByteCount: 4096)
        FuzzedAnswers(session).take(input)
    }
}
#endif
