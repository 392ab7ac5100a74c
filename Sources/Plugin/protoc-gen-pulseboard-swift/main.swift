import RPCCodeGeneration

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// protoc runs this program with a request on its standard input and reads the response from its standard output.

/// Ends the program with a message for protoc to pass on.
func fail(_ problem: String) -> Never {
    let text = "protoc-gen-pulseboard-swift: \(problem): errno \(errno)\n"
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(1)
}

var request: [UInt8] = []
var chunk = [UInt8](repeating: 0, count: 65_536)
while true {
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    if count == 0 { break }
    if count > 0 {
        request += chunk[..<count]
    } else if errno != EINTR {
        fail("cannot read the request")
    }
}

var response = CodeGenerator.response(to: request, protocC: ProtocC.answer)[...]
while !response.isEmpty {
    let count = response.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if count > 0 {
        response = response.dropFirst(count)
    } else if errno != EINTR {
        fail("cannot write the response")
    }
}
