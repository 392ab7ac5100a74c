import RPCCodeGeneration

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// protoc-c's own plugin, found on the `PATH`.
enum ProtocC {
    /// The program's name. Debian has it in protobuf-c-compiler, and `protoc-c` is a link to it.
    static let program = "protoc-gen-c"

    /// Sends a request and returns the response. Its standard error goes to this program's standard error.
    /// - Throws: ``GenerationError`` when there is no such program, or it fails.
    static func answer(to request: [UInt8]) throws(GenerationError) -> [UInt8] {
        // Files without names instead of pipes, so that no side waits for the other.
        guard let input = tmpfile(), let output = tmpfile() else { throw failure("cannot make a temporary file") }
        defer {
            fclose(input)
            fclose(output)
        }
        guard fwrite(request, 1, request.count, input) == request.count, fflush(input) == 0 else {
            throw failure("cannot write a temporary file")
        }
        rewind(input)
        try run(input: fileno(input), output: fileno(output))
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        rewind(output)
        while true {
            let count = fread(&chunk, 1, chunk.count, output)
            if count == 0 { break }
            answer += chunk[..<count]
        }
        return answer
    }

    private static func run(input: CInt, output: CInt) throws(GenerationError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        let name = strdup(program)
        defer { free(name) }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, &actions, nil, [name, nil], environ)
        guard result == 0 else {
            errno = result
            throw failure("it cannot be run: is it on the PATH? Debian has it in protobuf-c-compiler")
        }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw failure("cannot wait for it") }
        }
        // The lower 7 bits are the signal that ended it, the next byte its exit code.
        guard status == 0 else {
            let end = status & 0x7F == 0 ? "it failed with exit code \(status >> 8 & 0xFF)" : "it crashed with signal \(status & 0x7F)"
            throw GenerationError(at: program, end)
        }
    }

    private static func failure(_ problem: String) -> GenerationError {
        GenerationError(at: program, "\(problem): \(String(cString: strerror(errno)))")
    }
}
