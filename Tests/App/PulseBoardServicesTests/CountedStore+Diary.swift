import PulseBoardDomain

extension CountedStore {
    func diaryEntry(_ id: DiaryEntryID, of owner: UserID) async throws(RepositoryError) -> DiaryEntry {
        try await through("diaryEntry") { () async throws(RepositoryError) in try await store.diaryEntry(id, of: owner) }
    }

    func diaryEntries(
        of owner: UserID, _ filter: DiaryFilter, after cursor: DiaryCursor?, limit: Int
    ) async throws(RepositoryError) -> DiaryEntryPage {
        try await through("diaryEntries") { () async throws(RepositoryError) in
            try await store.diaryEntries(of: owner, filter, after: cursor, limit: limit)
        }
    }

    func createDiaryEntry(
        _ id: DiaryEntryID, _ content: DiaryContent, of owner: UserID, in session: SessionID?, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry {
        try await through("createDiaryEntry") { () async throws(RepositoryError) in
            try await store.createDiaryEntry(id, content, of: owner, in: session, at: now)
        }
    }

    func updateDiaryEntry(
        _ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?, of owner: UserID, in session: SessionID?, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryEntry {
        try await through("updateDiaryEntry") { () async throws(RepositoryError) in
            try await store.updateDiaryEntry(id, change, ifMatches: etag, of: owner, in: session, at: now)
        }
    }

    func deleteDiaryEntry(_ id: DiaryEntryID, of owner: UserID, in session: SessionID?, at now: Timestamp) async throws(RepositoryError) {
        try await through("deleteDiaryEntry") { () async throws(RepositoryError) in
            try await store.deleteDiaryEntry(id, of: owner, in: session, at: now)
        }
    }

    func registerDiaryDevice(
        _ device: DiaryDeviceID, name: String, of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryDevice {
        try await through("registerDiaryDevice") { () async throws(RepositoryError) in
            try await store.registerDiaryDevice(device, name: name, of: owner, at: now)
        }
    }

    func diaryDevices(of owner: UserID) async throws(RepositoryError) -> [DiaryDevice] {
        try await through("diaryDevices") { () async throws(RepositoryError) in try await store.diaryDevices(of: owner) }
    }

    func deleteDiaryDevice(_ device: DiaryDeviceID, of owner: UserID) async throws(RepositoryError) {
        try await through("deleteDiaryDevice") { () async throws(RepositoryError) in
            try await store.deleteDiaryDevice(device, of: owner)
        }
    }

    func pushDiary(
        _ push: DiaryPush, of owner: UserID, in session: SessionID?, at now: Timestamp
    ) async throws(RepositoryError) -> DiaryPushAnswer {
        try await through("pushDiary") { () async throws(RepositoryError) in try await store.pushDiary(push, of: owner, in: session, at: now) }
    }

    func diaryChanges(
        of owner: UserID, for device: DiaryDeviceID?, after position: DiaryPosition?, limit: Int
    ) async throws(RepositoryError) -> DiaryChangePage {
        try await through("diaryChanges") { () async throws(RepositoryError) in
            try await store.diaryChanges(of: owner, for: device, after: position, limit: limit)
        }
    }

    func stageDiaryImage(
        _ image: DiaryImage, of owner: UserID, at now: Timestamp, _ bytes: @Sendable (Range<Int>) async throws(RepositoryError) -> [UInt8]
    ) async throws(RepositoryError) {
        try await through("stageDiaryImage") { () async throws(RepositoryError) in
            try await store.stageDiaryImage(image, of: owner, at: now, bytes)
        }
    }

    func missingDiaryImages(
        _ hashes: [DiaryImageHash], of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> [DiaryImageHash] {
        try await through("missingDiaryImages") { () async throws(RepositoryError) in
            try await store.missingDiaryImages(hashes, of: owner, at: now)
        }
    }

    func diaryImages(of owner: UserID, after hash: DiaryImageHash?, limit: Int) async throws(RepositoryError) -> [DiaryImage] {
        try await through("diaryImages") { () async throws(RepositoryError) in
            try await store.diaryImages(of: owner, after: hash, limit: limit)
        }
    }

    func diaryImage(_ hash: DiaryImageHash, of owner: UserID) async throws(RepositoryError) -> DiaryImage {
        try await through("diaryImage") { () async throws(RepositoryError) in try await store.diaryImage(hash, of: owner) }
    }

    func diaryImagePart(_ part: Int, of hash: DiaryImageHash, of owner: UserID) async throws(RepositoryError) -> [UInt8] {
        try await through("diaryImagePart") { () async throws(RepositoryError) in
            try await store.diaryImagePart(part, of: hash, of: owner)
        }
    }
}
