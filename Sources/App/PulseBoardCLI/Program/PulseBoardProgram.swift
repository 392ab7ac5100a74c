import ArgumentParser

/// The program: reads arguments, runs the command they name and answers with an exit code.
package struct PulseBoardProgram: Sendable {
    let environment: CommandEnvironment

    package init(environment: CommandEnvironment = .process) { self.environment = environment }

    /// Runs one command.
    ///
    /// - Parameter arguments: the words after the program's name.
    /// - Returns: 0; 64 for arguments that make no sense; 64 + the gRPC code for a failure.
    package func run(_ arguments: [String]) async -> Int32 {
        let usesJSON = arguments.prefix { $0 != "--" }.contains("--json")
        do {
            try await CommandEnvironment.$current.withValue(environment) {
                var command = try await PulseBoardCommand.asyncParseAsRoot(arguments)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            }
            return 0
        } catch let failure as CommandFailure {
            report(failure, usesJSON: usesJSON)
            return failure.exitCode
        } catch {
            return reportUsage(error, usesJSON: usesJSON)
        }
    }

    private func report(_ failure: CommandFailure, usesJSON: Bool) {
        let style = TextStyle(isTerminal: environment.errorIsTerminal, variables: environment.variables)
        let document = usesJSON ? try? jsonText(failure.document()) : nil
        environment.write(document ?? failure.text(in: environment.language, style: style), .standardError)
    }

    /// What argument-parser has to say: help and versions are answers, everything else is an error of usage.
    private func reportUsage(_ error: any Error, usesJSON: Bool) -> Int32 {
        let code = PulseBoardCommand.exitCode(for: error)
        let text = PulseBoardCommand.fullMessage(for: error, columns: environment.columns)
        guard !code.isSuccess else {
            if !text.isEmpty { environment.write(text + "\n", .standardOutput) }
            return 0
        }
        guard code == .validationFailure else {
            let failure = CommandFailure(code: .internal, reason: nil, message: text)
            report(failure, usesJSON: usesJSON)
            return failure.exitCode
        }
        if usesJSON {
            let failure = CommandFailure(
                code: .invalidArgument, reason: "USAGE", message: PulseBoardCommand.message(for: error),
                nextCommand: "pulseboard --help")
            report(failure, usesJSON: true)
        } else {
            environment.write(text + "\n", .standardError)
        }
        return code.rawValue
    }
}
