import Logging

/// A log that opens a gate as soon as a message contains `text`.
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
