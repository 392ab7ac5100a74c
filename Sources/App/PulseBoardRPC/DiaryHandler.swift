import DiaryMessages
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Serves `pulseboard.diary.v1.DiaryService` with ``DiaryService``. It contains no rules, and logs nothing of a
/// message.
struct DiaryHandler: PBDiaryServiceHandler {
    let diaries: DiaryService
    let images: DiaryImageService

    // MARK: Online

    func createDiaryEntry(_ request: PBCreateDiaryEntryRequest, context: CallContext) async throws -> PBDiaryEntry {
        let caller = try context.caller
        let entry = try Self.entry(request.entry)
        let content = try validated { () throws(ValidationError) in try entry.content() }
        return PBDiaryEntry(try await diaries.createEntry(identifier(entry.id, field: "entry.id"), content, caller))
    }

    func getDiaryEntry(_ request: PBGetDiaryEntryRequest, context: CallContext) async throws -> PBDiaryEntry {
        let caller = try context.caller
        return PBDiaryEntry(try await diaries.entry(identifier(request.id, field: "id"), caller))
    }

    func listDiaryEntries(_ request: PBListDiaryEntriesRequest, context: CallContext) async throws -> PBListDiaryEntriesResponse {
        let caller = try context.caller
        let limits = DiaryLimits.entryTimes
        let start = try Self.instant(request.startTime, field: "start_time") ?? Timestamp(microseconds: limits.lowerBound)
        let end = try Self.instant(request.endTime, field: "end_time") ?? Timestamp(microseconds: limits.upperBound + 1)
        let isWhole = request.startTime == nil && request.endTime == nil
        let filter = DiaryFilter(
            times: isWhole ? nil : start..<max(start, end), emotion: request.emotion.isEmpty ? nil : request.emotion,
            text: request.query.isEmpty ? nil : request.query)
        let page = try await diaries.entries(
            filter, pageRequest(request.pageSize, request.pageToken), caller, keepingPlace: context.keepUntilSent)
        return PBListDiaryEntriesResponse(entries: page.items.map { PBDiaryEntry($0) }, nextPageToken: page.nextToken?.text ?? "")
    }

    func updateDiaryEntry(_ request: PBUpdateDiaryEntryRequest, context: CallContext) async throws -> PBDiaryEntry {
        let caller = try context.caller
        let entry = try Self.entry(request.entry)
        let mask = request.updateMask ?? Google_Protobuf_FieldMask()
        let change = try await validated(text: entry.text, of: caller.userID) { () throws(ValidationError) in
            let fields = try mask.diaryFields()
            return try DiaryChange(
                entryTime: fields.contains(.entryTime) ? try entry.time() : nil, emotion: fields.contains(.emotion) ? entry.emotion : nil,
                text: fields.contains(.text) ? entry.text : nil,
                images: fields.contains(.images) ? try entry.pictures() : nil)
        }
        return PBDiaryEntry(
            try await diaries.updateEntry(identifier(entry.id, field: "entry.id"), change, etag: request.etag, caller))
    }

    func deleteDiaryEntry(_ request: PBDeleteDiaryEntryRequest, context: CallContext) async throws -> PBDeleteDiaryEntryResponse {
        let caller = try context.caller
        try await diaries.deleteEntry(identifier(request.id, field: "id"), caller)
        return PBDeleteDiaryEntryResponse()
    }

    // MARK: Devices

    func registerDiaryDevice(_ request: PBRegisterDiaryDeviceRequest, context: CallContext) async throws -> PBDiaryDevice {
        let caller = try context.caller
        return PBDiaryDevice(
            try await diaries.registerDevice(identifier(request.deviceID, field: "device_id"), name: request.name, caller))
    }

    func listDiaryDevices(_ request: PBListDiaryDevicesRequest, context: CallContext) async throws -> PBListDiaryDevicesResponse {
        let caller = try context.caller
        return PBListDiaryDevicesResponse(devices: try await diaries.devices(caller).map { PBDiaryDevice($0) })
    }

    func deleteDiaryDevice(_ request: PBDeleteDiaryDeviceRequest, context: CallContext) async throws -> PBDeleteDiaryDeviceResponse {
        let caller = try context.caller
        try await diaries.deleteDevice(identifier(request.deviceID, field: "device_id"), caller)
        return PBDeleteDiaryDeviceResponse()
    }

    // MARK: Synchronizing

    func pushDiaryMutations(_ request: PBPushDiaryMutationsRequest, context: CallContext) async throws -> PBPushDiaryMutationsResponse {
        let caller = try context.caller
        let device: DiaryDeviceID = try identifier(request.deviceID, field: "device_id")
        try requireAtMost(DiaryLimits.maximumBatch, itemsIn: "mutations", request.mutations.count)
        var mutations: [NumberedDiaryMutation] = []
        mutations.reserveCapacity(request.mutations.count)
        for (index, message) in request.mutations.enumerated() {
            do throws(ValidationError) { mutations.append(try NumberedDiaryMutation(message)) } catch {
                throw RepositoryError.invalid(error.inside("mutations[\(index)]"))
            }
        }
        let answer = try await diaries.push(mutations, confirmed: request.confirmed, from: device, caller)
        return PBPushDiaryMutationsResponse(
            lastMutation: answer.lastMutation, results: answer.results.map { PBMutationResult($0) }, previousCursor: answer.previousCursor,
            nextCursor: answer.nextCursor)
    }

    func pullDiaryChanges(_ request: PBPullDiaryChangesRequest, context: CallContext) async throws -> PBDiaryChanges {
        let caller = try context.caller
        return PBDiaryChanges(try await diaries.changes(
            for: identifier(request.deviceID, field: "device_id"), after: request.cursor, limit: Int(request.pageSize), caller,
            keepingPlace: context.keepUntilSent))
    }

    func watchDiary(
        _ request: PBWatchDiaryRequest, responses: MessageWriter<PBDiaryChanges>, context: CallContext
    ) async throws {
        let caller = try context.caller
        try await diaries.watch(
            for: identifier(request.deviceID, field: "device_id"), after: request.cursor, limit: Int(request.pageSize), caller,
            to: PageOutput(responses: responses))
    }

    // MARK: Pictures

    func uploadDiaryImage(_ requests: MessageStream<PBUploadDiaryImageRequest>, context: CallContext) async throws -> PBDiaryImage {
        let caller = try context.caller
        let image = try await images.upload(requests.map { try chunk($0.chunk) }, caller) {
            var parts = requests.makeAsyncIterator()
            guard case .header(let header)? = try await parts.next()?.part else { throw RepositoryError.invalid("header", .fieldMissing) }
            return UploadHeader(byteCount: header.sizeBytes, sha256: try Self.hash(header.sha256).bytes)
        }
        return PBDiaryImage(image)
    }

    func findMissingDiaryImages(
        _ request: PBFindMissingDiaryImagesRequest, context: CallContext
    ) async throws -> PBFindMissingDiaryImagesResponse {
        let caller = try context.caller
        try requireAtMost(DiaryLimits.maximumImageNames, itemsIn: "sha256", request.sha256.count)
        let missing = try await images.missing(request.sha256.enumerated().map { try Self.hash($0.element, field: "sha256[\($0.offset)]") }, caller)
        return PBFindMissingDiaryImagesResponse(sha256: missing.map(\.bytes))
    }

    func downloadDiaryImage(
        _ request: PBDownloadDiaryImageRequest, responses: MessageWriter<PBDownloadDiaryImageResponse>, context: CallContext
    ) async throws {
        let caller = try context.caller
        try await images.download(Self.hash(request.sha256), caller, to: PartOutput(responses: responses))
    }

    private static func hash(_ bytes: [UInt8], field: String = "sha256") throws(RepositoryError) -> DiaryImageHash {
        guard let hash = DiaryImageHash(bytes: bytes) else { throw .invalid(field, .identifierInvalid) }
        return hash
    }

    // MARK: Reading requests

    private static func entry(_ entry: PBDiaryEntry?) throws(RepositoryError) -> PBDiaryEntry {
        guard let entry else { throw .invalid("entry", .fieldMissing) }
        return entry
    }

    private static func instant(_ time: Google_Protobuf_Timestamp?, field: String) throws(RepositoryError) -> Timestamp? {
        guard let time else { return nil }
        guard let microseconds = time.microsecondsSinceEpoch else {
            throw .invalid(field, .entryTimeInvalid)
        }
        return Timestamp(microseconds: microseconds)
    }
}

/// The pages of a watch.
private struct PageOutput: PacedOutput {
    let responses: MessageWriter<PBDiaryChanges>

    var isReady: Bool { get async { await responses.isReady } }

    func waitUntilReady() async throws { try await responses.waitUntilReady() }

    func handOver(_ page: DiaryChanges) async throws {
        guard page.isLong else { return try await responses.handOver(PBDiaryChanges(page)) }
        // Making and encoding the message must not hold up the event loop.
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await responses.handOver(PBDiaryChanges(page)) }
    }
}

/// The parts of a picture.
private struct PartOutput: PacedOutput {
    let responses: MessageWriter<PBDownloadDiaryImageResponse>

    var isReady: Bool { get async { await responses.isReady } }

    func waitUntilReady() async throws { try await responses.waitUntilReady() }

    func handOver(_ bytes: [UInt8]) async throws { try await responses.handOver(PBDownloadDiaryImageResponse(chunk: bytes)) }
}

extension PBUploadDiaryImageRequest {
    fileprivate var chunk: [UInt8]? { if case .chunk(let bytes)? = part { bytes } else { nil } }
}

extension PBDiaryDevice {
    init(_ device: DiaryDevice) {
        self.init(
            id: device.id.description, name: device.name, lastMutation: device.lastMutation, seenTime: Google_Protobuf_Timestamp(device.seenTime))
    }
}

extension PBMutationResult {
    fileprivate init(_ result: DiaryMutationResult) {
        switch result.outcome {
        case .applied: self.init(number: result.number, outcome: .applied)
        case .conflict: self.init(number: result.number, outcome: .conflict)
        case .rejected(let reason): self.init(number: result.number, outcome: .rejected, reason: reason.rawValue)
        }
    }
}

extension DiaryChanges {
    /// Whether the message takes too long to make for an event loop: more than 32 KiB, or a hundred rows.
    fileprivate var isLong: Bool { rows.count > 100 || byteCount > 32 << 10 }
}

extension PBDiaryChanges {
    fileprivate init(_ changes: DiaryChanges) {
        self.init(
            rows: changes.rows.map { PBDiaryRow($0) }, nextCursor: changes.nextCursor, complete: changes.isComplete,
            lastMutation: changes.lastMutation)
    }
}
