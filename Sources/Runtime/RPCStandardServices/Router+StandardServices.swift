import ProtobufC
import RPCCore
import ReflectionV1AlphaMessages
import StandardServiceMessages

/// gRPC's health and server reflection, as a server offers them beside its own services: the last of the list.
///
///     let server = try Server(services: [Greeter(), StandardServices(describing: [GreeterService.file])])
///
/// A program that changes what its health says keeps the ``HealthService`` that ``RPCCore/Router/registerStandardServices(describing:)`` gives.
public struct StandardServices: RPCService {
    private let files: [FileDescriptor]

    /// - Parameter files: the files that declare the other services, as each generated service names its own. What they import comes along.
    public init(describing files: [FileDescriptor]) { self.files = files }

    public func register(on router: inout Router) { router.registerStandardServices(describing: files) }
}

extension Router {
    /// The methods (`service/method`) that ``registerStandardServices(describing:)`` registers, for interceptors that let them pass.
    public static let standardMethods =
        [Grpc_Health_V1_Health.Methods.check.path, Grpc_Health_V1_Health.Methods.watch.path] + reflectionMethods

    /// Those of them that say what a server offers, which strangers need not know.
    public static let reflectionMethods = [
        Grpc_Reflection_V1_ServerReflection.Methods.serverReflectionInfo.path, ReflectionService.v1alpha.path,
    ]

    /// Offers gRPC's health and server reflection, for everything that is registered by now: call it last.
    ///
    /// From then on tools that know nothing of the services (`pulseboard rpc`, grpcurl, `buf curl`, health probes) can list, describe, call and
    /// watch them. Every service is SERVING, and NOT_SERVING from the moment the server begins to shut down.
    /// - Parameter files: the files that declare the services, as each generated service names its own:
    ///   `router.registerStandardServices(describing: [Greeter.file])`. What they import comes along.
    /// - Returns: the health service, for programs that have more to say about theirs.
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
        // Health is asked for most when the server is under pressure.
        keepPlaces(for: [Grpc_Health_V1_Health.Methods.check.path])
        onShutdown { health.enterTerminalState() }
        return health
    }
}
