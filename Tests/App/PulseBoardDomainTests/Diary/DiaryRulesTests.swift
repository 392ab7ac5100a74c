import PulseBoardVocabulary
import Testing

@testable import PulseBoardDomain

@Suite("Diary rules") struct DiaryRulesTests {
    @Test("B35: a text is kept in NFC, with line breaks and tabs; an emotion is a word of small letters")
    func kept() throws {
        let content = try DiaryContent(entryTime: Timestamp(microseconds: 0), emotion: "very_calm", text: "\u{1112}\u{1161}\u{11AB}\t글\n끝")
        #expect(content.text.utf8.elementsEqual("한\t글\n끝".utf8))
        #expect(content.emotion == "very_calm")
        _ = try DiaryContent(entryTime: Timestamp(microseconds: 0), emotion: "", text: "")
    }

    @Test("every broken rule is named, each at its limit")
    func refused() throws {
        let latest = Timestamp(microseconds: DiaryLimits.entryTimes.upperBound)
        let error = #expect(throws: ValidationError.self) {
            _ = try DiaryContent(entryTime: latest.advanced(by: .seconds(1)), emotion: "Calm", text: "\u{1B}[2J")
        }
        #expect(error?.violations.map(\.reason) == [.entryTimeInvalid, .emotionInvalid, .diaryTextInvalidCharacters])
        _ = try DiaryContent(entryTime: latest, emotion: String(repeating: "a", count: 32), text: String(repeating: "가", count: 10_000))
        #expect(throws: ValidationError.self) {
            _ = try DiaryContent(entryTime: latest, emotion: String(repeating: "a", count: 33), text: "")
        }
        #expect(throws: ValidationError.self) {
            _ = try DiaryContent(entryTime: latest, emotion: "", text: String(repeating: "가", count: 10_001))
        }
        #expect(throws: ValidationError.self) {
            // 8,000 characters of 25 bytes.
            _ = try DiaryContent(entryTime: latest, emotion: "", text: String(repeating: "👨‍👩‍👧‍👦", count: 8_000))
        }
    }

    @Test("a mutation from outside is refused when its text is in another form, and when it names no base")
    func mutations() throws {
        let stamp = DiaryStamp(time: 1, device: deviceID(0))
        let decomposed = DiaryContent(stored: Timestamp(microseconds: 0), emotion: "", text: "\u{1112}\u{1161}\u{11AB}")
        #expect(throws: ValidationError.self) { try DiaryMutation(entryID: entryID(1), stamp: stamp, kind: .create(decomposed)).check() }
        let baseless = DiaryPatch(values: [.text: .text("a")], bases: [:])
        #expect(throws: ValidationError.self) { try DiaryMutation(entryID: entryID(1), stamp: stamp, kind: .patch(baseless)).check() }
        #expect(throws: ValidationError.self) { try DiaryMutation(entryID: entryID(1), stamp: stamp, kind: .dismiss([])).check() }
        #expect(throws: ValidationError.self) { try DiaryMutation(entryID: entryID(1), stamp: .none, kind: .create(.example(1))).check() }
        try DiaryMutation(entryID: entryID(1), stamp: stamp, kind: .create(.example(1))).check()
    }

    @Test("a first picture replaces nothing, whatever base its author names, and needs none")
    func firstPicture() throws {
        let hash = try #require(DiaryImageHash(bytes: [UInt8](repeating: 1, count: 32)))
        let pictures = DiaryValue.images([DiaryImage(hash: hash, contentType: "image/png", byteCount: 3)])
        let created = DiaryStamp(time: 1, device: deviceID(0)), edited = DiaryStamp(time: 3, device: deviceID(0))
        // Without a base; with that of an edit of the pictures that was rejected; with that of the creation, which set none.
        for bases in [[:], [.images: DiaryStamp(time: 2, device: deviceID(0))], [.images: created]] as [[DiaryField: DiaryStamp]] {
            var row: DiaryRow?
            _ = DiaryMerge.apply(DiaryMutation(entryID: entryID(1), stamp: created, kind: .create(.example(1))), to: &row)
            let patch = DiaryMutation(
                entryID: entryID(1), stamp: edited, kind: .patch(DiaryPatch(values: [.images: pictures], bases: bases)))
            try patch.check()
            #expect(DiaryMerge.apply(patch, to: &row) == .applied)
            let whole = try #require(row)
            // A device would refuse a conflict that nobody has written.
            try whole.check()
            #expect(whole.conflicts.isEmpty && whole[.images].value == pictures && whole[.images].stamp == edited)
        }
        // Every other field needs its base.
        let both = DiaryPatch(values: [.images: pictures, .text: .text("a")], bases: [:])
        #expect(throws: ValidationError.self) { try DiaryMutation(entryID: entryID(1), stamp: edited, kind: .patch(both)).check() }
    }

    @Test("the clock of a device goes past what it has seen, although the other device is a day ahead")
    func clock() {
        let day: Int64 = 86_400_000_000
        var ahead = DiaryClock(), here = DiaryClock()
        let first = ahead.stamp(at: Timestamp(microseconds: 2 * day), on: deviceID(0))
        var row: DiaryRow?
        _ = DiaryMerge.apply(DiaryMutation(entryID: entryID(1), stamp: first, kind: .create(.example(1))), to: &row)
        guard let row else { return }
        here.observe(row)
        let second = here.stamp(at: Timestamp(microseconds: day), on: deviceID(1))
        #expect(second > first)
        #expect(second.time == first.time + 1)
        // It advances even if the clock stands still.
        #expect(here.stamp(at: Timestamp(microseconds: day), on: deviceID(1)) > second)
    }

    @Test("stored bytes that are no row or no mutation are recognised, wherever they end")
    func damagedBytes() {
        var row = DiaryRow(content: .example(7), stamp: DiaryStamp(time: 9, device: deviceID(0)))
        row.conflicts = [DiaryConflict(field: .text, stamp: DiaryStamp(time: 8, device: deviceID(1)), value: .text("lost"))]
        let bytes = row.bytes
        #expect(DiaryRow(bytes: bytes) == row)
        for count in 0..<bytes.count { #expect(DiaryRow(bytes: Array(bytes.prefix(count))) == nil) }
        #expect(DiaryRow(bytes: bytes + [0]) == nil)
        let mutation = DiaryMutation(entryID: entryID(3), stamp: DiaryStamp(time: 9, device: deviceID(0)), kind: .delete(seen: row.stamps))
        for count in 0..<mutation.bytes.count { #expect(DiaryMutation(bytes: Array(mutation.bytes.prefix(count))) == nil) }
        // A count that the bytes cannot hold.
        #expect(DiaryMutation(bytes: Array(mutation.bytes.prefix(42)) + [0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    }

    @Test("a conflict is found by its field and stamp; its value is compared, and not hashed")
    func conflictHash() {
        let stamp = DiaryStamp(time: 8, device: deviceID(1))
        let one = DiaryConflict(field: .text, stamp: stamp, value: .text("one")), two = DiaryConflict(field: .text, stamp: stamp, value: .text("two"))
        #expect(one.hashValue == two.hashValue && one != two)
        #expect(Set([one, two, one]).count == 2)
        let later = DiaryConflict(field: .text, stamp: DiaryStamp(time: 9, device: deviceID(1)), value: .text("one"))
        #expect(one != later && one != DiaryConflict(field: .emotion, stamp: stamp, value: .text("one")))
    }

    @Test("a short conflict counts on a page for what its message takes")
    func pageBytes() {
        var row = DiaryRow(content: .example(7), stamp: DiaryStamp(time: 9, device: deviceID(0)))
        let plain = row.byteCount
        #expect(row.pageByteCount == plain)
        for time in 1...32 as ClosedRange<Int64> {
            row.conflicts.insert(DiaryConflict(field: .emotion, stamp: DiaryStamp(time: time, device: deviceID(1)), value: .emotion("e")))
        }
        #expect(row.byteCount == plain + 32 && row.pageByteCount == plain + 32 * 101)
    }

    @Test("an edit that a copied device sends again under another name changes nothing")
    func repeated() {
        var row: DiaryRow? = DiaryRow(content: .example(1), stamp: DiaryStamp(time: 1, device: deviceID(0)))
        let patch = DiaryPatch(values: [.text: .text("b")], bases: [.text: DiaryStamp(time: 1, device: deviceID(0))])
        let mutation = DiaryMutation(entryID: entryID(1), stamp: DiaryStamp(time: 2, device: deviceID(0)), kind: .patch(patch))
        #expect(DiaryMerge.apply(mutation, to: &row) == .applied)
        let first = row
        #expect(DiaryMerge.apply(mutation, to: &row) == .applied)
        #expect(row == first)
    }

    @Test(
        "promises 9, 10: edits that have one stamp, as two copies of a directory may make them, are all kept, whichever comes first",
        arguments: [false, true])
    func equalStamps(isDeleted: Bool) throws {
        let first = DiaryStamp(time: 1, device: deviceID(0)), stamp = DiaryStamp(time: 2, device: deviceID(0))
        let creation = DiaryRow(content: .example(1), stamp: first)
        let edits = ["a", "b", "c"].map { text in
            DiaryMutation(
                entryID: entryID(1), stamp: stamp, kind: .patch(DiaryPatch(values: [.text: .text(text)], bases: [.text: first])))
        }
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var row: DiaryRow? = creation
            if isDeleted {
                let deletion = DiaryMutation(
                    entryID: entryID(1), stamp: DiaryStamp(time: 3, device: deviceID(1)), kind: .delete(seen: creation.stamps))
                _ = DiaryMerge.apply(deletion, to: &row)
            }
            for place in order { _ = DiaryMerge.apply(edits[place], to: &row) }
            let found = try #require(row)
            // Each conflict has its own stamp, as the store requires.
            #expect(Set(found.conflicts.map(\.fieldStamp)).count == found.conflicts.count)
            #expect(found[.text].value == (isDeleted ? nil : .text("c")))
            #expect(Set(found.conflicts.map(\.value)) == Set((isDeleted ? ["a", "b", "c"] : ["a", "b"]).map(DiaryValue.text)))
            // Applying it again with another number changes nothing.
            for place in order where !isDeleted || place == order[0] { _ = DiaryMerge.apply(edits[place], to: &row) }
            #expect(row?[.text] == found[.text])
        }
    }

    @Test("a creation that comes after its edits survives as conflicts, once, even after they are settled; one that was deleted does not come back")
    func lateCreation() throws {
        let creation = DiaryMutation(
            entryID: entryID(1), stamp: DiaryStamp(time: 1, device: deviceID(1)),
            kind: .create(DiaryContent(stored: Timestamp(microseconds: 5), emotion: "calm", text: "first")))
        let edit = DiaryMutation(
            entryID: entryID(1), stamp: DiaryStamp(time: 2, device: deviceID(1)),
            kind: .patch(DiaryPatch(values: [.text: .text("second")], bases: [.text: creation.stamp])))
        var row: DiaryRow?
        _ = DiaryMerge.apply(edit, to: &row)
        #expect(DiaryMerge.apply(creation, to: &row) == .conflict)
        let kept = try #require(row)
        #expect(kept.isDeleted)
        #expect(Set(kept.conflicts.map(\.value)).isSuperset(of: [.text("first"), .text("second"), .emotion("calm")]))
        _ = DiaryMerge.apply(creation, to: &row)
        #expect(row == kept)
        let dismissal = DiaryMutation(
            entryID: entryID(1), stamp: DiaryStamp(time: 4, device: deviceID(1)), kind: .dismiss(Set(kept.conflicts.map(\.fieldStamp))))
        _ = DiaryMerge.apply(dismissal, to: &row)
        #expect(row?.conflicts.isEmpty == true)
        #expect(DiaryMerge.apply(creation, to: &row) == .nothing)
        #expect(row?.conflicts.isEmpty == true)
        var deleted: DiaryRow?
        _ = DiaryMerge.apply(creation, to: &deleted)
        let deletion = DiaryMutation(
            entryID: entryID(1), stamp: DiaryStamp(time: 3, device: deviceID(1)), kind: .delete(seen: try #require(deleted).stamps))
        _ = DiaryMerge.apply(deletion, to: &deleted)
        #expect(DiaryMerge.apply(creation, to: &deleted) == .nothing)
        #expect(deleted?.conflicts.isEmpty == true)
    }

    @Test("a search's characters are no wildcards")
    func pattern() throws {
        #expect(try DiaryFilter(text: "100%_\\").checked().likePattern == "%100\\%\\_\\\\%")
        #expect(throws: ValidationError.self) { try DiaryFilter(text: String(repeating: "a", count: 101)).checked() }
        #expect(throws: ValidationError.self) { try DiaryFilter(text: "").checked() }
    }

    @Test("a search finds what a comparison at every place finds, Latin letters in either case")
    func search() {
        for length in 1...4 {
            for code in 0..<81 {
                let needle = String((0..<length).map { place in Array("abé")[code / [1, 3, 9, 27][place] % 3] })
                for text in ["", "a", "aab", "AbABabé", "ababababaé", "éébaab", "aaaaaaaaab", "bÉa", "abéabab"] {
                    let (wanted, found) = (Array(needle.utf8), Array(text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }))
                    let isThere = found.indices.contains { found[$0...].starts(with: wanted) }
                    #expect(DiaryTextSearch(needle).matches(text) == isThere, "\(needle) in \(text)")
                    #expect(DiaryTextSearch(needle.uppercased().contains("É") ? needle : needle.uppercased()).matches(text) == isThere)
                }
            }
        }
    }

    @Test("a wildcard of SQL is searched as it is, also with a mark that makes it part of another character")
    func wildcards() {
        #expect(DiaryFilter(text: #"50%_a\b"#).likePattern == #"%50\%\_a\\b%"#)
        #expect(DiaryFilter(text: "%\u{301}_\u{301}").likePattern == "%\\%\u{301}\\_\u{301}%")
    }

    /// A unique picture for each number.
    private func image(_ number: UInt8, type: String = "image/png", byteCount: Int = 10) throws -> DiaryImage {
        DiaryImage(hash: try #require(DiaryImageHash(bytes: [UInt8](repeating: number, count: 32))), contentType: type, byteCount: byteCount)
    }

    @Test("an entry names up to four pictures, each once, of a known type and a permitted size")
    func pictures() throws {
        let four = try (1...4).map { try image(UInt8($0)) }
        #expect(try DiaryValue.images(four).checked() == .images(four))
        #expect(try DiaryValue.images([]).checked() == .images([]))
        let refused: [([DiaryImage], Reason)] = try [
            (four + [image(5)], .tooManyItems), ([four[0], four[0]], .itemDuplicated), ([image(1, type: "image/gif")], .imageFormatUnsupported),
            ([image(1, type: "")], .fieldMissing), ([image(1, byteCount: 0)], .fieldMissing), ([image(1, byteCount: -1)], .imageEmpty),
            ([image(1, byteCount: 5 << 20 | 1)], .imageTooLarge),
        ]
        for (bad, reason) in refused {
            #expect { try DiaryChange(images: bad) } throws: { ($0 as? ValidationError)?.violations.map(\.reason) == [reason] }
        }
        #expect(DiaryImageHash(text: four[0].hash.description) == four[0].hash)
        for text in ["", "01", String(repeating: "0G", count: 32), String(repeating: "0A", count: 32)] { #expect(DiaryImageHash(text: text) == nil) }
    }

    @Test("a device takes a row with a type of picture that only a later server knows, but no other text for one")
    func laterTypes() throws {
        let stamp = DiaryStamp(time: 5, device: deviceID(1))
        for (type, isTaken) in [("image/avif", true), ("image/svg+xml", true), ("image/", false), ("text/plain", false), ("image/\u{1B}", false)] {
            let content = DiaryContent(stored: Timestamp(microseconds: 1), emotion: "", text: "", images: [try image(1, type: type)])
            let row = DiaryRow(content: content, stamp: stamp)
            if isTaken { try row.check() } else { #expect(throws: ValidationError.self) { try row.check() } }
            #expect(throws: ValidationError.self) { try DiaryMutation(entryID: entryID(1), stamp: stamp, kind: .create(content)).check() }
        }
    }

    @Test("an entry that never had pictures has the bytes, the stamps and the etag that it had before there were any")
    func withoutPictures() throws {
        let stamp = DiaryStamp(time: 5, device: deviceID(1))
        func made(_ images: [DiaryImage]) throws -> (mutation: DiaryMutation, row: DiaryRow) {
            let content = DiaryContent(stored: Timestamp(microseconds: 1), emotion: "calm", text: "text", images: images)
            let mutation = DiaryMutation(entryID: entryID(1), stamp: stamp, kind: .create(content))
            var row: DiaryRow?
            _ = DiaryMerge.apply(mutation, to: &row)
            return (mutation, try #require(row))
        }
        let plain = try made([]), pictured = try made([image(1)])
        #expect(plain.row.bytes.first == 1 && pictured.row.bytes.first == 2)
        #expect(plain.row.stamps.count == 3 && pictured.row.stamps.count == 4)
        // The number of the kind follows the version, the entry and the stamp.
        #expect(plain.mutation.bytes[41] == 1 && pictured.mutation.bytes[41] == 5)
        for one in [plain, pictured] {
            #expect(DiaryMutation(bytes: one.mutation.bytes) == one.mutation)
            #expect(DiaryRow(bytes: one.row.bytes) == one.row)
        }
        // A client that does not know pictures deletes an entry without pictures: there is no conflict.
        var row: DiaryRow? = plain.row
        let removal = DiaryMutation(
            entryID: entryID(1), stamp: DiaryStamp(time: 6, device: deviceID(1)),
            kind: .delete(seen: [.entryTime: stamp, .emotion: stamp, .text: stamp]))
        try removal.check()
        _ = DiaryMerge.apply(removal, to: &row)
        #expect(row?.isDeleted == true && row?.conflicts.isEmpty == true)
        // Pictures that it has not seen are kept.
        row = pictured.row
        _ = DiaryMerge.apply(removal, to: &row)
        #expect(row?.conflicts.map(\.value) == [.images([try image(1)])])
    }
}
