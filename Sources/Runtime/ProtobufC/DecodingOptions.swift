/// Limits of one decode.
public struct DecodingOptions: Sendable, Hashable {
    /// How many messages may lie inside each other below the outermost one. protobuf-c has no such limit and recurses on
    /// the stack. Values outside 0…``maximumNestingDepth`` are taken as the nearer end. Default 32.
    public var maxNestingDepth: Int

    /// Bytes that protobuf-c may take for the unpacked form; `nil` = 8 MiB + 8 × input.
    ///
    /// The factor is what a message of many small fields needs (a one-byte `int64` in a packed field takes 8 bytes); the
    /// base lets small ones through whatever their shape. Two bytes of empty submessage take more than 60.
    public var arenaBudget: Int?

    /// The deepest nesting that may be asked for, in levels. Measured: a debug build reads and writes that in a 512 KiB stack,
    /// a release build in 256 KiB.
    public static let maximumNestingDepth = 100

    /// The defaults, or other limits.
    public init(maxNestingDepth: Int = 32, arenaBudget: Int? = nil) {
        self.maxNestingDepth = maxNestingDepth
        self.arenaBudget = arenaBudget
    }

    /// The nesting limit within its bounds.
    @inlinable var nestingLimit: Int { min(max(maxNestingDepth, 0), Self.maximumNestingDepth) }

    /// The budget in bytes for an input of `inputSize` bytes.
    @inlinable
    func budget(forInputOf inputSize: Int) -> Int {
        arenaBudget ?? (8 << 20) + 8 * inputSize
    }
}
