import Logging

/// Logs the end of every call with its code and duration. Failures of the server itself are logged at `error`, all others at `level`.
///
///     let server = try Server(services: [GreeterService()], observers: [CallLog(level: .info)])
///
/// Messages and metadata are never logged, because they may contain private texts and tokens.
public struct CallLog: CallObserver {
    private let level: Logger.Level

    /// - Parameter level: the level for calls that did not fail through the server's fault. Default: `debug`.
    public init(level: Logger.Level = .debug) { self.level = level }

    public func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? {
        MethodLog(level, logger)
    }
}

/// Logs the ends of one method's calls.
private final class MethodLog: MethodObserver {
    private let level: Logger.Level
    private let logger: Logger

    init(_ level: Logger.Level, _ logger: Logger) {
        self.level = level
        self.logger = logger
    }

    /// Whether a call with this code has failed through the server's fault.
    @inline(__always)
    private static func isOurs(_ code: StatusCode) -> Bool { code == .internal || code == .unknown || code == .dataLoss }

    func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int) {
        // Read once for a part of a burst. For successful calls, this is usually all that happens here.
        let present = logger.logLevel
        var index = 0
        while index < calls.count {
            let code = calls[index].code
            let level = Self.isOurs(code) ? .error : level
            if level >= present { log(calls[index], from: origin, at: level) }
            index += 1
        }
    }

    /// (Outside of the loop, because the optimizer of Swift 6.3 fails on it inside the loop.)
    @inline(never)
    private func log(_ call: EndedCall, from origin: CallOrigin, at level: Logger.Level) {
        var fields = origin.logMetadata
        fields["rpc.code"] = "\(call.code)"
        fields["rpc.duration"] = "\(call.duration)"
        fields["rpc.request.bytes"] = "\(call.requestByteCount)"
        fields["rpc.response.bytes"] = "\(call.responseByteCount)"
        logger.log(level: level, "a call ended", metadata: fields)
    }
}
