import Glibc
import Logging
import SocketTransport
import Testing

@testable import ServerLog

/// A log that nobody reads, or that somebody floods.
@Suite struct ServerLogTests {
    /// A pipe. Its reading end may never be read.
    private struct Pipe: ~Copyable {
        let reading: Int32
        let writing: Int32

        init() {
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }

        /// Reads up to a line that contains these texts.
        func lines(upTo texts: String...) -> [String] {
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
                if text.last == 10, lines.contains(where: { line in texts.allSatisfy { line.contains($0) } }) { return lines }
                let count = read(reading, &buffer, buffer.count)
                guard count > 0 else { return lines }
                text += buffer[..<count]
            }
        }

        deinit {
            close(reading)
            close(writing)
        }
    }

    private func logger(_ log: ServerLog, _ level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: "test", factory: { log.handler(label: $0) })
        logger.logLevel = level
        return logger
    }

    /// The sum of a field in lines of a log.
    private func number(_ field: String, _ lines: [String]) -> Int {
        lines.joined(separator: " ").split(separator: " ").filter { $0.hasPrefix(field + "=") }
            .compactMap { Int($0.dropFirst(field.count + 1)) }.reduce(0, +)
    }

    @Test("nobody reads: whoever logs does not wait, what does not fit is lost, and that is said once there is room")
    func unread() {
        let pipe = Pipe()
        let log = ServerLog(label: "test", descriptor: pipe.writing, capacity: 64 << 10)
        let logger = logger(log)
        // Some 2 MB: a pipe holds 64 KiB.
        for number in 0..<20_000 { logger.debug("a line of an attacker's making", metadata: ["number": "\(number)"]) }
        let lines = pipe.lines(upTo: "lines were lost: nobody reads the log")
        let lost = number("lines", lines)
        #expect(lines.first?.contains("number=0") == true)
        #expect(lost > 15_000)
        #expect(lines.count - 1 + lost == 20_000, "each line is written or counted")
        logger.debug("on")
        #expect(pipe.lines(upTo: "on").isEmpty == false)
    }

    @Test("lines that could not be written, as on a full disk, are counted, and that is said once it can be written again")
    func fullDisk() {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let output = LineOutput(descriptor: descriptor) { output, count, cause in output.write("lost \(count) \(cause)\n") }
        for number in 0..<3 { output.write("line \(number)\n") }
        output.flush(within: .seconds(10))
        let pipe = Pipe()
        #expect(dup2(pipe.writing, descriptor) == descriptor)
        output.write("on\n")
        #expect(pipe.lines(upTo: "lost") == ["on", "lost 3 unwritable"])
    }

    @Test("the end waits for nobody who does not read")
    func endsUnread() async {
        // It runs in a separate process, which ends while a thread still writes.
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            let log = ServerLog(label: "test", descriptor: ends[1])
            let logger = ServerLogTests().logger(log)
            for _ in 0..<10_000 { logger.debug("a line that nobody will ever read") }
            log.end()
        }
    }

    @Test("a reader that is gone is no reason to end")
    func readerGone() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            close(ends[0])
            let log = ServerLog(label: "test", descriptor: ends[1])
            log.end(because: "a reason")
            log.end()
        }
    }

    @Test("a flood of one reason is cut, and its end says how much")
    func flood() {
        let pipe = Pipe()
        let log = ServerLog(label: "test", descriptor: pipe.writing)
        let logger = logger(log)
        for number in 0..<1000 { logger.warning("refused", metadata: ["peer.uid": "\(number)"]) }
        log.end()
        let lines = pipe.lines(upTo: "lines were left out", "like=warning refused")
        #expect(lines.count >= LogPace.burst + 1)
        #expect(lines.count - 1 + number("lines", lines) + number("left_out", lines) == 1000)
    }

    @Test("a field with control characters makes no line of its own")
    func injection() {
        let pipe = Pipe()
        let log = ServerLog(label: "test", descriptor: pipe.writing)
        logger(log).notice("odd", metadata: ["field": "a\n2026 error forged\u{1B}[2J"])
        log.end(because: "end")
        let lines = pipe.lines(upTo: "end")
        #expect(lines.count == 2)
        #expect(lines[0].contains("a\\n2026 error forged\\u{001B}[2J") || lines[0].contains("forged\\u{1B}[2J"))
    }

    @Test("a log that was moved away is opened again by its path")
    func reopened() throws {
        var template = Array("/tmp/pulseboard-log-XXXXXX".utf8CString)
        #expect(mkdtemp(&template) != nil)
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = directory + "/log"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        #expect(descriptor >= 0)
        let log = ServerLog(label: "test", descriptor: descriptor)
        let logger = logger(log)
        logger.notice("before")
        log.end()
        #expect(rename(path, path + ".1") == 0)
        log.reopen()
        logger.notice("after")
        log.end()
        #expect(contents(path + ".1").contains("before") && !contents(path + ".1").contains("after"))
        #expect(contents(path).contains("after") && contents(path).contains("the log was opened again"))
        close(descriptor)
        for name in ["/log", "/log.1"] { unlink(directory + name) }
        rmdir(directory)
    }

    @Test("a log that goes to the journal says nothing when it is to be opened again")
    func journalReopened() {
        let pipe = Pipe()
        let log = ServerLog(label: "test", format: .journal, descriptor: pipe.writing, journal: "/nowhere")
        log.reopen()
        log.end(because: "end")
        #expect(pipe.lines(upTo: "end").count == 1)
    }

    private func contents(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
