import ProtobufC
import RPCCore
import ReflectionV1AlphaMessages
import StandardServiceMessages

/// gRPC's health and server reflection. Put it last into a server's list of services:
///
///     let server = try Server(services: [GreeterService(), StandardServices(describing: [Greeter.file])])
///
/// A program that changes its health keeps the ``HealthService`` that ``RPCCore/Router/registerStandardServices(describing:)`` returns.
public struct StandardServices: RPCService {
    private let files: [FileDescriptor]

    /// - Parameter files: the files that declare the other services. Each generated service has its own as `file`. Their imports are included.
    public init(describing files: [FileDescriptor]) { self.files = files }

    public func register(on router: inout Router) { router.registerStandardServices(describing: files) }
}

extension Router {
    /// The methods (`service/method`) that ``registerStandardServices(describing:)`` registers, for interceptors that let them pass.
    public static let standardMethods =
        [Grpc_Health_V1_Health.Methods.check.path, Grpc_Health_V1_Health.Methods.watch.path] + reflectionMethods

    /// The methods among them that show the services of a server, which strangers need not know: reflection, and the list of the health service.
    public static let reflectionMethods = [
        Grpc_Reflection_V1_ServerReflection.Methods.serverReflectionInfo.path, ReflectionService.v1alpha.path,
        Grpc_Health_V1_Health.Methods.list.path,
    ]

    /// Registers gRPC's health and server reflection, for all services that are already registered. Call it last.
    ///
    /// Then general tools (`pulseboard rpc`, grpcurl, `buf curl`, health probes) can list, describe, call and
    /// watch the services. Every service is SERVING, and NOT_SERVING from the beginning of a shutdown.
    /// - Parameter files: the files that declare the services. Each generated service has its own as `file`:
    ///   `router.registerStandardServices(describing: [Greeter.file])`. Their imports are included.
    /// - Returns: the health service, for programs that set its statuses.
    /// - Precondition: neither service is registered yet.
    @discardableResult
    public mutating func registerStandardServices(describing files: [FileDescriptor]) -> HealthService {
        let ownServices = [
            Grpc_Health_V1_Health.fullName, Grpc_Reflection_V1_ServerReflection.fullName,
            Grpc_Reflection_V1alpha_ServerReflection.fullName,
        ]
        let ownFiles = [
            Grpc_Health_V1_Health.file, Grpc_Reflection_V1_ServerReflection.file, Grpc_Reflection_V1alpha_ServerReflection.file,
        ]
        let names = serviceNames + ownServices
        let health = HealthService(services: names)
        health.register(on: &self)
        ReflectionService(serviceNames: names, files: files + ownFiles).registerBothVersions(on: &self)
        endAtShutdown([Grpc_Reflection_V1_ServerReflection.Methods.serverReflectionInfo.path, ReflectionService.v1alpha.path])
        // Health checks must also work when the server is under pressure.
        reserveCalls(for: [Grpc_Health_V1_Health.Methods.check.path, Grpc_Health_V1_Health.Methods.list.path])
        onShutdown { health.enterTerminalState() }
        return health
    }
}
