/// The JSON documents that a call's requests are made of: from the command line, or from standard input as they come.
struct RequestDocuments: Sendable {
    private var waiting: [String] = []
    private var cutter = JSONDocuments()
    private var readLine: (@Sendable () -> String?)?

    /// - Parameter data: what `-d` says: documents, or `@` for standard input; nil for none.
    init(_ data: String?, environment: CommandEnvironment) {
        if data == "@" {
            readLine = environment.readLine
        } else if let data {
            waiting = cutter.append(data)
            if let rest = cutter.finish() { waiting.append(rest) }
        }
    }

    /// The next document; nil at the end. Waits for standard input.
    mutating func next() -> String? {
        while waiting.isEmpty, let readLine {
            guard let line = readLine() else {
                self.readLine = nil
                return cutter.finish()
            }
            waiting = cutter.append(line + "\n")
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}
