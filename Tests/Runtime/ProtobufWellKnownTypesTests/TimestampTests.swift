import ProtobufWellKnownTypes
import Testing

@Suite struct TimestampTests {
    @Test("B14: microseconds since the epoch become a timestamp and come back, before 1970 too", arguments: [
        (0, 0, 0), (1, 0, 1_000), (999_999, 0, 999_999_000), (1_000_000, 1, 0), (-1, -1, 999_999_000),
        (-1_000_000, -1, 0), (-1_000_001, -2, 999_999_000), (1_700_000_000_123_456, 1_700_000_000, 123_456_000),
        (-62_135_596_800_000_000, -62_135_596_800, 0), (253_402_300_799_999_999, 253_402_300_799, 999_999_000),
    ] as [(Int64, Int64, Int32)])
    func microseconds(microseconds: Int64, seconds: Int64, nanos: Int32) {
        let timestamp = Google_Protobuf_Timestamp(microsecondsSinceEpoch: microseconds)
        #expect(timestamp == Google_Protobuf_Timestamp(seconds: seconds, nanos: nanos))
        #expect(timestamp.microsecondsSinceEpoch == microseconds)
    }

    @Test("the rest of a microsecond is cut off towards the past", arguments: [(0, 999, 0), (-1, 999_999_999, -1)])
    func rest(seconds: Int64, nanos: Int32, microseconds: Int64) {
        let timestamp = Google_Protobuf_Timestamp(seconds: seconds, nanos: nanos)
        #expect(timestamp.microsecondsSinceEpoch == microseconds)
    }

    @Test("any number of microseconds makes a timestamp; years beyond 1…9999 are not valid", arguments: [
        Int64.min, Int64.max, -62_135_596_800_000_001, 253_402_300_800_000_000,
    ])
    func outOfRange(microseconds: Int64) {
        let timestamp = Google_Protobuf_Timestamp(microsecondsSinceEpoch: microseconds)
        #expect((0...999_999_999).contains(timestamp.nanos))
        #expect(timestamp.microsecondsSinceEpoch == nil)
    }

    @Test("a timestamp that a peer made up is not valid", arguments: [
        (0, -1), (0, 1_000_000_000), (Int64.max, 0), (Int64.min, 0), (253_402_300_800, 0), (-62_135_596_801, 999_999_999),
    ] as [(Int64, Int32)])
    func invalid(seconds: Int64, nanos: Int32) {
        #expect(Google_Protobuf_Timestamp(seconds: seconds, nanos: nanos).microsecondsSinceEpoch == nil)
    }
}
