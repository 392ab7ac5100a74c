import Glibc
import RPCCore

/// The metadata of the previous request, encoded and decoded. A client often sends the same metadata with every call, and decoding it again
/// would cost as much as the rest of the request.
struct KnownMetadata {
    /// The most bytes of metadata that are kept. A token in it is kept as long as the connection lasts, like its session.
    static let byteLimit = 4 << 10

    /// The pairs with their tags, as in the envelope, one after another.
    private var bytes: [UInt8] = []
    private(set) var metadata = Metadata()
    private(set) var extensions = Extensions()
    private(set) var pairCount = 0

    /// The number of bytes at the front of `rest`, which begins with a pair, that equal the known metadata; 0 if they differ or more pairs follow.
    func match(_ rest: UnsafeRawBufferPointer, pairTag: UInt8) -> Int {
        guard !bytes.isEmpty, rest.count >= bytes.count else { return 0 }
        // memcmp is much faster than a comparison of sequences.
        guard let start = rest.baseAddress, memcmp(bytes, start, bytes.count) == 0 else { return 0 }
        return rest.count > bytes.count && rest[bytes.count] == pairTag ? 0 : bytes.count
    }

    /// Keeps the metadata that was read.
    mutating func note(_ bytes: UnsafeRawBufferPointer, _ metadata: Metadata, _ extensions: Extensions, _ pairCount: Int) {
        guard bytes.count <= Self.byteLimit else { return }
        self.bytes = Array(bytes)
        self.metadata = metadata
        self.extensions = extensions
        self.pairCount = pairCount
    }
}

/// The last methods that a client has called. Clients make many calls of a few methods, and encoders write a method's names first.
struct KnownMethods {
    /// The most methods that are kept beside the last one. Comparing a name is faster than a look-up.
    static let limit = 4

    /// The method of the previous request.
    private var last: KnownMethod?
    /// The methods before that, the latest one last.
    private var earlier: [KnownMethod] = []

    /// The known method at the front of an envelope, and the number of bytes of its names; nil if the method is not known.
    @inline(__always)
    mutating func match(_ envelope: UnsafeRawBufferPointer) -> (method: Unmanaged<RegisteredMethod>, byteCount: Int)? {
        if let lent = last?.lent, let count = last?.match(envelope), count > 0 { return (lent, count) }
        return earlier.isEmpty ? nil : matchEarlier(envelope)
    }

    @inline(never)
    private mutating func matchEarlier(_ envelope: UnsafeRawBufferPointer) -> (method: Unmanaged<RegisteredMethod>, byteCount: Int)? {
        for index in earlier.indices.reversed() {
            let count = earlier[index].match(envelope)
            guard count > 0 else { continue }
            let found = earlier.remove(at: index)
            if let last { earlier.append(last) }
            last = found
            return (found.lent, count)
        }
        return nil
    }

    /// Keeps a method, and removes the one that was called longest ago.
    mutating func note(_ method: RegisteredMethod) {
        if let last { earlier.append(last) }
        if earlier.count > Self.limit { earlier.removeFirst() }
        last = KnownMethod(method)
    }
}

/// A method, with the bytes of its names in ttrpc requests.
private struct KnownMethod {
    private let held: RegisteredMethod
    /// The same method without reference counting, valid as long as this value is kept. So no call counts references to it (docs/performance.md).
    let lent: Unmanaged<RegisteredMethod>
    /// Service and method, the first two fields of a request, as protobuf encodes them. Empty for names of 128 bytes and more, whose lengths would
    /// have two bytes.
    private let fields: [UInt8]

    init(_ method: RegisteredMethod) {
        held = method
        lent = .passUnretained(method)
        let (service, name) = (Array(method.service.utf8), Array(method.method.utf8))
        let areShort = max(service.count, name.count) < 0x80
        fields = areShort ? [1 << 3 | 2, UInt8(service.count)] + service + [2 << 3 | 2, UInt8(name.count)] + name : []
    }

    /// The number of bytes at the front of an envelope that name the method; 0 if they do not.
    @inline(__always)
    func match(_ envelope: UnsafeRawBufferPointer) -> Int {
        guard !fields.isEmpty, envelope.count >= fields.count, let start = envelope.baseAddress else { return 0 }
        return memcmp(fields, start, fields.count) == 0 ? fields.count : 0
    }
}
