import CNGHTTP2
import ProtobufC
import RPCCore
import WireBytes

/// The decoded headers of a response: the first headers, or trailers.
struct ReceivedResponseHead {
    private(set) var httpStatus = 0
    private(set) var encoding: MessageEncoding? = .identity
    private(set) var metadata = Metadata()
    private var isGRPC = false
    private var code: Int32?
    private var message = ""
    private var details: [UInt8] = []
    private var failure: RPCError?

    /// - Parameter limit: the most bytes of all fields together.
    init(_ headers: InboundHeaders.Received, limit: Int) {
        for field in headers.block.fields { take(field.name, field.value) }
        if headers.isOversized { failure = RPCError(.resourceExhausted, "the answer's headers have more than \(limit) bytes") }
    }

    private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let text = String(decoding: value, as: UTF8.self)
        switch HeaderName(name) {
        case .status: httpStatus = Int(text) ?? 0
        case .contentType: isGRPC = HeaderName.begins(value, inAnyCase: "application/grpc")
        case .encoding: encoding = MessageEncoding(value)
        case .grpcStatus: code = Int32(text) ?? StatusCode.unknown.rawValue
        case .grpcMessage: message = PercentEncoding.decode(value)
        case .statusDetails: details = Base64.decode(text) ?? []
        case .metadata:
            do throws(MetadataHeaders.Refusal) {
                try MetadataHeaders.append(name: name, value: value, to: &metadata)
            } catch {
                failure = RPCError(.internal, "the answer's metadata cannot be read")
            }
        default: break
        }
    }

    /// The error if this is not the beginning of a gRPC answer; nil if it is.
    var refusal: RPCError? {
        if let failure { return failure }
        if httpStatus != 200 { return RPCError(httpStatus: httpStatus) }
        if !isGRPC { return RPCError(.unknown, "the answer is not gRPC") }
        return encoding == nil ? RPCError(.internal, "the answer is compressed in a way that was not offered") : nil
    }

    /// The end of the call in the trailers.
    var end: ClientCallEnd {
        if let failure { return .failure(failure) }
        guard let code else {
            return .failure(
                httpStatus == 0 || httpStatus == 200 ? RPCError(.unknown, "the call ended without a status") : RPCError(httpStatus: httpStatus))
        }
        let status = StatusCode(wireValue: code)
        if status == .ok { return .success }
        var error = RPCError(status, message, origin: .peer)
        let reading = details.withUnsafeBytes { StatusBytes.read($0) }
        if case .failure(let rich) = reading { error.details = rich.details }
        return .failure(error)
    }
}

extension RPCError {
    /// The error for an HTTP status without a gRPC status (http-grpc-status-mapping.md).
    init(httpStatus: Int) {
        let code: StatusCode =
            switch httpStatus {
            case 400: .internal
            case 401: .unauthenticated
            case 403: .permissionDenied
            case 404: .unimplemented
            case 429, 502, 503, 504: .unavailable
            default: .unknown
            }
        self.init(code, "the server answers with HTTP status \(httpStatus)", origin: .peer)
    }

    /// The error for the reset of a stream (PROTOCOL-HTTP2.md, “Errors”).
    /// - Parameter isLate: whether the call's deadline has passed. A server may cancel a call at its deadline before this side does. The caller then
    ///   gets `DEADLINE_EXCEEDED`, as gRPC's C core and gRPC for Go do it.
    init(resetCode: UInt32, isLate: Bool = false) {
        let code: StatusCode =
            switch resetCode {
            case NGHTTP2_REFUSED_STREAM.rawValue: .unavailable
            case NGHTTP2_CANCEL.rawValue: isLate ? .deadlineExceeded : .cancelled
            case NGHTTP2_ENHANCE_YOUR_CALM.rawValue: .resourceExhausted
            case NGHTTP2_INADEQUATE_SECURITY.rawValue: .permissionDenied
            default: .internal
            }
        self.init(code, "the server has reset the call with HTTP/2 error \(resetCode)", origin: .peer)
    }
}
