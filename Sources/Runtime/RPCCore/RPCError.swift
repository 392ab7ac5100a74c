/// The failure of one call: what the peer answered, or what kept its answer from arriving.
///
/// A connection's failure is a `SocketError` or protocol violation; each call that it ends gets an `RPCError`.
public struct RPCError: Error, Sendable, Hashable {
    /// Why the call failed. Never ``StatusCode/ok``.
    public let code: StatusCode
    /// A sentence for developers, in English. Localised text travels in ``details``.
    public var message: String
    /// Typed details (`google.rpc.ErrorInfo`, `BadRequest`, …), in the order the server gave them.
    public var details: [StatusDetail]

    /// - Precondition: `code` is not ``StatusCode/ok``, which is no error.
    public init(_ code: StatusCode, _ message: String, details: [StatusDetail] = []) {
        precondition(code != .ok, "OK is no error")
        self.code = code
        self.message = message
        self.details = details
    }
}

extension RPCError: CustomStringConvertible {
    public var description: String { message.isEmpty ? code.name : "\(code.name): \(message)" }
}

/// One detail of a status: a packed message and the URL that names its type (`google.protobuf.Any`).
public struct StatusDetail: Sendable, Hashable {
    /// For example `type.googleapis.com/google.rpc.ErrorInfo`.
    public var typeURL: String
    /// The message's wire bytes.
    public var value: [UInt8]

    public init(typeURL: String, value: [UInt8]) {
        self.typeURL = typeURL
        self.value = value
    }
}

extension RPCError {
    /// What a call of a method that nobody serves is answered. The names come from the wire: repaired where they are not UTF-8, cut where
    /// they are long.
    package static func unimplemented(service: RawSpan, method: RawSpan) -> RPCError {
        RPCError(.unimplemented, "\(text(service))/\(text(method)) is not served here")
    }

    private static func text(_ bytes: RawSpan) -> String {
        var text: [UInt8] = []
        for offset in 0..<min(bytes.byteCount, 256) { text.append(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
        return String(decoding: text, as: UTF8.self)
    }
}
