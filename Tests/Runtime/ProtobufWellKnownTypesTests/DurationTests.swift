import ProtobufWellKnownTypes
import Testing

@Suite struct DurationTests {
    @Test("a duration becomes protobuf's, both parts with one sign, and comes back", arguments: [
        (.zero, 0, 0), (.nanoseconds(1), 0, 1), (.nanoseconds(-1), 0, -1), (.milliseconds(1_500), 1, 500_000_000),
        (.milliseconds(-1_500), -1, -500_000_000), (.seconds(315_576_000_000), 315_576_000_000, 0),
    ] as [(Duration, Int64, Int32)])
    func conversion(duration: Duration, seconds: Int64, nanos: Int32) {
        let message = Google_Protobuf_Duration(duration)
        #expect(message == Google_Protobuf_Duration(seconds: seconds, nanos: nanos))
        #expect(Duration(message) == duration)
    }

    @Test("the rest of a nanosecond is cut off towards zero")
    func rest() {
        let almostTwo = Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999)
        #expect(Google_Protobuf_Duration(almostTwo).nanos == 1)
        #expect(Google_Protobuf_Duration(.zero - almostTwo).nanos == -1)
    }

    @Test("more than 10,000 years becomes 10,000 years")
    func saturation() {
        #expect(Google_Protobuf_Duration(.seconds(Int64.max)).seconds == 315_576_000_000)
        #expect(Google_Protobuf_Duration(.seconds(Int64.min)).seconds == -315_576_000_000)
        #expect(Google_Protobuf_Duration(.seconds(Int64.min)).isValid)
    }

    @Test("a duration that a peer made up is not valid", arguments: [
        (1, -1), (-1, 1), (0, 1_000_000_000), (0, -1_000_000_000), (315_576_000_001, 0), (Int64.min, 0),
    ] as [(Int64, Int32)])
    func invalid(seconds: Int64, nanos: Int32) {
        #expect(Duration(Google_Protobuf_Duration(seconds: seconds, nanos: nanos)) == nil)
    }
}
