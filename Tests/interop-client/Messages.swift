import InteropMessages

extension Int {
    /// The size of a large response in bytes.
    static let largeResponseSize = 314_159
}

extension Grpc_Testing_Payload {
    /// A payload of `size` zeros.
    static func of(_ size: Int) -> Grpc_Testing_Payload {
        var payload = Grpc_Testing_Payload()
        payload.body = [UInt8](repeating: 0, count: size)
        return payload
    }
}

extension Grpc_Testing_BoolValue {
    static func of(_ value: Bool) -> Grpc_Testing_BoolValue {
        var wrapped = Grpc_Testing_BoolValue()
        wrapped.value = value
        return wrapped
    }
}

extension Grpc_Testing_SimpleRequest {
    /// A large request that asks for a large response.
    static var large: Grpc_Testing_SimpleRequest {
        var request = Grpc_Testing_SimpleRequest()
        request.responseSize = Int32(Int.largeResponseSize)
        request.payload = .of(271_828)
        return request
    }
}

extension Grpc_Testing_StreamingInputCallRequest {
    static func of(_ size: Int, expectCompressed: Bool? = nil) -> Grpc_Testing_StreamingInputCallRequest {
        var request = Grpc_Testing_StreamingInputCallRequest()
        request.payload = .of(size)
        request.expectCompressed = expectCompressed.map { .of($0) }
        return request
    }
}

extension Grpc_Testing_StreamingOutputCallRequest {
    /// A request for responses of these sizes.
    static func asking(for sizes: [Int], payload: Int? = nil, intervalMicroseconds: Int32 = 0) -> Grpc_Testing_StreamingOutputCallRequest {
        var request = Grpc_Testing_StreamingOutputCallRequest()
        request.responseParameters = sizes.map { size in
            var parameters = Grpc_Testing_ResponseParameters()
            parameters.size = Int32(size)
            parameters.intervalUs = intervalMicroseconds
            return parameters
        }
        request.payload = payload.map { .of($0) }
        return request
    }
}
