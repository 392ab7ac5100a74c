import ProtobufC
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

extension Invocation {
    /// Prints each message of a stream on a line until the stream ends. Ctrl-C ends the program with 0.
    ///
    /// If the server is lost after the stream has begun, the stream is opened again, as often as needed, with a remark on standard error. So it is if
    /// the server then has too many calls for a moment. The wait before each attempt grows from half a second to ten. If the server was never there,
    /// the command fails.
    /// - Parameters:
    ///   - open: opens the stream. It is called for each attempt.
    ///   - show: prints one message. After a new attempt it may get the same message again.
    func watch<Response: Message>(
        about subject: CallSubject, open: () throws(CommandFailure) -> ServerStream<Response>,
        show: (Response) throws -> Void
    ) async throws {
        environment.endOnInterrupt()
        var retries = WatchRetries()
        while true {
            var messages = try open().makeAsyncIterator()
            do {
                while let message = try await messages.next() {
                    if retries.succeed() { remarkReconnected() }
                    try show(message)
                }
                return
            } catch let error as RPCError {
                guard error.mayPassForWatch, let wait = retries.fail() else {
                    throw CommandFailure(error, about: subject, in: sessionContext)
                }
                if retries.isFirst { remarkLost() }
                try await environment.wait(wait)
            }
        }
    }

    /// Remarks that a watch has lost its server and keeps trying.
    func remarkLost() { remark("The server has gone away; trying again.", "서버와 연결이 끊겨 다시 시도합니다.") }

    /// Remarks that a watch is connected again.
    func remarkReconnected() { remark("Connected again.", "다시 연결되었습니다.") }

    /// Remarks that the server cannot tell the user's state at present, and looks again.
    func remarkUnchecked(_ unchecked: PBAuthStateUnchecked) {
        remark(
            "The server cannot tell your state now (\(unchecked.reason.safeForTerminal)). It looks again.",
            "서버가 지금은 상태를 확인할 수 없습니다(\(unchecked.reason.safeForTerminal)). 다시 확인합니다.")
    }

    /// Options of a watch, which has no deadline. `--timeout` is for other calls.
    func watchOptions(token: String?) -> CallOptions {
        var options = token.map { callOptions(token: $0) } ?? callOptions()
        options.timeout = nil
        return options
    }

    /// Writes one message of a stream: one JSON document or its chosen fields on a line, or text for a person.
    func showLine<Answer: Message>(_ answer: Answer, _ text: () -> String) throws {
        guard isForProgram else { return environment.write(text() + "\n", .standardOutput) }
        var options = JSONEncodingOptions()
        options.alwaysPrintDefaults = true
        // Each event has other fields, so each path may be missing.
        try writeJSON(try answer.jsonString(options: options) + "\n") { _ in true }
    }
}

extension RPCError {
    /// Whether a watch that has begun may go on later. Many clients come back at once after a restart. The limit of one user's watches does not pass
    /// by itself.
    fileprivate var mayPassForWatch: Bool {
        guard code == .resourceExhausted, origin == .peer else { return code == .unavailable }
        return reason != Reason.watchLimit.rawValue
    }
}

/// How long a watch waits before it opens its stream again. The wait grows until a message arrives.
struct WatchRetries: Sendable, Hashable {
    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(10)

    private var hasBegun = false
    private var failures = 0

    /// Records that a message has arrived.
    /// - Returns: whether it is the first one after a failure.
    mutating func succeed() -> Bool {
        defer {
            hasBegun = true
            failures = 0
        }
        return failures > 0
    }

    /// Records that the server was lost.
    /// - Returns: how long to wait; `nil` if no message has ever arrived.
    mutating func fail() -> Duration? {
        guard hasBegun else { return nil }
        failures += 1
        // The exponent is limited, because the longest wait is reached after a few failures.
        return min(Self.first * (1 << min(failures - 1, 10)), Self.longest)
    }

    /// Whether the last failure is the first one since a message.
    var isFirst: Bool { failures == 1 }
}
