import DiaryMessages
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardVocabulary
import RPCClient
import RPCCore
import Synchronization

/// One signed-in account's diary on a server, over a channel.
///
///     let channel = try Channel(socketPath: "/run/pulseboard/pulseboard.sock")
///     let client = DiaryClient(channel: channel, user: user) {
///         CallOptions(timeout: .seconds(5), metadata: ["authorization": "Bearer \(token)"])
///     }
///     let diary = CombinedDiaryRepository(file, server: client)
///
/// `user` and `token` are the account's id and the secret of its session, as `SignIn` returns them.
public struct DiaryClient: DiaryServer {
    public let user: UserID
    let service: PBDiaryServiceClient
    /// Called for every call, because the token may change.
    private let options: @Sendable () -> CallOptions
    private let pace = PushPace()

    /// - Parameters:
    ///   - user: the signed-in user.
    ///   - options: returns the options of a call, with the token of that user's session.
    public init(channel: any CallChannel, user: UserID, options: @escaping @Sendable () -> CallOptions) {
        self.user = user
        service = PBDiaryServiceClient(channel: channel)
        self.options = options
    }

    public func register(_ device: DiaryDeviceID, name: String) async throws(DiaryError) {
        _ = try await call { options throws(RPCError) in
            try await service.registerDiaryDevice(PBRegisterDiaryDeviceRequest(deviceID: device.description, name: name), options: options)
        }
    }

    /// Sends edits, in several calls if the line is slow (``PushPace``). An edit that was sent before counts once, so after a failure all are sent
    /// again.
    public func push(
        _ mutations: [NumberedDiaryMutation], confirmed: Int64, from device: DiaryDeviceID
    ) async throws(DiaryError) -> DiaryPushReply {
        var reply: DiaryPushReply?
        var rest = mutations[...]
        repeat {
            let part = pace.part(of: rest)
            let request = PBPushDiaryMutationsRequest(
                deviceID: device.description, mutations: part.map { PBDiaryMutation($0) }, confirmed: confirmed)
            let begin = ContinuousClock.now
            let answer: PBPushDiaryMutationsResponse
            do throws(RPCError) { answer = try await service.pushDiaryMutations(request, options: options()) } catch {
                guard pace.takesLess(of: part, after: ContinuousClock.now - begin, error) else { throw DiaryError(error) }
                continue
            }
            pace.note(part, took: ContinuousClock.now - begin)
            let next = try Self.reply(answer, to: part)
            reply = reply?.followed(by: next) ?? next
            rest = rest.dropFirst(part.count)
        } while !rest.isEmpty
        return reply ?? DiaryPushReply(results: [])
    }

    private static func reply(
        _ answer: PBPushDiaryMutationsResponse, to mutations: ArraySlice<NumberedDiaryMutation>
    ) throws(DiaryError) -> DiaryPushReply {
        guard answer.results.count == mutations.count else { throw .answerNotUnderstood }
        var results: [DiaryMutationResult] = []
        for (result, mutation) in zip(answer.results, mutations) {
            guard result.number == mutation.number else { throw .answerNotUnderstood }
            let outcome: DiaryMutationResult.Outcome
            switch result.outcome {
            case .applied: outcome = .applied
            case .conflict: outcome = .conflict
            // An unknown reason of a later version becomes `UNAVAILABLE`.
            case .rejected: outcome = .rejected(Reason(rawValue: result.reason) ?? .unavailable)
            default: throw .answerNotUnderstood
            }
            results.append(DiaryMutationResult(number: result.number, outcome: outcome))
        }
        // An older server sends no cursors.
        guard !answer.previousCursor.isEmpty, !answer.nextCursor.isEmpty else { return DiaryPushReply(results: results) }
        return DiaryPushReply(results: results, span: DiaryPushReply.Span(before: answer.previousCursor, after: answer.nextCursor))
    }

    /// No device makes so many edits. A number may be greater than those of the directory: a push may arrive late, and a copy of the directory may
    /// have sent edits.
    private static let lastPossibleMutation: Int64 = 1 << 48

    public func pull(after cursor: String, for device: DiaryDeviceID) async throws(DiaryError) -> DiaryReadPage {
        let request = PBPullDiaryChangesRequest(deviceID: device.description, cursor: cursor)
        let answer = try await call { options throws(RPCError) in try await service.pullDiaryChanges(request, options: options) }
        guard (0...Self.lastPossibleMutation).contains(answer.lastMutation) else { throw .answerNotUnderstood }
        // Otherwise the same page would be read for ever.
        guard answer.complete || (!answer.nextCursor.isEmpty && answer.nextCursor != cursor) else { throw .answerNotUnderstood }
        do throws(ValidationError) {
            return DiaryReadPage(
                rows: try answer.rows.map { row throws(ValidationError) in try DiaryRowChange(row) }, nextCursor: answer.nextCursor,
                isComplete: answer.complete, lastMutation: answer.lastMutation)
        } catch { throw .answerNotUnderstood }
    }

    public func watch(
        after cursor: String, for device: DiaryDeviceID, _ changed: @Sendable () async throws(DiaryError) -> Void
    ) async throws(DiaryError) {
        var options = options()
        // A watch does not end by itself.
        options.timeout = nil
        let request = PBWatchDiaryRequest(deviceID: device.description, cursor: cursor)
        var pages = service.watchDiary(request, options: options).makeAsyncIterator()
        var last: (cursor: String, mutation: Int64)?
        while true {
            let page: PBDiaryChanges?
            do throws(RPCError) { page = try await pages.next() } catch { throw DiaryError(error) }
            guard let page else { throw .unavailable(detail: "the server has ended the watch") }
            // A page without rows at the same place says only that the watch lives.
            let isHeartbeat = page.rows.isEmpty && page.nextCursor == last?.cursor && page.lastMutation == last?.mutation
            last = (page.nextCursor, page.lastMutation)
            if !isHeartbeat { try await changed() }
        }
    }

    // MARK: Pictures

    /// How long the transfer of a picture may take: its decoding, and its bytes at the lowest rate that the server permits
    /// (``ImageLimits/uploadProgress`` in every ``ImageLimits/uploadInterval``).
    private static func transferTimeout(_ byteCount: Int) -> Duration {
        let intervals = byteCount / ImageLimits.uploadProgress + 1
        return .seconds(60) + ImageLimits.uploadInterval * intervals
    }

    /// A shorter timeout than this is kept for pictures too.
    private static let hurry = Duration.seconds(1)
    /// A message must be complete within ten seconds. At the lowest rate that the server permits, these take eight.
    private static let chunkBytes = 32 << 10

    private static func isHurried(_ options: CallOptions) -> Bool { options.timeout.map { $0 < hurry } ?? false }

    private static func transferOptions(_ options: CallOptions, of byteCount: Int) -> CallOptions {
        var options = options
        if !isHurried(options) { options.timeout = transferTimeout(byteCount) }
        return options
    }

    public func missingImages(_ hashes: [DiaryImageHash]) async throws(DiaryError) -> [DiaryImageHash] {
        var missing: [DiaryImageHash] = []
        for start in stride(from: 0, to: hashes.count, by: DiaryLimits.maximumImageNames) {
            let names = hashes[start..<min(start + DiaryLimits.maximumImageNames, hashes.count)].map(\.bytes)
            let answer = try await call { options throws(RPCError) in
                try await service.findMissingDiaryImages(PBFindMissingDiaryImagesRequest(sha256: names), options: options)
            }
            missing += answer.sha256.compactMap { DiaryImageHash(bytes: $0) }
        }
        return missing
    }

    public func upload(_ image: DiaryImage, _ bytes: [UInt8]) async throws(DiaryError) {
        guard try await upload(bytes, as: image.hash) == image else { throw .answerNotUnderstood }
    }

    /// Sends a picture's bytes.
    /// - Returns: the picture as entries name it.
    func upload(_ bytes: [UInt8], as hash: DiaryImageHash) async throws(DiaryError) -> DiaryImage {
        let answer = try await transfer { options throws(RPCError) in
            let stream = service.uploadDiaryImage(options: Self.transferOptions(options, of: bytes.count))
            do throws(RPCError) {
                let header = PBUploadDiaryImageHeader(sizeBytes: Int64(bytes.count), sha256: hash.bytes)
                try await stream.write(PBUploadDiaryImageRequest(part: .header(header)))
                for start in stride(from: 0, to: bytes.count, by: Self.chunkBytes) {
                    let chunk = Array(bytes[start..<min(start + Self.chunkBytes, bytes.count)])
                    try await stream.write(PBUploadDiaryImageRequest(part: .chunk(chunk)))
                }
            } catch {
                // The server has answered before everything was sent. Its answer says why.
                do throws(RPCError) { _ = try await stream.finish() } catch let answer { throw answer }
                throw error
            }
            return try await stream.finish()
        }
        guard let image = DiaryImage(answer), image.hash == hash else { throw .answerNotUnderstood }
        return image
    }

    /// Why a server that takes edits may take no pictures: it cannot decode them, or not write their files.
    private static let pictureReasons = Set([Reason.unavailable, .storeFull, .storeInputOutput, .storeReadOnly].map(\.rawValue))

    /// Performs a call that sends a picture. It distinguishes a server that takes no pictures now from one that cannot be
    /// reached.
    private func transfer<Answer>(_ body: (CallOptions) async throws(RPCError) -> Answer) async throws(DiaryError) -> Answer {
        let options = options()
        do throws(RPCError) { return try await body(options) } catch {
            // A reason proves that the server has answered. A picture that had all the time it needs, and was too slow, holds only its own entries.
            switch (error.code, error.reason) {
            case (.deadlineExceeded, Reason.imageTooSlow.rawValue?): throw .pictureNotTaken(reason: Reason.imageTooSlow.rawValue)
            case (.deadlineExceeded, nil) where !Self.isHurried(options): throw .pictureNotTaken(reason: Reason.imageTooSlow.rawValue)
            case (.unavailable, let reason?) where Self.pictureReasons.contains(reason): throw .pictureNotTaken(reason: reason)
            case (.resourceExhausted, Reason.imageBusy.rawValue?): throw .pictureNotTaken(reason: Reason.imageBusy.rawValue)
            default: throw DiaryError(error)
            }
        }
    }

    public func download(_ image: DiaryImage) async throws(DiaryError) -> [UInt8] {
        let options = Self.transferOptions(options(), of: image.byteCount)
        var bytes: [UInt8] = []
        do throws(RPCError) {
            for try await part in service.downloadDiaryImage(PBDownloadDiaryImageRequest(sha256: image.hash.bytes), options: options) {
                bytes += part.chunk
                guard bytes.count <= image.byteCount else { break }
            }
        } catch { throw DiaryError(error) }
        guard bytes.count == image.byteCount, DiaryImageHash(of: bytes) == image.hash else { throw .answerNotUnderstood }
        return bytes
    }

    func call<Answer>(_ body: (CallOptions) async throws(RPCError) -> Answer) async throws(DiaryError) -> Answer {
        do throws(RPCError) { return try await body(options()) } catch { throw DiaryError(error) }
    }
}

extension DiaryClient {
    // MARK: Online

    func create(_ content: DiaryContent, as id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry {
        var entry = PBDiaryEntry(DiaryField.allCases.map { content[$0] })
        entry.id = id.description
        return try understood(try await call { options throws(RPCError) in
            try await service.createDiaryEntry(PBCreateDiaryEntryRequest(entry: entry), options: options)
        })
    }

    func update(_ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?) async throws(DiaryError) -> DiaryEntry {
        var entry = PBDiaryEntry(change.values.values)
        entry.id = id.description
        let request = PBUpdateDiaryEntryRequest(
            entry: entry, updateMask: Google_Protobuf_FieldMask(change.values.keys), etag: etag?.text ?? "")
        return try understood(try await call { options throws(RPCError) in try await service.updateDiaryEntry(request, options: options) })
    }

    func delete(_ id: DiaryEntryID) async throws(DiaryError) {
        _ = try await call { options throws(RPCError) in
            try await service.deleteDiaryEntry(PBDeleteDiaryEntryRequest(id: id.description), options: options)
        }
    }

    func entry(_ id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry {
        try understood(try await call { options throws(RPCError) in
            try await service.getDiaryEntry(PBGetDiaryEntryRequest(id: id.description), options: options)
        })
    }

    func entries(_ filter: DiaryFilter, _ page: PageRequest) async throws(DiaryError) -> DiaryPage {
        // In the message, an empty emotion or text selects every entry.
        let filter = try checked { () throws(ValidationError) in try filter.checked() }
        let time = { (time: Timestamp?) in time.map { Google_Protobuf_Timestamp(microsecondsSinceEpoch: $0.microseconds) } }
        let request = PBListDiaryEntriesRequest(
            pageSize: Int32(page.size), pageToken: page.token?.text ?? "", startTime: time(filter.times?.lowerBound),
            endTime: time(filter.times?.upperBound), emotion: filter.emotion ?? "", query: filter.text ?? "")
        let answer = try await call { options throws(RPCError) in try await service.listDiaryEntries(request, options: options) }
        return DiaryPage(
            entries: try answer.entries.map { entry throws(DiaryError) in try understood(entry) },
            nextToken: answer.nextPageToken.isEmpty ? nil : PageToken(text: answer.nextPageToken))
    }

    private func understood(_ message: PBDiaryEntry) throws(DiaryError) -> DiaryEntry {
        guard let entry = DiaryEntry(message) else { throw .answerNotUnderstood }
        return entry
    }
}

extension DiaryClient {
    // MARK: Devices

    /// The owner's devices, in the order of their ids.
    public func devices() async throws(DiaryError) -> [DiaryDevice] {
        let answer = try await call { options throws(RPCError) in
            try await service.listDiaryDevices(PBListDiaryDevicesRequest(), options: options)
        }
        return try answer.devices.map { device throws(DiaryError) in
            guard let id = DiaryDeviceID(text: device.id), let seen = device.seenTime?.microsecondsSinceEpoch else { throw .answerNotUnderstood }
            return DiaryDevice(id: id, name: device.name, lastMutation: device.lastMutation, seenTime: Timestamp(microseconds: seen))
        }
    }

    /// Makes the server forget a device. What the device has sent stays. If its directory synchronizes again, it registers as a new device.
    public func remove(_ device: DiaryDeviceID) async throws(DiaryError) {
        _ = try await call { options throws(RPCError) in
            try await service.deleteDiaryDevice(PBDeleteDiaryDeviceRequest(deviceID: device.description), options: options)
        }
    }
}

/// How many bytes of edits a push sends. All pushes of a client share it.
///
/// A server ends a request that is not complete within ten seconds (docs/operating.md, "Limits of clients"). So on a slow line each failed push is
/// followed by a smaller one, and each quick one by a larger one.
private final class PushPace: Sendable {
    /// Less than this is not made smaller: a line of 2 KiB a second carries it in time.
    private static let least = 16 << 10
    /// If a connection is lost, or this side ends the call, in less time than this, that says nothing about the speed of the line.
    private static let shortest = Duration.seconds(1)
    /// After a push that took less time, twice as much is sent.
    private static let quick = Duration.seconds(2)

    /// No limit until a push was too slow.
    private let byteCount = Mutex<Int?>(nil)

    /// The first edits that a push sends; at least one.
    func part(of edits: ArraySlice<NumberedDiaryMutation>) -> ArraySlice<NumberedDiaryMutation> {
        guard let limit = byteCount.withLock({ $0 }) else { return edits }
        var sum = 0
        let end = edits.firstIndex { edit in
            sum += edit.mutation.bytes.count
            return sum > limit
        }
        return edits.prefix(upTo: max(end ?? edits.endIndex, min(edits.startIndex + 1, edits.endIndex)))
    }

    /// Notes how long a push took that the server has answered. A small one says nothing of larger ones.
    func note(_ edits: ArraySlice<NumberedDiaryMutation>, took time: Duration) {
        guard time < Self.quick, byteCount.withLock({ $0 }) != nil else { return }
        let sum = edits.reduce(0) { $0 + $1.mutation.bytes.count }
        byteCount.withLock { limit in
            guard let present = limit, sum >= present / 2 else { return }
            limit = present >= DiaryLimits.maximumBatchBytes / 2 ? nil : present * 2
        }
    }

    /// Whether less may pass where a push has failed. Then the next part is smaller.
    func takesLess(of edits: ArraySlice<NumberedDiaryMutation>, after time: Duration, _ error: RPCError) -> Bool {
        let isSlow =
            switch error.code {
            case .deadlineExceeded: error.origin == .peer || time > Self.shortest
            // A ttrpc server closes the connection.
            case .unavailable: error.reason == nil && time > Self.shortest
            default: false
            }
        let sum = edits.reduce(0) { $0 + $1.mutation.bytes.count }
        guard isSlow, edits.count > 1, sum > Self.least else { return false }
        byteCount.withLock { $0 = max(sum / 4, Self.least) }
        return true
    }
}

extension RPCError {
    fileprivate var errorInfo: Google_Rpc_ErrorInfo? {
        details.first { $0.typeURL.hasSuffix("google.rpc.ErrorInfo") }.flatMap { try? Google_Rpc_ErrorInfo(serializedBytes: $0.value) }
    }

    /// The server's reason; `nil` if the error is not from the server.
    fileprivate var reason: String? { errorInfo?.reason }
}

extension DiaryError {
    /// The error for a status from the server.
    init(_ error: RPCError) {
        let info = error.errorInfo
        let lastMutation = info?.metadata["last_mutation"].flatMap { Int64($0) } ?? 0
        switch info.flatMap({ Reason(rawValue: $0.reason) }) {
        case .diaryMutationGap?: self = .diary(.mutationGap(lastMutation: lastMutation))
        case .diaryDeviceCloned?: self = .diary(.deviceCloned)
        case .diaryDeviceUnknown?: self = .diary(.deviceUnknown)
        case .diaryResyncRequired?: self = .diary(.resyncRequired)
        case .invalidPageToken?: self = .cursorRefused
        case .diaryTooManyDevices?: self = .diary(.tooManyDevices)
        case .diaryFull?: self = .diary(.full)
        case .diaryLocked?: self = .diary(.locked)
        case .imageNotStaged?: self = .diary(.imageNotStaged)
        case .imageNotFound?: self = .diary(.imageNotFound)
        case .etagMismatch?: self = .etagMismatch
        case .notAuthenticated?: self = .notSignedIn
        case .diaryClockSkewed?:
            guard let time = info?.metadata["server_time"].flatMap({ Int64($0) }) else { fallthrough }
            self = .diary(.clockSkewed(serverTime: Timestamp(microseconds: time), lastMutation: lastMutation))
        default:
            switch error.code {
            case .unavailable, .deadlineExceeded, .cancelled: self = .unavailable(detail: error.message, reason: info?.reason)
            case .unauthenticated: self = .notSignedIn
            default: self = .refused(reason: info?.reason ?? "\(error.code)", message: error.message, code: error.code)
            }
        }
    }
}
