import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCClient
import RPCCore
import Testing

@Suite("Errors about many fields") struct ViolationTests {
    @Test("a request with a hundred wrong ids gets its reason, its text and the first violations, over both protocols and in both languages",
        arguments: [WireProtocol.ttrpc, .grpc], ["en", "ko"])
    func hundred(_ wireProtocol: WireProtocol, _ language: String) async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            var configuration = Channel.Configuration(socketPath: board.socket)
            configuration.wireProtocol = wireProtocol
            let channel = try Channel(configuration)
            var options = kim.options
            options.metadata.append(language, for: "accept-language")
            let request = PBBatchGetProfilesRequest(userIds: (0..<100).map { "no user \($0)" })
            let error = await #expect(throws: RPCError.self) {
                try await PBProfileServiceClient(channel: channel).batchGetProfiles(request, options: options)
            }
            await channel.close()
            let refusal = try #require(error)
            #expect(refusal.reason == "IDENTIFIER_INVALID", "\(refusal)")
            #expect(refusal.details.contains { $0.typeURL.hasSuffix("google.rpc.LocalizedMessage") }, "\(refusal)")
            let detail = try #require(refusal.details.first { $0.typeURL.hasSuffix("google.rpc.BadRequest") })
            let fields = try Google_Rpc_BadRequest(serializedBytes: detail.value).fieldViolations.map(\.field)
            #expect(fields.count >= 5 && fields == (0..<fields.count).map { "user_ids[\($0)]" }, "\(fields)")
        }
    }
}
