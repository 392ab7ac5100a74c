import Foundation

/// What the doctor asks this machine and its programs.
extension Doctor {
    /// Free bytes on the disk of a directory; `nil` if unknown.
    static func freeBytes(_ directory: String) -> Int64? {
        var information = statvfs()
        guard statvfs(directory, &information) == 0 else { return nil }
        return Int64(clamping: information.f_bavail).multipliedReportingOverflow(by: Int64(information.f_frsize)).partialValue
    }

    /// The number of the disk that a directory is on; `nil` if unknown.
    static func disk(_ directory: String) -> UInt? {
        var status = stat()
        return stat(directory, &status) == 0 ? status.st_dev : nil
    }

    /// The hard limit of descriptors.
    static var descriptorLimit: UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? UInt64(limit.rlim_max) : .max
    }

    /// Runs a program and returns its two outputs and its exit status; `nil` if it cannot be started.
    private static func output(of program: String, _ arguments: [String]) -> (text: String, errors: String, status: Int32)? {
        guard access(program, X_OK) == 0 else { return nil }
        let process = Process(), output = Pipe(), errors = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        // The programs write only a few lines, so neither pipe fills up.
        guard (try? process.run()) != nil, let bytes = try? output.fileHandleForReading.readToEnd() ?? Data() else { return nil }
        let words = (try? errors.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), String(decoding: words, as: UTF8.self), process.terminationStatus)
    }

    /// The path of `pulseboardd`: the program beside this one, or else in the PATH; `nil` if there is none.
    static var serverProgram: String? {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "pulseboardd").path
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").map { String($0) + "/pulseboardd" }
        return ([beside] + folders).first { access($0, X_OK) == 0 }
    }

    /// The output of `pulseboardd --check-config` (``serverProgram``). The machine's service has its own file.
    static func serverConfiguration(ofMachine: Bool) -> ServerConfiguration? {
        let machineFile = "/etc/pulseboard/pulseboardd.toml"
        // For root the program reads this file without being told.
        let file = ofMachine && geteuid() != 0 && access(machineFile, R_OK) == 0 ? ["--config", machineFile] : []
        guard let program = serverProgram, let said = output(of: program, ["--check-config"] + file) else {
            return nil
        }
        guard said.status == 0 else {
            let line = said.errors.split(separator: "\n").first.map(String.init) ?? ""
            return ServerConfiguration(settings: [:], problem: line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? line)
        }
        let pairs = said.text.split(separator: "\n").compactMap { line -> (String, String)? in
            // Each line is one of the configuration file, or a comment in the same form.
            guard let equals = line.range(of: " = "), line.hasPrefix("  ") else { return nil }
            let name = line[..<equals.lowerBound].trimmingCharacters(in: CharacterSet(charactersIn: " #"))
            return (name, unquoted(String(line[equals.upperBound...])))
        }
        return ServerConfiguration(settings: Dictionary(pairs) { $1 }, problem: nil)
    }

    /// The value of a string of TOML; other values as they are.
    private static func unquoted(_ text: String) -> String {
        guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast().replacing(/\\(.)/) { $0.output.1 })
    }

    /// Lines of the unit's log at `err` and above in the last day, at most 1,000; `nil` without systemd.
    static func journalErrors(ofMachine: Bool) -> Int? {
        guard systemUnit(ofMachine: ofMachine) != nil else { return nil }
        let unit = ofMachine ? "--unit" : "--user-unit"
        guard
            let said = output(
                of: "/usr/bin/journalctl", [unit, "pulseboardd.service", "--priority=err", "--since=-1d", "--output=cat", "--lines=1000", "--quiet"]),
            said.status == 0
        else { return nil }
        return said.text.split(separator: "\n").count
    }

    /// The unit's `ActiveState` and `Result` from systemd, or `masked`; `nil` without systemd or without the unit.
    static func systemUnit(ofMachine: Bool) -> (state: String, result: String)? {
        guard access("/run/systemd/system", F_OK) == 0,
            let said = output(
                of: "/usr/bin/systemctl",
                (ofMachine ? [] : ["--user"]) + ["show", "pulseboardd.service", "--property=LoadState,ActiveState,Result"])
        else { return nil }
        let pairs = said.text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let values = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
        if values["LoadState"] == "masked" { return ("masked", "") }
        guard values["LoadState"] == "loaded", let state = values["ActiveState"] else { return nil }
        return (state, values["Result"] ?? "")
    }
}
