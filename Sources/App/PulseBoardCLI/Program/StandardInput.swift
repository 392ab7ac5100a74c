import Foundation
import PulseBoardVocabulary
import RPCCore
import Synchronization

/// Standard input by lines, for one reader at a time. Unlike `Swift.readLine`, it does not take a read that failed for the end of the input, and does
/// not repair what is not valid UTF-8.
final class StandardInput: Sendable {
    static let shared = StandardInput(descriptor: STDIN_FILENO)

    /// What comes next in the bytes that were read.
    private enum Next {
        case line(String)
        /// The input is over, or reading it has failed.
        case end
        case unread
    }

    private struct State {
        /// Bytes that were read and belong to no line yet.
        var rest: ArraySlice<UInt8> = []
        /// How many bytes at the start of ``rest`` have no line end.
        var searchedCount = 0
        var isOver = false
        /// Whether the end of the input is only that of one text: on a terminal, Ctrl-D ends it, and the user can go on typing.
        let goesOn: Bool
        /// Why a read has failed.
        var failure: String?
        /// Whether the last line that was taken is not valid UTF-8.
        var isInvalid = false

        mutating func next() -> Next {
            if let end = rest.dropFirst(searchedCount).firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[..<end]
                rest = rest[(end + 1)...]
                searchedCount = 0
                return text(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            }
            searchedCount = rest.count
            guard isOver else { return .unread }
            guard failure == nil, !rest.isEmpty else {
                if failure == nil, goesOn { isOver = false }
                return .end
            }
            let line = rest
            rest = []
            searchedCount = 0
            return text(line)
        }

        /// A line, or the end if it is not valid UTF-8. Whoever reads on, such as a shell after a command that has failed, gets the next line.
        private mutating func text(_ line: ArraySlice<UInt8>) -> Next {
            let text = String(validating: line, as: UTF8.self)
            isInvalid = text == nil
            return text.map(Next.line) ?? .end
        }
    }

    private let descriptor: Int32
    private let state: Mutex<State>

    init(descriptor: Int32) {
        self.descriptor = descriptor
        state = Mutex(State(goesOn: isatty(descriptor) == 1))
    }

    /// Why reading ended before the end of the input, as the system says it, or that a line is not valid UTF-8; `nil` if it did
    /// not.
    var problem: String? { state.withLock { $0.failure ?? ($0.isInvalid ? "Not valid UTF-8" : nil) } }

    /// The next line without its line end; `nil` at the end, and after a failure. Waits for the line.
    func readLine() -> String? { readLine(unless: nil) }

    /// The same without blocking the task. Cancelling the task ends the wait with `nil`. Then the line is for the next reader.
    func nextLine() async -> String? {
        if Task.isCancelled { return nil }
        switch state.withLock({ $0.next() }) {
        case .line(let line): return line
        case .end: return nil
        case .unread: break
        }
        let stop = ReadingStop()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
                // Uses a separate thread, because reading waits for the user.
                Thread.detachNewThread { [self] in continuation.resume(returning: readLine(unless: stop)) }
            }
        } onCancel: {
            stop?.set()
        }
    }

    /// - Parameter stop: ends the wait with `nil`.
    private func readLine(unless stop: ReadingStop?) -> String? {
        while true {
            switch state.withLock({ $0.next() }) {
            case .line(let line): return line
            case .end: return nil
            case .unread:
                if let stop, !stop.waitsForInput(of: descriptor) { return nil }
                readMore()
            }
        }
    }

    /// Holds no lock while it waits.
    private func readMore() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count: Int
        repeat { count = read(descriptor, &buffer, buffer.count) } while count < 0 && errno == EINTR
        let failure = count < 0 ? String(cString: strerror(errno)) : nil
        let received = buffer[..<max(count, 0)]
        state.withLock { state in
            state.failure = failure
            state.isOver = received.isEmpty
            state.rest += received
        }
    }
}

/// Ends a wait for input from another thread: the wait also looks at a pipe.
private final class ReadingStop: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// `nil` without a free descriptor.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func set() { _ = write(writing, [UInt8(0)], 1) }

    /// Waits until a descriptor has input, or is at its end. Returns false after `set()`.
    func waitsForInput(of descriptor: Int32) -> Bool {
        var both = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&both, nfds_t(both.count), -1) < 0 && errno == EINTR {}
        return both[0].revents == 0
    }
}

extension CommandEnvironment {
    /// Call it after the end of standard input.
    /// - Throws: if reading has failed, so that a part of the input is not taken for all of it.
    func checkInput() throws(CommandFailure) {
        guard let words = inputProblem() else { return }
        let problem = Phrase.systemError(words)
        throw CommandFailure(
            code: .invalidArgument, reason: "INPUT_UNREADABLE",
            message: Phrase(
                "Standard input cannot be read: \(problem.english).", "표준 입력을 읽을 수 없습니다: \(problem.korean).").text(in: language))
    }
}
