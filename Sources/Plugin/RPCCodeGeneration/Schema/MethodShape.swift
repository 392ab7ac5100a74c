/// How many messages travel each way in a call. The names are those of `CallShape` in `RPCCore`.
enum MethodShape: String, Hashable, Sendable {
    case unary, clientStreaming, serverStreaming, bidirectionalStreaming

    /// `stream` before the request and before the response.
    init(streamsRequests: Bool, streamsResponses: Bool) {
        self = switch (streamsRequests, streamsResponses) {
        case (false, false): .unary
        case (true, false): .clientStreaming
        case (false, true): .serverStreaming
        case (true, true): .bidirectionalStreaming
        }
    }

    /// Whether the caller may send any number of requests.
    var streamsRequests: Bool { self == .clientStreaming || self == .bidirectionalStreaming }

    /// Whether the server may send any number of responses.
    var streamsResponses: Bool { self == .serverStreaming || self == .bidirectionalStreaming }
}
