import RPCCore

/// A host of a session that does nothing with its events. A conforming type implements those that its test looks at.
package protocol PassiveHost: ServerCallEvents {}

extension PassiveHost {
    package func unaryRequest(_ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata) {}
    package func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {}
    package func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {}
    package func streamHalfClosed(_ id: CallID) {}
    package func streamWritable(_ id: CallID) {}
    package func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) {}
}
