import CommandHelp
import Foundation
import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// Something that a guided flow waits for.
enum OnboardingEvent: Sendable {
    case key(Key)
    /// An answer about a name, with the number of its stream.
    case answer(PBCheckUsernamesResponse, stream: Int)
    /// A stream of answers has ended.
    case ended(RPCError?, stream: Int)
    /// It is time to open the stream again.
    case again(stream: Int)
}

/// The guided flow from no account to a profile with first follows (B16, B32). It watches the state on the server (`WatchAuthState`) and asks for
/// what the next step needs. If the server refuses an answer, that answer is asked for again, and all others stay.
struct Onboarding {
    /// The run. Its account is chosen at the beginning and stays, whichever account becomes current meanwhile.
    private(set) var invocation: Invocation
    private let command: OnboardCommand
    /// The ID token that signs in; without one, the Unix user or a named account signs in.
    private let idToken: PBIdTokenCredential?
    private let keys: TerminalKeys?
    private var events: AsyncStream<OnboardingEvent>.Iterator
    /// Receives the results of checks and the pressed keys.
    let post: AsyncStream<OnboardingEvent>.Continuation
    private var draft: OnboardingDraft
    private let draftPlace: DraftPlace
    /// The draft of somebody who signed in with another ID token. It may be the same person.
    private var former: OnboardingDraft?
    /// Whether only an ID token can open another session of the account.
    private let needsIDToken: Bool
    /// How often each step was made.
    private var steps: [PBAuthState.State: Int] = [:]
    /// How often the same step is made before the flow gives up.
    private static let mostSteps = 3
    private var states: AsyncThrowingStream<PBAuthState.State, any Error>.Iterator?
    private var statesTask: Task<Void, Never>?
    /// Whether the user has been told that the server does not answer.
    private var isServerAway = false
    /// Whether this run has made the profile.
    private var hasMadeProfile = false

    init(_ invocation: Invocation, _ command: OnboardCommand, idToken: PBIdTokenCredential?) {
        self.command = command
        self.idToken = idToken
        let (stream, post) = AsyncStream<OnboardingEvent>.makeStream()
        events = stream.makeAsyncIterator()
        self.post = post
        let isInteractive = invocation.environment.inputIsTerminal && invocation.environment.errorIsTerminal
        keys = isInteractive ? TerminalKeys(descriptor: 0) { post.yield(.key($0)) } : nil
        let person = OnboardingPerson(invocation, idToken)
        self.invocation = person.invocation
        draftPlace = person.place
        needsIDToken = person.needsIDToken
        draft = person.draft
        former = person.former
        useOptions()
    }

    /// Options of this run override the saved draft.
    private mutating func useOptions() {
        if command.username != nil { draft.username = nil }
        for field in ProfileTextField.allCases {
            if command.texts[field] != nil { draft[field] = nil } else if command.skip.contains(.text(field)) { draft[field] = "" }
        }
        if command.picture != nil {
            (draft.picture, draft.imageID) = (nil, nil)
        } else if command.skip.contains(.picture) {
            (draft.picture, draft.imageID) = ("", "")
        }
    }

    private func save(_ draft: OnboardingDraft?) { draftPlace.save(draft, in: invocation.sessions) }

    /// Restores the terminal.
    func end() {
        statesTask?.cancel()
        keys?.restore()
    }

    // MARK: The states

    mutating func run() async throws -> PBProfile {
        // A given token names its account, and takes precedence over the signed-in account.
        if idToken != nil, draft.signIn?.isDone == false { try await signIn() }
        while true {
            do {
                let state = try await nextState()
                if state != .ready { try await begin(state) }
                switch state {
                case .signedOut: try await signIn()
                case .needsProfile: try await makeProfile()
                case .ready: return try await welcome()
                case .withdrawing: try await comeBack()
                case .unspecified, .unrecognized:
                    throw CommandFailure(
                        code: .failedPrecondition, reason: "STATE_UNKNOWN",
                        message: invocation.text("This program does not know your account's state.", "이 프로그램이 알지 못하는 계정 상태입니다."))
                }
            } catch let failure as CommandFailure where failure.reason == Reason.notAuthenticated.rawValue {
                // The session has ended meanwhile. The answers stay, and the sign-in comes next.
                if invocation.givenToken == nil {
                    let account = invocation.account
                    try invocation.updateSessions { saved in
                        let token = saved.session(for: account)?.token
                        // Another account would take the answers of this run.
                        saved.removeAll(mayFallBack: false) { $0.token == token }
                    }
                }
                forgetStates()
            }
        }
    }

    /// Counts a step, and waits a little before it is made again.
    /// - Throws: if the server answers each step and its state stays the same.
    private mutating func begin(_ state: PBAuthState.State) async throws {
        let former = steps[state, default: 0]
        guard former < Self.mostSteps else {
            throw CommandFailure(
                code: .failedPrecondition, reason: "STATE_STUCK",
                message: invocation.text(
                    "The server accepts each step, but your account's state stays the same. Try again later.",
                    "서버가 요청을 받아들이지만 계정 상태가 바뀌지 않습니다. 잠시 후 다시 시도해 주세요."))
        }
        steps[state] = former + 1
        if former > 0 { try await invocation.environment.wait(.seconds(1)) }
    }

    /// The next state from the server. It waits while the server cannot be reached.
    private mutating func nextState() async throws -> PBAuthState.State {
        while true {
            var iterator = if let states { states } else { watchStates() }
            do {
                let state = try await iterator.next()
                states = iterator
                isServerAway = false
                if let state { return state }
                // The stream has ended, such as after a sign-out. Open it again.
                forgetStates()
            } catch let error as RPCError {
                // A watch that ended meanwhile says nothing about the server now. Open it again first.
                let wasOpen = states != nil
                forgetStates()
                if !wasOpen { try await waitForServer(CommandFailure(error, about: .nothing, in: invocation.failureContext)) }
            }
        }
    }

    private mutating func watchStates() -> AsyncThrowingStream<PBAuthState.State, any Error>.Iterator {
        let (stream, states) = AsyncThrowingStream<PBAuthState.State, any Error>.makeStream()
        let responses = invocation.auth.watchAuthState(
            PBWatchAuthStateRequest(), options: invocation.watchOptions(token: (try? invocation.token()) ?? nil))
        statesTask = Task { [invocation] in
            do {
                for try await response in responses {
                    switch response.update {
                    case .state(let state)?: states.yield(state.state)
                    case .unchecked(let unchecked)?: invocation.remarkUnchecked(unchecked)
                    case .heartbeat?, nil: break
                    }
                }
                states.finish()
            } catch {
                states.finish(throwing: error)
            }
        }
        return stream.makeAsyncIterator()
    }

    private mutating func forgetStates() {
        statesTask?.cancel()
        statesTask = nil
        states = nil
    }

    /// Repeats a call until the server answers it.
    /// - Throws: a refusal as a failure with text.
    private mutating func persist<Answer>(
        about subject: CallSubject, _ body: () async throws(RPCError) -> Answer
    ) async throws -> Answer {
        while true {
            do throws(RPCError) {
                let answer = try await body()
                isServerAway = false
                return answer
            } catch {
                try await waitForServer(CommandFailure(error, about: subject, in: invocation.failureContext))
            }
        }
    }

    /// Says that the server does not answer, once until it does, and waits a little. Without a terminal, and for a refusal, it throws the failure.
    private mutating func waitForServer(_ failure: CommandFailure) async throws {
        guard keys != nil, failure.code == .unavailable || failure.code == .deadlineExceeded else { throw failure }
        if !isServerAway {
            isServerAway = true
            let isPlain = failure.reason == nil || failure.reason == Reason.unavailable.rawValue
            let cause = isPlain ? invocation.text("The server does not answer.", "서버가 응답하지 않습니다.") : failure.message
            say(cause + " " + invocation.text("Trying again; Ctrl-C ends it.", "다시 시도합니다. Ctrl-C를 누르면 끝납니다."))
        }
        try await invocation.environment.wait(.seconds(1))
    }

    // MARK: The steps

    private mutating func signIn() async throws {
        if invocation.givenToken != nil {
            throw CommandFailure(
                code: .unauthenticated, reason: "TOKEN_ENDED",
                message: invocation.text("The session of PULSEBOARD_TOKEN has ended.", "PULSEBOARD_TOKEN의 세션이 끝났습니다."))
        }
        if idToken == nil, needsIDToken {
            // The Unix user must not take this account's place.
            throw CommandFailure(
                code: .unauthenticated, reason: "SESSION_ENDED",
                message: invocation.text(
                    "The session has ended. An ID token is needed to sign in again.", "세션이 끝났습니다. 다시 로그인하려면 ID 토큰이 필요합니다."),
                nextCommand: invocation.failureContext.command("onboard --id-token \(invocation.failureContext.wordForFile)"))
        }
        say(invocation.text("Signing in.", "로그인합니다."))
        let (invocation, idToken, requestID) = (invocation, idToken, draft.signIn?.requestID ?? "")
        // If this run is interrupted, the next one signs in with the same request id.
        save(draft)
        let answer = try await persist(about: .session) { () async throws(RPCError) in
            if let idToken { return try await invocation.signIn(with: .idToken(idToken), requestID: requestID) }
            return try await invocation.signIn(with: .peer(PBPeerCredential(account: invocation.account ?? "")))
        }
        let account = try invocation.keep(answer, isFromIDToken: idToken != nil)
        self.invocation = invocation.acting(as: account)
        if idToken != nil {
            // The same person with another token, because the former session has ended.
            if let former, let userID = answer.session?.userID, former.signIn?.userID == userID {
                let signIn = draft.signIn
                draft = former
                draft.signIn = signIn
                useOptions()
            }
            draft.signIn?.isDone = true
            draft.signIn?.userID = answer.session?.userID
        }
        save(draft)
        // The former watch has no session.
        forgetStates()
    }

    /// Restores an account that has asked to leave, if its owner agrees.
    private mutating func comeBack() async throws {
        guard keys != nil else {
            throw CommandFailure(
                code: .failedPrecondition, reason: Reason.withdrawing.rawValue, message: Reason.withdrawing.text().text(in: invocation.language),
                nextCommand: invocation.failureContext.command("account restore"))
        }
        let typed = try await ask(invocation.text("You have asked to leave. Come back? (y/n)", "탈퇴를 신청한 계정입니다. 복구할까요? (y/n)"))
        guard typed.lowercased().hasPrefix("y") else { throw notFinished() }
        let (invocation, options) = (invocation, callOptions())
        do {
            _ = try await persist(about: .ownProfile) { () async throws(RPCError) in
                try await invocation.accounts.cancelWithdrawal(PBCancelWithdrawalRequest(), options: options)
            }
        } catch let failure as CommandFailure where failure.reason == Reason.notWithdrawing.rawValue {
            // The account was restored, and the answer was lost.
        }
    }

    private func notFinished() -> CommandFailure {
        CommandFailure(
            code: .cancelled, reason: "NOT_FINISHED", message: invocation.text("Not finished.", "아직 끝나지 않았습니다."),
            nextCommand: invocation.failureContext.command("onboard"))
    }

    private mutating func makeProfile() async throws {
        if draft.username != nil { say(invocation.text("Going on where you stopped.", "멈춘 곳에서 계속합니다.")) }
        var problem: String?
        while true {
            try await fillIn(problem)
            do {
                let (draft, invocation, options) = (draft, invocation, callOptions())
                _ = try await persist(about: .ownProfile) { () async throws(RPCError) in
                    var request = PBCreateProfileRequest(
                        username: draft.username ?? "", requestID: draft.requestID, imageID: draft.imageID ?? "")
                    for field in ProfileTextField.allCases { request[field] = draft[field] ?? "" }
                    return try await invocation.profiles.createProfile(request, options: options)
                }
                hasMadeProfile = true
                // Whom to follow is asked later, because the token that signed in must not be needed again.
                self.draft = OnboardingDraft(requestID: invocation.environment.makeRequestID())
                self.draft.signIn = draft.signIn
                save(draft.signIn == nil ? nil : self.draft)
                say(invocation.text("Your profile is there.", "프로필을 만들었습니다."))
                return
            } catch let failure as CommandFailure {
                // The profile was created meanwhile on another device. The next state shows that.
                if failure.reason == Reason.profileExists.rawValue { return }
                guard forget(whatIsRefusedBy: failure) else { throw failure }
                problem = failure.message
            }
        }
    }

    /// Forgets the answers that the server refused, so that they are asked for again.
    /// - Returns: whether there were any.
    private mutating func forget(whatIsRefusedBy failure: CommandFailure) -> Bool {
        // A changed request needs a new id.
        draft.requestID = invocation.environment.makeRequestID()
        defer { save(draft) }
        let fields = Set(failure.violations.map(\.field))
        var found = false
        if failure.reason?.hasPrefix("USERNAME_") == true || fields.contains("username") {
            draft.username = nil
            found = keys != nil
        }
        for field in ProfileTextField.allCases where fields.contains(field.facts.path) {
            draft[field] = nil
            found = keys != nil
        }
        if failure.reason == Reason.imageNotStaged.rawValue {
            // The file has to be uploaded again.
            draft.imageID = nil
            found = true
        }
        return found
    }

    /// Asks for the answers that are missing.
    private mutating func fillIn(_ problem: String?) async throws {
        if draft.username == nil {
            if let username = command.username, problem == nil {
                draft.username = username
            } else {
                try requireTerminal("--username \(invocation.failureContext.wordForName)")
                draft.username = try await askUsername(problem)
            }
            save(draft)
        }
        for field in ProfileTextField.allCases where draft[field] == nil {
            let title = field.facts.title
            let question = invocation.text("\(title.english) (empty for none)", "\(title.korean) (없으면 비워 두세요)")
            draft[field] = try await answer(command.texts[field], skipping: .text(field), question, problem)
            save(draft)
        }
        var pictureProblem: String?
        while draft.imageID == nil {
            let file: String
            if let picture = draft.picture, pictureProblem == nil {
                file = picture
            } else {
                file = try await answer(
                    command.picture, skipping: .picture, invocation.text("File of a picture (empty for none)", "사진 파일 (없으면 비워 두세요)"), pictureProblem)
            }
            // The next run may begin in another directory.
            let path = file.isEmpty ? "" : invocation.environment.absoluteTypedPath(file)
            draft.picture = path
            do {
                draft.imageID = path.isEmpty ? "" : try await upload(path)
            } catch let failure as CommandFailure where failure.reason != Reason.notAuthenticated.rawValue && keys != nil {
                pictureProblem = failure.message
            }
            save(draft)
        }
    }

    private mutating func upload(_ file: String) async throws -> String {
        let bytes = try invocation.picture(at: file)
        while true {
            do throws(CommandFailure) {
                let imageID = try await invocation.upload(bytes).imageID
                isServerAway = false
                return imageID
            } catch {
                try await waitForServer(error)
            }
        }
    }

    /// The answer: from an option, empty for a skipped step, or typed by the user.
    private mutating func answer(
        _ option: String?, skipping step: OnboardCommand.Step, _ question: String, _ problem: String?
    ) async throws -> String {
        if let option, problem == nil { return option }
        if command.skip.contains(step) || keys == nil { return "" }
        if let problem { say(problem) }
        return try await ask(question)
    }

    /// Asks whom to follow, and shows the profile.
    private mutating func welcome() async throws -> PBProfile {
        for user in command.follow { try await follow(user) }
        if command.follow.isEmpty, !command.skip.contains(.follow), keys != nil {
            while true {
                let typed = try await ask(invocation.text("Whom to follow? @username (empty: nobody else)", "누구를 팔로우할까요? @이름 (비워 두면 끝)"))
                guard !typed.isEmpty else { break }
                guard let user = UserReference(argument: typed.hasPrefix("@") ? typed : "@" + typed) else { continue }
                do {
                    try await follow(user)
                } catch let failure as CommandFailure where failure.reason != Reason.notAuthenticated.rawValue {
                    say(failure.message)
                }
            }
        }
        save(nil)
        let (invocation, options) = (invocation, callOptions())
        let profile = try await persist(about: .ownProfile) { () async throws(RPCError) in
            try await invocation.profiles.getMyProfile(PBGetMyProfileRequest(), options: options)
        }
        remarkUnused(profile)
        return profile
    }

    /// Remarks which options were not used because there was a profile already. One that says what the profile has is not among them.
    private func remarkUnused(_ profile: PBProfile) {
        guard !hasMadeProfile, !invocation.isQuiet else { return }
        var unused: [String] = []
        if let username = command.username, username != profile.username { unused.append("--username") }
        for field in ProfileTextField.allCases {
            if let text = command.texts[field], text != profile[field] { unused.append("--" + field.facts.option) }
        }
        var words = "profile edit"
        if let picture = command.picture, !picture.isEmpty {
            if unused.isEmpty { words = "profile image set " + picture.shellQuoted }
            unused.append("--picture")
        }
        guard !unused.isEmpty else { return }
        let names = unused.joined(separator: ", ")
        let text = invocation.text("You already have a profile. Not used: \(names).", "이미 프로필이 있습니다. 쓰지 않은 옵션: \(names).")
        let next = Phrase.next.text(in: invocation.language) + invocation.failureContext.command(words)
        say(text + "\n" + next)
    }

    private mutating func follow(_ user: UserReference) async throws {
        let (invocation, options) = (invocation, callOptions())
        let requestID = invocation.environment.makeRequestID()
        _ = try await persist(about: .user(user.text)) { () async throws(RPCError) in
            var request = PBGetProfileRequest()
            switch user {
            case .userID(let id): request.key = .userID(id)
            case .username(let name): request.key = .username(name)
            }
            let profile = try await invocation.profiles.getProfile(request, options: options)
            return try await invocation.follows.follow(
                PBFollowRequest(userID: profile.userID, requestID: requestID), options: options)
        }
        say(invocation.youFollow(user.text.safeForTerminal))
    }

    // MARK: The terminal

    /// The options of a call with the account's session. Without a session the server refuses the call.
    func callOptions() -> CallOptions {
        guard let token = (try? invocation.token()) ?? nil else { return invocation.callOptions() }
        return invocation.callOptions(token: token)
    }

    /// Writes a remark in place of the typed line. There are no remarks for JSON output.
    func say(_ text: String) {
        guard keys != nil || !invocation.usesJSON else { return }
        // The server has written a part of some remarks.
        invocation.environment.write((keys == nil ? "" : "\r\u{1B}[J") + text.linesSafeForTerminal + "\n", .standardError)
    }

    private func requireTerminal(_ option: String) throws {
        guard keys == nil else { return }
        throw CommandFailure(
            code: .failedPrecondition, reason: "ANSWER_NEEDED",
            message: invocation.text("There is no terminal to ask on.", "물어볼 터미널이 없습니다."),
            nextCommand: invocation.failureContext.command("onboard " + option))
    }

    /// The next event. The end of the terminal ends the flow.
    mutating func next() async throws -> OnboardingEvent {
        let event = await events.next() ?? .key(.end)
        if case .key(.end) = event { throw notFinished() }
        return event
    }

    /// Asks for a line of text.
    private mutating func ask(_ question: String) async throws -> String {
        var line = TypedLine(question: question)
        while true {
            line.show("", invocation)
            guard case .key(let key) = try await next() else { continue }
            if key == .enter {
                line.leave(invocation)
                return line.text
            }
            line.take(key)
        }
    }
}
