import Logging

/// Says nothing.
let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

/// A log that opens a gate as soon as something is said.
struct LogGate: LogHandler {
    let text: String
    let gate: Gate
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if "\(event.message)".contains(text) { gate.open() }
    }
}
