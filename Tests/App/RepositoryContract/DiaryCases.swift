import PulseBoardDomain
import PulseBoardVocabulary

extension ContractCase {
    static let diaries = [
        ContractCase("B22, B35: an entry is made, read, changed and deleted; deleting it again is no error") { store in
            try await store.addUsers(1)
            let content = try DiaryContent(entryTime: at(5), emotion: "calm", text: "맑음")
            let made = try await store.createDiaryEntry(entry(1), content, of: user(1), at: at(1))
            try expectEqual(made.content, content)
            try expectEqual(made.createTime, at(1))
            try expectEqual(try await store.diaryEntry(entry(1), of: user(1)), made)
            try expectEqual(try await store.createDiaryEntry(entry(1), content, of: user(1), at: at(2)), made)
            let change = try DiaryChange(text: "흐림")
            let changed = try await store.updateDiaryEntry(entry(1), change, ifMatches: made.etag, of: user(1), at: at(3))
            try expectEqual(changed.content, DiaryContent(stored: at(5), emotion: "calm", text: "흐림"))
            try expectEqual(changed.updateTime, at(3))
            try expect(changed.etag != made.etag, "a change changes the etag")
            // A retry has the old etag and the new values.
            try expectEqual(try await store.updateDiaryEntry(entry(1), change, ifMatches: made.etag, of: user(1), at: at(4)), changed)
            try await store.deleteDiaryEntry(entry(1), of: user(1), at: at(5))
            try await store.deleteDiaryEntry(entry(1), of: user(1), at: at(6))
            try await expectError(.diary(.entryNotFound(entry(1)))) { () async throws(RepositoryError) in
                try await store.diaryEntry(entry(1), of: user(1))
            }
        },
        ContractCase("what cannot be is refused and changes nothing: another entry of the id, a deleted one, a stale etag, no profile") { store in
            try await store.addUsers(1)
            let one = try DiaryContent(entryTime: at(1), emotion: "", text: "one"), two = try DiaryContent(entryTime: at(1), emotion: "", text: "two")
            let change = try DiaryChange(text: "three")
            let made = try await store.createDiaryEntry(entry(1), one, of: user(1), at: at(1))
            try await expectError(.diary(.entryExists(entry(1)))) { () async throws(RepositoryError) in
                try await store.createDiaryEntry(entry(1), two, of: user(1), at: at(2))
            }
            try await expectError(.etagMismatch) { () async throws(RepositoryError) in
                try await store.updateDiaryEntry(entry(1), change, ifMatches: Etag(text: "other"), of: user(1), at: at(2))
            }
            try expectEqual(try await store.diaryEntry(entry(1), of: user(1)), made)
            try await store.deleteDiaryEntry(entry(1), of: user(1), at: at(3))
            try await expectError(.diary(.entryExists(entry(1)))) { () async throws(RepositoryError) in
                try await store.createDiaryEntry(entry(1), one, of: user(1), at: at(4))
            }
            try await expectError(.diary(.entryNotFound(entry(1)))) { () async throws(RepositoryError) in
                try await store.updateDiaryEntry(entry(1), change, ifMatches: nil, of: user(1), at: at(4))
            }
            try await expectError(.profileRequired) { () async throws(RepositoryError) in
                try await store.createDiaryEntry(entry(1), one, of: user(9), at: at(1))
            }
        },
        ContractCase("B24, X16, promise 6: a list is paged, newest first and by id within an instant, each entry once; filters choose") { store in
            try await store.addUsers(1)
            for number in 1...7 as ClosedRange<UInt64> {
                let content = try DiaryContent(
                    entryTime: at(Int64(number / 2)), emotion: number % 2 == 0 ? "calm" : "sad", text: "text \(number) 100% Rain")
                _ = try await store.createDiaryEntry(entry(number), content, of: user(1), at: at(1))
            }
            var listed: [DiaryEntryID] = []
            var cursor: DiaryCursor?
            repeat {
                let page = try await store.diaryEntries(of: user(1), .all, after: cursor, limit: 2)
                listed += page.entries.map(\.id)
                cursor = page.next
            } while cursor != nil
            // A limit equal to the number of entries gives a complete page.
            try expect(try await store.diaryEntries(of: user(1), .all, after: nil, limit: 7).isComplete, "7 of 7 are complete")
            try expectEqual(listed, [7, 6, 5, 4, 3, 2, 1].map(entry))
            let found = { (filter: DiaryFilter) async throws(RepositoryError) in
                try await store.diaryEntries(of: user(1), filter, after: nil, limit: 10).entries.map(\.id)
            }
            try expectEqual(try await found(DiaryFilter(times: at(1)..<at(3))), [5, 4, 3, 2].map(entry))
            try expectEqual(try await found(DiaryFilter(emotion: "calm")), [6, 4, 2].map(entry))
            try expectEqual(try await found(DiaryFilter(text: "xt 3")), [entry(3)])
            try expectEqual(try await found(DiaryFilter(text: "100% rain")), [7, 6, 5, 4, 3, 2, 1].map(entry))
            try expectEqual(try await found(DiaryFilter(text: "1_0")), [])
        },
        ContractCase("X16: a page of entries ends after a megabyte with at least one entry, and the list has each entry once") { store in
            try await store.addUsers(1)
            let text = String(repeating: "가", count: 10_000)
            for number in 1...40 as ClosedRange<UInt64> {
                let content = try DiaryContent(entryTime: at(Int64(number)), emotion: "calm", text: text)
                _ = try await store.createDiaryEntry(entry(number), content, of: user(1), at: at(1))
            }
            let first = try await store.diaryEntries(of: user(1), .all, after: nil, limit: 200)
            try expect(!first.isComplete, "1.2 MB do not fit on a page")
            // 30,004 bytes each: the 35th crosses 1,048,576.
            try expectEqual(first.entries.count, 35)
            let rest = try await store.diaryEntries(of: user(1), .all, after: first.next, limit: 200)
            try expect(rest.isComplete, "the rest is complete")
            try expectEqual((first.entries + rest.entries).map(\.id), (1...40).reversed().map(entry))
        },
        ContractCase("a diary is its owner's alone") { store in
            try await store.addUsers(2)
            let content = try DiaryContent(entryTime: at(1), emotion: "", text: "private")
            _ = try await store.createDiaryEntry(entry(1), content, of: user(1), at: at(1))
            _ = try await store.registerDiaryDevice(device(1), name: "one", of: user(1), at: at(1))
            _ = try await store.registerDiaryDevice(device(2), name: "two", of: user(2), at: at(1))
            try await expectError(.diary(.entryNotFound(entry(1)))) { () async throws(RepositoryError) in
                try await store.diaryEntry(entry(1), of: user(2))
            }
            try expectEqual(try await store.diaryEntries(of: user(2), .all, after: nil, limit: 10), DiaryEntryPage(entries: [], isComplete: true))
            try expectEqual(try await store.diaryDevices(of: user(2)).map(\.id), [device(2)])
            try expectEqual(try await store.diaryChanges(of: user(2), for: device(2), after: nil, limit: 10).rows, [])
            try await expectError(.diary(.deviceUnknown)) { () async throws(RepositoryError) in
                try await store.diaryChanges(of: user(2), for: device(1), after: nil, limit: 10)
            }
            // For no device, the rows are the same, and an owner without a diary has none.
            try expectEqual(
                try await store.diaryChanges(of: user(1), for: nil, after: nil, limit: 10).rows,
                try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).rows)
            try expectEqual(try await store.diaryChanges(of: user(9), for: nil, after: nil, limit: 10).rows, [])
            let position = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).next
            try await expectError(.diary(.resyncRequired)) { () async throws(RepositoryError) in
                try await store.diaryChanges(of: user(2), for: device(2), after: position, limit: 10)
            }
            // The same id in another diary is another entry.
            _ = try await store.createDiaryEntry(entry(1), try DiaryContent(entryTime: at(1), emotion: "", text: "other"), of: user(2), at: at(1))
            try expectEqual(try await store.diaryEntry(entry(1), of: user(1)).content.text, "private")
        },
        ContractCase("promises 3, 4, 5: mutations are applied in their order and once; a repeated push gets equal results and changes nothing") {
            store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            let push = DiaryPush(device: device(1), items: [item(1, create(1, 1)), item(2, create(2, 2)), item(3, delete(1, 3))], confirmed: 0)
            let begin = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).next
            let first = try await store.pushDiary(push, of: user(1), at: at(10))
            try expectEqual(first.results.map(\.outcome), [.applied, .applied, .applied])
            try expectEqual(first.span?.before, begin)
            try expectEqual(first.lastMutation, 3)
            let changes = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10)
            try expectEqual(changes.rows.map(\.id), [entry(2), entry(1)])
            try expectEqual(changes.rows.map(\.row.isDeleted), [false, true])
            try expectEqual(changes.lastMutation, 3)
            try expectEqual(first.span?.after, changes.next)
            let second = try await store.pushDiary(push, of: user(1), at: at(11))
            try expectEqual(second.results, first.results)
            try expectEqual(second.span, nil)
            try expect(!second.hasChanges, "a repeated push has no changes")
            try expectEqual(try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).next, changes.next)
            // Part of it is new.
            let longer = DiaryPush(device: device(1), items: push.items + [item(4, create(4, 4))], confirmed: 0)
            let third = try await store.pushDiary(longer, of: user(1), at: at(12))
            try expectEqual(third.results.map(\.number), [1, 2, 3, 4])
            try expectEqual(third.span, nil)
            // What somebody else has written stands before the next push, not inside it.
            _ = try await store.createDiaryEntry(entry(9), try DiaryContent(entryTime: at(1), emotion: "", text: "other"), of: user(1), at: at(13))
            let end = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).next
            let next = DiaryPush(device: device(1), items: [item(5, create(5, 5))], confirmed: 0)
            let fourth = try await store.pushDiary(next, of: user(1), at: at(14))
            try expectEqual(fourth.span?.before, end)
            try expectEqual(fourth.span?.after, try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).next)
        },
        ContractCase("after the server has trusted a clock that was ahead, a device can edit what was written then, and all else") { store, clock in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            let content = DiaryContent(stored: at(1), emotion: "calm", text: "from the future", images: [])
            // A jump is trusted after an hour.
            let jump = at(1).advanced(by: .days(29_219)), future = jump.advanced(by: .hours(1))
            clock.set(to: jump)
            _ = try await store.reserveUsername(try draft("ahead").username, for: user(1), at: jump)
            clock.pass(to: future)
            _ = try await store.createDiaryEntry(entry(7), content, of: user(1), at: future)
            clock.set(to: at(10))
            _ = try await store.reserveUsername(try draft("back").username, for: user(1), at: at(10))
            let right = at(10).advanced(by: .hours(1))
            clock.pass(to: right)
            let made = DiaryStamp(time: future.microseconds, device: .server)
            let seen: [DiaryField: DiaryStamp] = [.entryTime: made, .emotion: made, .text: made]
            // The device has seen the entry, so its next stamps are later.
            func stamp(_ step: Int64) -> DiaryStamp { DiaryStamp(time: future.microseconds + step, device: device(1)) }
            let edits = [
                DiaryMutation(entryID: entry(8), stamp: stamp(1), kind: create(8, 1).kind),
                DiaryMutation(entryID: entry(7), stamp: stamp(2), kind: .delete(seen: seen)),
            ]
            let push = DiaryPush(device: device(1), items: [item(1, edits[0]), item(2, edits[1])], confirmed: 0)
            try expectEqual(try await store.pushDiary(push, of: user(1), at: right).results.map(\.outcome), [.applied, .applied])
            // The diary is no way to drive the clock on.
            let later = DiaryMutation(entryID: entry(8), stamp: stamp(2_000_000), kind: .delete(seen: seen))
            try await expectError(.diary(.clockSkewed(serverTime: right, lastMutation: 2))) { () async throws(RepositoryError) in
                try await store.pushDiary(DiaryPush(device: device(1), items: [item(3, later)], confirmed: 0), of: user(1), at: right)
            }
        },
        ContractCase("a gap, a copied device, an unknown device and a clock far ahead are refused, and nothing is changed") { store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            let push = { (items: [DiaryPush.Item], confirmed: Int64) async throws(RepositoryError) in
                try await store.pushDiary(DiaryPush(device: device(1), items: items, confirmed: confirmed), of: user(1), at: at(10))
            }
            let ahead = DiaryMutation(
                entryID: entry(9), stamp: DiaryStamp(time: at(10).advanced(by: .hours(25)).microseconds, device: device(1)),
                kind: create(9, 1).kind)
            let items = [item(1, create(1, 1)), item(2, create(2, 2)), item(1, create(3, 1)), item(3, ahead)]
            try await expectError(.diary(.mutationGap(lastMutation: 0))) { () async throws(RepositoryError) in try await push([items[1]], 0) }
            _ = try await push([items[0]], 0)
            try await expectError(.diary(.deviceCloned)) { () async throws(RepositoryError) in try await push([items[2], items[1]], 0) }
            _ = try await push([items[1]], 1)
            // A device that has the first result does not send the first mutation again.
            try await expectError(.diary(.deviceCloned)) { () async throws(RepositoryError) in try await push([items[0]], 1) }
            try await expectError(.diary(.clockSkewed(serverTime: at(10), lastMutation: 2))) { () async throws(RepositoryError) in
                try await push([items[3]], 2)
            }
            // A copied device learns that it is one before its stamps are looked at.
            let other = item(2, create(3, 2))
            try await expectError(.diary(.deviceCloned)) { () async throws(RepositoryError) in try await push([other, items[3]], 1) }
            let strange = DiaryPush(device: device(2), items: [items[0]], confirmed: 0)
            try await expectError(.diary(.deviceUnknown)) { () async throws(RepositoryError) in
                try await store.pushDiary(strange, of: user(1), at: at(10))
            }
            try expectEqual(try await store.diaryEntries(of: user(1), .all, after: nil, limit: 10).entries.map(\.id), [entry(2), entry(1)])
        },
        ContractCase("promises 9, 10, 14: what loses is kept as a conflict, what is refused is told, and the next still lands") { store in
            try await store.addUsers(1)
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await store.registerDiaryDevice(device(number), name: "", of: user(1), at: at(1))
            }
            let made = create(1, 1)
            _ = try await store.pushDiary(DiaryPush(device: device(1), items: [item(1, made)], confirmed: 0), of: user(1), at: at(10))
            let late = patch(1, 5, on: 2, base: made.stamp, "late"), early = patch(1, 4, on: 1, base: made.stamp, "early")
            _ = try await store.pushDiary(DiaryPush(device: device(2), items: [item(1, late)], confirmed: 0), of: user(1), at: at(10))
            let answer = try await store.pushDiary(
                DiaryPush(
                    device: device(1),
                    items: [
                        item(2, early), DiaryPush.Item(numbered: item(3, create(7, 6)).numbered, fingerprint: [3], refusal: .emotionInvalid),
                        item(4, create(8, 7))
                    ],
                    confirmed: 1),
                of: user(1), at: at(10))
            try expectEqual(answer.results.map(\.outcome), [.conflict, .rejected(.emotionInvalid), .applied])
            let rows = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).rows
            try expectEqual(rows.map(\.id), [entry(1), entry(8)])
            try expectEqual(rows[0].row[.text].value, .text("late"))
            try expectEqual(rows[0].row.conflicts, [DiaryConflict(field: .text, stamp: early.stamp, value: .text("early"))])
            // A deletion that has seen neither edit keeps the winner as a conflict too.
            let removal = DiaryMutation(
                entryID: entry(1), stamp: DiaryStamp(time: at(8).microseconds, device: device(1)),
                kind: .delete(seen: [.entryTime: made.stamp, .emotion: made.stamp, .text: made.stamp]))
            _ = try await store.pushDiary(DiaryPush(device: device(1), items: [item(5, removal)], confirmed: 4), of: user(1), at: at(10))
            let deleted = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).rows.last?.row
            try expectEqual(deleted?.isDeleted, true)
            try expectEqual(Set(deleted?.conflicts.map(\.value) ?? []), [.text("early"), .text("late")])
        },
        ContractCase(
            "promises 12, 13: pages of one row each add up to the diary as it is, also while it changes; another diary's position is refused"
        ) { store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            for number in 1...4 as ClosedRange<UInt64> {
                _ = try await store.createDiaryEntry(
                    entry(number), try DiaryContent(entryTime: at(0), emotion: "", text: "\(number)"), of: user(1), at: at(1))
            }
            var rows: [DiaryEntryID: DiaryRow] = [:]
            var position: DiaryPosition?
            var pages = 0
            var isComplete = false
            while !isComplete {
                let page = try await store.diaryChanges(of: user(1), for: device(1), after: position, limit: 1)
                for change in page.rows { rows[change.id] = change.row }
                position = page.next
                isComplete = page.isComplete
                pages += 1
                if pages == 2 { try await store.deleteDiaryEntry(entry(1), of: user(1), at: at(2)) }
            }
            try expectEqual(pages, 5)
            try expectEqual(rows.filter { !$0.value.isDeleted }.keys.sorted(), [2, 3, 4].map(entry))
            guard let position else { return }
            try expectEqual(try await store.diaryChanges(of: user(1), for: device(1), after: position, limit: 9).rows, [])
            // A position beyond the last change: the store was restored from a backup.
            let beyond = DiaryPosition(diary: position.diary, change: position.change + 1, horizon: position.horizon + 1)
            try await expectError(.diary(.resyncRequired)) { () async throws(RepositoryError) in
                try await store.diaryChanges(of: user(1), for: device(1), after: beyond, limit: 9)
            }
        },
        ContractCase("a diary has 32 devices; a device that is forgotten may not push") { store in
            try await store.addUsers(1)
            for number in 1...32 as ClosedRange<UInt64> {
                _ = try await store.registerDiaryDevice(device(number), name: "n", of: user(1), at: at(1))
            }
            try await expectError(.diary(.tooManyDevices)) { () async throws(RepositoryError) in
                try await store.registerDiaryDevice(device(33), name: "n", of: user(1), at: at(1))
            }
            try expectEqual(try await store.registerDiaryDevice(device(5), name: "renamed", of: user(1), at: at(2)).name, "renamed")
            try await store.deleteDiaryDevice(device(5), of: user(1))
            try await store.deleteDiaryDevice(device(5), of: user(1))
            _ = try await store.registerDiaryDevice(device(33), name: "n", of: user(1), at: at(1))
            try await expectError(.diary(.deviceUnknown)) { () async throws(RepositoryError) in
                try await store.diaryChanges(of: user(1), for: device(5), after: nil, limit: 1)
            }
        },
        ContractCase("an entry keeps 32 edits that lost; the next such edit is refused until some are settled") { store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            let made = create(1, 1)
            var items = [item(1, made)]
            for number in 2...34 as ClosedRange<UInt64> {
                items.append(item(Int64(number), patch(1, number, on: 1, base: made.stamp, "text \(number)")))
            }
            items.append(item(35, patch(1, 35, on: 1, base: made.stamp, "one too many")))
            let answer = try await store.pushDiary(DiaryPush(device: device(1), items: items, confirmed: 0), of: user(1), at: at(100))
            try expectEqual(answer.results.last?.outcome, .rejected(.diaryTooManyConflicts))
            try expectEqual(answer.results.dropLast().last?.outcome, .conflict)
            let row = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 1).rows[0].row
            try expectEqual(row.conflicts.count, 32)
            let settled = DiaryMutation(
                entryID: entry(1), stamp: DiaryStamp(time: at(40).microseconds, device: device(1)),
                kind: .dismiss(Set(row.conflicts.map(\.fieldStamp))))
            _ = try await store.pushDiary(DiaryPush(device: device(1), items: [item(36, settled)], confirmed: 35), of: user(1), at: at(100))
            try expectEqual(try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 1).rows[0].row.conflicts, [])
        },
        ContractCase("promise 9: a deletion wins over an edit that it has not seen, although the entry keeps 32 edits that lost") { store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            let made = create(1, 1)
            var items = [item(1, made)]
            // The first edit has the newest text and replaces what was written. The next 32 lose.
            items += (2...34 as ClosedRange<UInt64>).map { item(Int64($0), patch(1, 36 - $0, on: 1, base: made.stamp, "text \($0)")) }
            let last = items[1].numbered.mutation.stamp
            items.append(item(35, patch(1, 50, on: 1, base: last, "newest")))
            items.append(item(36, DiaryMutation(
                entryID: entry(1), stamp: DiaryStamp(time: at(51).microseconds, device: device(1)),
                kind: .delete(seen: [.entryTime: made.stamp, .emotion: made.stamp, .text: last]))))
            let answer = try await store.pushDiary(DiaryPush(device: device(1), items: items, confirmed: 0), of: user(1), at: at(100))
            try expectEqual(answer.results.suffix(2).map(\.outcome), [.applied, .applied])
            let row = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 1).rows[0].row
            try expectEqual(row.isDeleted, true)
            try expectEqual(row.conflicts.count, 33)
        },
        ContractCase("a long push of creations ends as single ones do, with known and repeated ones and edits of new ones; each result is kept") {
            store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            let content = try DiaryContent(entryTime: at(1), emotion: "", text: "known")
            for number in [3, 44] as [UInt64] { _ = try await store.createDiaryEntry(entry(number), content, of: user(1), at: at(1)) }
            var mutations = (1...45 as ClosedRange<UInt64>).map { create($0, Int64($0)) }
            // An edit of a new entry, one of an entry that a later mutation creates, and two creations of one entry.
            mutations.insert(patch(20, 60, on: 1, base: mutations[19].stamp, "edited"), at: 20)
            mutations.insert(patch(50, 61, on: 1, base: .none, "too early"), at: 21)
            mutations += [create(50, 62), create(7, 63)]
            let push = DiaryPush(device: device(1), items: mutations.enumerated().map { item(Int64($0.offset) + 1, $0.element) }, confirmed: 0)
            let answer = try await store.pushDiary(push, of: user(1), at: at(100))
            var expected: [DiaryEntryID: DiaryRow] = [:]
            let known = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 100).rows.filter { $0.row.content == content }
            for change in known { expected[change.id] = change.row }
            for mutation in mutations { _ = DiaryMerge.apply(mutation, to: &expected[mutation.entryID]) }
            let rows = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 100).rows
            try expectEqual(Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.row) }), expected)
            try expectEqual(known.count, 2)
            try expectEqual(answer.results.map(\.number), (1...49).map { $0 })
            try expectEqual(answer.results.filter { $0.outcome == .conflict }.map(\.number), [22, 48])
            // Each result was stored.
            try expectEqual(try await store.pushDiary(push, of: user(1), at: at(101)).results, answer.results)
        },
        ContractCase("a push on an entry with a megabyte of conflicts takes several transactions, and ends as one would") { store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            let made = create(1, 1)
            var items = [item(1, made)]
            for number in 2...34 as ClosedRange<UInt64> {
                items.append(item(Int64(number), patch(1, number, on: 1, base: made.stamp, String(repeating: "\(number % 10)", count: 39_000))))
            }
            var rest = items[...]
            while !rest.isEmpty {
                let answer = try await store.pushDiary(DiaryPush(device: device(1), items: Array(rest), confirmed: 0), of: user(1), at: at(100))
                try expect(!answer.results.isEmpty, "each transaction has a result")
                rest = rest.dropFirst(answer.results.count)
            }
            let edits = (0..<60 as Range<Int64>).map { number in
                item(35 + number, DiaryMutation(
                    entryID: entry(1), stamp: DiaryStamp(time: at(40 + number).microseconds, device: device(1)),
                    kind: .patch(DiaryPatch(
                        values: [.emotion: .emotion("calm_" + String(repeating: "a", count: Int(number % 20)))],
                        bases: [.emotion: number == 0 ? made.stamp : DiaryStamp(time: at(39 + number).microseconds, device: device(1))]))))
            }
            rest = edits[...]
            var transactions = 0
            while !rest.isEmpty {
                let answer = try await store.pushDiary(DiaryPush(device: device(1), items: Array(rest), confirmed: 0), of: user(1), at: at(100))
                try expect(!answer.results.isEmpty && answer.results.count <= 20, "a transaction goes through 16 MiB of rows")
                try expectEqual(answer.lastMutation, answer.results.last?.number)
                try expect(answer.results.allSatisfy { $0.outcome == .applied }, "every edit is applied")
                rest = rest.dropFirst(answer.results.count)
                transactions += 1
            }
            try expect(transactions > 2, "sixty edits take several transactions")
            // A repeated push gets its first results, also those of several transactions.
            let again = try await store.pushDiary(DiaryPush(device: device(1), items: edits, confirmed: 0), of: user(1), at: at(100))
            try expectEqual(again.results.map(\.number), edits.map(\.numbered.number))
            try expect(!again.hasChanges, "nothing is applied twice")
            let row = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 1).rows[0].row
            try expectEqual(row.conflicts.count, 32)
            try expectEqual(row[.emotion].stamp.time, at(99).microseconds)
        },
        ContractCase("X7: deleting a profile removes the diary too, and a user who comes back begins with an empty one") { store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(1))
            _ = try await store.pushDiary(DiaryPush(device: device(1), items: [item(1, create(1, 1))], confirmed: 0), of: user(1), at: at(10))
            let position = try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).next
            try await store.deleteProfile(of: user(1), at: at(2), idempotency: nil)
            try expectEqual(try await store.diaryEntries(of: user(1), .all, after: nil, limit: 10), DiaryEntryPage(entries: [], isComplete: true))
            try await store.addUser(1)
            try await expectError(.diary(.deviceUnknown)) { () async throws(RepositoryError) in
                try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10)
            }
            _ = try await store.registerDiaryDevice(device(1), name: "", of: user(1), at: at(3))
            try expectEqual(try await store.diaryChanges(of: user(1), for: device(1), after: nil, limit: 10).rows, [])
            try await expectError(.diary(.resyncRequired)) { () async throws(RepositoryError) in
                try await store.diaryChanges(of: user(1), for: device(1), after: position, limit: 10)
            }
        },
    ]
}

private func entry(_ number: UInt64) -> DiaryEntryID {
    DiaryEntryID(bits: UUIDBits(high: 0xEEEE_0000_0000_4000, low: 0x8000_0000_0000_0000 | number))
}

private func device(_ number: UInt64) -> DiaryDeviceID {
    DiaryDeviceID(bits: UUIDBits(high: 0xDDDD_0000_0000_4000, low: 0x8000_0000_0000_0000 | number))
}

private func create(_ number: UInt64, _ second: Int64) -> DiaryMutation {
    DiaryMutation(
        entryID: entry(number), stamp: DiaryStamp(time: at(second).microseconds, device: device(1)),
        kind: .create(DiaryContent(stored: at(second), emotion: "calm", text: "entry \(number)")))
}

private func delete(_ number: UInt64, _ second: Int64) -> DiaryMutation {
    let seen = DiaryStamp(time: at(Int64(number)).microseconds, device: device(1))
    return DiaryMutation(
        entryID: entry(number), stamp: DiaryStamp(time: at(second).microseconds, device: device(1)),
        kind: .delete(seen: [.entryTime: seen, .emotion: seen, .text: seen]))
}

private func patch(_ number: UInt64, _ second: UInt64, on author: UInt64, base: DiaryStamp, _ text: String) -> DiaryMutation {
    DiaryMutation(
        entryID: entry(number), stamp: DiaryStamp(time: at(Int64(second)).microseconds, device: device(author)),
        kind: .patch(DiaryPatch(values: [.text: .text(text)], bases: [.text: base])))
}

/// The fingerprint is made from entry and time only, which is enough here.
private func item(_ number: Int64, _ mutation: DiaryMutation) -> DiaryPush.Item {
    DiaryPush.Item(
        numbered: NumberedDiaryMutation(number: number, mutation: mutation), fingerprint: Array("\(mutation.entryID) \(mutation.stamp.time)".utf8))
}
