import PulseBoardDomain
import PulseBoardVocabulary

/// Synchronizes a directory with its server.
///
///     let sync = DiarySync(file, server: client, deviceName: "laptop")
///     try await sync.attach()     // once the user has signed in
///     try await sync.run()
///
/// A ``CombinedDiaryRepository`` has one.
public struct DiarySync: Sendable {
    private let file: DiaryFile
    private let server: any DiaryServer
    private let deviceName: String
    /// How often one run may take a new device id, begin again, or move its stamps before the server takes another edit. With a correct server, each
    /// happens at most once. A clock that is far ahead needs it for every edit that is made during the run.
    private static let mostRepairs = 5
    /// The pause between two tries while another process synchronizes.
    private static let pause = Duration.milliseconds(20)
    private static let mostLooks = 50
    /// After a watch of this length, its repairs are forgotten.
    private static let longWatch = Duration.seconds(60)
    /// How often a synchronization that follows looks for edits of other processes.
    static let lookInterval = Duration.seconds(1)
    /// After so many looks it runs without a reason, for edits that wait for a picture: after a minute.
    static let looksPerRun = 60
    /// Waits for the next look.
    private let wait: @Sendable (Duration) async throws -> Void

    /// - Parameter deviceName: the owner's name for the directory.
    public init(_ file: DiaryFile, server: any DiaryServer, deviceName: String = "") {
        self.init(file, server: server, deviceName: deviceName) { try await Task.sleep(for: $0) }
    }

    init(_ file: DiaryFile, server: any DiaryServer, deviceName: String = "", wait: @escaping @Sendable (Duration) async throws -> Void) {
        self.file = file
        self.server = server
        self.deviceName = deviceName
        self.wait = wait
    }

    /// Sends waiting edits, then takes new changes. After a failure the next run continues; nothing is done twice.
    /// - Throws: `notAttached`, `otherAccount`; `busy` if another process synchronizes for more than a second; `unavailable`, `notSignedIn`,
    ///   `refused`, `storeFailed`, `diary(.tooManyDevices)`.
    public func run() async throws(DiaryError) {
        guard let owner = try await file.owner() else { throw .notAttached }
        guard owner == server.user else { throw .otherAccount }
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        var repairs = 0, taken: Int64 = 0
        while true {
            do throws(DiaryError) { return try await pushAndPull() } catch {
                if case .diary(.clockSkewed(_, let last)) = error, last > taken { (repairs, taken) = (0, last) }
                repairs += 1
                guard repairs <= Self.mostRepairs else { throw error }
                do throws(DiaryError) { try await repair(error) } catch .damaged { try await setDamagedAside(error) }
            }
        }
    }

    /// Registers the directory as a device of the server's user, and then attaches it to that account (``DiaryFile/attach(to:)``).
    ///
    /// If the server does not answer, the directory stays without an account, where nothing limits writing.
    /// - Throws: `otherAccount`; as ``run()``.
    public func attach() async throws(DiaryError) {
        if let owner = try await file.owner() {
            guard owner == server.user else { throw .otherAccount }
            return
        }
        let device = try await file.deviceToRegister()
        if let device { try await server.register(device, name: deviceName) }
        try await file.attach(to: server.user)
        if let device { try await file.didRegister(device) }
    }

    private func pushAndPull() async throws(DiaryError) {
        try await register()
        if try await file.isReadingAgain() {
            // A restored server may have lost entries. They must be there again before later edits of them.
            try await pull()
            // It may have lost numbers too. Then the device has a new id.
            try await register()
        } else if try await file.shouldReadFirst() {
            try await pull()
        }
        if try await !push() {
            try await pull()
            if try await file.hasForgottenEdits() {
                // A restored server has lost these edits, and takes them again.
                if try await !push() { try await pull() }
            }
        }
        try await fetchImages()
    }

    private func register() async throws(DiaryError) {
        guard let device = try await file.deviceToRegister() else { return }
        try await server.register(device, name: deviceName)
        try await file.didRegister(device)
    }

    /// Repairs the cause of an error, so that another attempt can succeed.
    /// - Throws: the error itself if it cannot be repaired.
    private func repair(_ error: DiaryError) async throws(DiaryError) {
        switch error {
        case .diary(.deviceCloned): try await file.becomeNewDevice()
        // The numbers have a gap, because an edit with a number could not be read or a result could not be stored.
        case .refused(Reason.diaryNumberInvalid.rawValue, _, _): try await file.becomeNewDevice()
        // The server has forgotten mutations: it was restored from a backup, and its changes have other numbers now. Or edits of this directory could
        // not be read.
        case .diary(.mutationGap(let last)): try await file.becomeNewDevice(serverKnows: last, isRestored: try await file.hasForgotten(after: last))
        // The device was removed. Or the server was restored from a copy that is older than the device.
        case .diary(.deviceUnknown): try await file.becomeNewDevice(serverKnows: 0, isRestored: try await refusesCursor())
        case .diary(.clockSkewed(let time, let last)): try await file.moveStamps(to: time, after: last)
        case .diary(.resyncRequired): try await file.beginAgain()
        case .cursorRefused: try await file.beginAgain(isRestored: true)
        case .damaged: try await setDamagedAside(error)
        default: throw error
        }
    }

    /// Whether the server refuses the directory's cursor, because it was restored from a copy. It checks a cursor before it looks for the device.
    private func refusesCursor() async throws(DiaryError) -> Bool {
        let position = try await file.position()
        guard !position.cursor.isEmpty else { return false }
        do throws(DiaryError) { _ = try await server.pull(after: position.cursor, for: position.device) } catch {
            switch error {
            case .cursorRefused: return true
            case .diary: return false
            default: throw error
            }
        }
        return false
    }

    private func setDamagedAside(_ error: DiaryError) async throws(DiaryError) {
        guard try await file.setDamagedAside() else { throw error }
    }

    /// Takes the lock, and waits a moment if it is taken. A child that is being started also has it until it executes.
    private func lock() async throws(DiaryError) -> FileLock {
        let path = file.directory + "/sync.lock"
        for _ in 0..<Self.mostLooks {
            do throws(DiaryError) { return try FileLock.take(path) } catch {
                guard case .busy = error else { throw error }
            }
            do { try await Task.sleep(for: Self.pause) } catch { throw .unavailable(detail: "cancelled") }
        }
        return try FileLock.take(path)
    }

    /// Sends the waiting edits.
    /// - Returns: whether the base is the diary as the server had it after the last of them. Then nothing needs to be read.
    private func push() async throws(DiaryError) -> Bool {
        // Edits that had to wait for their pictures are tried again.
        try await file.holdNothing()
        var refusals = PictureRefusals()
        var answered: DiaryAnsweredBatch?, sent: DiaryAnsweredBatch?
        while let next = try await file.nextPush(after: answered) {
            answered = nil
            var batch: DiaryBatch?
            switch next {
            case .batch(let ready): batch = ready
            case .pictures(let pictures):
                if try await uploadImages(pictures, &refusals) { batch = try await file.nextBatch(through: pictures.lastEdit) }
            }
            if let batch {
                let last = try await push(batch, refusals)
                (answered, sent) = (last, last)
            }
        }
        guard let sent else { return false }
        return try await file.isAt(sent)
    }

    /// Sends a batch, and those after it that need no pictures. While one is under way, the results of the one before it are stored and the next
    /// one is taken. So the server may have two batches whose results are not stored here; it keeps the results of two.
    /// - Returns: the results of the last one, which are not stored yet.
    private func push(_ first: DiaryBatch, _ refusals: PictureRefusals) async throws(DiaryError) -> DiaryAnsweredBatch {
        var batch = first
        var answered: DiaryAnsweredBatch?
        while true {
            let (sent, former) = (batch, answered)
            var taken: Result<DiaryBatch?, DiaryError> = .success(nil)
            let answer = await server.overlap({ [server] in
                await Self.result { () throws(DiaryError) in
                    try await server.push(sent.mutations, confirmed: sent.confirmed, from: sent.device)
                }
            }, with: {
                taken = await Self.result { () throws(DiaryError) in try await file.nextBatch(behind: sent, after: former) }
            })
            let reply = refusals.explain(try answer.get(), of: sent)
            let results = DiaryAnsweredBatch(batch: sent, reply: reply)
            switch taken {
            case .success(let next?):
                batch = next
                answered = results
            case .success(nil): return results
            case .failure(let error):
                try await file.acknowledge(results)
                throw error
            }
        }
    }

    /// Sends the pictures that the next edits name, before the edits.
    ///
    /// Pictures that the server will never take, and missing ones, are left out: then the server rejects the edit, for the reason of its picture.
    /// A picture that the server does not take now holds only the entries that name it (``DiaryStatus/held``). An edit with a number cannot be
    /// held, so a pull first shows which of them the server has.
    /// - Parameter refusals: what the server has said about pictures in this run.
    /// - Returns: whether the edits can be sent. If not, the next edits must be read again.
    private func uploadImages(_ next: DiaryNextPictures, _ refusals: inout PictureRefusals) async throws(DiaryError) -> Bool {
        guard !next.images.isEmpty else { return true }
        for hash in try await server.missingImages(next.images.keys.sorted()) {
            guard let image = next.images[hash], let bytes = try await file.imageBytes(hash) else { continue }
            do throws(DiaryError) {
                if let reason = refusals.ofAll { throw .pictureNotTaken(reason: reason) }
                try await server.upload(image, bytes)
            } catch .diary(.full) {
                refusals.final[hash] = .diaryFull
            } catch .refused(let reason, _, _) where Self.finalRefusals.contains(reason) {
                refusals.final[hash] = Reason(rawValue: reason)
            } catch .pictureNotTaken(let reason) {
                refusals.note(reason)
                guard !next.numbered.contains(hash) else {
                    try await pull()
                    try await file.takeNumbersBack()
                    return false
                }
                try await file.hold(next.entries[hash] ?? [], for: reason)
            }
        }
        return true
    }

    /// What a server has said about pictures in one run.
    private struct PictureRefusals {
        /// Why it takes none now. If set, none is tried again.
        var ofAll: String?
        /// Why it will never take these.
        var final: [DiaryImageHash: Reason] = [:]
        /// How many did not arrive in time.
        private var lateCount = 0
        /// After so many late pictures the line is too slow for others too, or the server hangs.
        private static let mostLate = 3

        /// Notes why a picture is not taken now. One that was late says nothing of the others.
        mutating func note(_ reason: String) {
            if reason == Reason.imageTooSlow.rawValue { lateCount += 1 }
            if reason != Reason.imageTooSlow.rawValue || lateCount >= Self.mostLate { ofAll = reason }
        }

        /// The answer to a batch. An edit that was rejected because its picture is missing gets the reason why the picture was not taken.
        func explain(_ reply: DiaryPushReply, of batch: DiaryBatch) -> DiaryPushReply {
            guard !final.isEmpty else { return reply }
            let mutations = Dictionary(uniqueKeysWithValues: batch.mutations.map { ($0.number, $0.mutation) })
            let results = reply.results.map { result in
                guard result.outcome == .rejected(.imageNotStaged),
                    let reason = mutations[result.number]?.images.lazy.compactMap({ final[$0.hash] }).first
                else { return result }
                return DiaryMutationResult(number: result.number, outcome: .rejected(reason))
            }
            return DiaryPushReply(results: results, span: reply.span)
        }
    }

    private static let finalRefusals = Set(
        [Reason.imageEmpty, .imageTooLarge, .imageDimensions, .imageFormatUnsupported, .imageInvalid].map(\.rawValue))

    /// Fetches missing pictures that something names. One that the server does not have or cannot read stops no other, and is tried again the next
    /// time (``DiaryStatus/wantedImageCount``).
    private func fetchImages() async throws(DiaryError) {
        for image in try await file.wantedImages() {
            do throws(DiaryError) {
                try await file.keep(try await server.download(image), of: image)
            } catch .diary(.imageNotFound), .refused, .answerNotUnderstood {
                continue
            }
        }
    }

    private func pull() async throws(DiaryError) {
        var position = try await file.position()
        var page = try await server.pull(after: position.cursor, for: position.device)
        while !page.isComplete {
            // The next page is on its way while this one is stored.
            let (stored, place) = (page, position)
            let next = DiaryReadPosition(device: place.device, cursor: page.nextCursor, time: place.time)
            var storing: Result<Void, DiaryError> = .success(())
            let answer = await server.overlap({ [server] in
                await Self.result { () throws(DiaryError) in try await server.pull(after: next.cursor, for: next.device) }
            }, with: {
                storing = await Self.result { () throws(DiaryError) in try await file.take(stored, at: place) }
            })
            try storing.get()
            position = try await file.position()
            // The page does not fit if another process has read on meanwhile.
            guard position.hasSamePage(as: next) else {
                page = try await server.pull(after: position.cursor, for: position.device)
                continue
            }
            position = next
            page = try answer.get()
        }
        try await file.take(page, at: position)
    }

    /// Runs once, and again after every change on the server, after every edit in the directory, and every minute, until the task is cancelled. An
    /// edit of another process is noticed within a second.
    /// - Parameter didSynchronize: called after each run.
    /// - Throws: as ``run()`` except `busy`, when the server is lost or the session has ended.
    public func follow(_ didSynchronize: @escaping @Sendable () -> Void = {}) async throws(DiaryError) {
        var repairs = 0
        while true {
            let edits = await file.changes(), begin = ContinuousClock.now
            try await runWhenFree()
            didSynchronize()
            do throws(DiaryError) {
                return try await follow(edits, didSynchronize)
            } catch {
                // The watch is too far behind, the device was removed, or the server was restored. A run repairs that.
                if ContinuousClock.now - begin > Self.longWatch { repairs = 0 }
                switch error {
                case .diary, .cursorRefused: repairs += 1
                default: throw error
                }
                guard repairs <= Self.mostRepairs else { throw error }
            }
        }
    }

    /// Follows from where the last run ended.
    private func follow(_ edits: AsyncStream<Void>, _ didSynchronize: @escaping @Sendable () -> Void) async throws(DiaryError) {
        let position = try await file.position()
        let end = await withTaskGroup(of: Result<Void, DiaryError>.self) { group in
            group.addTask {
                await Self.result { () throws(DiaryError) in
                    try await server.watch(after: position.cursor, for: position.device) { () throws(DiaryError) in
                        try await runWhenFree()
                        didSynchronize()
                    }
                }
            }
            group.addTask {
                await Self.result { () throws(DiaryError) in
                    for await _ in edits {
                        guard try await file.hasUnsentEdits() else { continue }
                        try await runWhenFree()
                        didSynchronize()
                    }
                }
            }
            group.addTask {
                await Self.result { () throws(DiaryError) in try await lookAround(didSynchronize) }
            }
            // No task ends by itself, so the first end is the reason.
            let first = await group.next() ?? .success(())
            group.cancelAll()
            return first
        }
        try end.get()
    }

    /// Tells of edits that other processes make, and runs from time to time.
    private func lookAround(_ didSynchronize: @escaping @Sendable () -> Void) async throws(DiaryError) {
        var version = try await file.othersVersion()
        for look in 1... {
            do { try await wait(Self.lookInterval) } catch { throw .unavailable(detail: "cancelled") }
            let present = try await file.othersVersion()
            if present != version { await file.tell() }
            version = present
            guard look.isMultiple(of: Self.looksPerRun) else { continue }
            try await runWhenFree()
            didSynchronize()
        }
    }

    private static func result<Value>(of body: () async throws(DiaryError) -> Value) async -> Result<Value, DiaryError> {
        do throws(DiaryError) { return .success(try await body()) } catch { return .failure(error) }
    }

    /// Runs after a running synchronization of another process, because that one may have read before the change.
    private func runWhenFree() async throws(DiaryError) {
        while true {
            do throws(DiaryError) { return try await run() } catch .busy { continue }
        }
    }
}
