import ProtobufC
import ProtobufWellKnownTypes

/// A limit of the runtime that a call can reach: the `reason` of the `google.rpc.ErrorInfo` in its status. The `domain` is `rpc`, the code is
/// `RESOURCE_EXHAUSTED`. `docs/api.md` lists them.
package enum LimitReason: String, CaseIterable, Sendable {
    /// Running calls of one connection, or handlers of its calls that have ended.
    case connectionCalls = "CONNECTION_CALLS"
    /// Running calls of one user.
    case userCalls = "USER_CALLS"
    /// Running calls of all users.
    case serverCalls = "SERVER_CALLS"
    /// Handlers that a ``ConcurrencyLimit`` lets run.
    case handlers = "HANDLERS"
    /// Bytes of answers that the client has not read.
    case connectionUnread = "CONNECTION_UNREAD"
    /// Bytes of messages whose rest has not arrived.
    case connectionUnfinished = "CONNECTION_UNFINISHED"
    /// Bytes of requests that wait for the handler of one stream.
    case streamQueue = "STREAM_QUEUE"
    /// Bytes of requests that wait for the handlers of all streams of a connection.
    case connectionQueue = "CONNECTION_QUEUE"
    /// Memory that is held for one user.
    case userMemory = "USER_MEMORY"
    /// Memory that is held for all users.
    case serverMemory = "SERVER_MEMORY"
    /// The system gives no memory for this call.
    case outOfMemory = "OUT_OF_MEMORY"

    /// Bytes of one message, in either direction.
    case messageSize = "MESSAGE_SIZE"
    /// Bytes of one message beside those of its compressed form: too many, or too few.
    case compressionRatio = "COMPRESSION_RATIO"
    /// Pairs or bytes of a call's metadata.
    case metadataSize = "METADATA_SIZE"

    /// Whether the same call can succeed later, when others have ended.
    package var isTemporary: Bool {
        switch self {
        case .messageSize, .compressionRatio, .metadataSize: false
        default: true
        }
    }
}

extension RPCError {
    /// The error of a call that reached a limit. If the limit is temporary, `RetryInfo` says that the call may be tried again after a second.
    package static func limitReached(_ reason: LimitReason, _ message: String) -> RPCError {
        let info = StatusDetail(packing: Google_Rpc_ErrorInfo(reason: reason.rawValue, domain: "rpc"))
        let second = Google_Protobuf_Duration(seconds: 1, nanos: 0)
        let retry = reason.isTemporary ? StatusDetail(packing: Google_Rpc_RetryInfo(retryDelay: second)) : nil
        return RPCError(.resourceExhausted, message, details: [info, retry].compactMap(\.self))
    }

    /// The limit that the error names; nil if it names none of the runtime's.
    package var limitReason: LimitReason? {
        for detail in details where detail.typeURL.hasSuffix("/google.rpc.ErrorInfo") {
            guard let info = try? Google_Rpc_ErrorInfo(serializedBytes: detail.value), info.domain == "rpc" else { continue }
            return LimitReason(rawValue: info.reason)
        }
        return nil
    }

    /// The error of a message over the limit of its size.
    package static func oversized(_ byteCount: Int, limit: Int) -> RPCError {
        limitReached(.messageSize, "the message has \(byteCount) bytes; \(limit) are possible")
    }

    /// The error of a call that needs more memory than there is.
    package static func noMemory(_ byteCount: Int) -> RPCError {
        limitReached(.outOfMemory, "there is no memory for \(byteCount) bytes of this call")
    }
}
