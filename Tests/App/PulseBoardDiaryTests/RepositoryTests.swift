import PulseBoardDiary
import PulseBoardDomain
import PulseBoardVocabulary
import Testing

/// Tests for every ``DiaryRepository``, run on all three implementations: B23, B24.
@Suite("Diary repositories") struct RepositoryTests {
    enum Kind: CaseIterable { case local, remote, combined }

    /// Runs `body` with an empty repository of a kind.
    private func with(_ kind: Kind, _ body: (any DiaryRepository) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        if kind == .local { return try await body(LocalDiaryRepository(try directory.diary("here"))) }
        let board = try await Board(directory)
        let account = try await board.enter("minji")
        let result: Result<Void, any Error>
        do {
            if kind == .remote {
                try await body(RemoteDiaryRepository(account.client, device: DiaryDeviceID(bits: UUIDBits(high: 7, low: 7))))
            } else {
                let file = try directory.diary("here")
                try await file.attach(to: account.user)
                try await body(CombinedDiaryRepository(file, server: account.client))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await board.close()
        try result.get()
    }

    @Test("B22, B23, B35: an entry is saved, read, changed and deleted; deleting it again is no error", arguments: Kind.allCases)
    func oneEntry(kind: Kind) async throws {
        try await with(kind) { diary in
            let made = try await diary.save(content("맑음"), as: entryID(1))
            #expect(made.content == content("맑음"))
            #expect(try await diary.entry(entryID(1)) == made)
            #expect(try await diary.save(content("맑음"), as: entryID(1)) == made)
            await #expect(throws: DiaryError.diary(.entryExists(entryID(1)))) { try await diary.save(content("흐림"), as: entryID(1)) }
            let changed = try await diary.update(entryID(1), DiaryChange(emotion: "", text: "흐림"), ifMatches: made.etag)
            #expect(changed.content == content("흐림", emotion: ""))
            #expect(changed.etag != made.etag && changed.updateTime > made.updateTime && changed.createTime == made.createTime)
            // The retry of a change that was made.
            #expect(try await diary.update(entryID(1), DiaryChange(text: "흐림"), ifMatches: made.etag) == changed)
            await #expect(throws: DiaryError.etagMismatch) {
                try await diary.update(entryID(1), DiaryChange(text: "비"), ifMatches: made.etag)
            }
            for _ in 0..<2 { try await diary.delete(entryID(1)) }
            await #expect(throws: DiaryError.diary(.entryNotFound(entryID(1)))) { try await diary.entry(entryID(1)) }
            await #expect(throws: DiaryError.diary(.entryNotFound(entryID(1)))) {
                try await diary.update(entryID(1), DiaryChange(text: "비"), ifMatches: nil)
            }
            #expect(try await diary.entries(.all, PageRequest()).entries.isEmpty)
        }
    }

    @Test("B24, X16, promise 6: pages have each entry once, the newest first and by id within an instant; filters choose", arguments: Kind.allCases)
    func lists(kind: Kind) async throws {
        try await with(kind) { diary in
            for number in 1...7 {
                _ = try await diary.save(
                    content("text \(number) 50%", at: Int64(number / 2), emotion: number % 2 == 0 ? "calm" : "sad"), as: entryID(number))
            }
            var listed: [DiaryEntryID] = []
            var token = ""
            repeat {
                let page = try await diary.entries(.all, PageRequest(size: 2, token: token))
                listed += page.entries.map(\.id)
                token = page.nextToken?.text ?? ""
            } while !token.isEmpty
            #expect(listed == [7, 6, 5, 4, 3, 2, 1].map(entryID))
            let found = { (filter: DiaryFilter) in try await diary.entries(filter, PageRequest()).entries.map(\.id) }
            let second = content("", at: 1).entryTime
            #expect(try await found(DiaryFilter(times: second..<second.advanced(by: .seconds(2)))) == [5, 4, 3, 2].map(entryID))
            #expect(try await found(DiaryFilter(emotion: "calm")) == [6, 4, 2].map(entryID))
            #expect(try await found(DiaryFilter(text: "TEXT 3")) == [entryID(3)])
            #expect(try await found(DiaryFilter(text: "50%")).count == 7)
            #expect(try await found(DiaryFilter(text: "5_%")).isEmpty)
            await #expect(throws: DiaryError.self) { try await diary.entries(.all, PageRequest(size: 2, token: "nonsense")) }
            await #expect(throws: DiaryError.self) { try await found(DiaryFilter(emotion: "NO")) }
        }
    }

    @Test("B24: an empty emotion or text of a filter is refused, and does not select every entry or those without", arguments: Kind.allCases)
    func emptyFilters(kind: Kind) async throws {
        try await with(kind) { diary in
            _ = try await diary.save(content("without", emotion: ""), as: entryID(1))
            _ = try await diary.save(content("with", emotion: "calm"), as: entryID(2))
            let emotion = ValidationError(field: "emotion", reason: .emotionInvalid)
            await #expect(throws: DiaryError.invalid(emotion)) { try await diary.entries(DiaryFilter(emotion: ""), PageRequest()) }
            let query = ValidationError(field: "query", reason: .queryInvalid, limit: DiaryLimits.maximumQueryCharacters)
            for text in ["", "\0", "with\0"] {
                await #expect(throws: DiaryError.invalid(query)) { try await diary.entries(DiaryFilter(text: text), PageRequest()) }
            }
            let violations = ValidationError(emotion.violations + query.violations)
            await #expect(throws: DiaryError.invalid(violations)) { try await diary.entries(DiaryFilter(emotion: "", text: ""), PageRequest()) }
        }
    }

    @Test("B22: an entry has up to four pictures, each as it was given; what was not added is in no entry", arguments: Kind.allCases)
    func pictures(kind: Kind) async throws {
        try await with(kind) { diary in
            // The second one has several parts.
            let bytes = [picture(1), picture(2, padding: 600_000)]
            var images: [DiaryImage] = []
            for one in bytes { images.append(try await diary.addImage(one)) }
            #expect(try await diary.addImage(bytes[0]) == images[0])
            #expect(images.map(\.byteCount) == bytes.map(\.count) && images.map(\.contentType) == ["image/png", "image/png"])
            let written = DiaryContent(stored: content("").entryTime, emotion: "", text: "two pictures", images: images)
            let made = try await diary.save(written, as: entryID(1))
            #expect(made.content.images == images)
            #expect(try await diary.entries(.all, PageRequest()).entries.map(\.content.images) == [images])
            for (image, one) in zip(images, bytes) { #expect(try await diary.image(image) == one) }
            let changed = try await diary.update(entryID(1), DiaryChange(images: [images[1]]), ifMatches: made.etag)
            #expect(changed.content.images == [images[1]] && changed.etag != made.etag)
            let stranger = DiaryImage(hash: try #require(DiaryImageHash(bytes: (0..<32).map { $0 })), contentType: "image/png", byteCount: 5)
            await #expect(throws: DiaryError.diary(.imageNotStaged)) {
                try await diary.save(DiaryContent(stored: written.entryTime, emotion: "", text: "", images: [stranger]), as: entryID(2))
            }
            await #expect(throws: DiaryError.diary(.imageNotStaged)) {
                try await diary.update(entryID(1), DiaryChange(images: [stranger]), ifMatches: nil)
            }
            await #expect(throws: DiaryError.diary(.imageNotFound)) { try await diary.image(stranger) }
            for bad in [Array("no picture".utf8), picture(3, padding: DiaryLimits.maximumImageBytes)] {
                await #expect(throws: DiaryError.self) { try await diary.addImage(bad) }
            }
            await #expect(throws: DiaryError.self) {
                try await diary.save(
                    DiaryContent(stored: written.entryTime, emotion: "", text: "", images: [images[0], images[0]]), as: entryID(2))
            }
        }
    }

    @Test("what breaks a rule is refused, and nothing is kept", arguments: Kind.allCases)
    func rules(kind: Kind) async throws {
        try await with(kind) { diary in
            for bad in [content("\u{1B}"), content("", emotion: "Sad"), content(String(repeating: "a", count: 10_001))] {
                await #expect(throws: DiaryError.self) { try await diary.save(bad, as: entryID(1)) }
            }
            let kept = try await diary.entries(.all, PageRequest()).entries
            #expect(kept.isEmpty)
        }
    }

    @Test("B33: a change is told", arguments: Kind.allCases)
    func changes(kind: Kind) async throws {
        try await with(kind) { diary in
            var changes = try await diary.changes().makeAsyncIterator()
            if kind == .remote {
                // The stream begins with the present state.
                _ = await changes.next()
            }
            _ = try await diary.save(content("news"), as: entryID(1))
            #expect(await changes.next() != nil)
        }
    }
}
