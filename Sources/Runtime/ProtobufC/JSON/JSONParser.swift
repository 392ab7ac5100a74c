/// A parsed JSON value. Numbers stay texts, so that no digit is lost before the field's type is known.
enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number exactly as written; its grammar has been checked.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in the order of the text; no name comes twice.
    case object([Member])

    struct Member: Sendable {
        var name: String
        var value: JSONValue
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// A strict parser of JSON text (RFC 8259) that refuses a name given twice in one object.
///
/// Numbers keep their text. The depth is limited because the parser recurses.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private let nestingLimit: Int

    /// Parses the whole of `text`.
    static func parse(_ text: UnsafeBufferPointer<UInt8>, nestingLimit: Int) throws(JSONDecodingError) -> JSONValue {
        if let start = text.baseAddress, TextCheck.of(start, count: text.count) == .invalidUTF8 {
            throw .syntax(offset: 0, reason: .invalidUTF8)
        }
        var parser = JSONParser(bytes: text, nestingLimit: nestingLimit)
        let value = try parser.value(depth: 0)
        parser.skipWhitespace()
        guard parser.index == text.count else { throw parser.fault(.unexpectedCharacter) }
        return value
    }

    /// The deepest nesting of arrays and objects in a text. If the text is not JSON, it is only an estimate.
    static func nesting(of text: UnsafeBufferPointer<UInt8>) -> Int {
        var (depth, deepest, isString, isEscaped) = (0, 0, false, false)
        for byte in text {
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else {
                    isString = byte != UInt8(ascii: "\"")
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return deepest
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, nestingLimit: Int) {
        self.bytes = bytes
        self.nestingLimit = nestingLimit
    }

    private func fault(_ reason: JSONSyntaxFault) -> JSONDecodingError {
        .syntax(offset: index, reason: reason)
    }

    /// The present byte, or 0 at the end. JSON permits no NUL, so 0 always means an error or the end.
    private var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private func unexpected() -> JSONDecodingError {
        fault(index < bytes.count ? .unexpectedCharacter : .unexpectedEnd)
    }

    private mutating func skipWhitespace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONDecodingError) -> JSONValue {
        skipWhitespace()
        switch current {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONDecodingError) -> JSONValue {
        for offset in 0..<text.utf8CodeUnitCount {
            guard take(text.utf8Start[offset]) else { throw unexpected() }
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONDecodingError) -> JSONValue {
        guard depth <= nestingLimit else { throw .nestingTooDeep(limit: nestingLimit) }
        index += 1
        var members: [JSONValue.Member] = []
        var names = NameSet()
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else { throw unexpected() }
            let start = index
            let name = try string()
            guard names.insert(name, beside: members) else {
                throw .syntax(offset: start, reason: .duplicateName)
            }
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw unexpected() }
            members.append(JSONValue.Member(name: name, value: try value(depth: depth)))
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw unexpected() }
        }
    }

    private mutating func array(depth: Int) throws(JSONDecodingError) -> JSONValue {
        guard depth <= nestingLimit else { throw .nestingTooDeep(limit: nestingLimit) }
        index += 1
        var elements: [JSONValue] = []
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value(depth: depth))
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw unexpected() }
        }
    }

    private mutating func number() throws(JSONDecodingError) -> String {
        let start = index
        guard let length = JSONNumber.length(UnsafeBufferPointer(rebasing: bytes[index...])) else {
            throw unexpected()
        }
        index += length
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func string() throws(JSONDecodingError) -> String {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] >= 0x20, ![UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(bytes[index]) {
            index += 1
        }
        if current == UInt8(ascii: "\"") {
            defer { index += 1 }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
        var unescaped = Array(bytes[start..<index])
        while true {
            guard index < bytes.count else { throw fault(.unexpectedEnd) }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: unescaped, as: UTF8.self)
            case UInt8(ascii: "\\"):
                index += 1
                try escape(&unescaped)
            case ..<0x20:
                throw fault(.controlCharacterInString)
            default:
                unescaped.append(byte)
                index += 1
            }
        }
    }

    private mutating func escape(_ unescaped: inout [UInt8]) throws(JSONDecodingError) {
        guard index < bytes.count else { throw fault(.unexpectedEnd) }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): try unicodeEscape(&unescaped)
        default:
            index -= 1
            throw fault(.invalidEscape)
        }
    }

    private mutating func unicodeEscape(_ unescaped: inout [UInt8]) throws(JSONDecodingError) {
        let first = try fourHexDigits()
        var value = UInt32(first)
        if first & 0xF800 == 0xD800 {
            guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw fault(.unpairedSurrogate)
            }
            let second = try fourHexDigits()
            guard second & 0xFC00 == 0xDC00 else { throw fault(.unpairedSurrogate) }
            value = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        }
        // Outside the surrogates and at most U+10FFFF, so it is a scalar.
        guard let scalar = Unicode.Scalar(value) else { throw fault(.unpairedSurrogate) }
        unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func fourHexDigits() throws(JSONDecodingError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard index < bytes.count else { throw fault(.unexpectedEnd) }
            let byte = bytes[index]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw fault(.invalidEscape)
            }
            value = value << 4 | UInt16(digit)
            index += 1
        }
        return value
    }
}

/// The names of one object so far. A few names are compared one by one, and more are hashed.
///
/// Names are compared by bytes. Swift's strings are also equal if they are only canonically equivalent; names in JSON are not.
private struct NameSet {
    private var hashed: Set<[UInt8]> = []

    /// False if `name` is already among `members`.
    mutating func insert(_ name: String, beside members: [JSONValue.Member]) -> Bool {
        if members.count < 12 {
            return !members.contains { $0.name.utf8.elementsEqual(name.utf8) }
        }
        if hashed.isEmpty { hashed = Set(members.map { Array($0.name.utf8) }) }
        return hashed.insert(Array(name.utf8)).inserted
    }
}
