/// Numbers as JSON writes them, read exactly.
enum JSONNumber {
    /// An exact integer: its sign and its magnitude.
    struct Integer: Equatable {
        var isNegative: Bool
        var magnitude: UInt64

        /// The integer as `Value`, or `nil` when it lies outside that type.
        func exactly<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
            guard isNegative, magnitude > 0 else { return Value(exactly: magnitude) }
            if Value.isSigned, magnitude == UInt64(Value.max.magnitude) + 1 { return Value.min }
            return Value(exactly: magnitude).flatMap { Value.isSigned ? 0 - $0 : nil }
        }
    }

    /// The length of the number at the beginning of `text`, by JSON's grammar; `nil` if there is none.
    static func length(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        func digits() -> Int {
            text[index...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        }
        func at(_ candidates: UInt8...) -> Bool { index < text.count && candidates.contains(text[index]) }

        if at(UInt8(ascii: "-")) { index += 1 }
        if at(UInt8(ascii: "0")) {
            index += 1
        } else {
            let count = digits()
            guard count > 0 else { return nil }
            index += count
        }
        if at(UInt8(ascii: ".")) {
            index += 1
            let count = digits()
            guard count > 0 else { return nil }
            index += count
        }
        if at(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            index += 1
            if at(UInt8(ascii: "+"), UInt8(ascii: "-")) { index += 1 }
            let count = digits()
            guard count > 0 else { return nil }
            index += count
        }
        return index
    }

    /// Whether all of `text` is one number.
    static func isNumber(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { !$0.isEmpty && length($0) == $0.count }
    }

    /// The integer that a number's text means, also written as `1.0` or `1e2`.
    /// - Throws: `notAnInteger` for a fraction or no number, `outOfRange` beyond 64 bits.
    static func integer(_ text: String) throws(JSONValueFault) -> Integer {
        guard isNumber(text) else { throw .notAnInteger }
        var digits: [UInt8] = []
        var exponent = 0
        var sawPoint = false
        var rest = Substring(text).utf8
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        while let byte = rest.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            rest.removeFirst()
            if byte == UInt8(ascii: ".") {
                sawPoint = true
            } else {
                digits.append(byte - UInt8(ascii: "0"))
                if sawPoint { exponent -= 1 }
            }
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return Integer(isNegative: isNegative, magnitude: 0) }
        if !rest.isEmpty {
            rest.removeFirst()
            // An exponent so large that a sum with it could overflow decides by its sign alone.
            guard let written = Int(Substring(rest)), written.magnitude < Int.max.magnitude >> 1 else {
                throw rest.first == UInt8(ascii: "-") ? .notAnInteger : .outOfRange
            }
            exponent += written
        }
        guard exponent >= 0 else { throw .notAnInteger }
        return Integer(isNegative: isNegative, magnitude: try magnitude(digits, timesTenTo: exponent))
    }

    private static func magnitude(_ digits: [UInt8], timesTenTo exponent: Int) throws(JSONValueFault) -> UInt64 {
        var value: UInt64 = 0
        for digit in digits + Array(repeating: 0, count: min(exponent, 20)) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else { throw .outOfRange }
            value = sum
        }
        return value
    }

    /// The nearest floating-point value to a number's text.
    /// - Throws: `notANumber`, or `outOfRange` if the nearest value is infinite.
    static func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ text: String, as type: Value.Type
    ) throws(JSONValueFault) -> Value {
        guard isNumber(text), let value = Value(text) else { throw .notANumber }
        guard value.isFinite else { throw .outOfRange }
        return value
    }

    /// The shortest text that reads back as the same finite value.
    static func text<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Value) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
