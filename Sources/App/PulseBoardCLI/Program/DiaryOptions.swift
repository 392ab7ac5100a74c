import ArgumentParser
import CommandHelp
import PulseBoardVocabulary

/// The options of every command of the diary.
struct DiaryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("The directory with this device's diary.", "이 기기의 일기가 있는 디렉터리."),
            discussion: Phrase(
                """
                Without it: PULSEBOARD_DIARY, else pulseboard/diary in XDG_STATE_HOME or ~/.local/state. --account does not choose it, only the \
                account to synchronize with.
                """,
                """
                생략하면 PULSEBOARD_DIARY, 그것도 없으면 XDG_STATE_HOME이나 ~/.local/state의 pulseboard/diary입니다. --account는 디렉터리가 아니라 \
                동기화할 계정을 고릅니다.
                """), valueName: "path"),
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
