import CNGHTTP2

/// Header fields to be sent, in order. Constant names and values are not copied.
struct HeaderBlock: Sendable {
    private enum Part {
        case constant(StaticString)
        case stored(Range<Int>)

        var count: Int {
            switch self {
            case .constant(let text): text.utf8CodeUnitCount
            case .stored(let range): range.count
            }
        }
    }

    /// The bytes that HPACK adds to the size of each field (RFC 7541, 4.1).
    static let fieldOverhead = 32

    private var fields: [(name: Part, value: Part)] = []
    private var storage: [UInt8] = []
    /// The block's size as SETTINGS_MAX_HEADER_LIST_SIZE counts it, bytes.
    private(set) var byteCount = 0
    /// The fields in nghttp2's form, for constant fields that are sent often.
    private var prepared: PreparedFields?

    mutating func append(_ name: StaticString, _ value: StaticString) { append(.constant(name), .constant(value)) }

    mutating func append(_ name: StaticString, _ value: some Collection<UInt8>) { append(.constant(name), store(value)) }

    mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        let name = store(name)
        append(name, store(value))
    }

    private mutating func append(_ name: Part, _ value: Part) {
        prepared = nil
        fields.append((name, value))
        byteCount += name.count + value.count + Self.fieldOverhead
    }

    private mutating func store(_ bytes: some Collection<UInt8>) -> Part {
        let start = storage.count
        storage.append(contentsOf: bytes)
        return .stored(start..<storage.count)
    }

    /// Prepares the fields for nghttp2 once, for blocks that are sent often.
    mutating func prepare() {
        precondition(storage.isEmpty, "its pointers would not last")
        prepared = withFields { PreparedFields(UnsafeBufferPointer(start: $0, count: $1)) }
    }

    /// Lends the fields in nghttp2's form.
    func withFields<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        if let prepared { return body(prepared.pairs.baseAddress, prepared.pairs.count) }
        return storage.withUnsafeBufferPointer { storage in
            let pairs = fields.map { field in
                let name = Self.pointer(field.name, storage)
                let value = Self.pointer(field.value, storage)
                var flags: UInt32 = 0
                if case .constant = field.name { flags |= NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue }
                if case .constant = field.value { flags |= NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue }
                return nghttp2_nv(
                    name: name, value: value, namelen: field.name.count, valuelen: field.value.count, flags: UInt8(flags))
            }
            return pairs.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }

    private static func pointer(_ part: Part, _ storage: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<UInt8>? {
        switch part {
        case .constant(let text): UnsafeMutablePointer(mutating: text.utf8Start)
        case .stored(let range): storage.baseAddress.map { UnsafeMutablePointer(mutating: $0 + range.lowerBound) }
        }
    }
}

/// Constant fields in nghttp2's form.
///
/// `@unchecked Sendable` is sound: nothing changes after init, and the pairs point to constant text. The compiler cannot see that through pointers.
private final class PreparedFields: @unchecked Sendable {
    let pairs: UnsafeBufferPointer<nghttp2_nv>

    init(_ pairs: UnsafeBufferPointer<nghttp2_nv>) {
        let copy = UnsafeMutableBufferPointer<nghttp2_nv>.allocate(capacity: pairs.count)
        _ = copy.initialize(from: pairs)
        self.pairs = UnsafeBufferPointer(copy)
    }

    deinit { pairs.deallocate() }
}
