/// What `--pulseboard-swift_opt` can say.
public struct GeneratorParameters: Hashable, Sendable {
    /// The access level of everything generated.
    public enum Visibility: String, Hashable, Sendable {
        case `public`, package, `internal`
    }

    /// The Clang module that holds protoc-c's output for the same files. Required.
    public var cModule: String
    /// Swift modules that hold the types of imported files, in the order given.
    public var imports: [String] = []
    /// Default: `public`.
    public var visibility = Visibility.public

    /// Reads protoc's parameter: `CModule=Name,Import=Name,Import=Name,Visibility=package`.
    /// - Throws: ``GenerationError`` for an unknown key, a bad value, or a missing `CModule`.
    public init(parsing parameter: String) throws(GenerationError) {
        var cModule: String?
        for part in parameter.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else {
                throw GenerationError(at: "parameter", "`\(part)` is not of the form key=value")
            }
            switch pair[0] {
            case "CModule":
                cModule = pair[1]
            case "Import":
                imports.append(pair[1])
            case "Visibility":
                guard let visibility = Visibility(rawValue: pair[1]) else {
                    throw GenerationError(
                        at: "parameter", "Visibility is public, package or internal, not `\(pair[1])`")
                }
                self.visibility = visibility
            default:
                throw GenerationError(
                    at: "parameter", "`\(pair[0])` is unknown; there are CModule, Import and Visibility")
            }
        }
        guard let cModule else {
            throw GenerationError(
                at: "parameter", "CModule is missing: the Clang module that holds protoc-c's output for these files")
        }
        self.cModule = cModule
    }
}
