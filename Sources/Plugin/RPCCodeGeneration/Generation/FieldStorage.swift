/// Decides which submessages a generated struct stores out of line, in memory of their own.
///
/// There are two reasons. A Swift struct cannot contain itself. And protobuf-c has a pointer for a submessage, while a Swift struct has room for all
/// of its fields, set or not. With ten submessages of ten submessages each, two bytes of the wire would take kilobytes of memory and of stack. The
/// runtime counts the memory of the C structs, so a struct may be little larger than its C struct (``mostBytes(cBytes:)``).
///
/// Elements of repeated fields and maps are always out of line.
struct FieldStorage {
    enum Reason {
        case containsItself
        case isLarge
    }

    private let index: TypeIndex
    /// The bytes of the messages that were asked for, by full name.
    private var sizes: [String: Int] = [:]

    init(index: TypeIndex) { self.index = index }

    /// The bytes of a struct whose C struct has `cBytes`, at most. Small structs may have more, because an allocation for each submessage would cost
    /// more than their memory.
    private static func mostBytes(cBytes: Int) -> Int { max(256, 2 * cBytes) }

    /// The singular fields of a message that are stored out of line, by number.
    mutating func outOfLine(of message: MessageSchema) -> [Int32: Reason] { layout(of: message).outOfLine }

    private mutating func layout(of message: MessageSchema) -> (outOfLine: [Int32: Reason], size: Int) {
        var outOfLine: [Int32: Reason] = [:]
        var submessages: [(number: Int32, size: Int)] = []
        for field in message.fields {
            guard let name = Self.singularMessage(of: field) else { continue }
            if leadsBack(from: name, to: message) {
                outOfLine[field.number] = .containsItself
            } else {
                submessages.append((field.number, size(ofMessage: name)))
            }
        }
        var inline = Dictionary(submessages.map { ($0.number, $0.size) }, uniquingKeysWith: { $1 })
        let most = Self.mostBytes(cBytes: Self.cBytes(of: message))
        var size = Self.bytes(of: message, inline)
        // The largest first, because that needs the fewest allocations.
        for (number, _) in submessages.sorted(by: { $0.size > $1.size }) where size > most {
            outOfLine[number] = .isLarge
            inline[number] = nil
            size = Self.bytes(of: message, inline)
        }
        return (outOfLine, size)
    }

    private mutating func size(ofMessage name: String) -> Int {
        if let known = sizes[name] { return known }
        // A type that is not in the request is reported where it is used.
        let size = index.message(name).map { layout(of: $0).size } ?? Self.pointer
        sizes[name] = size
        return size
    }

    // MARK: Sizes

    private static let pointer = 8

    /// An upper bound for the bytes of the Swift struct.
    /// - Parameter inline: the sizes of the submessages that are not out of line, by the numbers of their fields.
    private static func bytes(of message: MessageSchema, _ inline: [Int32: Int]) -> Int {
        var oneofs: [Int: Int] = [:]
        // The unknown fields.
        var total = pointer
        for field in message.fields {
            let size = field.isRepeated ? pointer : bytes(of: field.type, message: inline[field.number])
            if let oneof = field.oneofIndex, !field.isProto3Optional {
                oneofs[oneof] = max(oneofs[oneof] ?? 0, size)
            } else {
                // Whether an optional value is set takes a word, with the padding.
                total += size + (field.isProto3Optional || inline[field.number] != nil ? pointer : 0)
            }
        }
        return oneofs.values.reduce(total) { $0 + $1 + pointer }
    }

    private static func bytes(of type: FieldType, message: Int?) -> Int {
        switch type {
        case .string: 16
        case .message: message ?? pointer
        case .scalar, .bytes, .bool, .enumeration, .group: pointer
        }
    }

    /// A lower bound for the bytes of protobuf-c's struct.
    private static func cBytes(of message: MessageSchema) -> Int {
        // The descriptor, and the number and the address of the unknown fields.
        var total = 24
        var oneofs: Set<Int> = []
        for field in message.fields {
            // The case takes a word with the padding, and the value another one.
            if let oneof = field.oneofIndex {
                if oneofs.insert(oneof).inserted { total += 2 * pointer }
            } else {
                // A repeated field has a number and an address.
                total += field.isRepeated ? 2 * pointer : cBytes(of: field.type)
            }
        }
        return total
    }

    private static func cBytes(of type: FieldType) -> Int {
        switch type {
        case .bytes: 2 * pointer
        case .string, .message: pointer
        case .scalar, .bool, .enumeration, .group: pointer / 2
        }
    }

    // MARK: Recursion

    /// Whether a message has one that can contain it.
    private func leadsBack(from start: String, to message: MessageSchema) -> Bool {
        var visited: Set<String> = []
        var pending = [start]
        while let name = pending.popLast() {
            if name == message.fullName { return true }
            guard visited.insert(name).inserted, let next = index.message(name) else { continue }
            pending += next.fields.compactMap(Self.singularMessage(of:))
        }
        return false
    }

    private static func singularMessage(of field: FieldSchema) -> String? {
        if case .message(let name) = field.type, !field.isRepeated { name } else { nil }
    }
}
