import ArgumentParser
import CommandHelp
import Foundation
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import Synchronization

/// One command on the diary of a directory.
struct DiaryInvocation {
    let invocation: Invocation
    let file: DiaryFile
    /// The diary in the directory, for reads and writes without the server.
    let diary: LocalDiaryRepository

    /// How long one call may take when a writing command tries to synchronize. What does not succeed waits for the next attempt.
    static let attemptTimeout = Duration.milliseconds(300)
    /// How long all calls of such an attempt may take together.
    static let attemptBudget = Duration.seconds(1)

    /// Opens the directory's diary.
    /// - Throws: a failure with text.
    init(_ options: DiaryOptions, _ invocation: Invocation) throws(CommandFailure) {
        var invocation = invocation
        invocation.failureContext = invocation.sessionContext
        invocation.failureContext.diaryDirectory = options.directory
        do throws(DiaryError) {
            file = try DiaryFile(directory: options.path(in: invocation.environment))
        } catch {
            throw CommandFailure(error, in: invocation.failureContext)
        }
        diary = LocalDiaryRepository(file)
        self.invocation = invocation
    }

    /// Turns an error of the diary into a failure with text.
    func translating<Value>(_ body: () async throws(DiaryError) -> Value) async throws(CommandFailure) -> Value {
        do throws(DiaryError) { return try await body() } catch { throw CommandFailure(error, in: invocation.failureContext) }
    }

    /// Reads an entry.
    func entry(_ id: DiaryEntryID) async throws(CommandFailure) -> DiaryEntry {
        try await translating { () throws(DiaryError) in try await diary.entry(id) }
    }

    /// A client of the server's diary service, for the signed-in user.
    func client() async throws(CommandFailure) -> DiaryClient {
        let token = try invocation.requiredToken()
        return client(try await user(token), token: token)
    }

    /// A client of the server's diary service, with a session's token.
    /// - Parameter isAttempt: whether the calls together may take only a moment.
    private func client(_ user: UserID, token: String, isAttempt: Bool = false) -> DiaryClient {
        let end = isAttempt ? ContinuousClock.now + Self.attemptBudget : nil
        return DiaryClient(channel: invocation.channel, user: user) { [invocation] in
            var options = invocation.callOptions(token: token)
            if let end { options.timeout = max(min(Self.attemptTimeout, end - .now), .zero) }
            return options
        }
    }

    /// Synchronizes the directory with the server.
    /// - Parameter isFollowing: whether to continue with every change, without an end.
    func synchronize(following isFollowing: Bool = false) async throws(CommandFailure) {
        let client = try await client()
        try await translating { () throws(DiaryError) in
            let diary = CombinedDiaryRepository(file, server: client, deviceName: Self.deviceName)
            // Without an account nothing limits what is written, so the server has to answer first.
            try await diary.attach()
            guard isFollowing else { return try await diary.synchronize() }
            try await follow(diary)
        }
    }

    /// Synchronizes continuously, and reconnects to the server like every watch. Edits made meanwhile wait here.
    private func follow(_ diary: CombinedDiaryRepository) async throws(DiaryError) {
        let retries = Mutex(WatchRetries())
        while true {
            do throws(DiaryError) {
                try await diary.follow {
                    if retries.withLock({ $0.succeed() }) { invocation.remarkReconnected() }
                }
            } catch {
                // A server without the key of its diaries may get it, as one that is away may come back. A limit of the server passes.
                switch error {
                case .unavailable, .diary(.locked), .refused(_, _, .resourceExhausted): break
                default: throw error
                }
                guard let wait = retries.withLock({ $0.fail() }) else { throw error }
                if retries.withLock({ $0.isFirst }) { invocation.remarkLost() }
                do { try await invocation.environment.wait(wait) } catch { throw .unavailable(detail: "interrupted") }
            }
        }
    }

    /// Whether the directory belongs to another account than the saved session in use. Without a session nobody knows, and a token from outside may
    /// be anybody's.
    private func isOfAnotherAccount() async -> Bool {
        guard let saved = try? invocation.savedSession(), let token = try? invocation.token(), token == saved.token,
            let user = UserID(text: saved.userID), let owner = try? await file.owner()
        else { return false }
        return user != owner
    }

    /// Checks before a change that it does not go into another account's diary.
    func requireOwnDirectory() async throws(CommandFailure) {
        guard await isOfAnotherAccount() else { return }
        throw CommandFailure(DiaryError.otherAccount, in: invocation.failureContext)
    }

    /// Remarks that what is shown is another account's.
    func remarkAnotherAccount() async {
        guard !invocation.usesJSON, await isOfAnotherAccount() else { return }
        invocation.remark("This directory has another account's diary.", "이 디렉터리에는 다른 계정의 일기장이 있습니다.")
    }

    /// Tries briefly to synchronize after a change of an entry.
    /// - Throws: a failure if the server has refused the change for good. The text is in `diary rejected` then.
    func attemptToSynchronize(_ id: DiaryEntryID) async throws(CommandFailure) {
        let former = try await translating { () throws(DiaryError) in try await file.rejected().map(\.number) }
        await attemptToSynchronize()
        let refused = try await translating { () throws(DiaryError) in
            try await file.rejected().last { $0.mutation.entryID == id && !former.contains($0.number) }
        }
        guard let refused else { return }
        let code = refused.reason == Reason.diaryFull.rawValue ? StatusCode.resourceExhausted : .failedPrecondition
        var failure = CommandFailure(DiaryError.refused(reason: refused.reason, message: "", code: code), in: invocation.failureContext)
        failure.nextCommand = invocation.failureContext.command("diary rejected")
        throw failure
    }

    /// Tries briefly to synchronize after a change. The change is on this device's disk, so an error here is not a failure.
    func attemptToSynchronize() async {
        // Only the token of the saved session is used: another token may be another account's, and asking would take one more
        // call.
        guard let saved = try? invocation.savedSession(), let token = try? invocation.token(), token == saved.token,
            let owner = try? await file.owner(), saved.userID == owner.description
        else { return }
        let diary = CombinedDiaryRepository(file, server: client(owner, token: token, isAttempt: true), deviceName: Self.deviceName)
        try? await diary.synchronize()
    }

    /// The user of a token: from the saved session, or else from the server.
    private func user(_ token: String) async throws(CommandFailure) -> UserID {
        if let saved = try invocation.savedSession(), saved.token == token, let user = UserID(text: saved.userID) { return user }
        let state = try await invocation.call(about: .session) { options throws(RPCError) in
            try await invocation.auth.getAuthState(PBGetAuthStateRequest(), options: options)
        }
        guard let user = UserID(text: state.userID) else { throw CommandFailure(.notSignedIn, in: invocation.failureContext) }
        return user
    }

    private static var deviceName: String {
        let name = ProcessInfo.processInfo.hostName
        return name.utf8.count <= DiaryLimits.maximumDeviceNameBytes ? name : ""
    }

    /// The id of an entry to delete. A whole id need not be there: deleting an unknown entry succeeds (B35).
    func entryIDToDelete(_ text: String) async throws(CommandFailure) -> DiaryEntryID {
        if let id = DiaryEntryID(text: text.lowercased()) { return id }
        return try await entryID(text)
    }

    /// The entry whose id begins with a text.
    /// - Throws: a failure when no entry or several begin with it.
    func entryID(_ prefix: String) async throws(CommandFailure) -> DiaryEntryID {
        let found = try await translating { () throws(DiaryError) in try await file.entryIDs(beginningWith: prefix) }
        guard found.count <= 1 else {
            throw CommandFailure(
                code: .invalidArgument, reason: Reason.identifierInvalid.rawValue,
                message: invocation.text("Several entries begin with \(prefix). Give more of the id.", "\(prefix)(으)로 시작하는 일기가 여러 개입니다. 더 길게 적어 주세요.")
            )
        }
        guard let id = found.first else {
            throw CommandFailure(
                code: .notFound, reason: Reason.diaryEntryNotFound.rawValue,
                message: Reason.diaryEntryNotFound.text().text(in: invocation.language),
                nextCommand: invocation.failureContext.command("diary list"))
        }
        return id
    }
}

extension GlobalOptions {
    /// Runs a command's body with the diary of a directory. It needs no server.
    func run(_ diary: DiaryOptions, _ body: (DiaryInvocation) async throws -> Void) async throws {
        try await run { invocation in try await body(try DiaryInvocation(diary, invocation)) }
    }
}
