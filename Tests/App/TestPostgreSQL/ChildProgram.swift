import Glibc

/// A program that a test has started. Its signals have their default actions and none is blocked, whatever the starting
/// thread has set.
///
/// It replaces Foundation's `Process`, which sometimes crashed on Linux when many tests started programs at once (in
/// `Process.run`).
public struct ChildProgram: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let pid: pid_t

    /// Starts a program, found by its name or path, in the root directory and with this process's environment.
    /// - Parameters:
    ///   - input: its standard input; `nil` for none.
    ///   - output: its standard output and standard error.
    public init(_ program: String, _ arguments: [String], input: Int32? = nil, output: Int32) throws(Failure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let env = "/usr/bin/env"
        var words = ([env, "-C", "/", program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, env, &actions, &attributes, &words, environ)
        guard code == 0 else { throw Failure(description: "\(program) cannot be started: \(String(cString: strerror(code)))") }
        self.pid = pid
    }

    /// Makes a pipe. Programs that are started later do not inherit it, unless it is passed to them.
    public static func pipe() throws(Failure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits for its end. - Returns: its exit status; -1 after a signal.
    @discardableResult
    public func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }

    /// Kills it, and waits for its end.
    public func kill() {
        Glibc.kill(pid, SIGKILL)
        wait()
    }
}
