/// A method as people write it: `pkg.Service/Method`, or with a dot in place of the slash.
struct MethodName: Sendable, Hashable {
    /// Full name of the service.
    let service: String
    let method: String

    /// Nil for a text that names no method.
    init?(_ text: String) {
        var text = Substring(text)
        if text.first == "/" { text = text.dropFirst() }
        guard let separator = text.lastIndex(of: "/") ?? text.lastIndex(of: ".") else { return nil }
        service = String(text[..<separator])
        method = String(text[text.index(after: separator)...])
        guard !service.isEmpty, !method.isEmpty, !service.contains("/") else { return nil }
    }
}
