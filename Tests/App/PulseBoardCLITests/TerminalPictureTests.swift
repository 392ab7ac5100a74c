import Foundation
import ProfileImages
import PulseBoardMessages
import RPCCore
import Testing

@testable import PulseBoardCLI

/// Pictures in terminals. `ImageTests` passes them to other programs.
@Suite struct TerminalPictureTests {
    @Test("The way follows what the terminal says of itself; within tmux and screen there is none", arguments: [
            (["TERM": "xterm-kitty"], TerminalPicture.kitty), (["TERM": "xterm-ghostty"], .kitty),
            (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
        (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], .none), (["TERM": "screen", "TERM_PROGRAM": "iTerm.app"], .none),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm2), (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm2),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm2), (["TERM": "foot"], .sixel), (["TERM": "sixels"], .sixel),
        (["TERM": "xterm-256color"], .none), (["TERM": "dumb"], .none), ([:], .none),
    ])
    func way(variables: [String: String], expected: TerminalPicture) {
        let way = TerminalPicture(variables: variables) { $0 == "sixels" ? Data("x\0AX\0Sxl\0".utf8) : Data("x\0AX\0".utf8) }
        #expect(way == expected)
    }

    @Test("terminfo entries come from the folders of ncurses, and no name leads elsewhere")
    func terminfo() throws {
        let home = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: home.path + "/.terminfo/m", withIntermediateDirectories: true)
        try Data("entry".utf8).write(to: URL(filePath: home.path + "/.terminfo/m/mine"))
        #expect(TerminalPicture.terminfo("mine", variables: ["HOME": home.path]) == Data("entry".utf8))
        #expect(TerminalPicture.terminfo("../m/mine", variables: ["HOME": home.path]) == nil)
        #expect(TerminalPicture.terminfo("", variables: [:]) == nil)
    }

    /// Two by two pixels: red and blue above, green and nothing below.
    static let picture = PicturePixels(side: 2, rgba: [255, 0, 0, 255, 0, 0, 255, 255, 0, 255, 0, 255, 0, 0, 0, 0])

    @Test("kitty gets the pixels, in parts of 4,096 bytes of base64")
    func kitty() throws {
        #expect(TerminalPicture.kitty.text(of: Self.picture) == "\u{1B}_Ga=T,f=32,s=2,v=2,q=2,m=0;/wAA/wAA//8A/wD/AAAAAA==\u{1B}\\\n")
        let large = PicturePixels(side: 40, rgba: (0..<6_400).map { UInt8($0 % 251) })
        let parts = TerminalPicture.kitty.text(of: large).matches(of: #/\x1B_G([^;]*);([^\x1B]*)\x1B\\/#)
        #expect(parts.map { String($0.1) } == ["a=T,f=32,s=40,v=40,q=2,m=1", "m=1", "m=0"])
        #expect(parts.allSatisfy { $0.2.utf8.count <= 4_096 })
        #expect(Data(base64Encoded: parts.map { String($0.2) }.joined()) == Data(large.rgba))
    }

    @Test("sixels name each colour once, go by six rows, and leave out what is not seen")
    func sixel() {
        // Red and green are in the first column, one below the other; blue is in the second.
        #expect(
            TerminalPicture.sixel.text(of: Self.picture)
                == "\u{1B}P0;1;0q\"1;1;2;2#5;2;0;0;100#30;2;0;100;0#180;2;100;0;0#5?@$#30A?$#180@?$-\u{1B}\\\n")
        let gray = PicturePixels(side: 12, rgba: (0..<144).flatMap { _ in [255, 255, 255, 255] as [UInt8] })
        #expect(TerminalPicture.sixel.text(of: gray) == "\u{1B}P0;1;0q\"1;1;12;12#215;2;100;100;100#215!12~$-#215!12~$-\u{1B}\\\n")
    }

    @Test("iTerm2 gets a file, and no way draws nothing")
    func others() {
        let text = TerminalPicture.iterm2.text(of: Self.picture)
        #expect(text.hasPrefix("\u{1B}]1337;File=inline=1;size=\(Self.picture.png.count);width=2px;height=2px:iVBORw0KGgo"))
        #expect(text.hasSuffix("\u{07}\n"))
        #expect(TerminalPicture.none.text(of: Self.picture) == "")
    }

    @Test("Where no picture can be drawn, its path and its size are shown")
    func elsewhere() async throws {
        var profile = ProgramTests.profile
        profile.image = PBProfileImage(path: "users/u-1/images/i-1", contentType: "image/webp")
        let shown = profile
        let program = try TestProgram([
            "GetMyProfile": { (_, _) throws(RPCError) in shown },
            "GetProfileImage": { (_, _) throws(RPCError) in PBGetProfileImageResponse(data: [UInt8](repeating: 1, count: 1_540)) },
        ])
        try program.signIn()
        #expect(try await program.run("profile", "show") == 0)
        #expect(program.standardOutput.contains("picture  users/u-1/images/i-1 (1,540 bytes)\n"), "\(program.standardOutput)")
    }
}
