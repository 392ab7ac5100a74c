import CompilerPluginC

/// The comments of one file, found by the place of a declaration.
///
/// A place is protoc's path: field numbers and indexes from the FileDescriptorProto down, such as `[4, 0, 2, 1]` for the
/// second field (`field` = 2) of the first message (`message_type` = 4).
struct SourceComments {
    private var comments: [[Int32]: [String]] = [:]

    init(c info: Google__Protobuf__SourceCodeInfo?) {
        guard let info else { return }
        for location in elements(info.n_location, info.location) {
            let path = Array(UnsafeBufferPointer(start: location.path, count: location.n_path))
            let leading = String(optional: location.leading_comments)
            let text = leading.isEmpty ? String(optional: location.trailing_comments) : leading
            let lines = Self.lines(of: text)
            if !lines.isEmpty { comments[path] = lines }
        }
    }

    /// The comment above the declaration at a place, or else the one behind it.
    subscript(path: [Int32]) -> [String] { comments[path] ?? [] }

    /// The lines without the blank that follows `//` and without empty lines at either end.
    static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line.hasPrefix(" ") ? line.dropFirst() : line
            while line.last?.isWhitespace == true { line.removeLast() }
            return String(line)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        return lines
    }
}
