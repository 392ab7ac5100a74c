import Logging

/// A log handler that passes each event to a closure, with the metadata of logger and event.
struct LogListener: LogHandler {
    let hear: @Sendable (LogEvent, Logger.Metadata) -> Void
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { hear(event, metadata.merging(event.metadata ?? [:]) { $1 }) }

    /// A logger that passes every event to a closure.
    static func logger(_ hear: @escaping @Sendable (LogEvent, Logger.Metadata) -> Void) -> Logger {
        Logger(label: "test", factory: { _ in LogListener(hear: hear) })
    }
}
