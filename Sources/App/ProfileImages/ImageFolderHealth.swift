import PulseBoardDomain
import Synchronization
import struct SystemPackage.Errno

/// Tracks whether pictures can be written to a folder, and how much room it has. Any thread.
///
/// Trouble begins with the first write that fails. It ends when a write as large as a picture succeeds (``ImageFolder/check()``). A single upload
/// that succeeds does not end it: on a nearly full disk, small pictures have room and others have none. While the folder is empty although profiles
/// have pictures, no write ends it.
public final class ImageFolderHealth: Sendable {
    private struct State {
        var trouble: StoreTrouble?
        /// Whether the pictures of profiles were missing.
        var isMissing = false
        var listener: (@Sendable (StoreEvent) -> Void)?
        var freeBytes: Int64?
        /// Whether the file system was asked for the free bytes and has not answered.
        var isAsked = false
    }

    private let clock: any WallClock
    private let state = Mutex(State())

    /// - Parameter clock: says since when there is trouble.
    public init(clock: any WallClock = SystemWallClock()) {
        self.clock = clock
    }

    /// What keeps pictures from being written now; `nil` if nothing does.
    public var trouble: StoreTrouble? { state.withLock { $0.trouble } }

    /// Free bytes of the folder's file system when it was last asked; `nil` if it did not say.
    var freeBytes: Int64? { state.withLock { $0.freeBytes } }

    /// Whether the caller has to ask for the free bytes, because nobody waits for the answer. The caller must then call ``hasFree(_:)``.
    func beginsQuestion() -> Bool {
        state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
    }

    /// Records the free bytes.
    func hasFree(_ bytes: Int64?) {
        state.withLock { state in
            state.freeBytes = bytes
            state.isAsked = false
        }
    }

    /// Calls the listener when trouble begins and when it is over. There is one listener. It must return soon.
    public func observe(_ listener: @escaping @Sendable (StoreEvent) -> Void) {
        state.withLock { state in
            state.listener = listener
            if let trouble = state.trouble { listener(.failing(trouble)) }
        }
    }

    /// Whether the pictures of profiles were missing when they were looked for.
    var isMissing: Bool { state.withLock { $0.isMissing } }

    /// Records a write that failed.
    func failed(_ error: any Error, _ detail: String) { failed(StoreFailure(error), detail) }

    /// Records whether nothing is stored although profiles have pictures.
    func notePictures(missing: String?) {
        state.withLock { $0.isMissing = missing != nil }
        if let missing { failed(.inputOutput, missing) }
    }

    private func failed(_ failure: StoreFailure, _ detail: String) {
        let now = clock.now()
        state.withLock { state in
            if let former = state.trouble, former.failure == failure {
                state.trouble = StoreTrouble(failure: failure, detail: detail, since: former.since, count: former.count + 1)
                return
            }
            let trouble = StoreTrouble(failure: failure, detail: detail, since: now, count: 1)
            state.trouble = trouble
            state.listener?(.failing(trouble))
        }
    }

    /// Records that pictures can be written.
    func recovered() {
        state.withLock { state in
            state.isMissing = false
            guard let trouble = state.trouble else { return }
            state.trouble = nil
            state.listener?(.recovered(trouble))
        }
    }
}

extension StoreFailure {
    /// The kind of failure of a system call.
    init(_ error: any Error) {
        self =
            switch error as? Errno {
            case .noSpace, .diskQuotaExceeded: .full
            case .ioError: .inputOutput
            case .readOnlyFileSystem, .permissionDenied: .readOnly
            default: .other
            }
    }
}
