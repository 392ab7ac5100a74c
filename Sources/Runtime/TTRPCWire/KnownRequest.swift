import Glibc
import RPCCore

/// The metadata of the request before, as bytes and as what they mean: a client sends the same with call after call, and reading it again,
/// strings and all, costs as much as the rest of the request.
struct KnownMetadata {
    /// Bytes of metadata that are kept, at most. A token among them is kept as long as the connection lasts, as its session is.
    private static let byteLimit = 4 << 10

    /// The pairs with their tags, as they lay in the envelope, one behind the other.
    private var bytes: [UInt8] = []
    private(set) var metadata = Metadata()
    private(set) var extensions = Extensions()
    private(set) var pairCount = 0

    /// How many bytes at the front of `rest`, which begins with a pair, are the known ones; 0 when they are not, or others follow.
    func match(_ rest: UnsafeRawBufferPointer, pairTag: UInt8) -> Int {
        guard !bytes.isEmpty, rest.count >= bytes.count else { return 0 }
        // Byte for byte through a sequence's iterator it takes ten times as long.
        guard let start = rest.baseAddress, memcmp(bytes, start, bytes.count) == 0 else { return 0 }
        return rest.count > bytes.count && rest[bytes.count] == pairTag ? 0 : bytes.count
    }

    /// Keeps what was read.
    mutating func note(_ bytes: UnsafeRawBufferPointer, _ metadata: Metadata, _ extensions: Extensions, _ pairCount: Int) {
        guard bytes.count <= Self.byteLimit else { return }
        self.bytes = Array(bytes)
        self.metadata = metadata
        self.extensions = extensions
        self.pairCount = pairCount
    }
}

/// The methods that a client has called last: clients make many calls of a few methods, and encoders write a method's names first.
struct KnownMethods {
    /// Methods that are kept beside the last one, at most: to compare one name takes less than a look-up.
    private static let limit = 4

    /// The method of the request before.
    private var last: KnownMethod?
    /// The others, the latest last.
    private var earlier: [KnownMethod] = []

    /// The method that is named at the front of an envelope, if it is known, and how many bytes name it.
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

    /// Keeps a method, and forgets the one that was called longest ago.
    mutating func note(_ method: RegisteredMethod) {
        if let last { earlier.append(last) }
        if earlier.count > Self.limit { earlier.removeFirst() }
        last = KnownMethod(method)
    }
}

/// A method, with the bytes by which ttrpc's requests name it.
private struct KnownMethod {
    private let held: RegisteredMethod
    /// The same to look at, valid as long as this value is kept. To count references to it would be two atomic instructions a call.
    let lent: Unmanaged<RegisteredMethod>
    /// Service and method, the first two fields of a request, as protobuf writes them; empty for names of 128 bytes and more, whose lengths would
    /// have two.
    private let fields: [UInt8]

    init(_ method: RegisteredMethod) {
        held = method
        lent = .passUnretained(method)
        let (service, name) = (Array(method.service.utf8), Array(method.method.utf8))
        let areShort = max(service.count, name.count) < 0x80
        fields = areShort ? [1 << 3 | 2, UInt8(service.count)] + service + [2 << 3 | 2, UInt8(name.count)] + name : []
    }

    /// How many bytes at the front of an envelope name the method; 0 when they do not.
    @inline(__always)
    func match(_ envelope: UnsafeRawBufferPointer) -> Int {
        guard !fields.isEmpty, envelope.count >= fields.count, let start = envelope.baseAddress else { return 0 }
        return memcmp(fields, start, fields.count) == 0 ? fields.count : 0
    }
}
