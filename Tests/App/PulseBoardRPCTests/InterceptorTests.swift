import Logging
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
@testable import PulseBoardRPC
import RPCCore
import Synchronization
import Testing

/// The interceptors: authentication, the errors that callers get, and the log.
@Suite("Interceptors") struct InterceptorTests {
    private func context(language: String? = nil, logger: Logger? = nil) -> CallContext {
        var metadata = Metadata()
        if let language { metadata.append(language, for: "accept-language") }
        return CallContext(peer: nil, metadata: metadata, deadline: .never, method: "test.Test/Call", logger: logger)
    }

    /// The status from ``DomainInterceptor`` when a handler throws, in a unary or a streaming call.
    private func refused(_ error: any Error, _ shape: CallShape, _ context: CallContext) async throws {
        try await TestBoard.with { board in
            // The method needs no caller, so its handler is always reached.
            let interceptor = DomainInterceptor(auth: board.services.auth, publicMethods: [context.method])
            try await refused(error, shape, context, interceptor)
        }
    }

    private func refused(
        _ error: any Error, _ shape: CallShape, _ context: CallContext, _ interceptor: DomainInterceptor
    ) async throws {
        if shape == .unary {
            _ = try await interceptor.interceptUnary(PBSignOutRequest(), context, NextUnary { _, _ -> PBSignOutResponse in throw error })
        } else {
            let responses = MessageWriter<PBSignOutResponse> { _ in }
            try await interceptor.interceptStream(MessageStream([PBSignOutRequest()]), responses, context, NextStream { _, _, _ in throw error })
        }
    }

    /// Calls a method by name with an empty request. Returns its error, or `nil` for OK.
    private func ending(_ method: RegisteredMethod, _ channel: any CallChannel, _ options: CallOptions) async -> RPCError? {
        // An empty message has no bytes, whatever its type.
        let descriptor = MethodDescriptor<PBSignOutRequest, PBSignOutResponse>(
            service: method.service, method: method.method, shape: method.shape)
        do throws(RPCError) {
            switch method.shape {
            case .unary: _ = try await channel.unary(descriptor, PBSignOutRequest(), options: options)
            case .serverStreaming:
                var responses = channel.serverStream(descriptor, PBSignOutRequest(), options: options).makeAsyncIterator()
                _ = try await responses.next()
            case .clientStreaming: _ = try await channel.clientStream(descriptor, options: options).finish()
            case .bidirectionalStreaming:
                let stream = channel.bidirectionalStream(descriptor, options: options)
                var responses = stream.responses.makeAsyncIterator()
                _ = try await responses.next()
            }
            return nil
        } catch {
            return error
        }
    }

    @Test("X21: every method refuses a call without a live session, but those that are named", arguments: [
        nil, "Bearer", "Bearer unknown", "Basic a2ltOmtpbQ==",
    ])
    func authentication(_ authorization: String?) async throws {
        try await TestBoard.with { board in
            var options = CallOptions()
            if let authorization { options.metadata.append(authorization, for: "authorization") }
            var router = Router()
            board.services.register(on: &router)
            var withoutCaller: Set<String> = []
            for method in router.methodTable().methods {
                let error = await ending(method, board.channel, options)
                if let error, error.code == .unauthenticated {
                    #expect(error.reason == "NOT_AUTHENTICATED", "\(method.path)")
                } else {
                    withoutCaller.insert(method.path)
                }
            }
            #expect(withoutCaller == [
                    "pulseboard.auth.v1.AuthService/SignIn", "pulseboard.auth.v1.AuthService/CreateSignInNonce",
                    "pulseboard.auth.v1.AuthService/GetAuthState",
                "pulseboard.auth.v1.AuthService/WatchAuthState", "pulseboard.profile.v1.ProfileService/GetLimits",
            ])
        }
    }

    @Test("a caller is asked who it is before its request is looked at")
    func order() async throws {
        try await TestBoard.with { board in
            let member = try await board.signIn("kim")
            let request = PBFollowRequest(userID: "not an id")
            let guest = await #expect(throws: RPCError.self) { try await board.follows.follow(request) }
            #expect(guest?.code == .unauthenticated)
            let known = await #expect(throws: RPCError.self) {
                try await board.follows.follow(request, options: member.options)
            }
            #expect(known?.code == .invalidArgument)
            _ = try await board.auth.signOut(PBSignOutRequest(), options: member.options)
            let former = await #expect(throws: RPCError.self) {
                try await board.follows.follow(request, options: member.options)
            }
            #expect(former?.code == .unauthenticated)
        }
    }

    @Test("behind a gateway, one user has a limited number of calls until their answers are sent; others, streams and local calls go on")
    func callsBehindGateway() async throws {
        try await TestBoard.with { board in
            let kim = try await board.signIn("kim").options.metadata, lee = try await board.signIn("lee").options.metadata
            let interceptor = DomainInterceptor(auth: board.services.auth)
            /// Prepares a call. Its answer is sent when the returned metadata is released.
            func prepare(_ metadata: Metadata, _ shape: CallShape = .unary, from origin: CallOrigin) async throws -> ResponseMetadata {
                let answer = ResponseMetadata()
                var context = CallContext(
                    origin: origin, metadata: metadata, deadline: .never, method: PBFollowService.Methods.follow.path, shape: shape,
                    responseMetadata: answer)
                if try !interceptor.prepare(&context) { try await interceptor.prepareWaiting(&context) }
                _ = try context.caller
                return answer
            }
            var unsent: [ResponseMetadata] = []
            for connection in 0..<UInt64(DomainInterceptor.mostCallsBehindGateway) {
                unsent.append(try await prepare(kim, from: .remote(connection: connection)))
            }
            let refusal = await #expect(throws: RPCError.self) { try await prepare(kim, from: .remote(connection: 1)) }
            #expect(refusal?.code == .resourceExhausted && refusal?.limitReason == .userCalls)
            _ = try await prepare(lee, from: .remote(connection: 1))
            _ = try await prepare(kim, .serverStreaming, from: .remote(connection: 1))
            _ = try await prepare(kim, from: .local(PeerCredentials(pid: 1, uid: 1, gid: 1)))
            unsent.removeLast()
            unsent.append(try await prepare(kim, from: .remote(connection: 1)))
            withExtendedLifetime(unsent) {}
        }
    }

    @Test("behind a gateway, strangers have a limited number of calls and of streams until they end; callers with a session and local calls go on")
    func strangersBehindGateway() async throws {
        try await TestBoard.with { board in
            let kim = try await board.signIn("kim").options.metadata
            let check = "grpc.health.v1.Health/Check", watch = "grpc.health.v1.Health/Watch", signIn = PBAuthService.Methods.signIn.path
            let interceptor = DomainInterceptor(auth: board.services.auth, publicMethods: [check, watch])
            /// Prepares a call. It has ended when the returned metadata is released.
            func prepare(
                _ method: String, _ shape: CallShape = .unary, _ metadata: Metadata = Metadata(), from origin: CallOrigin = .remote(connection: 1)
            ) async throws -> ResponseMetadata {
                let answer = ResponseMetadata()
                var context = CallContext(
                    origin: origin, metadata: metadata, deadline: .never, method: method, shape: shape, responseMetadata: answer)
                if try !interceptor.prepare(&context) { try await interceptor.prepareWaiting(&context) }
                return answer
            }
            var watches: [ResponseMetadata] = [], calls: [ResponseMetadata] = []
            for _ in 0..<DomainInterceptor.mostStreamsOfStrangers { watches.append(try await prepare(watch, .serverStreaming)) }
            let refusedWatch = await #expect(throws: RPCError.self) { try await prepare(watch, .serverStreaming) }
            #expect(refusedWatch?.code == .resourceExhausted && refusedWatch?.limitReason == .userCalls)
            // Watches keep nobody from signing in.
            for _ in 0..<DomainInterceptor.mostCallsOfStrangers { calls.append(try await prepare(signIn)) }
            let refusedCall = await #expect(throws: RPCError.self) { try await prepare(check) }
            #expect(refusedCall?.code == .resourceExhausted && refusedCall?.limitReason == .userCalls)
            _ = try await prepare(PBFollowService.Methods.follow.path, .unary, kim)
            _ = try await prepare(PBAuthService.Methods.watchAuthState.path, .serverStreaming, kim)
            let local = CallOrigin.local(PeerCredentials(pid: 1, uid: 1, gid: 1))
            _ = try await prepare(check, from: local)
            _ = try await prepare(watch, .serverStreaming, from: local)
            watches.removeLast()
            calls.removeLast()
            watches.append(try await prepare(watch, .serverStreaming))
            calls.append(try await prepare(check))
            withExtendedLifetime((watches, calls)) {}
        }
    }

    @Test("behind a gateway, each session has its own places for calls that list and end sessions, and others for its own end")
    func sessionCallsBehindGateway() async throws {
        try await TestBoard.with { board in
            let stolen = try await board.signIn("kim").options.metadata, own = try await board.signIn("kim").options.metadata
            let interceptor = DomainInterceptor(auth: board.services.auth)
            let list = PBAuthService.Methods.listSessions.path, signOut = PBAuthService.Methods.signOut.path
            func prepare(_ method: String, _ metadata: Metadata) async throws -> ResponseMetadata {
                let answer = ResponseMetadata()
                var context = CallContext(
                    origin: .remote(connection: 1), metadata: metadata, deadline: .never, method: method, responseMetadata: answer)
                if try !interceptor.prepare(&context) { try await interceptor.prepareWaiting(&context) }
                return answer
            }
            var unsent: [ResponseMetadata] = []
            for _ in 0..<DomainInterceptor.mostCallsBehindGateway {
                unsent.append(try await prepare(PBFollowService.Methods.follow.path, stolen))
            }
            for _ in 0..<DomainInterceptor.mostSessionCallsBehindGateway { unsent.append(try await prepare(list, stolen)) }
            let refusedList = await #expect(throws: RPCError.self) { try await prepare(list, stolen) }
            #expect(refusedList?.code == .resourceExhausted && refusedList?.limitReason == .userCalls)
            for _ in 0..<DomainInterceptor.mostSignOutsBehindGateway { unsent.append(try await prepare(signOut, stolen)) }
            let refusedEnd = await #expect(throws: RPCError.self) { try await prepare(signOut, stolen) }
            #expect(refusedEnd?.limitReason == .userCalls)
            for method in [list, PBAuthService.Methods.revokeSession.path, signOut] { _ = try await prepare(method, own) }
            withExtendedLifetime(unsent) {}
        }
    }

    @Test("a context in which nobody has proved who calls gives no caller")
    func noCaller() {
        #expect(throws: RepositoryError.notAuthenticated) { try context().caller }
    }

    @Test(
        "a refusal has its reason and a text in the caller's language", arguments: [("en", "en"), ("ko", "ko")],
        [CallShape.unary, .bidirectionalStreaming])
    func language(_ language: (asked: String, answered: String), _ shape: CallShape) async throws {
        let error = await #expect(throws: RPCError.self) {
            try await refused(RepositoryError.userNotFound, shape, context(language: language.asked))
        }
        let refusal = try #require(error)
        #expect(refusal.code == .notFound)
        #expect(refusal.reason == "USER_NOT_FOUND")
        let text = try #require(refusal.details.first { $0.typeURL.hasSuffix("google.rpc.LocalizedMessage") })
        #expect(try Google_Rpc_LocalizedMessage(serializedBytes: text.value).locale == language.answered)
    }

    @Test("a refusal for a limit or a time has them in its metadata", arguments: [
        (RepositoryError.identityLimit, ["limit": "10"], "You can have at most 10 identities."),
        (.imageRefused(.tooLarge), ["limit": "8388608"], "A picture has at most 8 MiB."),
        (.imageRefused(.dimensions), ["limit": "32000000"], "A picture has at most 32 million pixels."),
        (.diary(.tooManyDevices), ["limit": "32"], "The diary is on too many devices. Remove one first."),
        (.rateLimited(retryAfter: .seconds(90)), ["available_time": "2027-01-15T08:01:30Z"], "Too many attempts. Try again later."),
        (
            .usernameChangedRecently(availableTime: Timestamp(microseconds: 1_767_484_800_000_000)), ["available_time": "2026-01-04T00:00:00Z"],
            "You have changed your username too recently."
        ),
        (.notOwner, [:], "You cannot change somebody else's data."),
    ])
    func limitsAndTimes(_ error: RepositoryError, _ metadata: [String: String], _ message: String) throws {
        let status = StatusMapper(clock: SetClock()).status(for: error, context())
        let info = try #require(status.details.first { $0.typeURL.hasSuffix("google.rpc.ErrorInfo") })
        #expect(try Google_Rpc_ErrorInfo(serializedBytes: info.value).metadata == metadata)
        #expect(status.message == message)
    }

    @Test("a chunk of an upload that is too large names its own limit")
    func largeChunk() throws {
        let limit = 1 << 20
        #expect(try chunk([UInt8](repeating: 0, count: limit)).count == limit)
        let error = RepositoryError.invalid(ValidationError(field: "chunk", reason: .imageTooLarge, limit: limit))
        #expect(throws: error) { try chunk([UInt8](repeating: 0, count: limit + 1)) }
        let status = StatusMapper(clock: SetClock()).status(for: error, context())
        #expect(status.message == "A picture has at most 1 MiB.")
    }

    @Test("a row that many calls meet is told once a minute, with how many there were")
    func repeatedRow() throws {
        let lines = Log.Lines()
        let context = context(logger: Logger(label: "test") { _ in Log(lines: lines) })
        let clock = SetClock()
        let mapper = StatusMapper(clock: clock)
        let tell = { for _ in 0..<1_000 { _ = mapper.status(for: .corruptRow(table: "user", key: "00ff"), context) } }
        tell()
        clock.advance(.seconds(60))
        tell()
        // The clock is set back by a year. The log must not be silent for that long.
        clock.advance(.days(-365))
        tell()
        let line = "error a stored row cannot be understood rpc.method=test.Test/Call "
        #expect(lines.current == [
            line + "store.key=00ff store.table=user",
            line + "store.failed_calls=1000 store.key=00ff store.table=user",
            line + "store.failed_calls=1000 store.key=00ff store.table=user",
        ])
    }

    @Test(
        "what only the operator may know goes to the call's log, and names that people chose go nowhere",
        arguments: [CallShape.unary, .bidirectionalStreaming])
    func operatorsLog(_ shape: CallShape) async throws {
        let lines = Log.Lines()
        let context = context(logger: Logger(label: "test") { _ in Log(lines: lines) })
        let failures: [RepositoryError] = [
            .storeUnavailable(detail: "the disk is full"), .corruptRow(table: "user", key: "00ff-12"),
            .emptyValue(table: "username", key: "kim"), .emptyValue(table: "follower", key: "2 1"), .userNotFound,
        ]
        for failure in failures {
            let error = await #expect(throws: RPCError.self) { try await refused(failure, shape, context) }
            #expect(error?.message.contains("disk") == false)
        }
        #expect(lines.current == [
            "error a stored row cannot be understood rpc.method=test.Test/Call store.key=00ff-12 store.table=user",
            "error a stored row cannot be understood rpc.method=test.Test/Call store.key=withheld store.table=username",
            "error a stored row cannot be understood rpc.method=test.Test/Call store.key=2 1 store.table=follower",
        ])
    }

    @Test("a refusal says when to try again, if that can help", arguments: [
        (.watchLimit(maximum: 256), 5), (.imageRefused(.busy), 1), (.idTokenRefused(.keyUnknown), 5), (.rateLimited(retryAfter: .seconds(7)), 7),
        (.storeUnavailable(detail: ""), 1), (.identityLimit, nil), (.userNotFound, nil),
    ] as [(RepositoryError, Int64?)])
    func retry(_ error: RepositoryError, _ seconds: Int64?) throws {
        let detail = RPCError(error, in: .english).details.first { $0.typeURL.hasSuffix("google.rpc.RetryInfo") }
        #expect(try detail.flatMap { try Google_Rpc_RetryInfo(serializedBytes: $0.value).retryDelay?.seconds } == seconds)
    }

    @Test("an error that is no refusal passes as it is", arguments: [CallShape.unary, .bidirectionalStreaming])
    func otherErrors(_ shape: CallShape) async {
        struct Unforeseen: Error {}
        await #expect(throws: Unforeseen.self) { try await refused(Unforeseen(), shape, context()) }
        let status = RPCError(.permissionDenied, "no")
        await #expect(throws: status) { try await refused(status, shape, context()) }
    }

    @Test("the token is read whatever the case of its scheme, and no other scheme is", arguments: [
        ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER abc", "abc"), ("Bearer ", ""), ("Bearer", nil), ("Basic abc", nil),
        ("Bearer\tabc", nil), ("", nil),
    ])
    func token(_ value: String, _ token: String?) {
        let context = CallContext(
            peer: nil, metadata: ["authorization": value], deadline: .never, method: "test.Test/Call")
        #expect(context.bearerToken == token)
    }
}

/// A clock that stands where it is set.
private final class SetClock: WallClock {
    private let time = Mutex(Timestamp(microseconds: 1_800_000_000_000_000))

    func now() -> Timestamp { time.withLock { $0 } }
    func advance(_ interval: Timestamp.Interval) { time.withLock { $0 = $0.advanced(by: interval) } }
}

/// Records each log line: level, message, metadata by key.
private struct Log: LogHandler {
    final class Lines: Sendable {
        private let kept = Mutex<[String]>([])
        var current: [String] { kept.withLock { $0 } }
        func append(_ line: String) { kept.withLock { $0.append(line) } }
    }

    let lines: Lines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.map { " \($0.key)=\($0.value)" }.sorted()
        lines.append("\(event.level) \(event.message)" + fields.joined())
    }
}
