/// Gives random bytes. It is injected, so that a test can predict identifiers and tokens.
public protocol RandomSource: Sendable {
    /// `count` bytes. Tokens are made of them, so an implementation outside tests must be cryptographically strong.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's cryptographically strong generator (`getrandom` on Linux).
public struct SystemRandomSource: RandomSource {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        // Eight bytes a system call, not one.
        while bytes.count < count {
            withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
