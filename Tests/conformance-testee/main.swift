import Glibc

// Speaks the protocol of Google's conformance runner. Each request and each answer is a message after its length in four bytes
// (little-endian). It ends with its input.
//
//   conformance-testee                                the messages that the plugin has generated
//   conformance-testee --dynamic [DESCRIPTORS]        the same types made at run time, and those of a FileDescriptorSet

/// Reads `count` bytes of standard input; `nil` at its end.
func input(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
        let read = bytes[filled...].withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { return nil }
        filled += read
    }
    return bytes
}

/// Writes all bytes to standard output.
func output(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { exit(1) }
        rest = rest.dropFirst(written)
    }
}

// The runner passes the program's own path once more before its arguments.
let arguments = CommandLine.arguments
let option = arguments.firstIndex(of: "--dynamic")
let testee: Testee
do {
    testee = try Testee(isDynamic: option != nil, descriptors: option.flatMap { arguments[($0 + 1)...].first })
} catch {
    print("conformance-testee: \(error)")
    exit(1)
}
while let length = input(4) {
    guard let request = input(length.reversed().reduce(0) { $0 << 8 | Int($1) }) else { break }
    let answer = testee.answer(to: request)
    output((0..<4).map { UInt8(truncatingIfNeeded: answer.count >> (8 * $0)) } + answer)
}
