import Foundation
import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@Suite("Names on the wire") struct NameTests {
    /// A clock that a test sets.
    private final class SetClock: WallClock {
        private let time = Mutex(Timestamp(microseconds: 1_767_484_800_000_000))
        func now() -> Timestamp { time.withLock { $0 } }
        func advance(_ interval: Timestamp.Interval) { time.withLock { $0 = $0.advanced(by: interval) } }
    }

    private func details<Detail: Message>(_ error: RPCError, _ type: Detail.Type, _ name: String) throws -> Detail? {
        try error.details.first { $0.typeURL.hasSuffix(name) }.map { try Detail(serializedBytes: $0.value) }
    }

    private func refusal(_ body: () async throws -> Void) async throws -> RPCError {
        do { try await body() } catch let error as RPCError { return error }
        Issue.record("it is refused")
        return RPCError(.unknown, "")
    }

    @Test("a reserved name says until when; a changed one says from when the next change is possible")
    func times() async throws {
        let clock = SetClock()
        try await TestBoard.with(clock: clock) { board in
            let kim = try await board.signIn("kim")
            let lease = try await board.profiles.reserveUsername(PBReserveUsernameRequest(username: "Wanted"), options: kim.options)
            #expect(lease.username == "Wanted")
            #expect(lease.expireTime?.seconds == 1_767_485_400)
            let lee = try await board.enter("lee")
            for (name, reason) in [("wanted", "USERNAME_DUPLICATED"), ("VVANTED", "USERNAME_CONFUSABLE")] {
                let error = try await refusal {
                    _ = try await board.profiles.reserveUsername(PBReserveUsernameRequest(username: name), options: lee.options)
                }
                #expect(error.code == .alreadyExists)
                #expect(error.reason == reason)
            }
            _ = try await board.profiles.createProfile(PBCreateProfileRequest(username: "wanted"), options: kim.options)
            let own = try await board.profiles.reserveUsername(PBReserveUsernameRequest(username: "WANTED"), options: kim.options)
            #expect(own.expireTime == nil)

            clock.advance(.days(2))
            let rename = PBUpdateProfileRequest(profile: PBProfile(username: "second"))
            _ = try await board.profiles.updateProfile(rename, options: kim.options)
            let again = PBUpdateProfileRequest(profile: PBProfile(username: "third"))
            let error = try await refusal { _ = try await board.profiles.updateProfile(again, options: kim.options) }
            #expect(error.code == .failedPrecondition)
            #expect(error.reason == "USERNAME_CHANGED_RECENTLY")
            let info = try #require(try details(error, Google_Rpc_ErrorInfo.self, "google.rpc.ErrorInfo"))
            // 2026-01-04 and two and thirty days.
            #expect(info.metadata == ["available_time": "2026-02-05T00:00:00Z"])
            let check = try await board.profiles.checkUsername(PBCheckUsernameRequest(username: "third"), options: kim.options)
            #expect(check.violations.map(\.reason) == ["USERNAME_CHANGED_RECENTLY"])
            #expect(check.violations.first?.availableTime?.seconds == 1_770_249_600)
        }
    }

    @Test("too many reservations are refused with the time to wait")
    func rate() async throws {
        let clock = SetClock()
        try await TestBoard.with(clock: clock) { board in
            let kim = try await board.signIn("kim")
            for number in 1...20 {
                _ = try await board.profiles.reserveUsername(PBReserveUsernameRequest(username: "name_\(number)"), options: kim.options)
            }
            clock.advance(.seconds(60))
            let error = try await refusal {
                _ = try await board.profiles.reserveUsername(PBReserveUsernameRequest(username: "name_21"), options: kim.options)
            }
            #expect(error.code == .resourceExhausted)
            #expect(error.reason == "RATE_LIMITED")
            #expect(try details(error, Google_Rpc_RetryInfo.self, "google.rpc.RetryInfo")?.retryDelay?.seconds == 3_540)
            let info = try #require(try details(error, Google_Rpc_ErrorInfo.self, "google.rpc.ErrorInfo"))
            #expect(info.metadata == ["available_time": "2026-01-04T01:00:00Z"])
        }
    }

    @Test("C9: a name is reserved by whoever is signed in, with a profile or without, and by nobody else")
    func states() async throws {
        try await TestBoard.with { board in
            let request = PBReserveUsernameRequest(username: "wanted")
            let error = try await refusal { _ = try await board.profiles.reserveUsername(request) }
            #expect(error.reason == "NOT_AUTHENTICATED")
            let kim = try await board.signIn("kim")
            #expect(try await board.profiles.reserveUsername(request, options: kim.options).expireTime != nil)
            let lee = try await board.enter("lee")
            #expect(try await board.profiles.reserveUsername(PBReserveUsernameRequest(username: "better"), options: lee.options).expireTime != nil)
        }
    }
}
