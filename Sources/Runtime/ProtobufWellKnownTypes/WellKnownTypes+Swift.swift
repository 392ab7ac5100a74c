import ProtobufC

extension Google_Protobuf_Any {
    /// Packs a message. The type URL is `type.googleapis.com/` and the full name, which every implementation knows.
    ///
    ///     let packed = try Google_Protobuf_Any(packing: HelloRequest(name: "world"))
    /// - Throws: ``ProtobufC/EncodingError`` when the message cannot be written.
    public init<Content: Message>(packing message: Content) throws(EncodingError) {
        self.init(
            typeURL: "type.googleapis.com/" + Content.descriptor.fullName, value: try message.serializedBytes())
    }

    /// The full name of the packed message: the text after the last slash of `typeURL`. Empty if there is no slash.
    public var messageName: Substring {
        guard let slash = typeURL.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return typeURL[typeURL.utf8.index(after: slash)...]
    }

    /// Whether a `Content` is packed.
    public func holds<Content: Message>(_ type: Content.Type) -> Bool {
        // `==` takes time that grows with the square of the combining marks in a name, and anybody can send any name.
        messageName.utf8.elementsEqual(Content.descriptor.fullName.utf8)
    }

    /// The packed message, or nil if it is not a `Content`.
    ///
    ///     if let request = try packed.unpack(as: HelloRequest.self) { print(request.name) }
    /// - Throws: ``ProtobufC/DecodingError`` if its type is `Content` but its bytes cannot be decoded.
    public func unpack<Content: Message>(as type: Content.Type = Content.self) throws(DecodingError) -> Content? {
        holds(type) ? try Content(serializedBytes: value) : nil
    }
}

extension Google_Protobuf_Duration {
    /// The seconds a duration may have: 10,000 years either way (duration.proto).
    public static let validSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

    /// Whether it spans at most 10,000 years and `nanos` is a fraction of a second with the sign of `seconds`.
    public var isValid: Bool {
        Self.validSeconds.contains(seconds) && (-999_999_999...999_999_999).contains(nanos)
            && (seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0))
    }

    /// The same span in whole nanoseconds, rounded towards zero, and at most 10,000 years.
    ///
    ///     let pause = Google_Protobuf_Duration(.milliseconds(1500))
    ///     print(pause.seconds, pause.nanos)       // 1 500000000
    public init(_ duration: Swift.Duration) {
        let (seconds, attoseconds) = duration.components
        if seconds >= Self.validSeconds.upperBound {
            self.init(seconds: Self.validSeconds.upperBound)
        } else if seconds <= Self.validSeconds.lowerBound {
            self.init(seconds: Self.validSeconds.lowerBound)
        } else {
            self.init(seconds: seconds, nanos: Int32(attoseconds / 1_000_000_000))
        }
    }
}

extension Swift.Duration {
    /// The same span; nil if `duration` is not valid.
    ///
    ///     guard let pause = Duration(received) else { throw RPCError(.invalidArgument, "the pause is no valid duration") }
    ///     try await Task.sleep(for: pause)
    public init?(_ duration: Google_Protobuf_Duration) {
        guard duration.isValid else { return nil }
        self = .seconds(duration.seconds) + .nanoseconds(Int64(duration.nanos))
    }
}

extension Google_Protobuf_Timestamp {
    /// The seconds a timestamp may have, from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z (timestamp.proto).
    public static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Whether the instant lies in the years 1 to 9999 and `nanos` is a fraction of a second that counts forward.
    public var isValid: Bool {
        Self.validSeconds.contains(seconds) && (0...999_999_999).contains(nanos)
    }

    /// The instant that is `microseconds` after 1970-01-01T00:00:00Z, or before it if negative. Stores use this form.
    ///
    ///     let time = Google_Protobuf_Timestamp(microsecondsSinceEpoch: 1_500_000)
    ///     print(try time.jsonString())            // "1970-01-01T00:00:01.500Z"
    public init(microsecondsSinceEpoch microseconds: Int64) {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // `nanos` counts forward, also before 1970.
        let fraction = remainder < 0 ? remainder + 1_000_000 : remainder
        self.init(seconds: remainder < 0 ? quotient - 1 : quotient, nanos: Int32(fraction * 1_000))
    }

    /// Microseconds since 1970-01-01T00:00:00Z, rounded down; nil if the timestamp
    /// is not valid.
    public var microsecondsSinceEpoch: Int64? {
        isValid ? seconds * 1_000_000 + Int64(nanos / 1_000) : nil
    }
}
