import Foundation
import Testing

@testable import DiarySealing

@Suite("Sealing diaries") struct DiarySealingTests {
    private static let one = String(repeating: "1a", count: 32), two = String(repeating: "2B", count: 32)

    private func keys(_ lines: String...) throws -> DiaryKeys { try DiaryKeys(text: lines.joined(separator: "\n"), path: "keys") }

    @Test("a piece opens with its key at its place, and nowhere else; no two are alike")
    func pieces() throws {
        let seal = DiarySeal(try keys(Self.one))
        let sealed = try seal.seal([1, 2, 3], at: [7])
        #expect(sealed.count == 3 + DiarySeal.overhead)
        #expect(try seal.seal([1, 2, 3], at: [7]) != sealed)
        #expect(try seal.open(sealed, at: [7]) == [1, 2, 3])
        #expect(try seal.open(try seal.seal([], at: []), at: []) == [])
        #expect(throws: DiarySealError.damaged) { try seal.open(sealed, at: [8]) }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: DiarySealError.self) { try seal.open(changed, at: [7]) }
        }
        #expect(throws: DiarySealError.damaged) { try seal.open(Array(sealed.dropLast()), at: [7]) }
        #expect(throws: DiarySealError.damaged) { try seal.open([], at: [7]) }
    }

    @Test("the first key writes, the others read; a key that is missing is named")
    func rotation() throws {
        let old = DiarySeal(try keys(Self.one)), both = DiarySeal(try keys("# newest", Self.two, "", Self.one)), new = DiarySeal(try keys(Self.two))
        let sealed = try old.seal([5], at: [])
        #expect(try both.open(sealed, at: []) == [5])
        #expect(DiarySeal.key(of: try both.seal([5], at: [])) == new.keys.newest)
        #expect(throws: DiarySealError.keyMissing(old.keys.newest)) { try new.open(sealed, at: []) }
        let none = DiarySeal(try keys("none", Self.one))
        #expect(!none.isSealing)
        #expect(try none.seal([5], at: []) == [5])
        #expect(try none.open(sealed, at: []) == [5])
        let windows = DiarySeal(try DiaryKeys(text: "# newest\r\n\(Self.two)\r\n\(Self.one)\r\n", path: "keys"))
        #expect(try windows.open(sealed, at: []) == [5])
    }

    @Test("a file of keys that is no good is refused, with the line and no part of a key", arguments: [
        "", "# nothing\n", "none", "zz", "1a1a", String(repeating: "1a", count: 33), "\(Self.one)\n\(Self.one)", "\(Self.one)\nnone",
    ])
    func malformed(text: String) {
        #expect { try DiaryKeys(text: text, path: "keys") } throws: { error in
            guard let error = error as? DiaryKeyFileError else { return false }
            return [error.phrase.english, error.phrase.korean].allSatisfy { !$0.contains("1a1a1a") && $0.contains("keys") }
                && error.phrase.korean.contains("키")
        }
    }

    @Test("a file that others may read is refused, and so is one that is not there")
    func openFile() throws {
        let path = FileManager.default.temporaryDirectory.path + "/pb-keys-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: DiaryKeyFileError.self) { try DiaryKeys(path: path) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(Self.one.utf8), attributes: [.posixPermissions: 0o640]))
        #expect(throws: DiaryKeyFileError(path: path, problem: .open)) { try DiaryKeys(path: path) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try DiaryKeys(path: path).ids.count == 1)
        // Root checks the file of a server that runs as another user, but serves none of another user's.
        if geteuid() == 0, chown(path, 12_345, 12_345) == 0 {
            #expect(throws: DiaryKeyFileError(path: path, problem: .open)) { try DiaryKeys(path: path) }
            #expect(try DiaryKeys(path: path, ofAnybody: true).ids.count == 1)
        }
        // Opening a pipe would wait for its writer.
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: DiaryKeyFileError.self) { try DiaryKeys(path: path) }
    }
}
