// Written by protoc-gen-pulseboard-swift from grpc/reflection/v1alpha/reflection.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import RPCCore

/// Describes services and their messages to clients that were built without their .proto files.
public enum Grpc_Reflection_V1alpha_ServerReflection {
    /// The service's name on the wire.
    public static let fullName = "grpc.reflection.v1alpha.ServerReflection"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { Grpc_Reflection_V1alpha_ReflectionFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo`.
        public static let serverReflectionInfo = MethodDescriptor<Grpc_Reflection_V1alpha_ServerReflectionRequest, Grpc_Reflection_V1alpha_ServerReflectionResponse>(
            service: Grpc_Reflection_V1alpha_ServerReflection.fullName, method: "ServerReflectionInfo", shape: .bidirectionalStreaming)
    }
}

/// Implements `grpc.reflection.v1alpha.ServerReflection` on a server: `Server(services: […])`.
public protocol Grpc_Reflection_V1alpha_ServerReflectionHandler: RPCService {
    /// Answers each question in turn. What is not known is answered with an `error_response`; the stream goes on.
    func serverReflectionInfo(
        _ requests: MessageStream<Grpc_Reflection_V1alpha_ServerReflectionRequest>, responses: MessageWriter<Grpc_Reflection_V1alpha_ServerReflectionResponse>, context: CallContext
    ) async throws
}

extension Grpc_Reflection_V1alpha_ServerReflectionHandler {
    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        router.registerBidirectionalStreaming(Grpc_Reflection_V1alpha_ServerReflection.Methods.serverReflectionInfo) {
            try await self.serverReflectionInfo($0, responses: $1, context: $2)
        }
    }
}

/// Calls `grpc.reflection.v1alpha.ServerReflection` over any channel.
public struct Grpc_Reflection_V1alpha_ServerReflectionClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// Answers each question in turn. What is not known is answered with an `error_response`; the stream goes on.
    public func serverReflectionInfo(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<Grpc_Reflection_V1alpha_ServerReflectionRequest, Grpc_Reflection_V1alpha_ServerReflectionResponse> {
        channel.bidirectionalStream(
            Grpc_Reflection_V1alpha_ServerReflection.Methods.serverReflectionInfo, options: options)
    }
}
