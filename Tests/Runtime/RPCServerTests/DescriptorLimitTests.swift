import Glibc
import RPCCore
import RPCServer
import SocketTransport
import Testing

/// Descriptors: how many connections may take, and what is left to everything else.
@Suite struct DescriptorLimitTests {
    @Test("the last descriptors are not for connections: who comes is refused at once, files can be opened, and it is over when some are free")
    func descriptorsInReserve() async throws {
        // In a program of its own, whose other tests would miss the descriptors.
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            let refuses = Gate(), isOver = Gate()
            let logger = LogListener.logger { event, _ in
                if "\(event.message)".contains("only descriptors in reserve are left") { refuses.open() }
                if "\(event.message)".contains("accepted again") { isOver.open() }
            }
            try await withServer(logger: logger) { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
            } _: { server in
                let early = try RawPeer(server.path)
                await early.send(RawFrame.request(1, "Echo").bytes)
                if await early.readFrame()?.statusCode != 0 { exit(4) }
                var taken: [Int32] = []
                while taken.last ?? 0 < 256 - DescriptorLimit.mostReserved { taken.append(dup(0)) }
                // Within the reserve: refused, unread.
                for _ in 0..<20 {
                    let peer = try RawPeer(server.path)
                    if await peer.readFrame() != nil { exit(5) }
                }
                await refuses.wait()
                let file = open("/dev/null", O_RDONLY)
                if file < 0 { exit(6) }
                close(file)
                await early.send(RawFrame.request(3, "Echo").bytes)
                if await early.readFrame()?.statusCode != 0 { exit(7) }
                for descriptor in taken { close(descriptor) }
                let peer = try RawPeer(server.path)
                await peer.send(RawFrame.request(1, "Echo").bytes)
                if await peer.readFrame()?.statusCode != 0 { exit(3) }
                await isOver.wait()
            }
        }
    }

    @Test("of few descriptors a uid may take a quarter, whatever the limit on its connections says")
    func shareOfDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 128, rlim_max: 128)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            try await withServer { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
            } _: { server in
                var peers: [RawPeer] = []
                while true {
                    let peer = try RawPeer(server.path)
                    await peer.send(RawFrame.request(1, "Echo").bytes)
                    guard await peer.readFrame() != nil else { break }
                    peers.append(peer)
                }
                // Half of the 128 are in reserve.
                if peers.count != 16 { exit(3) }
            }
        }
    }
}
