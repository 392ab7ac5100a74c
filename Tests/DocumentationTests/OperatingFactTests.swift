import PulseBoardServices
import Testing
import WireBytes

@testable import RPCServer
@testable import SocketTransport
@testable import TTRPCWire
@testable import pulseboardd

/// The figures that `docs/operating.md` gives outside of its tables of defaults are those of the code.
@Suite struct OperatingFactTests {
    @Test("docs/operating.md gives the figures of memory, descriptors and files")
    func figures() throws {
        let limits = ServerLimits()
        let reserve = DescriptorLimit.maximumReserve, progress = Written.bytes(UnreadOutputWatch.progressByteCount)
        // The kernel permits twice the size that a program sets.
        let sendBuffer = Written.bytes(2 * Connection.sendBufferByteCount), crowded = Written.bytes(2 * Connection.crowdedSendBufferByteCount)
        let margin = PulseBoardDaemon.takeoverMargin.components.seconds
        let uploads = ServicesConfiguration(trustedUIDs: []).uploadsAtOnce
        let page = try Page("docs/operating.md")
        let documented: [(String, [String])] = [
            ("## Options", ["`--socket PATH` (at most \(SocketPath.maximumByteCount) bytes)"]),
            ("### The configuration file", ["It has at most \(Written.bytes(ConfigurationFile.maximumBytes))."]),
            (
                "### Limits of clients",
                [
                    "leave more than \(Written.bytes(ServerConnection.unreadWhenFull)) unread",
                    "at \(Written.bytes(Connection.outputLimit)) the connection is closed", "and \(GlitchBudget.perSecond) more each second",
                    "has not sent \(Written.word(FirstFrame.byteCount)) bytes", "must read \(progress) of its waiting answers",
                ]
            ),
            (
                "### Limits of clients",
                [
                    "counts \(Written.bytes(ServerConnection.waitingCallByteCount)) besides",
                    "a user's first \(Connection.fewConnections) connections have a send buffer of \(sendBuffer),",
                    "Each further connection has one of \(crowded).",
                    "after \(Written.word(HeldMemory.calmLooks)) seconds in which the memory",
                    "changed by less than \(Written.bytes(HeldMemory.change)) a second",
                    "grown by \(Written.bytes(HeldMemory.surplus)) or more",
                ]
            ),
            (
                "## Descriptors",
                [
                    "| \(reserve) (half, if there are fewer than \(2 * reserve)) |", "an eighth of all, at most \(uploads);",
                    "a quarter of the rest, at most \(Written.count(limits.maximumConnectionsPerUID)) |",
                    "of this half, at most \(Written.count(limits.maximumConnectionsPerGateway)) |",
                    "one of the last \(reserve) descriptors (of the last quarter, if there are fewer than \(4 * reserve))",
                    "\(ServerShared.closedAtATime) at a time", "When \(PassedDescriptors.mostInReserve) such connections",
                ]
            ),
            ("## A socket that is handed over", ["plus \(margin) seconds"]),
        ]
        for (heading, texts) in documented {
            let section = try page.text(heading)
            for text in texts { #expect(section.contains(text), "'\(heading)' does not say '\(text)'") }
        }
    }
}
