import RPCCore

/// `google.rpc.Status { int32 code=1; string message=2; repeated google.protobuf.Any details=3 }` and
/// `Any { string type_url=1; bytes value=2 }`, encoded by hand, so that encoding a failure cannot fail. ttrpc sends it in its Response, gRPC in a
/// trailer.
package enum StatusBytes {
    /// Bytes of tags, lengths and the code around a status's text, and around a detail's two values, at most.
    package static let framingByteCount = 32

    /// The status of a failure, in at most `room` bytes. The code and the text come first, then each detail that still fits; others are left out. A
    /// text is cut if it leaves no room for the details, but not below a quarter of `room`.
    package static func encode(_ error: RPCError, room: Int) -> [UInt8] {
        let room = max(0, room - framingByteCount)
        let sizes = error.details.map { $0.value.count + $0.typeURL.utf8.count + framingByteCount }
        let least = room / 4
        let wanted = sizes.reduce(0) { $0 + $1 <= room - least ? $0 + $1 : $0 }
        let message = prefix(error.message, room - wanted)
        var left = room - message.count
        let details = zip(error.details, sizes).filter { _, size in
            guard size <= left else { return false }
            left -= size
            return true
        }.map(\.0)

        var status: [UInt8] = []
        status.append(1 << 3)
        appendVarint(UInt64(error.code.rawValue), to: &status)
        if !message.isEmpty { appendField(2, message, to: &status) }
        for detail in details {
            var any: [UInt8] = []
            if !detail.typeURL.isEmpty { appendField(1, Array(detail.typeURL.utf8), to: &any) }
            if !detail.value.isEmpty { appendField(2, detail.value, to: &any) }
            appendField(3, any, to: &status)
        }
        return status
    }

    /// The first `count` bytes of a text, without a cut character at the end.
    package static func prefix(_ text: String, _ count: Int) -> Substring.UTF8View {
        let bytes = text.utf8
        guard bytes.count > count else { return Substring(text).utf8 }
        var end = bytes.index(bytes.startIndex, offsetBy: count)
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
        return text[..<end].utf8
    }

    /// A decoded status.
    package enum Reading {
        /// Code 0: an empty status, which Go servers send with every answer.
        case ok
        case failure(RPCError)
        case malformed
    }

    /// The most details of a status that a peer sends. In memory, an empty detail takes many times its two bytes of the wire.
    package static let mostDetails = 1_024

    /// Reads a status that a peer has sent. One with more than ``mostDetails`` details is malformed.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        var cursor = FieldCursor(bytes), fieldsLeft = FieldCursor.mostGroupFields
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
                guard details.count < mostDetails, let value = cursor.bytes(), let detail = readAny(value) else { return .malformed }
                details.append(detail)
            default:
                guard cursor.skip(tag: tag, fieldsLeft: &fieldsLeft) else { return .malformed }
            }
        }
        return code == 0 ? .ok : .failure(RPCError(StatusCode(wireValue: code), message, details: details, origin: .peer))
    }

    private static func readAny(_ bytes: UnsafeRawBufferPointer) -> StatusDetail? {
        var cursor = FieldCursor(bytes), fieldsLeft = FieldCursor.mostGroupFields
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
                guard cursor.skip(tag: tag, fieldsLeft: &fieldsLeft) else { return nil }
            }
        }
        return detail
    }
}
