import Glibc
import RPCCore

/// The metadata of the request before, as bytes and as what they mean: a client sends the same with call after call, and reading it anew,
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

/// The method of the request before: clients make many calls of one method, and encoders write its names first.
struct KnownMethod {
    private let held: RegisteredMethod
    /// The same to look at, valid as long as this value is kept. To count references to it would be two atomic instructions a call.
    let lent: Unmanaged<RegisteredMethod>

    init(_ method: RegisteredMethod) {
        held = method
        lent = .passUnretained(method)
    }
}

extension Unmanaged<RegisteredMethod> {
    /// How many bytes at the front of an envelope name the method; 0 when they do not.
    func match(_ envelope: UnsafeRawBufferPointer) -> Int { _withUnsafeGuaranteedRef { $0.matchName(at: envelope.bytes) } }
}
