/// The key–value pairs that are sent with a call's messages, in order, keys in lower case.
///
///     let options = CallOptions(timeout: .seconds(5), metadata: ["caller": "greeter"])
///     let caller = context.metadata["caller"]     // in the handler; the first value of the key
///
/// A key may occur more than once. The value of a key that ends with `-bin` is base64. Other values are text: UTF-8 over ttrpc, printable ASCII
/// over gRPC. Over gRPC, the keys of HTTP/2 and of gRPC itself are reserved, such as `te`, `host` and `grpc-timeout`. A program may set two keys that
/// begin with `grpc-`: `grpc-retry-pushback-ms` and `grpc-previous-rpc-attempts`. A client's call with a pair that gRPC cannot carry fails with
/// `INVALID_ARGUMENT`. A server's pair is left out of the response.
public struct Metadata: Sendable, Hashable {
    /// One pair. `key` is lower-case ASCII.
    public struct Entry: Sendable, Hashable {
        /// The lower-case key.
        public let key: String
        /// The value. That of a key with `-bin` at its end is base64.
        public let value: String

        /// Compares the number of bytes first. A peer may send any key, and comparing long texts that are not ASCII takes time that grows with
        /// the square of their length.
        func has(_ key: String) -> Bool { self.key.utf8.count == key.utf8.count && self.key == key }
    }

    // Not private, because then copies in other modules would be slow.
    @usableFromInline var entries: [Entry]

    /// Empty metadata. It allocates no memory.
    public init() { entries = [] }

    /// The number of pairs.
    public var count: Int { entries.count }

    /// The memory of the pairs, bytes: 32 for each in the array, and that of its two texts.
    package var heldByteCount: Int { entries.reduce(0) { $0 + 32 + Self.heldByteCount($1.key) + Self.heldByteCount($1.value) } }

    /// A text of up to 15 bytes lies in the array. A longer one is an object with a head of 32 bytes, and `malloc` rounds it up.
    private static func heldByteCount(_ text: String) -> Int { text.utf8.count <= 15 ? 0 : text.utf8.count + 48 }

    /// Adds a pair at the end. The key is converted to lower case, like gRPC's keys.
    public mutating func append(_ value: String, for key: String) {
        entries.append(Entry(key: Self.lowercased(key), value: value))
    }

    /// The key with ASCII letters in lower case. Other characters stay: keys are ASCII in both protocols, and Unicode's mapping is slow.
    private static func lowercased(_ key: String) -> String {
        let isUpper = { (byte: UInt8) in byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
        guard key.utf8.contains(where: isUpper) else { return key }
        return String(decoding: key.utf8.map { isUpper($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Replaces all values of a key by one.
    public mutating func set(_ value: String, for key: String) {
        let key = Self.lowercased(key)
        entries.removeAll { $0.has(key) }
        entries.append(Entry(key: key, value: value))
    }

    /// The first value of a key, or nil. Give the key in lower case: it is not converted.
    public subscript(key: String) -> String? {
        for entry in entries where entry.has(key) { return entry.value }
        return nil
    }

    /// All values of a key (in lower case), in order.
    public func values(for key: String) -> [String] {
        entries.compactMap { $0.has(key) ? $0.value : nil }
    }
}

extension Metadata: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (key, value) in elements { append(value, for: key) }
    }
}

extension Metadata: Sequence {
    public func makeIterator() -> IndexingIterator<[Entry]> { entries.makeIterator() }
}
