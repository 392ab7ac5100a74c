/// The methods of a server, found by the bytes of their names. A name in a request becomes a `String` only when it is unknown.
///
/// Immutable once built, so every event loop reads it without a lock. Open addressing over a power of two at least twice
/// the number of methods keeps a look-up at one or two comparisons.
public final class MethodTable: Sendable {
    private let slots: [RegisteredMethod?]
    private let mask: Int
    /// The methods in order of registration.
    public let methods: [RegisteredMethod]

    init(_ methods: [RegisteredMethod]) {
        var capacity = 8
        while capacity < methods.count * 2 { capacity *= 2 }
        var slots = [RegisteredMethod?](repeating: nil, count: capacity)
        for method in methods {
            var index = Int(truncatingIfNeeded: method.name.hash) & (capacity - 1)
            while slots[index] != nil { index = (index + 1) & (capacity - 1) }
            slots[index] = method
        }
        self.slots = slots
        self.mask = capacity - 1
        self.methods = methods
    }

    /// The method registered under these names (UTF-8, no slashes), or nil.
    public func find(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
        let hash = MethodName.hash(service, method)
        var index = Int(truncatingIfNeeded: hash) & mask
        while let candidate = slots[index] {
            if candidate.name.hash == hash, candidate.name.equals(service, method) { return candidate }
            index = (index + 1) & mask
        }
        return nil
    }
}

/// A method's name as a ``MethodTable`` compares it.
struct MethodName: Sendable {
    let hash: UInt64
    private let service: [UInt8]
    private let method: [UInt8]

    init(service: String, method: String) {
        let service = Array(service.utf8)
        let method = Array(method.utf8)
        hash = Self.hash(service.span.bytes, method.span.bytes)
        self.service = service
        self.method = method
    }

    func equals(_ service: RawSpan, _ method: RawSpan) -> Bool {
        Self.equal(self.service.span.bytes, service) && Self.equal(self.method.span.bytes, method)
    }

    static func hash(_ service: RawSpan, _ method: RawSpan) -> UInt64 {
        mix(mix(0x9E37_79B9_7F4A_7C15, service), method)
    }

    /// Mixes the bytes into a hash, eight at a time. The table has only this server's names, so a peer cannot cause collisions.
    private static func mix(_ seed: UInt64, _ bytes: RawSpan) -> UInt64 {
        var state = seed ^ UInt64(truncatingIfNeeded: bytes.byteCount)
        var offset = 0
        while offset + 8 <= bytes.byteCount {
            state = (state ^ bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
            state ^= state >> 32
            offset += 8
        }
        while offset < bytes.byteCount {
            state = (state ^ UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))) &* 0xFF51_AFD7_ED55_8CCD
            offset += 1
        }
        return state ^ (state >> 29)
    }

    private static func equal(_ left: RawSpan, _ right: RawSpan) -> Bool {
        let count = left.byteCount
        guard count == right.byteCount else { return false }
        guard count >= 8 else { return equalBytes(left, right) }
        var offset = 0
        while offset + 8 <= count {
            guard equalWords(left, right, at: offset) else { return false }
            offset += 8
        }
        // The last bytes, read as a word that overlaps the one before.
        return equalWords(left, right, at: count - 8)
    }

    private static func equalWords(_ left: RawSpan, _ right: RawSpan, at offset: Int) -> Bool {
        left.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) == right.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    private static func equalBytes(_ left: RawSpan, _ right: RawSpan) -> Bool {
        for offset in 0..<left.byteCount {
            let leftByte = left.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            if leftByte != right.unsafeLoad(fromByteOffset: offset, as: UInt8.self) { return false }
        }
        return true
    }
}
