import Foundation
import OperatorFiles

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

    /// This process's hard limit of descriptors.
    static var ownDescriptorLimit: UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? UInt64(limit.rlim_max) : .max
    }

    /// A process's hard limit of descriptors; `nil` if it cannot be read. Source: proc_pid_limits(5).
    static func descriptorLimit(of process: Int64) -> UInt64? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Max open files") })
        else { return nil }
        let words = line.split(separator: " ")
        return words.count > 4 ? UInt64(words[4]) : nil
    }

    /// The hard limit of descriptors of a unit that exists; `nil` if it is unknown.
    static func unitDescriptorLimit(ofMachine: Bool) -> UInt64? {
        unitProperties(["LimitNOFILE"], ofMachine: ofMachine)?["LimitNOFILE"].flatMap { UInt64($0) }
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
        guard let program = serverProgram else { return nil }
        let machineFile = MachineConfiguration.path(ofProgram: program)
        // For root the program reads this file without being told.
        let file = ofMachine && geteuid() != 0 && access(machineFile, R_OK) == 0 ? ["--config", machineFile] : []
        guard let said = output(of: program, ["--check-config"] + file) else {
            return nil
        }
        let pairs = said.text.split(separator: "\n").compactMap { line -> (String, String)? in
            // Each line is one of the configuration file, or a comment in the same form.
            guard let equals = line.range(of: " = "), line.hasPrefix("  ") else { return nil }
            let name = line[..<equals.lowerBound].trimmingCharacters(in: CharacterSet(charactersIn: " #"))
            return (name, unquoted(String(line[equals.upperBound...])))
        }
        let line = said.errors.split(separator: "\n").first.map(String.init) ?? ""
        let problem = said.status == 0 ? nil : line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? line
        return ServerConfiguration(settings: Dictionary(pairs) { $1 }, problem: problem, namedFile: file.last)
    }

    /// The value of a string of TOML; other values as they are.
    private static func unquoted(_ text: String) -> String {
        guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast().replacing(/\\(.)/) { $0.output.1 })
    }

    /// Lines of the log of a unit that exists, at `err` and above in the last day, at most 1,000; `nil` if this user may not read them.
    static func journalErrors(ofMachine: Bool) -> Int? {
        let unit = ofMachine ? "--unit" : "--user-unit"
        guard
            let said = output(
                of: "/usr/bin/journalctl", [unit, "pulseboardd.service", "--priority=err", "--since=-1d", "--output=cat", "--lines=1000"]),
            // It says so if this user may read only the user's own messages. Those are all of a user's service.
            said.status == 0, !ofMachine || !said.errors.contains("not seeing messages")
        else { return nil }
        // Its own words, such as "-- No entries --".
        return said.text.split(separator: "\n").count { !$0.hasPrefix("-- ") }
    }

    /// The unit's `ActiveState` and `Result` from systemd, or `masked`; `nil` without systemd or without the unit.
    static func systemUnit(ofMachine: Bool) -> (state: String, result: String)? {
        guard let values = unitProperties(["LoadState", "ActiveState", "Result"], ofMachine: ofMachine) else { return nil }
        if values["LoadState"] == "masked" { return ("masked", "") }
        guard values["LoadState"] == "loaded", let state = values["ActiveState"] else { return nil }
        return (state, values["Result"] ?? "")
    }

    /// Properties of the unit from systemd; `nil` without systemd.
    private static func unitProperties(_ names: [String], ofMachine: Bool) -> [String: String]? {
        guard access("/run/systemd/system", F_OK) == 0,
            let said = output(
                of: "/usr/bin/systemctl",
                (ofMachine ? [] : ["--user"]) + ["show", "pulseboardd.service", "--property=" + names.joined(separator: ",")])
        else { return nil }
        let pairs = said.text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }
}
