import Glibc
import Logging
import SocketTransport
import Synchronization

/// A server's log on standard error. Logging never blocks the server, even if nobody reads the log.
///
/// Lines wait in a bounded buffer (``SocketTransport/LineOutput``). At `info` and above, the rate of each reason is limited (``LogPace``). A
/// reason is a line's level and text without its fields. At `debug` and `trace` every line is written.
public final class ServerLog: Sendable {
    private let output: LineOutput
    private let pace = LogPace()
    private let file: LogFile?
    private let voice: Voice
    private let presentLevel = Atomic(Logger.Level.info.number)

    /// The level of all loggers of this log. Default `info`.
    public var level: Logger.Level {
        get { .init(number: presentLevel.load(ordering: .relaxed)) }
        set { presentLevel.store(newValue.number, ordering: .relaxed) }
    }

    /// - Parameters:
    ///   - label: the label of the lines that the log writes about itself.
    ///   - format: the format; `nil` for the one that suits the descriptor.
    ///   - descriptor: where the log is written. The caller keeps owning it.
    ///   - capacity: maximum bytes of waiting lines.
    ///   - journal: the socket of systemd's journal, for its format. While nobody listens there, lines go to the descriptor.
    public init(
        label: String, format: LogFormat? = nil, descriptor: Int32 = STDERR_FILENO, capacity: Int = LineOutput.defaultCapacity,
        journal: String = "/run/systemd/journal/socket"
    ) {
        let format = format ?? LogFormat.suitable(for: descriptor)
        file = LogFile(behind: descriptor)
        let voice = Voice(label: label, format: format, journal: format == .journal ? DatagramSender(path: journal) : nil)
        self.voice = voice
        output = LineOutput(descriptor: descriptor, capacity: capacity) { output, count, cause in
            let line: Logger.Message =
                switch cause {
                case .unread: "lines were lost: nobody reads the log"
                case .unwritable: "lines were lost: the log could not be written"
                }
            voice.say(.warning, line, ["lines": "\(count)"], on: output)
        }
    }

    /// The log handler for `LoggingSystem.bootstrap`.
    public func handler(label: String) -> any LogHandler {
        PacedLogHandler(StreamLogHandler(label: label, stream: LogStream(output: output)), self, label)
    }

    /// Logs why the server ends. In the format `text` it is a line of the program, as other programs write it, and not one of the log.
    public func end(because reason: String) {
        guard voice.format != .text else { return output.write("\(voice.label): \(reason)\n") }
        voice.say(.critical, "\(reason)", [:], on: output)
    }

    /// Logs the counts of left-out lines, and waits until everything is written, at most half a second.
    public func end() {
        tellAllLeftOut()
        output.flush(within: .milliseconds(500))
    }

    /// Opens the log's file by its path again, after another program has moved it away. A log without a file stays as it is. Nobody moves the
    /// journal, so nothing is said of it.
    public func reopen() {
        guard voice.format != .journal else { return }
        guard let file else { return voice.say(.notice, "SIGHUP: the log goes to no file that could be opened again", [:], on: output) }
        let problem = file.reopen()
        guard problem != 0 else { return voice.say(.notice, "SIGHUP: the log was opened again", ["path": "\(file.path)"], on: output) }
        let reason = String(cString: strerror(problem))
        voice.say(
            .error, "SIGHUP: the log could not be opened again and stays as it is", ["path": "\(file.path)", "reason": "\(reason)"], on: output)
    }

    /// Writes an event in the log's format, with the fields of its logger.
    /// - Returns: `false` if the format is text.
    func write(_ event: LogEvent, of logger: StreamLogHandler, label: String) -> Bool {
        guard voice.format != .text else { return false }
        var fields = logger.metadata.merging(logger.metadataProvider?.get() ?? [:]) { $1 }
        fields.merge(event.metadata ?? [:]) { $1 }
        let record = LogRecord(
            label: label, level: event.level, message: "\(event.message)", fields: fields.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") })
        return voice.write(record, on: output)
    }

    /// How many lines of its reason were left out before this line; `nil` if this one is left out too.
    func admit(_ event: LogEvent) -> Int? {
        guard event.level >= .info else { return 0 }
        let reason = "\(event.level) \(event.message)"
        switch pace.line(reason, at: .now) {
        case .written(let leftOut): return leftOut
        case .leftOut(let isFirst):
            if isFirst { output.later(LogPace.tellAfter) { [self] in tell(reason, pace.takeLeftOut(reason)) } }
            return nil
        }
    }

    private func tellAllLeftOut() {
        for each in pace.takeLeftOut() { tell(each.reason, each.count) }
    }

    private func tell(_ reason: String, _ count: Int) {
        guard count > 0 else { return }
        voice.say(.warning, "lines were left out", ["lines": "\(count)", "like": "\(reason)"], on: output)
    }
}

/// Writes lines in the log's format, also those about the log itself.
private struct Voice: Sendable {
    let label: String
    let format: LogFormat
    let journal: DatagramSender?

    /// Writes a line as JSON or into the journal.
    /// - Returns: `false` if the format is text, or if nobody listens at the journal's socket. Then the line goes to the descriptor as text.
    func write(_ record: LogRecord, on output: LineOutput) -> Bool {
        switch format {
        case .text: return false
        case .json: output.write(record.json())
        case .journal: return journal?.send(record.journal()) ?? false
        }
        return true
    }

    /// Writes a line about the log itself.
    func say(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata, on output: LineOutput) {
        let fields = metadata.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        if write(LogRecord(label: label, level: level, message: "\(message)", fields: fields), on: output) { return }
        StreamLogHandler(label: label, stream: LogStream(output: output), metadataProvider: nil).log(
            event: LogEvent(
                level: level, message: message, metadata: metadata, source: "ServerLog", file: #fileID, function: #function, line: #line))
    }
}

/// A log handler that obeys the log's rate limit.
struct PacedLogHandler: LogHandler {
    private var inner: StreamLogHandler
    private let log: ServerLog
    private let label: String

    init(_ inner: StreamLogHandler, _ log: ServerLog, _ label: String) {
        self.inner = inner
        self.log = log
        self.label = label
    }

    /// The level of the log, which all its loggers share.
    var logLevel: Logger.Level {
        get { log.level }
        set { log.level = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        guard let leftOut = log.admit(event) else { return }
        var event = event
        if leftOut > 0 { event.metadata = (event.metadata ?? [:]).merging(["left_out": "\(leftOut)"]) { $1 } }
        if !log.write(event, of: inner, label: label) { inner.log(event: event) }
    }
}

/// A stream that writes each event as one line. Control characters in fields, which a peer may have sent, cannot begin a new line.
struct LogStream: TextOutputStream, Sendable {
    let output: LineOutput

    func write(_ line: String) {
        let isControl = { (byte: UInt8) in byte < 0x20 || byte == 0x7F }
        guard line.utf8.dropLast().contains(where: isControl) else { return output.write(line) }
        let clean = line.unicodeScalars.dropLast().map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F ? scalar.escaped(asASCII: true) : String(scalar)
        }
        output.write(clean.joined() + "\n")
    }
}

extension Logger.Level {
    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    fileprivate init(number: Int) { self = Self.allCases[number] }
}
