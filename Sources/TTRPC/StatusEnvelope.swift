import RPCCore

/// `google.rpc.Status { int32 code=1; string message=2; repeated google.protobuf.Any details=3 }` and
/// `Any { string type_url=1; bytes value=2 }`, by hand: the failure path must not fail.
enum StatusEnvelope {
    /// Bytes of text and details that a failure may take, so that it always fits a frame.
    static let maximumByteCount = 1 << 20

    /// The data of a `Response` frame that carries a failure. Details, then text, are dropped where they would not fit.
    static func response(_ error: RPCError) -> [UInt8] {
        var details = error.details
        var message = error.message
        if message.utf8.count > maximumByteCount / 2 { message = String(message.prefix(1024)) }
        let size = details.reduce(message.utf8.count) { $0 + $1.value.count + $1.typeURL.utf8.count + 32 }
        if size > maximumByteCount { details = [] }

        var status: [UInt8] = []
        status.append(1 << 3)
        appendVarint(UInt64(error.code.rawValue), to: &status)
        if !message.isEmpty { appendField(2, Array(message.utf8), to: &status) }
        for detail in details {
            var any: [UInt8] = []
            if !detail.typeURL.isEmpty { appendField(1, Array(detail.typeURL.utf8), to: &any) }
            if !detail.value.isEmpty { appendField(2, detail.value, to: &any) }
            appendField(3, any, to: &status)
        }
        var response: [UInt8] = []
        appendField(1, status, to: &response)
        return response
    }

    /// What a status on the wire says.
    enum Reading {
        /// Code 0: an empty status, which Go servers send with every answer.
        case ok
        case failure(RPCError)
        case malformed
    }

    /// Reads a status.
    static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        var cursor = FieldCursor(bytes)
        var code: Int32 = 0
        var message = ""
        var details: [StatusDetail] = []
        while !cursor.isAtEnd {
            guard let tag = cursor.varint(), tag >> 3 != 0 else { return .malformed }
            switch tag {
            case 1 << 3:
                guard let value = cursor.varint() else { return .malformed }
                code = Int32(truncatingIfNeeded: value)
            case 2 << 3 | 2:
                guard let value = cursor.bytes() else { return .malformed }
                message = String(decoding: value, as: UTF8.self)
            case 3 << 3 | 2:
                guard let value = cursor.bytes(), let detail = readAny(value) else { return .malformed }
                details.append(detail)
            default:
                guard cursor.skip(wireType: tag & 7) else { return .malformed }
            }
        }
        return code == 0 ? .ok : .failure(RPCError(StatusCode(wireValue: code), message, details: details))
    }

    private static func readAny(_ bytes: UnsafeRawBufferPointer) -> StatusDetail? {
        var cursor = FieldCursor(bytes)
        var detail = StatusDetail(typeURL: "", value: [])
        while !cursor.isAtEnd {
            guard let tag = cursor.varint(), tag >> 3 != 0 else { return nil }
            switch tag {
            case 1 << 3 | 2:
                guard let value = cursor.bytes() else { return nil }
                detail.typeURL = String(decoding: value, as: UTF8.self)
            case 2 << 3 | 2:
                guard let value = cursor.bytes() else { return nil }
                detail.value = Array(value)
            default:
                guard cursor.skip(wireType: tag & 7) else { return nil }
            }
        }
        return detail
    }
}
