/// Why no Swift could be written for a schema: a text for the person who runs `protoc`, which prints it.
public struct GenerationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and where, beginning with the file or the full name of the declaration.
    public let description: String

    /// An error at a file or at the full name of a declaration.
    init(at place: String, _ problem: String) {
        description = "\(place): \(problem)"
    }
}
