/// Gives random bytes; injected, so that a test can foresee identifiers and tokens.
public protocol RandomSource: Sendable {
    /// `count` bytes. Tokens are made of them, so an implementation outside tests must be cryptographically strong.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's cryptographically strong generator (`getrandom` on Linux).
public struct SystemRandomSource: RandomSource {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
