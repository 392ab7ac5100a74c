import RPCCore
import Testing

@Suite struct StatusCodeTests {
    @Test("every canonical number has its code, with gRPC's name")
    func numbersAndNames() {
        let names = [
            "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
            "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
            "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
        ]
        #expect(StatusCode.allCases.count == 17)
        for (number, name) in names.enumerated() {
            #expect(StatusCode(wireValue: Int32(number)).rawValue == Int32(number))
            #expect(StatusCode(wireValue: Int32(number)).description == name)
        }
    }

    @Test("a number that gRPC does not know is UNKNOWN, never a crash or a success", arguments: [-1, 17, 4711, Int32.max, .min])
    func foreignNumbers(_ number: Int32) {
        #expect(StatusCode(wireValue: number) == .unknown)
    }

    @Test("an error with the code OK, which is no error, is UNKNOWN: a handler may pass on what a peer has sent")
    func okIsNoError() { #expect(RPCError(StatusCode(wireValue: 0), "a peer's text").code == .unknown) }

    @Test func errorsReadWell() {
        #expect(RPCError(.notFound, "no such user").description == "NOT_FOUND: no such user")
        #expect(RPCError(.notFound, "").description == "NOT_FOUND")
    }

    private struct Unforeseen: Error, CustomStringConvertible { let description = "password=1234" }

    @Test("an unforeseen error becomes INTERNAL without its text; ours stay as they are")
    func handlerFailures() {
        #expect(RPCError(handlerFailure: Unforeseen()).code == .internal)
        #expect(!RPCError(handlerFailure: Unforeseen()).message.contains("1234"))
        #expect(RPCError(handlerFailure: CancellationError()).code == .cancelled)
        let ours = RPCError(.aborted, "etag", details: [StatusDetail(typeURL: "t", value: [1])])
        #expect(RPCError(handlerFailure: ours) == ours)
    }
}
