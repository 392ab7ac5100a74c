import ArgumentParser
import CommandHelp
import Foundation
import PulseBoardVocabulary

/// The program: it reads arguments, runs their command, and returns an exit code.
package struct PulseBoardProgram: Sendable {
    let environment: CommandEnvironment

    package init(environment: CommandEnvironment = .process) { self.environment = environment }

    /// Runs one command.
    ///
    /// - Parameter arguments: the words after the program's name.
    /// - Returns: 0; 64 for invalid arguments; 64 + the gRPC code for a failure.
    package func run(_ arguments: [String]) async -> Int32 {
        let arguments = Suggestion.movingHelpFirst(arguments, of: PulseBoardCommand.self)
        let usesJSON = Self.usesJSON(arguments)
        do {
            try await CommandEnvironment.$current.withValue(environment) {
                try await HelpLanguage.$current.withValue(environment.language) { try await Self.run(arguments) }
            }
            return 0
        } catch where environment.isEndedOnInterrupt() {
            return 0
        } catch var failure as CommandFailure {
            // The server trusts root on its own socket, so root was refused on the gateway's.
            if failure.reason == Reason.notTrusted.rawValue, environment.userID != 0 { failure.nextCommand = asRoot(arguments) }
            if failure.reason == Reason.notAuthenticated.rawValue, arguments.starts(with: ["rpc", "call"]), !arguments.contains("--auth") {
                failure.nextCommand = (["pulseboard", "rpc", "call", "--auth"] + arguments.dropFirst(2)).map(\.shellQuoted).joined(separator: " ")
            }
            report(failure, usesJSON: usesJSON)
            return failure.exitCode
        } catch let code as ExitCode {
            // The command has written everything already.
            return code.rawValue
        } catch {
            return reportUsage(error, of: arguments, usesJSON: usesJSON)
        }
    }

    /// Refuses a command line that is not valid UTF-8. Swift would repair it, and a part of a text would be lost without a word.
    /// - Parameter arguments: the repaired arguments.
    /// - Returns: the exit code.
    package func refuse(invalidArguments arguments: [String]) -> Int32 {
        let phrase = Phrase("The command line is not valid UTF-8.", "명령줄이 올바른 UTF-8이 아닙니다.")
        let failure = CommandFailure(code: .invalidArgument, reason: "ARGUMENTS_INVALID", message: phrase.text(in: environment.language))
        report(failure, usesJSON: Self.usesJSON(arguments))
        return failure.exitCode
    }

    private static func usesJSON(_ arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--json") }

    /// The same command for root, who does not get this user's variables.
    private func asRoot(_ arguments: [String]) -> String {
        var words = ["sudo", "pulseboard"] + arguments
        if let socket = environment.variables["PULSEBOARD_SOCKET"], !socket.isEmpty, !arguments.contains(where: { $0.hasPrefix("--socket") }) {
            words += ["--socket", socket]
        }
        return words.map(\.shellQuoted).joined(separator: " ")
    }

    /// The program's answer to argument-parser's `---completion`, word by word; empty after a failure.
    func completions(_ question: [String]) async -> [String] {
        do {
            try await CommandEnvironment.$current.withValue(environment) { _ = try await PulseBoardCommand.asyncParseAsRoot(question) }
            return []
        } catch {
            guard PulseBoardCommand.exitCode(for: error).isSuccess else { return [] }
            return PulseBoardCommand.fullMessage(for: error).split(separator: "\n").map(String.init)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        var command = try await PulseBoardCommand.asyncParseAsRoot(arguments)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    private func report(_ failure: CommandFailure, usesJSON: Bool) {
        let style = TextStyle(isTerminal: environment.errorIsTerminal, variables: environment.variables)
        if usesJSON, let document = try? jsonText(failure.document()) { return environment.writeJSON(document, to: .standardError) }
        environment.write(failure.text(in: environment.language, style: style), .standardError)
    }

    /// Writes the message of argument-parser. Help and versions are answers; everything else is a usage error.
    private func reportUsage(_ error: any Error, of arguments: [String], usesJSON: Bool) -> Int32 {
        let code = PulseBoardCommand.exitCode(for: error)
        do {
            let usage = try CommandUsage(of: PulseBoardCommand.self, for: arguments, in: environment.language)
            if code.isSuccess {
                if usage.asksForHelp(error), let suggestion = Suggestion.find(arguments, of: PulseBoardCommand.self) {
                    report(CommandFailure(suggestion, in: environment.language), usesJSON: usesJSON)
                    return ExitCode.validationFailure.rawValue
                }
                let answer = usage.asksForHelp(error)
                    ? usage.page(columns: environment.columns) : ServerCompletion.script(PulseBoardCommand.fullMessage(for: error))
                if !answer.isEmpty { environment.write(answer + "\n", .standardOutput) }
                return 0
            }
            if code == .validationFailure {
                if let suggestion = Suggestion.find(arguments, of: PulseBoardCommand.self) {
                    report(CommandFailure(suggestion, in: environment.language), usesJSON: usesJSON)
                    return code.rawValue
                }
                guard usesJSON else {
                    environment.write(usage.text(for: error).linesSafeForTerminal + "\n", .standardError)
                    return code.rawValue
                }
                let failure = CommandFailure(
                    code: .invalidArgument, reason: "USAGE", message: usage.message(for: error), nextCommand: usage.commandLine + " --help")
                report(failure, usesJSON: true)
                return code.rawValue
            }
            throw error
        } catch {
            let message = error.systemWords?.text(in: environment.language) ?? PulseBoardCommand.fullMessage(for: error)
            let failure = CommandFailure(code: .internal, reason: nil, message: message)
            report(failure, usesJSON: usesJSON)
            return failure.exitCode
        }
    }
}

extension Error {
    /// The system's text for an error that Foundation wraps; `nil` for other errors.
    fileprivate var systemWords: Phrase? {
        let error = self as NSError
        guard [NSCocoaErrorDomain, NSPOSIXErrorDomain, NSURLErrorDomain].contains(error.domain) else { return nil }
        let cause = systemCause.map { Phrase.systemError($0) } ?? Phrase("the system refused it", "시스템이 거부했습니다")
        return cause.after(error.userInfo[NSFilePathErrorKey] as? String ?? "")
    }
}
