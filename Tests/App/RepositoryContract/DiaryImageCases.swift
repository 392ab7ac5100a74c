import PulseBoardDomain
import PulseBoardVocabulary

extension ContractCase {
    static let diaryImages = [
        ContractCase("B22: a picture of a diary is kept in parts, named by an entry, and read again as it was given") { store in
            try await store.addUsers(1)
            let (image, bytes) = try picture(1, count: 2 * DiaryLimits.imagePartBytes + 5)
            try expectEqual(try await store.missingDiaryImages([image.hash], of: user(1), at: at(1)), [image.hash])
            for _ in 0..<2 { try await store.stage(image, bytes, at: at(1)) }
            try expectEqual(try await store.missingDiaryImages([image.hash], of: user(1), at: at(1)), [])
            let content = try DiaryContent(entryTime: at(5), emotion: "", text: "with a picture", images: [image])
            let made = try await store.createDiaryEntry(entry(1), content, of: user(1), at: at(2))
            try expectEqual(made.content.images, [image])
            try expectEqual(try await store.diaryEntry(entry(1), of: user(1)), made)
            try expectEqual(try await store.diaryEntries(of: user(1), .all, after: nil, limit: 5).entries, [made])
            try expectEqual(try await store.diaryImage(image.hash, of: user(1)), image)
            var read: [UInt8] = []
            for part in 0..<image.partCount { read += try await store.diaryImagePart(part, of: image.hash, of: user(1)) }
            try expectEqual(read, bytes)
            try await expectError(.diary(.imageNotFound)) { () async throws(RepositoryError) in
                try await store.diaryImagePart(image.partCount, of: image.hash, of: user(1))
            }
            try expectEqual(try await store.diaryImages(of: user(1), after: nil, limit: 5), [image])
            try expectEqual(try await store.diaryImages(of: user(1), after: image.hash, limit: 5), [])
        },
        ContractCase("of many pictures, the missing ones are named once and in their order, and each stored one is kept for another day") { store in
            try await store.addUsers(2)
            let pictures = try (1...90 as ClosedRange<UInt8>).map { try picture($0, count: 4) }
            let stored = [0, 39, 40, 89]
            for index in stored { try await store.stage(pictures[index].0, pictures[index].1, at: at(1)) }
            // Another user's pictures do not count.
            try await store.stage(pictures[5].0, pictures[5].1, of: user(2), at: at(1))
            let hashes = pictures.map(\.0.hash)
            let missing = hashes.indices.filter { !stored.contains($0) }.map { hashes[$0] }
            try expectEqual(try await store.missingDiaryImages(hashes + hashes, of: user(1), at: at(2)), missing)
            try expectEqual(try await store.missingDiaryImages(Array(hashes[1...3]), of: user(1), at: at(2)), Array(hashes[1...3]))
            try expectEqual(try await store.missingDiaryImages([hashes[40]], of: user(1), at: at(2)), [])
            for index in stored { try expectEqual(try await store.diaryImage(hashes[index], of: user(1)), pictures[index].0) }
            // Without a diary all of them are missing.
            try expectEqual(try await store.missingDiaryImages([hashes[2], hashes[2]], of: user(9), at: at(2)), [hashes[2]])
        },
        ContractCase("a picture that another upload of the same user stores meanwhile is stored for both") { store in
            try await store.addUsers(1)
            // The other upload is whole when this one reads its first, or its last part.
            for overtaken in 0..<2 {
                let (image, bytes) = try picture(UInt8(overtaken), count: DiaryLimits.imagePartBytes + 5)
                try await store.stageDiaryImage(image, of: user(1), at: at(1)) { range async throws(RepositoryError) in
                    if range.lowerBound == image.range(ofPart: overtaken).lowerBound { try await store.stage(image, bytes, at: at(1)) }
                    return Array(bytes[range])
                }
                var read: [UInt8] = []
                for part in 0..<image.partCount { read += try await store.diaryImagePart(part, of: image.hash, of: user(1)) }
                try expectEqual(read, bytes)
                let content = try DiaryContent(entryTime: at(5), emotion: "", text: "with a picture", images: [image])
                let made = try await store.createDiaryEntry(entry(UInt64(overtaken)), content, of: user(1), at: at(2))
                try expectEqual(made.content.images, [image])
            }
        },
        ContractCase("a picture that was not uploaded, or is another's, is in no entry; of a push the edit is refused alone") { store in
            try await store.addUsers(2)
            let (image, bytes) = try picture(1, count: 10)
            try await store.stage(image, bytes, of: user(2), at: at(1))
            let content = try DiaryContent(entryTime: at(5), emotion: "", text: "text", images: [image])
            try await expectError(.diary(.imageNotStaged)) { () async throws(RepositoryError) in
                try await store.createDiaryEntry(entry(1), content, of: user(1), at: at(2))
            }
            try await expectError(.profileRequired) { () async throws(RepositoryError) in
                try await store.createDiaryEntry(entry(1), content, of: user(9), at: at(2))
            }
            try await expectError(.diary(.imageNotFound)) { () async throws(RepositoryError) in
                try await store.diaryImage(image.hash, of: user(1))
            }
            _ = try await store.registerDiaryDevice(device, name: "", of: user(1), at: at(1))
            let create = { (number: UInt64, second: Int64, images: [DiaryImage]) in
                DiaryMutation(
                    entryID: entry(number), stamp: DiaryStamp(time: at(second).microseconds, device: device),
                    kind: .create(DiaryContent(stored: at(second), emotion: "", text: "\(number)", images: images)))
            }
            // The description of the picture is wrong.
            let wrong = DiaryImage(hash: image.hash, contentType: "image/png", byteCount: 11)
            try await store.stage(image, bytes, of: user(1), at: at(3))
            let (other, _) = try picture(2, count: 5)
            let push = DiaryPush(
                device: device,
                items: [item(1, create(1, 1, [other])), item(2, create(2, 2, [wrong])), item(3, create(3, 3, [image]))], confirmed: 0)
            let answer = try await store.pushDiary(push, of: user(1), at: at(10))
            try expectEqual(answer.results.map(\.outcome), [.rejected(.imageNotStaged), .rejected(.diaryImageDiffers), .applied])
            try expectEqual(try await store.diaryEntries(of: user(1), .all, after: nil, limit: 5).entries.map(\.content.images), [[image]])
            // Another device reads it too.
            let rows = try await store.diaryChanges(of: user(1), for: device, after: nil, limit: 9).rows
            try expectEqual(rows.map(\.row.images), [[image]])
        },
        ContractCase("promise 10: two devices give one entry other pictures: the later edit wins, and the other one is kept as a conflict") { store in
            try await store.addUsers(1)
            _ = try await store.registerDiaryDevice(device, name: "", of: user(1), at: at(1))
            let (one, first) = try picture(1, count: 10), (two, second) = try picture(2, count: 20)
            try await store.stage(one, first, at: at(1))
            try await store.stage(two, second, at: at(1))
            let stamp = { (second: Int64) in DiaryStamp(time: at(second).microseconds, device: device) }
            let create = DiaryMutation(
                entryID: entry(1), stamp: stamp(1), kind: .create(DiaryContent(stored: at(1), emotion: "", text: "text")))
            let patch = { (second: Int64, image: DiaryImage) in
                DiaryMutation(
                    entryID: entry(1), stamp: stamp(second),
                    kind: .patch(DiaryPatch(values: [.images: .images([image])], bases: [.images: DiaryStamp.none])))
            }
            let push = DiaryPush(device: device, items: [item(1, create), item(2, patch(5, one)), item(3, patch(4, two))], confirmed: 0)
            let answer = try await store.pushDiary(push, of: user(1), at: at(10))
            try expectEqual(answer.results.map(\.outcome), [.applied, .applied, .conflict])
            let row = try await store.diaryChanges(of: user(1), for: device, after: nil, limit: 9).rows[0].row
            try expectEqual(row[.images].value, .images([one]))
            try expectEqual(row.conflicts, [DiaryConflict(field: .images, stamp: stamp(4), value: .images([two]))])
            try expectEqual(DiaryRow(bytes: row.bytes), row)
        },
    ]
}

extension PulseBoardStore {
    fileprivate func stage(_ image: DiaryImage, _ bytes: [UInt8], of owner: UserID = user(1), at now: Timestamp) async throws(RepositoryError) {
        try await stageDiaryImage(image, of: owner, at: now) { range async throws(RepositoryError) in Array(bytes[range]) }
    }
}

private let device = DiaryDeviceID(bits: UUIDBits(high: 0xDDDD_0000_0000_4000, low: 0x8000_0000_0000_0001))

private func entry(_ number: UInt64) -> DiaryEntryID {
    DiaryEntryID(bits: UUIDBits(high: 0xEEEE_0000_0000_4000, low: 0x8000_0000_0000_0000 | number))
}

/// The bytes need not be a real picture, because a store does not decode them.
private func picture(_ number: UInt8, count: Int) throws(ContractFailure) -> (DiaryImage, [UInt8]) {
    guard let hash = DiaryImageHash(bytes: [UInt8](repeating: number, count: 32)) else { throw ContractFailure(description: "no hash") }
    return (DiaryImage(hash: hash, contentType: "image/png", byteCount: count), (0..<count).map { UInt8(truncatingIfNeeded: $0) ^ number })
}

private func item(_ number: Int64, _ mutation: DiaryMutation) -> DiaryPush.Item {
    DiaryPush.Item(
        numbered: NumberedDiaryMutation(number: number, mutation: mutation), fingerprint: Array("\(mutation.entryID) \(mutation.stamp.time)".utf8))
}
