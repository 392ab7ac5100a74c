import PulseBoardDomain
import PulseBoardServices
import RPCCore
import Synchronization

@testable import PulseBoardDiary

/// The network between one device and the server. Every call of the device waits here until the schedule lets it through, loses it, or
/// performs it twice.
///
/// So a device's synchronisation stops at each call, while other devices, the disk and the clock go on.
final class SimulatedNetwork: DiaryServer {
    /// A call of a device.
    enum Call: Sendable {
        case register(DiaryDeviceID, name: String)
        case push([NumberedDiaryMutation], confirmed: Int64, DiaryDeviceID)
        case pull(cursor: String, DiaryDeviceID)
        case missing([DiaryImageHash])
        case upload(DiaryImage, [UInt8])
        case download(DiaryImage)

        var isPush: Bool { if case .push = self { true } else { false } }
    }

    enum Answer: Sendable {
        case registered
        case pushed(DiaryPushReply)
        case page(DiaryReadPage)
        case missing([DiaryImageHash])
        case uploaded
        case bytes([UInt8])
    }

    typealias Outcome = Result<Answer, DiaryError>

    private struct State {
        var waiting: (call: Call, continuation: UnsafeContinuation<Outcome, Never>)?
        /// How the synchronisation ended; `nil` while it is running.
        var end: Result<Void, DiaryError>?
        var scheduler: UnsafeContinuation<Void, Never>?
        /// Answers every call at once after the schedule.
        var server: (@Sendable (Call) async -> Outcome)?
        /// Whether the next call that overlaps with work comes before it.
        var isCallFirst = false
    }

    let user: UserID
    private let state = Mutex(State())

    init(user: UserID) { self.user = user }

    // MARK: The schedule's side

    /// The waiting call; `nil` if there is none.
    var waitingCall: Call? { state.withLock { $0.waiting?.call } }

    /// Answers every call from now on at once.
    func connect(_ server: @escaping @Sendable (Call) async -> Outcome) { state.withLock { $0.server = server } }

    /// Starts a synchronisation. - Returns: its end, or `nil` if it waits for a call.
    func start(_ diary: CombinedDiaryRepository) async -> Result<Void, DiaryError>? {
        state.withLock { $0.end = nil }
        Task {
            let end: Result<Void, DiaryError>
            do throws(DiaryError) {
                try await diary.synchronize()
                end = .success(())
            } catch { end = .failure(error) }
            wakeScheduler { $0.end = end }
        }
        return await rest()
    }

    /// Answers the waiting call. - Returns: the synchronisation's end, or `nil` if it waits for another call.
    func answer(_ outcome: Outcome) async -> Result<Void, DiaryError>? {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.continuation.resume(returning: outcome)
        return await rest()
    }

    /// Returns when the device waits for a call, or has ended.
    private func rest() async -> Result<Void, DiaryError>? {
        await withUnsafeContinuation { continuation in
            let isAtRest = state.withLock { state in
                if state.waiting == nil, state.end == nil { state.scheduler = continuation }
                return state.scheduler == nil
            }
            if isAtRest { continuation.resume() }
        }
        return state.withLock { $0.waiting == nil ? $0.end : nil }
    }

    private func wakeScheduler(_ change: (inout State) -> Void) {
        let scheduler = state.withLock { state in
            change(&state)
            defer { state.scheduler = nil }
            return state.scheduler
        }
        scheduler?.resume()
    }

    // MARK: The device's side

    private func ask(_ call: Call) async throws(DiaryError) -> Answer {
        if let server = state.withLock({ $0.server }) { return try await server(call).get() }
        return try await withUnsafeContinuation { continuation in
            wakeScheduler { $0.waiting = (call, continuation) }
        }.get()
    }

    /// Performs one after the other, so that a schedule can be replayed: sometimes the call first, sometimes the work.
    func overlap<Answer: Sendable>(
        _ call: @escaping @Sendable () async -> Result<Answer, DiaryError>, with work: () async -> Void
    ) async -> Result<Answer, DiaryError> {
        let isCallFirst = state.withLock { state in
            state.isCallFirst.toggle()
            return state.isCallFirst
        }
        if !isCallFirst { await work() }
        let answer = await call()
        if isCallFirst { await work() }
        return answer
    }

    func register(_ device: DiaryDeviceID, name: String) async throws(DiaryError) { _ = try await ask(.register(device, name: name)) }

    func push(
        _ mutations: [NumberedDiaryMutation], confirmed: Int64, from device: DiaryDeviceID
    ) async throws(DiaryError) -> DiaryPushReply {
        guard case .pushed(let reply) = try await ask(.push(mutations, confirmed: confirmed, device)) else { throw .answerNotUnderstood }
        return reply
    }

    func pull(after cursor: String, for device: DiaryDeviceID) async throws(DiaryError) -> DiaryReadPage {
        guard case .page(let page) = try await ask(.pull(cursor: cursor, device)) else { throw .answerNotUnderstood }
        return page
    }

    func missingImages(_ hashes: [DiaryImageHash]) async throws(DiaryError) -> [DiaryImageHash] {
        guard case .missing(let missing) = try await ask(.missing(hashes)) else { throw .answerNotUnderstood }
        return missing
    }

    func upload(_ image: DiaryImage, _ bytes: [UInt8]) async throws(DiaryError) { _ = try await ask(.upload(image, bytes)) }

    func download(_ image: DiaryImage) async throws(DiaryError) -> [UInt8] {
        guard case .bytes(let bytes) = try await ask(.download(image)) else { throw .answerNotUnderstood }
        return bytes
    }

    func watch(
        after cursor: String, for device: DiaryDeviceID, _ changed: @Sendable () async throws(DiaryError) -> Void
    ) async throws(DiaryError) { throw .unavailable(detail: "nobody follows here") }
}

extension Services {
    /// Performs a device's call.
    func answer(_ call: SimulatedNetwork.Call, _ caller: Caller, pageSize: Int) async -> SimulatedNetwork.Outcome {
        do throws(RepositoryError) {
            switch call {
            case .register(let device, let name):
                _ = try await diaries.registerDevice(device, name: name, caller)
                return .success(.registered)
            case .push(let mutations, let confirmed, let device):
                let answer = try await diaries.push(mutations, confirmed: confirmed, from: device, caller)
                let span = DiaryPushReply.Span(before: answer.previousCursor, after: answer.nextCursor)
                return .success(.pushed(DiaryPushReply(results: answer.results, span: span.after.isEmpty ? nil : span)))
            case .pull(let cursor, let device):
                let page = try await diaries.changes(for: device, after: cursor, limit: pageSize, caller)
                return .success(.page(DiaryReadPage(
                    rows: page.rows, nextCursor: page.nextCursor, isComplete: page.isComplete, lastMutation: page.lastMutation)))
            case .missing(let hashes): return .success(.missing(try await diaryImages.missing(hashes, caller)))
            case .upload(let image, let bytes): return .success(try await upload(image, bytes, caller))
            case .download(let image): return .success(.bytes(try await bytes(of: image, caller)))
            }
        } catch {
            switch error {
            case .diary(let refusal): return .failure(.diary(refusal))
            case .imageRefused(.unavailable), .imageRefused(.busy): return .failure(.pictureNotTaken(reason: error.reason.rawValue))
            case .storeUnavailable: return .failure(.unavailable(detail: "the server's disk has stopped"))
            case .invalid(let violation) where violation.violations.contains { $0.field == "cursor" }: return .failure(.cursorRefused)
            default: return .failure(.refused(reason: error.reason.rawValue, message: "\(error)", code: .unknown))
            }
        }
    }

    private func upload(_ image: DiaryImage, _ bytes: [UInt8], _ caller: Caller) async throws(RepositoryError) -> SimulatedNetwork.Answer {
        let chunks = AsyncStream { continuation in
            continuation.yield(bytes)
            continuation.finish()
        }
        do {
            _ = try await diaryImages.upload(byteCount: Int64(bytes.count), hash: image.hash, chunks: chunks, caller)
            return .uploaded
        } catch let error as RepositoryError { throw error } catch { throw .imageRefused(.unavailable(detail: "\(error)")) }
    }

    private func bytes(of image: DiaryImage, _ caller: Caller) async throws(RepositoryError) -> [UInt8] {
        let output = Download()
        do {
            try await diaryImages.download(image.hash, caller, to: output)
        } catch let error as RepositoryError { throw error } catch { throw .imageRefused(.unavailable(detail: "\(error)")) }
        return output.bytes.withLock { $0 }
    }

    /// A reader that takes every part at once.
    private final class Download: PacedOutput {
        let bytes = Mutex<[UInt8]>([])

        var isReady: Bool { get async { true } }

        func waitUntilReady() async {}

        func handOver(_ part: [UInt8]) async { bytes.withLock { $0 += part } }
    }
}
