import CNGHTTP2
import ProtobufC
import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// Single header names and values.
@Suite struct HeaderValueTests {
    private func raw<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Array(text.utf8).withUnsafeBytes(body)
    }

    @Test(
        "grpc-timeout: up to eight digits and a unit",
        arguments: [
            ("1n", 1), ("99999999n", 99_999_999), ("5u", 5_000), ("20m", 20_000_000), ("3S", 3_000_000_000),
            ("2M", 120_000_000_000), ("1H", 3_600_000_000_000), ("0S", 0), ("99999999H", Int64.max),
        ])
    func timeouts(_ text: String, _ nanoseconds: Int64) {
        #expect(raw(text, Timeout.read) == nanoseconds)
    }

    @Test(
        "what is no timeout is refused", arguments: ["", "n", "1", "1x", "-1n", "+1n", "1 n", "123456789n", "1.5S", "1nn", "0x1n"])
    func noTimeouts(_ text: String) {
        #expect(raw(text, Timeout.read) == nil)
    }

    @Test("a timeout that is written is read as no less, and less than a thousandth more, a nanosecond aside")
    func timeoutRoundTrip() throws {
        var nanoseconds: Int64 = 1
        while nanoseconds < Int64.max / 4 {
            for value in [nanoseconds, nanoseconds + 1, nanoseconds * 2 - 1] {
                let text = Timeout.text(nanoseconds: value)
                #expect(text.utf8.count <= 9)
                let read = try #require(raw(text, Timeout.read), "\(text)")
                #expect(read >= value)
                #expect(Double(read - value) <= Double(value) / 1000 + 1)
            }
            nanoseconds *= 3
        }
    }

    @Test("grpc-message: printable ASCII stays, but for the percent sign; all else is encoded, and comes back")
    func percentEncoding() {
        #expect(PercentEncoding.encode("a ~b".utf8) == Array("a ~b".utf8))
        #expect(PercentEncoding.encode(" a ".utf8) == Array("%20a%20".utf8))
        #expect(PercentEncoding.encode("100%".utf8) == Array("100%25".utf8))
        #expect(PercentEncoding.encode("\t☺\n".utf8) == Array("%09%E2%98%BA%0A".utf8))
        for text in ["", " ", " x ", "안녕\u{0}\u{7F}", "%%41", "\r\n", String(decoding: 0..<128 as Range<UInt8>, as: UTF8.self)] {
            #expect(PercentEncoding.decode(PercentEncoding.encode(text.utf8)) == text)
        }
    }

    @Test("what is no percent-encoding is kept as it is, as the specification demands")
    func lenientDecoding() {
        for text in ["%", "%4", "%zz", "a%", "%%"] { #expect(PercentEncoding.decode(text.utf8) == text) }
        #expect(PercentEncoding.decode("%e2%98%ba%".utf8) == "☺%")
        #expect(PercentEncoding.decode("%FF".utf8) == "\u{FFFD}")
    }

    @Test("names that gRPC knows are told apart by their bytes, and what HTTP/2 forbids is told from metadata")
    func names() {
        let names: [(String, HeaderName)] = [
            (":method", .method), (":scheme", .scheme), (":authority", .authority), (":path", .path), (":status", .status),
            ("te", .te), ("content-type", .contentType), ("grpc-timeout", .timeout), ("grpc-encoding", .encoding),
            ("grpc-accept-encoding", .acceptEncoding), ("grpc-status", .grpcStatus), ("grpc-message", .grpcMessage),
            ("grpc-status-details-bin", .statusDetails), ("user-agent", .userAgent), ("grpc-trace-bin", .passedOver), ("host", .host),
            ("content-length", .contentLength), ("connection", .forbidden), ("keep-alive", .forbidden), ("upgrade", .forbidden),
            ("transfer-encoding", .forbidden), ("proxy-connection", .forbidden), ("X-Upper", .forbidden), ("a b", .forbidden), ("", .forbidden),
            (":other", .forbidden), ("grpc-x", .passedOver), ("grpc-Foo", .forbidden), ("grpc-x y", .forbidden),
            ("x-é", .forbidden), ("x-one", .metadata), ("authorization", .metadata), ("grp-status", .metadata),
        ]
        for (name, kind) in names { #expect(raw(name) { HeaderName($0) } == kind, "\(name)") }
    }

    private func received(_ pairs: [(String, String)]) throws -> Metadata {
        var metadata = Metadata()
        for (name, value) in pairs {
            try raw(name) { name in
                try raw(value) { value in try MetadataHeaders.append(name: name, value: value, to: &metadata) }
            }
        }
        return metadata
    }

    @Test("binary values come padded or not, several in one header, and stand in the metadata as unpadded base64")
    func binaryMetadata() throws {
        let metadata = try received([("a-bin", "YWI="), ("a-bin", "YWI"), ("b-bin", "YQ==,YWJj, YWI,"), ("plain", "a,b")])
        #expect(metadata.values(for: "a-bin") == ["YWI", "YWI"])
        #expect(metadata.values(for: "b-bin") == ["YQ", "YWJj", "YWI", ""])
        #expect(metadata.values(for: "plain") == ["a,b"])
        #expect(throws: MetadataHeaders.Refusal.notBase64) { try received([("a-bin", "Y")]) }
        #expect(throws: MetadataHeaders.Refusal.controlCharacter) { try received([("a", "x\u{0}y")]) }
        let latin: [UInt8] = [UInt8(ascii: "x"), 0xE9]
        var others = Metadata()
        try raw("a") { name in try latin.withUnsafeBytes { try MetadataHeaders.append(name: name, value: $0, to: &others) } }
        #expect(others.count == 0, "a value that HTTP permits and gRPC does not is left out")
        #expect(throws: MetadataHeaders.Refusal.tooMany) { try received(Array(repeating: ("a", "1"), count: 129)) }
    }

    @Test("base64 is kept, less padding and spaces and in the standard alphabet, exactly where it can be decoded")
    func plainBase64() {
        var random = SeededRandom(seed: 64)
        let characters = Array("ABQgwxyz0129+/-_= ,!")
        var validCount = 0
        for _ in 0..<10_000 {
            let text = String((0..<Int.random(in: 0...7, using: &random)).map { _ in characters.randomElement(using: &random)! })
            let padded = text + String(repeating: "=", count: Int.random(in: 0...2, using: &random))
            let expected = Base64.decode(padded).map { MetadataHeaders.base64($0) }
            // Spaces are permitted only around it.
            guard padded.first != " ", padded.last != " " else { continue }
            #expect(raw(padded, MetadataHeaders.plainBase64) == expected, "\(padded)")
            #expect(raw("  \(padded) ", MetadataHeaders.plainBase64) == expected, "\(padded)")
            validCount += expected == nil ? 0 : 1
        }
        #expect(validCount > 200)
    }

    @Test("what a program sets is sent only where HTTP/2 can carry it and gRPC does not use the name itself")
    func sentMetadata() {
        var headers = HeaderBlock()
        MetadataHeaders.append(
            [
                "x-one": " 1 ", "x-bin": "YWI=", "grpc-status": "0", ":path": "/", "te": "x", "content-type": "x", "x-text": "안녕", "x-line": "a\nb",
                "y-bin": "not base64!",
            ], to: &headers)
        let sent = headers.withFields { fields, count in
            (0..<count).map { index in
                let field = fields![index]
                let name = String(decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self)
                return name + "=" + String(decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
            }
        }
        #expect(sent == ["x-one=1", "x-bin=YWI"])
    }
}
