import ProtobufC

/// The failure of one call: an error status from the peer, or a local reason why no answer came.
///
/// A handler throws one to answer with a code and a message:
///
///     guard !request.name.isEmpty else { throw RPCError(.invalidArgument, "a name is needed") }
///
/// A caller catches one and decides by its code. ``origin`` says whether the server sent the error or this side made it:
///
///     do throws(RPCError) {
///         print(try await greeter.sayHello(HelloRequest()).text)
///     } catch {
///         guard error.code == .unavailable, error.origin == .local else { throw error }
///         print("no server answers")
///     }
///
/// Two errors are equal if their codes, messages and details are equal. The origin and the trailing metadata are not compared.
///
/// The failure of a connection is a `SocketError` or a protocol violation. Each call that it ends gets an `RPCError`.
public struct RPCError: Error, Sendable {
    /// Who ended a call.
    public enum Origin: Sendable, Hashable {
        /// The server, or a gateway in front of it, ended the call: with a status, an HTTP status or a reset.
        case peer
        /// This side ended the call: its deadline passed, its task was cancelled, there was no connection or it was lost, a limit was
        /// reached, or the answer cannot be read. On a server: a handler, an interceptor or the runtime threw the error.
        case local
    }

    /// Why the call failed. Never ``StatusCode/ok``.
    public let code: StatusCode
    /// Who ended the call.
    public let origin: Origin
    /// A sentence for developers, in English. Localised text is in ``details``.
    public var message: String
    /// Nil for an error with neither details nor metadata. It is an object, so that an error has at most four words. A function that throws larger
    /// errors returns all its results through memory.
    private var attachments: Attachments?

    private final class Attachments: Sendable {
        let details: [StatusDetail]
        let trailingMetadata: Metadata

        init(_ details: [StatusDetail], _ trailingMetadata: Metadata) {
            self.details = details
            self.trailingMetadata = trailingMetadata
        }
    }

    /// - Parameters:
    ///   - origin: who ended the call. A test that replaces a server uses `.peer`.
    ///   - trailingMetadata: see ``trailingMetadata``.
    ///   - code: ``StatusCode/ok`` is no error and becomes `.unknown`. So a handler that passes on the code of a peer cannot end the process.
    public init(
        _ code: StatusCode, _ message: String, details: [StatusDetail] = [], origin: Origin = .local, trailingMetadata: Metadata = Metadata()
    ) {
        self.code = code == .ok ? .unknown : code
        self.origin = origin
        self.message = message
        attach(details, trailingMetadata)
    }

    /// Typed details (`google.rpc.ErrorInfo`, `BadRequest`, …), in the order the server gave them. gRPC sends them as a header: those that do not fit
    /// into 4 KiB, with the message and in base64, are left out. An error of this side's own limit names
    /// it here too.
    public var details: [StatusDetail] {
        get { attachments?.details ?? [] }
        set { attach(newValue, trailingMetadata) }
    }

    /// The metadata that the server sent with its status (gRPC only). A handler that throws this error does not send the metadata. Its
    /// own metadata is ``CallContext/responseMetadata``.
    public var trailingMetadata: Metadata {
        get { attachments?.trailingMetadata ?? Metadata() }
        set { attach(details, newValue) }
    }

    private mutating func attach(_ details: [StatusDetail], _ trailingMetadata: Metadata) {
        attachments = details.isEmpty && trailingMetadata.count == 0 ? nil : Attachments(details, trailingMetadata)
    }
}

extension RPCError: Hashable {
    public static func == (left: RPCError, right: RPCError) -> Bool {
        left.code == right.code && left.message == right.message && left.details == right.details
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension RPCError: CustomStringConvertible {
    public var description: String { message.isEmpty ? code.name : "\(code.name): \(message)" }
}

/// One detail of a status: a packed message and the URL that names its type (`google.protobuf.Any`).
///
/// A handler packs one into its error:
///
///     let info = StatusDetail(packing: Google_Rpc_ErrorInfo(reason: "NAME_TAKEN", domain: "greeter"))
///     throw RPCError(.alreadyExists, "the name is taken", details: [info].compactMap(\.self))
///
/// A caller reads it:
///
///     for detail in error.details where detail.typeURL.hasSuffix("/google.rpc.ErrorInfo") {
///         print(try Google_Rpc_ErrorInfo(serializedBytes: detail.value).reason)
///     }
public struct StatusDetail: Sendable, Hashable {
    /// For example `type.googleapis.com/google.rpc.ErrorInfo`.
    public var typeURL: String
    /// The message's wire bytes.
    public var value: [UInt8]

    public init(typeURL: String, value: [UInt8]) {
        self.typeURL = typeURL
        self.value = value
    }

    /// Packs a message as `google.protobuf.Any` does. Nil if it cannot be encoded (`EncodingError`): a string has a NUL, or
    /// it is nested too deeply or too large.
    public init?<Content: Message>(packing message: Content) {
        guard let bytes = try? message.serializedBytes() else { return nil }
        self.init(typeURL: "type.googleapis.com/" + Content.descriptor.fullName, value: bytes)
    }
}

extension RPCError {
    /// The error of a call of an unknown method. The names come from the wire. Invalid UTF-8 is repaired, and long names are cut.
    package static func unimplemented(service: RawSpan, method: RawSpan) -> RPCError {
        RPCError(.unimplemented, "\(text(service))/\(text(method)) is not served here")
    }

    private static func text(_ bytes: RawSpan) -> String {
        var text: [UInt8] = []
        for offset in 0..<min(bytes.byteCount, 256) { text.append(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
        return String(decoding: text, as: UTF8.self)
    }
}
