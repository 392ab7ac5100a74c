import Foundation
import PulseBoardVocabulary
import RPCCore
import Synchronization

/// Standard input by lines. Unlike `Swift.readLine`, it does not take a read that failed for the end of the input.
final class StandardInput: Sendable {
    static let shared = StandardInput(descriptor: STDIN_FILENO)

    private struct State {
        /// Bytes that were read and belong to no line yet.
        var rest: ArraySlice<UInt8> = []
        var isOver = false
        var problem: String?
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Why reading ended before the end of the input, as the system says it; `nil` if it did not.
    var problem: String? { state.withLock { $0.problem } }

    /// The next line without its line end, with invalid UTF-8 repaired; `nil` at the end, and after a failure. Waits for the line.
    func readLine() -> String? {
        state.withLock { state in
            var searched = state.rest.startIndex
            while true {
                if let end = state.rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = state.rest[..<end]
                    state.rest = state.rest[(end + 1)...]
                    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
                }
                searched = state.rest.endIndex
                guard !state.isOver else { break }
                readMore(&state)
            }
            guard state.problem == nil, !state.rest.isEmpty else { return nil }
            defer { state.rest = [] }
            return String(decoding: state.rest, as: UTF8.self)
        }
    }

    private func readMore(_ state: inout State) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count: Int
        repeat { count = read(descriptor, &buffer, buffer.count) } while count < 0 && errno == EINTR
        if count < 0 { state.problem = String(cString: strerror(errno)) }
        state.isOver = count <= 0
        if count > 0 { state.rest += buffer[..<count] }
    }
}

extension CommandEnvironment {
    /// Call it after the end of standard input.
    /// - Throws: if reading has failed, so that a part of the input is not taken for all of it.
    func checkInput() throws(CommandFailure) {
        guard let problem = inputProblem() else { return }
        throw CommandFailure(
            code: .invalidArgument, reason: "INPUT_UNREADABLE",
            message: Phrase("Standard input cannot be read: \(problem).", "표준 입력을 읽을 수 없습니다: \(problem).").text(in: language))
    }
}
