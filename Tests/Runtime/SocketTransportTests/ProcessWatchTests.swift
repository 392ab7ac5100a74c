import Glibc
import Testing

@testable import SocketTransport

@Suite struct ProcessWatchTests {
    /// Starts a program that ends when `input` is closed.
    private func child(readingFrom input: [Int32]) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input[0], 0)
        posix_spawn_file_actions_addclose(&actions, input[1])
        var words = [strdup("/bin/cat"), nil]
        defer { free(words[0]) }
        var pid: pid_t = 0
        #expect(posix_spawn(&pid, "/bin/cat", &actions, nil, &words, nil) == 0)
        return pid
    }

    @Test("the end of a process is seen once it has come, and not before")
    func end() async throws {
        var input: [Int32] = [-1, -1]
        #expect(pipe(&input) == 0)
        for end in input { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let pid = child(readingFrom: input)
        let watch = try #require(ProcessWatch(pid: pid))
        let ended = Event()
        let waiting = Task.immediate {
            await watch.ended()
            ended.fire()
        }
        #expect(ended.count == 0, "it waits for its input")
        for end in input { close(end) }
        await waiting.value
        var status: Int32 = -1
        #expect(waitpid(pid, &status, WNOHANG) == pid && status == 0)
        // It also works if the process has ended already and was reaped.
        await watch.ended()
    }

    @Test("there is nothing to watch where there is no process")
    func nobody() {
        #expect(ProcessWatch(pid: Int32.max) == nil)
        #expect(ProcessWatch(pid: -1) == nil)
    }
}
