import Glibc
import RPCClient
import RPCCore
import RPCServer
import Testing

/// Known problems of other ttrpc implementations: leaks of calls and connections. See ``StallPeerBugTests``.
@Suite struct LeakPeerBugTests {
    @Test("ttrpc #236: calls leave no memory behind, of whatever shape, ended well or given up")
    func memory() async throws {
        // In a separate process, so that its memory is only that of these calls.
        await #expect(processExitsWith: .success) {
            try await withServer { router in
                router.register(TestMethods.echo) { request, _ in request }
                router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
                    try await responses.write(request)
                    if request.value == "endless" { try await waitForCancellation() }
                }
                router.registerClientStreaming(StreamTests.upload) { requests, _ in
                    for try await request in requests { return request }
                    return text("")
                }
                router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
                    for try await request in requests { try await responses.write(request) }
                }
            } _: { server in
                for wireProtocol in WireProtocol.allCases {
                    try await withChannel(to: server.path, wireProtocol) { channel in
                        try await LeakPeerBugTests.calls(500, on: channel)
                        let before = LeakPeerBugTests.residentPages()
                        try await LeakPeerBugTests.calls(2_500, on: channel)
                        let grown = (LeakPeerBugTests.residentPages() - before) * Int(getpagesize())
                        // For 12,500 calls this is less than 170 bytes each. The smallest call takes more on each side.
                        if grown > 2 << 20 {
                            print("\(wireProtocol): grown by \(grown) bytes")
                            exit(3)
                        }
                    }
                }
            }
        }
    }

    /// Makes `count` calls of each shape, and as many that are cancelled.
    static func calls(_ count: Int, on channel: Channel) async throws {
        for _ in 0..<count {
            _ = try await channel.call(TestMethods.echo, "x")
            for try await _ in channel.serverStream(StreamTests.watch, text("x"), options: CallOptions()) {}
            for try await _ in channel.serverStream(StreamTests.watch, text("endless"), options: CallOptions()) { break }
            let upload = channel.clientStream(StreamTests.upload, options: CallOptions())
            try await upload.write(text("x"))
            _ = try await upload.finish()
            let chat = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
            try await chat.write(text("x"))
            chat.finishWriting()
            for try await _ in chat.responses {}
        }
    }

    static func residentPages() -> Int {
        let file = open("/proc/self/statm", O_RDONLY)
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        // The total size, then the resident size.
        let fields = String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }

    @Test("ttrpc #236: what a call was made with is let go of when it has ended, on the client's side", arguments: WireProtocol.allCases)
    func clientObjects(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerServerStreaming(StreamTests.watch) { request, responses, _ in try await responses.write(request) }
        } _: { server in
            weak var ofUnary: ResponseMetadata?
            weak var ofStream: ResponseMetadata?
            try await withChannel(to: server.path, wireProtocol) { channel in
                let unary = ResponseMetadata(), stream = ResponseMetadata()
                ofUnary = unary
                ofStream = stream
                _ = try await channel.unary(TestMethods.echo, text("x"), options: CallOptions(responseMetadata: unary))
                for try await _ in channel.serverStream(StreamTests.watch, text("x"), options: CallOptions(responseMetadata: stream)) {}
            }
            #expect(ofUnary == nil)
            #expect(ofStream == nil)
        }
    }

    @Test("ttrpc #37, #61, #123, #141: channels that come and go, with streams open or not, leave no descriptor behind")
    func clientDescriptors() async throws {
        // In a separate process, because other tests open descriptors.
        await #expect(processExitsWith: .success) {
            try await withServer { router in
                router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
                    try await responses.write(request)
                    try await waitForCancellation()
                }
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
            } _: { server in
                try await LeakPeerBugTests.comeAndGo(server.path, 5)
                let before = LeakPeerBugTests.descriptors()
                try await LeakPeerBugTests.comeAndGo(server.path, 200)
                // The server closes its ends when it notices: the last few may still be open.
                var left = LeakPeerBugTests.descriptors()
                for _ in 0..<1000 where left > before + 4 {
                    try await LeakPeerBugTests.comeAndGo(server.path, 1)
                    left = LeakPeerBugTests.descriptors()
                }
                if left > before + 4 { exit(3) }
            }
        }
    }

    static func comeAndGo(_ path: String, _ count: Int) async throws {
        for index in 0..<count {
            try await withChannel(to: path) { channel in
                if index % 2 == 0 {
                    _ = try await channel.call(TestMethods.echo, "x")
                } else {
                    var messages = channel.serverStream(StreamTests.watch, text("x"), options: CallOptions()).makeAsyncIterator()
                    _ = try await messages.next()
                }
            }
        }
    }

    static func descriptors() -> Int {
        guard let directory = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    @Test("ttrpc #194: calls at once that share their metadata each arrive with all of it", arguments: WireProtocol.allCases)
    func metadataRace(_ wireProtocol: WireProtocol) async throws {
        try await withServer(loopCount: 2) { router in
            router.register(TestMethods.echo) { request, context in
                var metadata = context.metadata
                metadata.append("mine", for: request.value)
                return text(metadata.map { "\($0.key)=\($0.value)" }.joined(separator: ","))
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let metadata: Metadata = ["a": "1", "b": "2"]
                try await withThrowingTaskGroup { group in
                    for index in 0..<500 {
                        group.addTask { (index, try await channel.call(TestMethods.echo, "k\(index)", metadata: metadata)) }
                    }
                    for try await (index, answer) in group { #expect(answer == "a=1,b=2,k\(index)=mine") }
                }
            }
        }
    }
}
