import Foundation
import Synchronization

/// How a program ended.
enum Exit: Sendable, Hashable {
    case status(Int32)
    case signal(Int32)
}

/// A started program, with its output so far and how it ended.
///
/// It uses posix_spawn instead of Foundation's Process: pipes are close-on-exec, so that programs started at the same
/// time do not keep each other's open, and an end by a signal is distinct from an exit status.
final class ChildProcess: Sendable {
    struct Progress: Sendable {
        fileprivate(set) var output: [UInt8] = []
        fileprivate(set) var errors: [UInt8] = []
        /// Set once both outputs are closed and the program is reaped.
        fileprivate(set) var exit: Exit?

        var outputText: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
        /// The complete lines of standard output.
        var outputLines: [Substring] { outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
    }

    let pid: pid_t
    let progress = Observed(Progress())

    /// No other program may be started between making a pipe and marking it close-on-exec.
    private static let spawning = Mutex(())

    /// Starts a program with exactly this environment and an empty input.
    /// - Parameter handedOver: a descriptor that the program gets as its descriptor 3.
    init(_ path: String, _ arguments: [String], environment: [String: String], handedOver: Int32? = nil) throws {
        let (pid, output, errors) = try Self.spawning.withLock { _ in
            let output = try Pipe()
            let errors = try Pipe()
            defer {
                close(output.writing)
                close(errors.writing)
            }
            let pid = try Self.spawn(path, arguments, environment, output: output.writing, errors: errors.writing, handedOver)
            return (pid, output.reading, errors.reading)
        }
        self.pid = pid
        let progress = progress
        Thread.detachNewThread { Self.follow(pid, output: output, errors: errors, progress) }
    }

    /// Waits for its end, and returns how it ended.
    func ended() async throws -> Exit {
        guard let exit = await progress.first({ $0.exit }) else { throw CancellationError() }
        return exit
    }

    /// Waits until it has written a log line of a level with all these texts. Returns false if it ends before that.
    func said(_ level: String, _ texts: String...) async -> Bool {
        await progress.first { progress in
            let line = progress.errorText.split(separator: "\n").first { line in
                line.contains(" \(level) ") && texts.allSatisfy { line.contains($0) }
            }
            return line != nil ? true : progress.exit == nil ? nil : false
        } ?? false
    }

    /// Signals the program. If it has ended already, nothing happens.
    func send(_ signal: Int32) {
        // `exit` is set under the same lock right after reaping, so that a reused pid is never signalled.
        progress.change { if $0.exit == nil { kill(self.pid, signal) } }
    }

    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw SystemError("pipe", errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], output: Int32, errors: Int32,
        _ handedOver: Int32?
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        // This must come last: before, descriptor 3 may be one of the pipes.
        if let handedOver { posix_spawn_file_actions_adddup2(&actions, handedOver, 3) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0.key + "=" + $0.value) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let problem = posix_spawn(&pid, path, &actions, &attributes, &words, &variables)
        guard problem == 0 else { throw SystemError("posix_spawn \(path)", problem) }
        return pid
    }

    /// Reads both outputs until they are closed, then reaps the program. It runs on a separate thread.
    private static func follow(_ pid: pid_t, output: Int32, errors: Int32, _ progress: Observed<Progress>) {
        var open = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !open.isEmpty {
            guard poll(&open, nfds_t(open.count), -1) > 0 else { continue }
            for entry in open where entry.revents != 0 {
                let count = read(entry.fd, &buffer, buffer.count)
                if count > 0 {
                    let bytes = buffer[..<count]
                    progress.change { progress in
                        if entry.fd == output { progress.output += bytes } else { progress.errors += bytes }
                    }
                } else if count == 0 || errno != EINTR {
                    close(entry.fd)
                    open.removeAll { $0.fd == entry.fd }
                }
            }
        }
        // Waits for the end without reaping, so that the pid belongs to this program until `exit` is set.
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        progress.change { progress in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7f
            progress.exit = signal == 0 ? .status((status >> 8) & 0xff) : .signal(signal)
        }
    }
}

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
    let description: String

    init(_ call: String, _ number: Int32) {
        description = "\(call): \(String(cString: strerror(number)))"
    }
}
