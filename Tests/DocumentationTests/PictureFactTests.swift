import PulseBoardDomain
import Testing

/// The program in C and the rest of PulseBoard agree about pictures.
@Suite struct PictureFactTests {
    @Test("the largest picture is the same in picture.h and in ImageLimits")
    func largest() throws {
        let header = try Page("Sources/App/pulseboard-image/picture.h").text
        let bytes = try #require(try /MAX_INPUT = (\d+) << 20,/.firstMatch(in: header)?.1)
        let megapixels = try #require(try /MAX_PIXELS = (\d+) \* 1000000,/.firstMatch(in: header)?.1)
        #expect(Int(bytes).map { $0 << 20 } == ImageLimits.maximumUploadBytes)
        #expect(Int(megapixels).map { $0 * 1_000_000 } == ImageLimits.maximumPixels)
    }
}
