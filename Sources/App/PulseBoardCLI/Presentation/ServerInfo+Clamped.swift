import ProtobufWellKnownTypes
import PulseBoardMessages

/// The figures of a server's status within bounds that no real server exceeds. Then sums and differences of them never overflow, whatever a broken
/// server sends: an answer of 4 MiB has fewer than 2¹⁹ figures.
extension PBServerInfo {
    var clamped: PBServerInfo {
        var info = self
        info.connections = max(0, connections)
        info.runningCalls = max(0, runningCalls)
        info.startTime = startTime?.clamped
        info.uptime = uptime?.clamped
        info.storeStatus = storeStatus?.clamped
        info.imageDirectory?.freeBytes.clampBytes()
        info.imageDirectory?.trouble = imageDirectory?.trouble?.clamped
        for index in info.caches.indices {
            info.caches[index].entries.clampCount()
            info.caches[index].capacity.clampCount()
            info.caches[index].hits.clampCount()
            info.caches[index].misses.clampCount()
        }
        for index in info.issuers.indices { info.issuers[index].keysTime = issuers[index].keysTime?.clamped }
        info.methods = methods.map(\.clamped)
        info.users = users.map(\.clamped)
        for index in info.refusals.indices { info.refusals[index].count.clampCount() }
        for index in info.loops.indices {
            info.loops[index].turns.clampCount()
            info.loops[index].busyTime = loops[index].busyTime?.clamped
        }
        return info
    }
}

extension PBStoreStatus {
    fileprivate var clamped: PBStoreStatus {
        var status = self
        status.databaseBytes.clampBytes()
        status.walBytes.clampBytes()
        status.freeBytes.clampBytes()
        status.commits.clampCount()
        status.writes.clampCount()
        status.checkpoints.clampCount()
        status.lastCommitTime = lastCommitTime?.clamped
        status.archiveTime = archiveTime?.clamped
        status.trouble = trouble?.clamped
        status.lastTrouble = lastTrouble?.clamped
        return status
    }
}

extension PBStoreTrouble {
    fileprivate var clamped: PBStoreTrouble {
        var trouble = self
        trouble.count.clampCount()
        trouble.startTime = startTime?.clamped
        return trouble
    }
}

extension PBMethodStatus {
    /// A latency is shown in nanoseconds, so its bound is smaller than that of other durations.
    private static let longestLatency: Int64 = 1 << 32

    fileprivate var clamped: PBMethodStatus {
        var method = self
        method.running.clampCount()
        method.requestBytes.clampBytes()
        method.responseBytes.clampBytes()
        method.totalTime = totalTime?.clamped
        for index in method.ended.indices { method.ended[index].count.clampCount() }
        for index in method.latencies.indices {
            method.latencies[index].count.clampCount()
            guard let bound = latencies[index].upperBound else { continue }
            method.latencies[index].upperBound = Google_Protobuf_Duration(
                seconds: min(max(0, bound.seconds), Self.longestLatency), nanos: min(max(0, bound.nanos), 999_999_999))
        }
        return method
    }
}

extension PBUserStatus {
    fileprivate var clamped: PBUserStatus {
        var user = self
        user.connections.clampCount()
        user.runningCalls.clampCount()
        user.memoryBytes.clampBytes()
        user.calls.clampCount()
        user.failedCalls.clampCount()
        user.requestBytes.clampBytes()
        user.responseBytes.clampBytes()
        return user
    }
}

extension Int64 {
    /// A count becomes 0 to 2⁴⁴. A million calls a second take half a year for that.
    fileprivate mutating func clampCount() { self = Swift.min(Swift.max(self, 0), 1 << 44) }
    /// A number of bytes becomes 0 to 2⁵³: 8 PiB.
    fileprivate mutating func clampBytes() { self = Swift.min(Swift.max(self, 0), 1 << 53) }
}

extension Google_Protobuf_Timestamp {
    /// The nearest time that a Timestamp may have: years 1 to 9999.
    fileprivate var clamped: Google_Protobuf_Timestamp {
        Google_Protobuf_Timestamp(seconds: min(max(seconds, -62_135_596_800), 253_402_300_799), nanos: min(max(nanos, 0), 999_999_999))
    }
}

extension Google_Protobuf_Duration {
    /// The nearest duration that a Duration may have: 10,000 years both ways.
    fileprivate var clamped: Google_Protobuf_Duration {
        let seconds = min(max(seconds, -315_576_000_000), 315_576_000_000)
        return Google_Protobuf_Duration(
            seconds: seconds, nanos: min(max(nanos, seconds > 0 ? 0 : -999_999_999), seconds < 0 ? 0 : 999_999_999))
    }
}
