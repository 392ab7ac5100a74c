import ProtobufWellKnownTypes
import RPCCore
import Testing

@Suite struct RouterTests {
    @Test("Services are named once each, in the order of their first method")
    func serviceNames() {
        var router = Router()
        for (service, method) in [("z.Z", "A"), ("a.A", "A"), ("z.Z", "B")] {
            router.register(
                MethodDescriptor<Google_Protobuf_Empty, Google_Protobuf_Empty>(service: service, method: method, shape: .unary)
            ) { request, _ in request }
        }
        #expect(router.serviceNames == ["z.Z", "a.A"])
        #expect(Router().serviceNames.isEmpty)
    }
}
