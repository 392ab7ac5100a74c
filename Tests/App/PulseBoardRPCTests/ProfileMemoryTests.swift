import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCClient
import RPCCore
import Testing

/// Profiles that are sent from memory, as bytes of an earlier answer.
@Suite("Profiles from memory") struct ProfileMemoryTests {
    /// The error of a call: its code and the reason in its details.
    private func failure(_ call: () async throws -> PBProfile) async -> String? {
        do {
            _ = try await call()
            return nil
        } catch let error as RPCError {
            return "\(error.code) \(error.reason ?? "")"
        } catch {
            return "\(error)"
        }
    }

    @Test("B4: they are what the store has, after every write too, for whoever asks")
    func writes() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let lee = try await board.enter("lee")
            func mine() async throws -> PBProfile { try await board.profiles.getMyProfile(PBGetMyProfileRequest(), options: kim.options) }
            func seen() async throws -> PBProfile {
                try await board.profiles.getProfile(PBGetProfileRequest(key: .userID(kim.userID)), options: lee.options)
            }
            func named() async throws -> PBProfile {
                try await board.profiles.getProfile(PBGetProfileRequest(key: .username("kim")), options: lee.options)
            }
            for text in ["one", "two", ""] {
                let change = PBUpdateProfileRequest(
                    profile: PBProfile(statusMessage: text), updateMask: Google_Protobuf_FieldMask(paths: ["status_message"]))
                let written = try await board.profiles.updateProfile(change, options: kim.options)
                #expect(written.statusMessage == text)
                for _ in 1...3 {
                    #expect(try await mine() == written)
                    #expect(try await seen() == written)
                    #expect(try await named() == written)
                }
            }
            _ = try await board.profiles.deleteMyProfile(PBDeleteMyProfileRequest(), options: kim.options)
            #expect(await failure(seen) == "NOT_FOUND USER_NOT_FOUND")
            #expect(await failure(mine) == "UNAUTHENTICATED NOT_AUTHENTICATED")
        }
    }

    @Test("what is sent is what the cached profile keeps, and not encoded again")
    func fromMemory() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let caller = try await board.services.auth.authenticate(String(kim.options.metadata["authorization"]!.dropFirst("Bearer ".count)))
            _ = try await board.services.profiles.profile(username: "kim", caller)
            let cached = try #require(board.services.profiles.cachedProfile(of: caller.userID, caller))
            let other = try PBProfile(username: "from memory").serializedBytes()
            #expect(cached.encoded { _ in other } == other)
            #expect(try await board.profiles.getMyProfile(PBGetMyProfileRequest(), options: kim.options).username == "from memory")
            for key in [.userID(kim.userID), .username("kim"), .username("KIM")] as [PBGetProfileRequest.OneOf_Key] {
                #expect(try await board.profiles.getProfile(PBGetProfileRequest(key: key), options: kim.options).username == "from memory")
            }
        }
    }

    @Test("a call is one hit or one miss, and does not count again when it goes on to the store")
    func usage() async throws {
        try await TestBoard.with { board in
            let (kim, lee) = (try await board.enter("kim"), try await board.enter("lee"))
            func counts() -> [String: [UInt64]] {
                Dictionary(uniqueKeysWithValues: board.services.cacheUsage.map { ($0.name, [$0.hits, $0.misses]) })
            }
            func read(_ key: PBGetProfileRequest.OneOf_Key) async throws -> [String: [UInt64]] {
                let before = counts()
                _ = try await board.profiles.getProfile(PBGetProfileRequest(key: key), options: lee.options)
                return counts().merging(before) { zip($0, $1).map { $0 - $1 } }
            }
            #expect(try await read(.username("kim")) == ["sessions": [1, 0], "profiles": [0, 1]])
            #expect(try await read(.username("kim")) == ["sessions": [1, 0], "profiles": [1, 0]])
            #expect(try await read(.userID(kim.userID)) == ["sessions": [1, 0], "profiles": [1, 0]])
        }
    }

    @Test("X21: whoever has signed out is refused, and learns nothing of the request")
    func signedOut() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            func mine() async throws -> PBProfile { try await board.profiles.getMyProfile(PBGetMyProfileRequest(), options: kim.options) }
            func of(_ id: String) async throws -> PBProfile {
                try await board.profiles.getProfile(PBGetProfileRequest(key: .userID(id)), options: kim.options)
            }
            #expect(try await mine().username == "kim")
            #expect(try await of(kim.userID).username == "kim")
            #expect(await failure { try await of("nobody") } == "INVALID_ARGUMENT IDENTIFIER_INVALID")
            _ = try await board.auth.signOut(PBSignOutRequest(), options: kim.options)
            for call in [mine, { try await of(kim.userID) }, { try await of("nobody") }] {
                #expect(await failure(call) == "UNAUTHENTICATED NOT_AUTHENTICATED")
            }
        }
    }

    @Test("the scheme of a token is read in any case, and nothing else passes for one", arguments: [
        ("Bearer ", true), ("bearer ", true), ("BEARER ", true), ("Bearer", false), ("Bearer  ", false), ("Bearex ", false), ("", false),
        ("Basic ", false), (" Bearer ", false), ("Bearer\u{0}", false),
    ])
    func schemes(_ prefix: String, _ isRead: Bool) async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let token = try #require(kim.options.metadata["authorization"]?.dropFirst("Bearer ".count))
            let options = CallOptions(metadata: ["authorization": prefix + token])
            for _ in 1...2 {
                let failure = await failure { try await board.profiles.getMyProfile(PBGetMyProfileRequest(), options: options) }
                #expect(failure == (isRead ? nil : "UNAUTHENTICATED NOT_AUTHENTICATED"))
            }
        }
    }
}
