/// `grpc-timeout`: at most eight digits and a unit (PROTOCOL-HTTP2.md, “Timeout”).
enum Timeout {
    private static let longestNumber = 8

    /// Nanoseconds of a header value, `Int64.max` where there are more; nil when it is none.
    static func read(_ value: UnsafeRawBufferPointer) -> Int64? {
        guard let unit = value.last.flatMap(nanoseconds), value.count >= 2, value.count <= longestNumber + 1 else { return nil }
        var number: Int64 = 0
        for digit in value.dropLast() {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? .max : product
    }

    /// The same as a call's: 0 is for none, so one of no time is negative.
    static func ofCall(_ value: UnsafeRawBufferPointer) -> Int64? { read(value).map { $0 == 0 ? -1 : $0 } }

    /// The header value for so many nanoseconds: the finest unit that has room, rounded up, so that a call is never cut short.
    static func text(nanoseconds: Int64) -> String {
        let most: Int64 = 99_999_999
        for (unit, name) in [(1, "n"), (1_000, "u"), (1_000_000, "m"), (1_000_000_000, "S"), (60_000_000_000, "M")] as [(Int64, String)] {
            let number = nanoseconds / unit + (nanoseconds % unit > 0 ? 1 : 0)
            if number <= most { return "\(max(1, number))\(name)" }
        }
        return "\(min(most, nanoseconds / 3_600_000_000_000 + 1))H"
    }

    private static func nanoseconds(_ unit: UInt8) -> Int64? {
        switch unit {
        case UInt8(ascii: "H"): 3_600_000_000_000
        case UInt8(ascii: "M"): 60_000_000_000
        case UInt8(ascii: "S"): 1_000_000_000
        case UInt8(ascii: "m"): 1_000_000
        case UInt8(ascii: "u"): 1_000
        case UInt8(ascii: "n"): 1
        default: nil
        }
    }
}
