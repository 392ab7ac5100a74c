import ArgumentParser
import CommandHelp
import PulseBoardVocabulary
import RPCServer

/// The limits that `--limit NAME=VALUE` can set, by name. The same table serves parsing and `--help`.
enum DaemonLimit: String, CaseIterable {
    case calls
    case callsPerUser = "calls-per-user"
    case callsPerConnection = "calls-per-connection"
    case callsInReserve = "calls-in-reserve"
    case memory
    case memoryPerUser = "memory-per-user"
    case unreadPerConnection = "unread-per-connection"
    case queuedPerStream = "queued-per-stream"
    case queuedPerConnection = "queued-per-connection"
    case connectionsPerUID = "connections-per-uid"
    case connectionsPerGateway = "connections-per-gateway"
    case glitches
    case firstByteSeconds = "first-byte-seconds"
    case unfinishedSeconds = "unfinished-seconds"
    case unreadSeconds = "unread-seconds"

    /// Where the value is kept, and the unit in which it is given.
    private enum Place {
        case count(WritableKeyPath<ServerLimits, Int>)
        case mebibytes(WritableKeyPath<ServerLimits, Int>)
        case seconds(WritableKeyPath<ServerLimits, Duration>)
    }

    private var place: Place {
        switch self {
        case .calls: .count(\.maximumConcurrentCalls)
        case .callsPerUser: .count(\.maximumConcurrentCallsPerUser)
        case .callsPerConnection: .count(\.maximumConcurrentCallsPerConnection)
        case .callsInReserve: .count(\.reservedCallCount)
        case .memory: .mebibytes(\.maximumHeldByteCount)
        case .memoryPerUser: .mebibytes(\.maximumHeldByteCountPerUser)
        case .unreadPerConnection: .mebibytes(\.maximumUnreadByteCount)
        case .queuedPerStream: .mebibytes(\.maximumQueuedByteCountPerStream)
        case .queuedPerConnection: .mebibytes(\.maximumQueuedByteCountPerConnection)
        case .connectionsPerUID: .count(\.maximumConnectionsPerUID)
        case .connectionsPerGateway: .count(\.maximumConnectionsPerGateway)
        case .glitches: .count(\.maximumGlitchCount)
        case .firstByteSeconds: .seconds(\.firstByteTimeout)
        case .unfinishedSeconds: .seconds(\.unfinishedTimeout)
        case .unreadSeconds: .seconds(\.unreadOutputTimeout)
        }
    }

    private func set(_ value: Int, in limits: inout ServerLimits) {
        switch place {
        case .count(let path): limits[keyPath: path] = value
        case .mebibytes(let path): limits[keyPath: path] = value << 20
        case .seconds(let path): limits[keyPath: path] = .seconds(value)
        }
    }

    /// The value as `--limit` takes it.
    func value(in limits: ServerLimits) -> Int {
        switch place {
        case .count(let path): limits[keyPath: path]
        case .mebibytes(let path): limits[keyPath: path] >> 20
        case .seconds(let path): Int(limits[keyPath: path] / .seconds(1))
        }
    }

    /// The permitted values: whole numbers from 1, small enough that no product overflows.
    private var range: ClosedRange<Int> {
        switch self {
        // At 64 MiB of unread answers the connection is closed in any case.
        case .unreadPerConnection: return 1...64
        // A queue has room for two of the largest messages.
        case .queuedPerStream, .queuedPerConnection: return 8...1_048_576
        // Correct clients cause some, for example when they cancel calls.
        case .glitches: return 100...10_000_000
        default: break
        }
        return switch place {
        case .count: 1...10_000_000
        case .mebibytes: 1...1_048_576
        case .seconds: 1...86_400
        }
    }

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// The default limits changed by these settings, each `NAME=VALUE`. If a name is repeated, the last setting counts.
    ///
    /// If `calls` or `memory` is set and the limit for a user is not, a user's limit is a quarter of it, as by default.
    /// - Throws: `ValidationError` of the argument parser.
    static func limits(_ settings: [String]) throws -> ServerLimits {
        var limits = ServerLimits()
        var named: Set<DaemonLimit> = []
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            guard parts.count == 2, let limit = DaemonLimit(rawValue: parts[0]) else {
                throw ArgumentParser.ValidationError(Phrase(
                    "A limit is NAME=VALUE with one of these names: \(names); not '\(setting)'.",
                    "한도는 이름=값이고 이름은 다음 가운데 하나여야 합니다: \(names). '\(setting)'은(는) 아닙니다."))
            }
            guard let value = Int(parts[1]), limit.range.contains(value) else {
                throw ArgumentParser.ValidationError(
                    Phrase(
                        "\(limit.rawValue) is a whole number from \(limit.range.lowerBound) to \(limit.range.upperBound), not '\(parts[1])'.",
                        "\(limit.rawValue)은(는) \(limit.range.lowerBound)에서 \(limit.range.upperBound)까지의 정수여야 합니다. '\(parts[1])'은(는) 아닙니다."))
            }
            limit.set(value, in: &limits)
            named.insert(limit)
        }
        if named.contains(.calls), !named.contains(.callsPerUser) {
            limits.maximumConcurrentCallsPerUser = max(1, limits.maximumConcurrentCalls / 4)
        }
        if named.contains(.memory), !named.contains(.memoryPerUser) {
            limits.maximumHeldByteCountPerUser = limits.maximumHeldByteCount / 4
        }
        return limits
    }
}
