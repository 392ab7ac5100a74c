import ArgumentParser
import CommandHelp
import Foundation
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import Synchronization

/// The options of every command of the diary.
struct DiaryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("The directory with this device's diary.", "이 기기의 일기가 있는 디렉터리."),
            discussion: Phrase(
                "Without it: PULSEBOARD_DIARY, else pulseboard/diary in XDG_STATE_HOME or ~/.local/state.",
                "생략하면 PULSEBOARD_DIARY, 그것도 없으면 XDG_STATE_HOME이나 ~/.local/state의 pulseboard/diary입니다."), valueName: "path"),
        completion: .directory)
    var directory: String?

    func validate() throws {
        if let directory, directory.isEmpty {
            throw ArgumentParser.ValidationError(Phrase("--directory must not be empty.", "--directory는 비울 수 없습니다."))
        }
    }

    /// The absolute path of the directory.
    func path(in environment: CommandEnvironment) -> String {
        guard let given = environment.value(directory, orVariable: "PULSEBOARD_DIARY") else {
            return SessionStore(variables: environment.variables, owner: environment.userID).stateDirectory + "/diary"
        }
        return environment.absolutePath(given)
    }
}

extension SessionStore {
    /// The absolute path of `…/pulseboard`.
    fileprivate var stateDirectory: String { String(directory.dropLast("/sessions".count)) }
}

/// One command on the diary of a directory.
struct DiaryInvocation {
    let invocation: Invocation
    let file: DiaryFile
    /// The diary in the directory, for reads and writes without the server.
    let diary: LocalDiaryRepository

    /// How long one call may take when a writing command tries to synchronize. What does not succeed waits for the next attempt.
    private static let attemptTimeout = Duration.milliseconds(300)
    /// How long all calls of such an attempt may take together.
    private static let attemptBudget = Duration.seconds(1)

    /// Opens the directory's diary.
    /// - Throws: a failure with text.
    init(_ options: DiaryOptions, _ invocation: Invocation) throws(CommandFailure) {
        var invocation = invocation
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
                // A server without the key of its diaries may get it, as one that is away may come back.
                switch error {
                case .unavailable, .diary(.locked): break
                default: throw error
                }
                guard let wait = retries.withLock({ $0.fail() }) else { throw error }
                if retries.withLock({ $0.isFirst }) { invocation.remarkLost() }
                do { try await invocation.environment.wait(wait) } catch { throw .unavailable(detail: "interrupted") }
            }
        }
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

    /// The entry whose id begins with a text.
    /// - Throws: a failure when no entry or several begin with it.
    func entryID(_ prefix: String) async throws(CommandFailure) -> DiaryEntryID {
        let found = try await translating { () throws(DiaryError) in try await file.entryIDs(beginningWith: prefix) }
        guard found.count <= 1 else {
            throw CommandFailure(
                code: .invalidArgument, reason: "IDENTIFIER_INVALID",
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

extension CommandFailure {
    /// Explains an error of the diary to the user.
    init(_ error: DiaryError, in context: FailureContext) {
        let text = { (reason: Reason) in reason.text().text(in: context.language) }
        switch error {
        case .diary(let refusal):
            self.init(code: StatusCode(refusal), reason: refusal.reason.rawValue, message: text(refusal.reason))
            if refusal == .tooManyDevices { nextCommand = context.command("diary devices") }
        case .etagMismatch: self.init(code: .aborted, reason: Reason.etagMismatch.rawValue, message: text(.etagMismatch))
        case .invalid(let validation):
            let violations = validation.violations.map {
                Violation(field: $0.field, reason: $0.reason.rawValue, message: $0.message(in: context.language))
            }
            self.init(
                code: .invalidArgument, reason: violations[0].reason, message: violations[0].message, violations: violations)
        case .outboxFull:
            let phrase = Phrase(
                "Too much waits for the server. Synchronize first.", "서버로 보낼 일기가 너무 많이 쌓였습니다. 먼저 동기화해 주세요.")
            self.init(
                code: .resourceExhausted, reason: "DIARY_OUTBOX_FULL", message: phrase.text(in: context.language),
                nextCommand: context.command("diary sync"))
        case .damaged(let id):
            let phrase = Phrase("The entry \(id) cannot be read on this device.", "이 기기에서 \(id) 일기를 읽을 수 없습니다.")
            self.init(code: .dataLoss, reason: "DIARY_ENTRY_DAMAGED", message: phrase.text(in: context.language))
        case .storeFailed(let detail):
            let phrase = Phrase("The diary on this device cannot be used: \(detail).", "이 기기의 일기장을 쓸 수 없습니다: \(detail).")
            self.init(code: .failedPrecondition, reason: "DIARY_FILE_REFUSED", message: phrase.text(in: context.language))
        case .cursorRefused: self.init(code: .outOfRange, reason: Reason.invalidPageToken.rawValue, message: text(.invalidPageToken))
        case .notRejected:
            let phrase = Phrase("There is no such rejected edit.", "그런 거부된 변경이 없습니다.")
            self.init(
                code: .notFound, reason: "DIARY_REJECTED_NOT_FOUND", message: phrase.text(in: context.language),
                nextCommand: context.command("diary rejected"))
        case .otherAccount:
            let phrase = Phrase(
                "This directory has another account's diary. Choose another one with --directory.",
                "이 디렉터리에는 다른 계정의 일기장이 있습니다. --directory로 다른 곳을 골라 주세요.")
            self.init(code: .permissionDenied, reason: "DIARY_OTHER_ACCOUNT", message: phrase.text(in: context.language))
        case .notAttached:
            let phrase = Phrase("This diary belongs to no account yet.", "아직 계정에 연결되지 않은 일기장입니다.")
            self.init(
                code: .failedPrecondition, reason: "DIARY_NOT_ATTACHED", message: phrase.text(in: context.language),
                nextCommand: context.command("diary sync"))
        case .busy:
            let phrase = Phrase("Another command synchronizes this directory just now.", "다른 명령이 지금 이 디렉터리를 동기화하고 있습니다.")
            self.init(code: .aborted, reason: "DIARY_BUSY", message: phrase.text(in: context.language))
        case .unavailable(let detail): self.init(RPCError(.unavailable, detail), about: .nothing, in: context)
        case .pictureNotTaken(let reason):
            self.init(
                code: .unavailable, reason: reason,
                message: Phrase("The server takes no pictures just now.", "지금은 서버가 사진을 받지 못합니다.").text(in: context.language))
        case .notSignedIn:
            self.init(
                code: .unauthenticated, reason: Reason.notAuthenticated.rawValue, message: text(.notAuthenticated),
                nextCommand: context.command("auth login"))
        case .refused(let reason, let message, let code):
            let known = Reason(rawValue: reason)
            self.init(code: code, reason: reason, message: known.map(text) ?? message)
            if known == .profileRequired { nextCommand = context.command("profile create --username \(context.wordForName)") }
            if known == .withdrawing { nextCommand = context.command("account restore") }
        case .answerNotUnderstood:
            let phrase = Phrase("The server said something that this version does not understand.", "서버의 응답을 이 버전에서 이해할 수 없습니다.")
            self.init(code: .internal, reason: "DIARY_ANSWER_UNKNOWN", message: phrase.text(in: context.language))
        }
    }
}

extension StatusCode {
    /// The code that a server gives a refusal.
    fileprivate init(_ refusal: DiaryRefusal) {
        switch refusal {
        case .entryNotFound, .imageNotFound: self = .notFound
        case .entryExists: self = .alreadyExists
        case .full, .tooManyDevices: self = .resourceExhausted
        case .deviceUnknown, .mutationGap, .deviceCloned, .clockSkewed, .imageNotStaged: self = .failedPrecondition
        case .imageDiffers: self = .invalidArgument
        case .resyncRequired: self = .outOfRange
        case .locked: self = .unavailable
        }
    }
}
