import Dispatch
import PulseBoardDomain
import PulseBoardServices
import StoreSQL
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

func testUser(_ number: UInt64) -> UserID { UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 | number)) }

/// Runs work that waits for another task, on a thread of its own. Swift's tasks have only a few threads, and blocked ones could keep that task
/// waiting.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}

/// Another server's session, whose open transaction holds the lock of an owner: also for the time that a busy machine takes.
func holdLock(of owner: UserID, _ address: String) throws -> PostgreSQLSession {
    let library = try LibPQ.shared.get()
    let holder = try PostgreSQLAddress(address, library).connect(library, silence: .seconds(600))
    try holder.begin(.write)
    try SQLConnection(holder).run("SET LOCAL idle_in_transaction_session_timeout = 0")
    try holder.lock([owner])
    #expect(holder.changes == 1)
    return holder
}

func testTime(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: 1_767_484_800_000_000).advanced(by: .seconds(seconds)) }

extension PostgreSQLStore {
    /// Makes a profile for a user, named by the number.
    func addUser(_ number: UInt64) async throws {
        let draft = try ProfileDraft(username: "user\(number)", texts: ProfileTexts(), rules: UsernameRules())
        _ = try await createProfile(draft, for: testUser(number), at: testTime(0), idempotency: nil)
    }
}

extension PostgreSQLStore.Connections {
    /// One of each.
    static var one: Self {
        var connections = Self()
        (connections.writing, connections.reading, connections.readingLong) = (1, 1, 1)
        return connections
    }
}

/// Two servers on one new database, and a user with a profile who has signed in to the first.
struct TwoServers {
    let first: Services
    let second: Services
    let token: String
    /// The user at the first server.
    let caller: Caller
    private let stores: [PostgreSQLStore]

    init() async throws {
        let address = try TestCluster.shared.get().makeDatabase()
        stores = [try PostgreSQLStore(address: address), try PostgreSQLStore(address: address)]
        let configuration = ServicesConfiguration(trustedUIDs: [0])
        first = try await Services(store: stores[0], configuration: configuration)
        second = try await Services(store: stores[1], configuration: configuration)
        token = try await first.auth.signIn(peerUID: 0).token
        caller = try await first.auth.authenticate(token)
        _ = try await first.profiles.createProfile(username: "minji", caller)
    }

    func close() throws { for store in stores { try store.close() } }
}
