import Foundation
import Glibc
import RPCCore
import RPCServer
import SocketTransport
import Testing

/// How many descriptors connections may use, and how many stay free for everything else.
@Suite struct DescriptorLimitTests {
    @Test("the last descriptors are not for connections: who comes is refused at once, files can be opened, and it is over when some are free")
    func descriptorsInReserve() async throws {
        // In a separate process, because other tests need the descriptors.
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            closeInheritedPipesAndSockets()
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            let refuses = Gate(), isOver = Gate()
            let logger = LogListener.logger { event, _ in
                if "\(event.message)".contains("only descriptors in reserve are left") { refuses.open() }
                if "\(event.message)".contains("accepted again") { isOver.open() }
            }
            let started = Counter(), release = Gate()
            try await withServer(logger: logger) { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
                router.registerWait(until: release, started)
            } _: { server in
                let early = try RawPeer(server.path)
                // A connection with a running call is not closed to make room.
                await early.send(RawFrame.request(1, "Wait").bytes + RawFrame.request(3, "Echo").bytes)
                if await early.readFrame()?.statusCode != 0 { exit(4) }
                var taken: [Int32] = []
                while taken.last ?? 0 < 256 - DescriptorLimit.maximumReserve { taken.append(dup(0)) }
                // These would need the reserve, so they are refused without reading.
                for _ in 0..<20 {
                    let peer = try RawPeer(server.path)
                    if await peer.readFrame() != nil { exit(5) }
                }
                await refuses.wait()
                let file = open("/dev/null", O_RDONLY)
                if file < 0 { exit(6) }
                close(file)
                await early.send(RawFrame.request(5, "Echo").bytes)
                if await early.readFrame()?.statusCode != 0 { exit(7) }
                for descriptor in taken { close(descriptor) }
                let peer = try RawPeer(server.path)
                await peer.send(RawFrame.request(1, "Echo").bytes)
                if await peer.readFrame()?.statusCode != 0 { exit(3) }
                await isOver.wait()
                release.open()
            }
        }
    }

    @Test("descriptors for the files of callers are reserved beside the 64, and connections have at least half of all")
    func descriptorsForFiles() async {
        await #expect(processExitsWith: .success) {
            func forConnections(of count: rlim_t) -> Int {
                var limit = rlimit(rlim_cur: count, rlim_max: 1024)
                guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
                return DescriptorLimit.forConnections
            }
            if forConnections(of: 1024) != 960 { exit(3) }
            DescriptorLimit.reserve(forFiles: 136)
            if forConnections(of: 1024) != 824 { exit(4) }
            if forConnections(of: 256) != 128 { exit(5) }
        }
    }

    @Test("of few descriptors a uid may take a quarter, whatever the limit on its connections says")
    func shareOfDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 128, rlim_max: 128)
            closeInheritedPipesAndSockets()
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            let started = Counter(), release = Gate()
            try await withServer { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
                router.registerWait(until: release, started)
            } _: { server in
                var peers: [RawPeer] = []
                while true {
                    let peer = try RawPeer(server.path)
                    // A connection with a running call is not closed to make room.
                    await peer.send(RawFrame.request(1, "Wait").bytes + RawFrame.request(3, "Echo").bytes)
                    guard await peer.readFrame() != nil else { break }
                    peers.append(peer)
                }
                // Half of the 128 descriptors are reserved.
                if peers.count != 16 { exit(3) }
                release.open()
            }
        }
    }

    @Test("where descriptors are scarce, idle connections are closed and new clients served; one with a call under way stays")
    func idleConnectionsMakeRoom() async throws {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            closeInheritedPipesAndSockets()
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            let started = Counter(), release = Gate()
            try await withServer { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
                router.registerWait(until: release, started)
            } _: { server in
                let busy = try RawPeer(server.path)
                await busy.send(RawFrame.request(1, "Wait").bytes)
                await busy.send(RawFrame.request(3, "Echo").bytes)
                if await busy.readFrame()?.statusCode != 0 { exit(3) }
                let idle = try RawPeer(server.path)
                await idle.send(RawFrame.request(1, "Echo").bytes)
                if await idle.readFrame()?.statusCode != 0 { exit(4) }
                var taken: [Int32] = []
                while taken.last ?? 0 < 256 - 2 * DescriptorLimit.maximumReserve { taken.append(dup(0)) }
                // Each takes two descriptors here. It is served although soon only reserved ones would be left, because earlier ones are idle.
                var peers: [RawPeer] = []
                for _ in 0..<40 {
                    // The loops make room after the listener has asked them to. On a busy machine, a client that connects in between is refused, and
                    // is served when it tries again.
                    var attempts = 0
                    var isServed = false
                    while !isServed {
                        attempts += 1
                        if attempts > 100 { exit(5) }
                        let peer = try RawPeer(server.path)
                        await peer.send(RawFrame.request(1, "Echo").bytes)
                        isServed = await peer.readFrame()?.statusCode == 0
                        if isServed { peers.append(peer) }
                    }
                }
                if await idle.readFrame() != nil { exit(6) }
                await busy.send(RawFrame.request(5, "Echo").bytes)
                if await busy.readFrame()?.statusCode != 0 { exit(7) }
                release.open()
            }
        }
    }

    @Test("the kernel's table of descriptors is as long as it may become before the first connection is accepted")
    func tableOfDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 1024, rlim_max: 2048)
            closeInheritedPipesAndSockets()
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            try await withServer { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
            } _: { server in
                let peer = try RawPeer(server.path)
                await peer.send(RawFrame.request(1, "Echo").bytes)
                if await peer.readFrame()?.statusCode != 0 { exit(3) }
                if (tableLength() ?? 0) < 1024 { exit(4) }
            }
        }
    }
}

/// The length of this process's descriptor table.
private func tableLength() -> Int? {
    let file = open("/proc/self/status", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file, &bytes, bytes.count)
    let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("FDSize:") }.flatMap { Int($0.dropFirst(7).drop { !$0.isNumber }) }
}

/// Closes descriptors that the process of an exit test has inherited from concurrent tests: these start programs too, and their pipes can
/// be inherited for a moment. Descriptors of the testing library are named in the environment.
private func closeInheritedPipesAndSockets() {
    let kept = Set(ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("SWT_") }.compactMap { Int32($0.value) })
    for descriptor in 3..<1024 as Range<Int32> where !kept.contains(descriptor) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { continue }
        if [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) { close(descriptor) }
    }
}
