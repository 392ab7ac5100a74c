import RPCCore
import StandardServiceMessages
import Synchronization

/// gRPC's health service (`grpc.health.v1.Health`). It reports for each service, and for the whole server, whether it takes calls.
///
///     let health = router.registerStandardServices(describing: [Greeter.file])
///     health.setStatus(.notServing, for: "greeter.v1.Greeter")
///
/// The program sets statuses, from any thread. Checks are answered from memory, and watches report changes. A slow watcher may miss changes, but gets
/// the last one.
public final class HealthService: Sendable {
    /// The status of a service.
    public enum Status: Sendable, Hashable {
        case serving, notServing
        /// The service exists, but its status is not known.
        case unknown

        fileprivate var onWire: Grpc_Health_V1_HealthCheckResponse.ServingStatus {
            switch self {
            case .serving: .serving
            case .notServing: .notServing
            case .unknown: .unknown
            }
        }
    }

    private typealias Updates = AsyncStream<Grpc_Health_V1_HealthCheckResponse.ServingStatus>

    /// The longest name that is looked up, in bytes. Names of services are ASCII, and no other name is looked up: comparing or hashing a text with
    /// many combining marks takes time that grows with the square of its length, and everybody may ask.
    static let longestName = 256

    /// Whether a service may have this name.
    private static func isName(_ name: String) -> Bool { name.utf8.count <= longestName && name.utf8.allSatisfy { $0 < 0x80 } }

    /// The most services that one answer lists, the server as a whole included: gRPC's own servers have this limit.
    static let mostListed = 100

    private struct Watcher {
        /// `nil` for a name that no service may have.
        let service: String?
        let updates: Updates.Continuation
    }

    private struct State {
        var statuses: [String: Status]
        var watchers: [UInt64: Watcher] = [:]
        var nextWatcher: UInt64 = 0
        var isTerminal = false

        func onWire(_ service: String?) -> Grpc_Health_V1_HealthCheckResponse.ServingStatus {
            service.flatMap { statuses[$0]?.onWire } ?? .serviceUnknown
        }
    }

    private let state: Mutex<State>
    /// Held while watchers are told, so that they get the changes in order.
    private let telling = Mutex(())

    /// A health service that reports the server (`""`) and these services as serving.
    /// - Parameter services: full names.
    public init(services: [String] = []) {
        var statuses: [String: Status] = ["": .serving]
        for service in services { statuses[service] = .serving }
        state = Mutex(State(statuses: statuses))
    }

    /// Sets the status of a service; `""` is the server as a whole. Does nothing after ``enterTerminalState()``.
    public func setStatus(_ status: Status, for service: String = "") {
        change(service) { state in
            guard state.statuses[service] != status else { return false }
            state.statuses[service] = status
            return true
        }
    }

    /// Removes a service, so that it is unknown from now on. Does nothing after ``enterTerminalState()``.
    public func clearStatus(for service: String) {
        change(service) { $0.statuses.removeValue(forKey: service) != nil }
    }

    /// Reports every service as not serving, forever, and ends the watches. For the shutdown of the server.
    ///
    /// A client that checks health before it calls can use another server while the last calls finish. Watches do not delay the end.
    public func enterTerminalState() {
        change(nil) { state in
            state.isTerminal = true
            for service in state.statuses.keys { state.statuses[service] = .notServing }
            return true
        }
    }

    /// Changes the state, unless it is terminal, and tells the watchers of a service, or of all. There may be thousands, so this is done without the
    /// lock that checks take. A terminal state ends their watches.
    private func change(_ service: String?, _ change: (inout State) -> Bool) {
        telling.withLock { _ in
            let changed = state.withLock { state -> State? in
                guard !state.isTerminal, change(&state) else { return nil }
                return state
            }
            guard let changed else { return }
            for watcher in changed.watchers.values where service == nil || watcher.service == service {
                watcher.updates.yield(changed.onWire(watcher.service))
                if changed.isTerminal { watcher.updates.finish() }
            }
        }
    }

    /// Begins a watch: the present status, and the new one after each change, until the terminal state. Ends with ``removeWatcher(_:)``.
    private func addWatcher(of service: String?) -> (id: UInt64, updates: Updates) {
        let (updates, continuation) = Updates.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextWatcher += 1
            continuation.yield(state.onWire(service))
            if state.isTerminal {
                continuation.finish()
            } else {
                state.watchers[state.nextWatcher] = Watcher(service: service, updates: continuation)
            }
            return state.nextWatcher
        }
        return (id, updates)
    }

    private func removeWatcher(_ id: UInt64) {
        state.withLock { _ = $0.watchers.removeValue(forKey: id) }
    }

    /// How many watches are open.
    var watcherCount: Int { state.withLock { $0.watchers.count } }
}

extension HealthService: Grpc_Health_V1_HealthHandler {
    public func check(
        _ request: Grpc_Health_V1_HealthCheckRequest, context: CallContext
    ) async throws -> Grpc_Health_V1_HealthCheckResponse {
        guard Self.isName(request.service), let status = state.withLock({ $0.statuses[request.service] }) else {
            throw RPCError(.notFound, "the server has no service of that name")
        }
        return Grpc_Health_V1_HealthCheckResponse(status: status.onWire)
    }

    public func list(
        _ request: Grpc_Health_V1_HealthListRequest, context: CallContext
    ) async throws -> Grpc_Health_V1_HealthListResponse {
        let statuses = state.withLock { $0.statuses }
        guard statuses.count <= Self.mostListed else {
            throw RPCError(.resourceExhausted, "the server has \(statuses.count) services; at most \(Self.mostListed) can be listed")
        }
        return Grpc_Health_V1_HealthListResponse(statuses: statuses.mapValues { Grpc_Health_V1_HealthCheckResponse(status: $0.onWire) })
    }

    public func watch(
        _ request: Grpc_Health_V1_HealthCheckRequest, responses: MessageWriter<Grpc_Health_V1_HealthCheckResponse>,
        context: CallContext
    ) async throws {
        let (id, updates) = addWatcher(of: Self.isName(request.service) ? request.service : nil)
        defer { removeWatcher(id) }
        var last: Grpc_Health_V1_HealthCheckResponse.ServingStatus?
        for await status in updates where status != last {
            try await responses.write(Grpc_Health_V1_HealthCheckResponse(status: status))
            last = status
        }
        try Task.checkCancellation()
        throw RPCError(.unavailable, "the server is ending")
    }
}
