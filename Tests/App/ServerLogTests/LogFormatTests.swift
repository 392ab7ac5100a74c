import Foundation
import Logging
import SocketTransport
import Testing

@testable import ServerLog

@Suite("Formats of the log") struct LogFormatTests {
    private let record = LogRecord(
        label: "pulseboardd", level: .error, message: "a \"quoted\"\nline", fields: [("rpc.method", "a/b"), ("time", "x"), ("9", "\u{1B}[2J")])

    @Test("JSON: one object a line, whose own keys no field replaces")
    func json() throws {
        let line = record.json(at: timespec(tv_sec: 1_795_258_141, tv_nsec: 123_456_789))
        #expect(line.hasSuffix("}\n") && line.utf8.filter { $0 == 10 }.count == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(object == [
            "time": "2026-11-21T10:49:01.123456Z", "level": "error", "logger": "pulseboardd", "message": "a \"quoted\"\nline", "rpc.method": "a/b",
            "field.time": "x", "9": "\u{1B}[2J",
        ])
    }

    @Test("the journal's fields: priority, names in capitals, and values that make no fields of their own")
    func journal() throws {
        let bytes = record.journal()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("MESSAGE\n"), "a value with a line feed has its length")
        #expect(text.contains("\nPRIORITY=3\nSYSLOG_IDENTIFIER=pulseboardd\nRPC_METHOD=a/b\nTIME=x\nF_9="))
        #expect(LogRecord.journalName("store.failed_calls") == "STORE_FAILED_CALLS")
        #expect(LogRecord.journalName("") == "F_" && LogRecord.journalName(String(repeating: "a", count: 99)).count == 60)
    }

    @Test("lines go to the journal's socket, and to the descriptor while nobody is there")
    func journalSocket() throws {
        let path = "/tmp/pulseboard-journal-\(UUID().uuidString.prefix(8))"
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let log = ServerLog(label: "test", format: .journal, descriptor: ends[1], journal: path)
        let logger = Logger(label: "test", factory: { log.handler(label: $0) })
        logger.notice("nobody is there", metadata: ["a": "b"])
        log.end()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(ends[0], &buffer, buffer.count)
        #expect(String(decoding: buffer[..<max(0, count)], as: UTF8.self).contains("nobody is there"))

        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(descriptor)
            unlink(path)
        }
        try #require(try withSocketAddress(path) { bind(descriptor, $0, $1) } == 0)
        logger.error("it is there", metadata: ["store.failure": "STORE_FULL"])
        let length = recv(descriptor, &buffer, buffer.count, 0)
        let text = String(decoding: buffer[..<max(0, length)], as: UTF8.self)
        #expect(text == "MESSAGE=it is there store.failure=STORE_FULL\nPRIORITY=3\nSYSLOG_IDENTIFIER=test\nSTORE_FAILURE=STORE_FULL\n")
    }

    @Test("the level is the log's, for all of its loggers")
    func level() {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let log = ServerLog(label: "test", format: .json, descriptor: ends[1])
        let first = Logger(label: "a", factory: { log.handler(label: $0) }), second = Logger(label: "b", factory: { log.handler(label: $0) })
        log.level = .debug
        first.debug("said")
        log.level = .error
        second.warning("not said")
        second.error("said too")
        log.end()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(ends[0], &buffer, buffer.count)
        let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        #expect(text.contains("\"message\":\"said\"") && text.contains("said too") && !text.contains("not said"))
    }
}
