import CLinuxSockets
import Foundation
import Glibc
import Testing

@testable import SocketTransport

@Suite("What a service manager is told") struct ServiceManagerLinkTests {
    /// A datagram socket like a service manager's.
    private final class Manager {
        let descriptor: Int32
        init(_ name: [UInt8]) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name[0] == 0 ? 0 : 1))
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
            }
            try #require(isBound)
        }
        deinit { close(descriptor) }

        func next() -> String {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test("assignments come in one datagram, at a path and at an abstract name")
    func told() throws {
        let path = "/tmp/pulseboard-notify-\(UUID().uuidString.prefix(8))"
        defer { unlink(path) }
        let abstract = "pulseboard-notify-\(UUID().uuidString)"
        for (manager, name) in [(try Manager(Array(path.utf8)), path), (try Manager([0] + Array(abstract.utf8)), "@" + abstract)] {
            let link = try #require(ServiceManagerLink(environment: ["NOTIFY_SOCKET": name]))
            link.tell("READY=1", "STATUS=serving")
            #expect(manager.next() == "READY=1\nSTATUS=serving")
        }
    }

    @Test("without a manager, or with one that is gone, nothing happens")
    func absent() {
        #expect(ServiceManagerLink(environment: [:]) == nil)
        #expect(ServiceManagerLink(environment: ["NOTIFY_SOCKET": "vsock:2:1"]) == nil)
        #expect(ServiceManagerLink(environment: ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)]) == nil)
        ServiceManagerLink(environment: ["NOTIFY_SOCKET": "/nobody/listens"])?.tell("READY=1")
    }

    @Test("the watchdog's interval counts for the process that it is meant for")
    func watchdog() {
        #expect(ServiceManagerLink.watchdogInterval(environment: ["WATCHDOG_USEC": "2500000", "WATCHDOG_PID": "7"], pid: 7) == .milliseconds(2_500))
        #expect(ServiceManagerLink.watchdogInterval(environment: ["WATCHDOG_USEC": "2500000"], pid: 7) == .milliseconds(2_500))
        #expect(ServiceManagerLink.watchdogInterval(environment: ["WATCHDOG_USEC": "2500000", "WATCHDOG_PID": "8"], pid: 7) == nil)
        for text in ["", "0", "-1", "x"] { #expect(ServiceManagerLink.watchdogInterval(environment: ["WATCHDOG_USEC": text], pid: 7) == nil) }
    }
}
