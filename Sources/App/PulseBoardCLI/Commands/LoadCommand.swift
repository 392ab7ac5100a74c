import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard load`
struct LoadCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "load",
            abstract: Phrase("Load people and follows from CSV files.", "CSV 파일에서 사람과 팔로우를 불러옵니다."),
            discussion: Phrase(
                """
                Only for users whom the server trusts: every person is signed in by name. All goes through the public calls.

                The users file has the columns id,name: name is a login, which becomes the display name; the username is made from \
                it to fit the server's rule (normally 2 to 9 letters, digits, Hangul syllables or _), the same in every run. The follows file has \
                the columns id_1,id_2: each row makes two follows, one in each direction; with --one-way only id_1 follows id_2.

                Running it again changes nothing, and continues a run that was cut off. Refused people and follows are listed with \
                the reason and do not stop the rest; the exit code is then still 0.

                Example:
                  pulseboard load --users users.csv --follows edges.csv
                """,
                """
                서버가 신뢰하는 사용자만 쓸 수 있습니다. 모든 사람이 이름으로 로그인하며, 공개된 호출만 씁니다.

                사용자 파일에는 id,name 열이 있습니다. name은 로그인 이름이고 표시 이름이 됩니다. 사용자 이름은 서버의 규칙(보통 영문, 숫자, 한글, _로 2자에서 9자)에 \
                맞게 거기서 만들며, 실행할 때마다 같습니다. 팔로우 파일에는 id_1,id_2 열이 있습니다. 한 행은 양쪽으로 팔로우 두 개를 만들고, \
                --one-way를 쓰면 id_1만 id_2를 팔로우합니다.

                다시 실행해도 바뀌는 것이 없고, 중단된 실행은 이어집니다. 거절된 사람과 팔로우는 까닭과 함께 나열되며 나머지를 막지 않습니다. \
                그때도 종료 코드는 0입니다.

                예:
                  pulseboard load --users users.csv --follows edges.csv
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp(Phrase(
        "A CSV file with the columns id,name.",
        "id,name 열이 있는 CSV 파일."), valueName: "file"), completion: .file(extensions: ["csv"]))
    var users: String

    @Option(
        help: ArgumentHelp(Phrase(
            "A CSV file with the columns id_1,id_2. Without it only people are loaded.",
            "id_1,id_2 열이 있는 CSV 파일. 생략하면 사람만 불러옵니다."), valueName: "file"),
        completion: .file(extensions: ["csv"]))
    var follows: String?

    @Flag(
        help: ArgumentHelp(
            Phrase("A row means that id_1 follows id_2, and not also the other way round.", "한 행은 id_1이 id_2를 팔로우한다는 뜻이며, 반대 방향은 아닙니다.")))
    var oneWay = false

    @Option(parsing: .unconditional, help: ArgumentHelp(Phrase("How many connections to use.", "쓸 연결의 수."), valueName: "count"))
    var connections = 4

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(Phrase("How many calls may be under way on each connection.", "연결마다 동시에 진행할 호출의 수."), valueName: "count"))
    var inFlight = 256

    @Option(help: ArgumentHelp(Phrase("Accounts are named PREFIX:LOGIN.", "계정 이름의 앞부분. 계정은 앞부분:로그인이름이 됩니다."), valueName: "prefix"))
    var accountPrefix = "load"

    func validate() throws {
        guard (1...64).contains(connections) else {
            throw ValidationError(Phrase("--connections must be 1 to 64, not \(connections).", "--connections는 1에서 64 사이여야 합니다: \(connections)"))
        }
        guard (1...4096).contains(inFlight) else {
            throw ValidationError(Phrase("--in-flight must be 1 to 4096, not \(inFlight).", "--in-flight는 1에서 4096 사이여야 합니다: \(inFlight)"))
        }
        let bytes = accountPrefix.utf8
        guard (1...20).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError(Phrase(
                "--account-prefix must be 1 to 20 printable ASCII characters.",
                "--account-prefix는 출력할 수 있는 ASCII 문자 1자에서 20자여야 합니다."))
        }
    }

    func run() async throws {
        try await options.run { invocation in
            var plan = try plan(in: invocation.failureContext)
            plan.fitUsernames(to: try await usernameLengths(invocation))
            var opened: [OpenChannel] = []
            for _ in 0..<connections { opened.append(try options.openConnection(in: invocation.environment)) }
            let result: Result<LoadSummary, LoadInterruption>
            do throws(LoadInterruption) {
                result = .success(try await run(plan, over: opened, invocation))
            } catch {
                result = .failure(error)
            }
            for connection in opened { await connection.close() }
            switch result {
            case .success(let summary):
                try invocation.show(document: summary) { summary.text(in: invocation.language, style: invocation.style) }
            case .failure(let interruption):
                throw CommandFailure(interruption, in: invocation.failureContext, command: commandLine)
            }
        }
    }

    /// The lengths of usernames that the server permits.
    private func usernameLengths(_ invocation: Invocation) async throws(CommandFailure) -> ClosedRange<Int> {
        let limits = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
            try await invocation.profiles.getLimits(PBGetLimitsRequest(), options: invocation.callOptions())
        }
        guard let limits = limits.username, limits.minimumCharacters > 0, limits.maximumCharacters >= limits.minimumCharacters else {
            return UsernameMapping.defaultLengths
        }
        return Int(limits.minimumCharacters)...Int(limits.maximumCharacters)
    }

    private func run(
        _ plan: LoadPlan, over connections: [OpenChannel], _ invocation: Invocation
    ) async throws(LoadInterruption) -> LoadSummary {
        let environment = invocation.environment
        let progress = LoadProgress(
            isShown: environment.errorIsTerminal && !invocation.isQuiet, columns: environment.columns, language: invocation.language,
            write: { environment.write($0, .standardError) })
        return try await LoadRun(
            plan: plan, connections: connections, inFlight: inFlight, baseOptions: invocation.callOptions(), progress: progress
        ).load()
    }

    private func plan(in context: FailureContext) throws(CommandFailure) -> LoadPlan {
        let files: (users: LoadFile, follows: LoadFile?)
        do throws(LoadFileError) {
            files = (try .read(users), try follows.map { path throws(LoadFileError) in try LoadFile.read(path) })
        } catch {
            throw CommandFailure(unreadableFile: error.path, errno: error.number, in: context)
        }
        do throws(CSVError) {
            return try LoadPlan(
                users: files.users, follows: files.follows, accountPrefix: accountPrefix, isOneWay: oneWay)
        } catch {
            throw CommandFailure(error, in: context)
        }
    }

    /// The command line that runs this load again.
    private var commandLine: String {
        var words = "load --users " + users.shellQuoted
        if let follows { words += " --follows " + follows.shellQuoted }
        if oneWay { words += " --one-way" }
        if accountPrefix != "load" { words += " --account-prefix " + accountPrefix.shellQuoted }
        return words
    }
}

extension CommandFailure {
    /// A load that was interrupted: its progress, and that running it again continues it.
    init(_ interruption: LoadInterruption, in context: FailureContext, command: String) {
        self.init(interruption.error, about: interruption.phase == .signIn ? .session : .nothing, in: context)
        // A refused sign-in would be refused again. After any other error, another run makes sense.
        guard code != .permissionDenied else { return }
        let phase = interruption.phase.phrase.text(in: context.language)
        let (done, total) = (interruption.done.grouped, interruption.total.grouped)
        message += Phrase(
            " The load stopped in “\(phase)” after \(done) of \(total). What is stored stays; running it again continues.",
            " ‘\(phase)’ 단계에서 \(total)건 중 \(done)건을 마치고 중단되었습니다. 저장된 내용은 유지되며, 다시 실행하면 이어서 진행합니다."
        ).text(in: context.language)
        nextCommand = context.command(command)
    }
}
