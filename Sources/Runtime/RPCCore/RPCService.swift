/// A service of a server: a value whose methods can be registered on a router.
///
/// Each generated handler protocol inherits from it. So a type implements a service by declaring its handlers:
///
///     struct Greeter: GreeterHandler {
///         func sayHello(_ request: HelloRequest, context: CallContext) async throws -> HelloReply {
///             HelloReply(text: "Hello, \(request.name)!")
///         }
///     }
///
///     let server = try Server(services: [Greeter()])
///
/// A type can also conform by hand, to register several services at once, or methods without a `.proto`:
///
///     struct Everything: RPCService {
///         func register(on router: inout Router) {
///             Greeter().register(on: &router)
///             router.keepPlaces(for: [GreeterService.Methods.sayHello.path])
///         }
///     }
public protocol RPCService: Sendable {
    /// Registers the service's methods.
    /// - Precondition: none of them is registered yet.
    func register(on router: inout Router)
}

extension Router {
    /// A router with the methods of services, registered in this order.
    /// - Precondition: no two of them have a method in common.
    public init(services: [any RPCService]) {
        self.init()
        for service in services { service.register(on: &self) }
    }
}
