import PulseBoardDomain
import RepositoryContract
import Testing

@testable import StoreSQLite

@Suite("A search among very many names") struct SearchTests {
    @Test("B37: a search whose terms lie scattered ends after so many steps, says where to go on, and finds everybody then")
    func steps() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path, clock: SetClock(1_000_000_000))
        try await store.addUser(userOne, "잎구지")
        // Each combination is a separate place in the index: 588 syllables that begin with ㅇ, and five that begin with ㄱ.
        try await store.tamper(
            """
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 587), k (letter) AS (VALUES ('가'), ('개'), ('거'), ('고'), ('구'))
            INSERT INTO profile_term SELECT char(unicode('아') + i) || letter || '나', randomblob(16), 0 FROM n CROSS JOIN k
            """)
        let search = NameSearch("ㅇㄱ지")
        var calls = 0
        var found: [UserID] = []
        var cursor: SearchCursor?
        repeat {
            let page = try await store.searchProfiles(search, viewer: userOne, after: cursor, limit: 9)
            found += page.matches.map(\.profile.id)
            cursor = page.continuation
            calls += 1
        } while cursor != nil
        #expect(found == [userOne])
        #expect(calls == 2940 / SQLiteStore.searchSteps + 1)
        // Other searches are one range each, and need no jumps.
        #expect(try await store.searchProfiles(NameSearch("ㅇㄱㅈ"), viewer: userOne, after: nil, limit: 9).matches.count == 1)
        try store.close()
    }

    @Test("B37: a search skips only so many rows of profiles that are listed already, and finds everybody behind them")
    func listedAlready() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path, clock: SetClock(1_000_000_000))
        try await store.addUser(userOne, "minji")
        try await store.addUser(userTwo, "minjiz")
        try await store.tamper(
            """
            WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 3999)
            INSERT INTO profile_term SELECT 'minji' || i, user_id, 2 FROM n CROSS JOIN profile WHERE username_key = 'minji'
            """)
        var pages: [Int] = []
        var found: [UserID] = []
        var cursor: SearchCursor?
        repeat {
            let page = try await store.searchProfiles(NameSearch("minji"), viewer: userOne, after: cursor, limit: 9)
            found += page.matches.map(\.profile.id)
            cursor = page.continuation
            pages.append(page.matches.count)
        } while cursor != nil
        #expect(found == [userOne, userTwo])
        #expect(pages.count == 3000 / SQLiteStore.searchSteps + 1, "\(pages)")
        try store.close()
    }
}
