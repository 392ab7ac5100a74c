import Testing

@testable import PulseBoardDomain

@Suite("Base64URL") struct Base64URLTests {
    @Test("base64url is RFC 4648's without padding, and is read in one spelling only")
    func base64url() {
        for (bytes, text) in [([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"), ([0xFB, 0xFF], "-_8")]
            as [([UInt8], String)]
        {
            #expect(Base64URL.encode(bytes) == text)
            #expect(Base64URL.decode(text) == bytes)
        }
        for text in ["Zh", "Z", "Zg==", "Z g", "+/8", "Zm9vZ"] { #expect(Base64URL.decode(text) == nil) }
    }
}
