import RPCCore

/// The streams that this side has ended lately, before their peers had sent everything. What a peer has sent before it could know of the end is
/// dropped, and is no mistake.
///
/// Each id has one place, and the 32nd id after it takes that place. So an id is found without a search.
public struct StreamsEndedHere {
    /// The most bytes of a stream that are dropped.
    @usableFromInline let byteCount: Int
    @usableFromInline var places = InlineArray<32, (id: CallID, bytesLeft: Int)>(repeating: (0, 0))

    /// - Parameter byteCount: what a peer may have sent on one stream before it knew: what waits in it and in the sockets.
    public init(byteCount: Int) { self.byteCount = byteCount }

    /// Ids of clients are odd.
    @inlinable static func place(of id: CallID) -> Int { Int(id >> 1 & 31) }

    /// Notes that this side has ended a stream.
    public mutating func append(_ id: CallID) { places[Self.place(of: id)] = (id, byteCount) }

    /// Whether this side has ended the stream lately.
    @inlinable public func contains(_ id: CallID) -> Bool { id != 0 && places[Self.place(of: id)].id == id }

    /// Drops bytes of a stream. False if it is none of these streams, or has sent more than it could have before it knew.
    @inlinable public mutating func take(_ byteCount: Int, of id: CallID) -> Bool {
        let place = Self.place(of: id)
        guard places[place].id == id, places[place].bytesLeft >= byteCount else { return false }
        places[place].bytesLeft -= byteCount
        return true
    }
}
