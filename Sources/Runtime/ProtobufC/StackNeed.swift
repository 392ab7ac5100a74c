#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Bytes of stack that reading and writing generated messages needs.
///
/// Swift has a stack frame for each nested message, and the frame grows with the fields. A message of 150 fields takes about 10 KiB
/// of stack in a release build and about 40 KiB in a debug build. So an upper bound for all levels is computed from the sizes of the C
/// structs. A message that needs more than ``ofCaller`` continues on a thread with enough stack.
@usableFromInline
enum StackNeed {
    /// The most stack of the caller that a message uses. With the needs of protobuf-c and the checks, 256 KiB are enough.
    @usableFromInline static var ofCaller: Int { 64 << 10 }

    /// The upper bound for one level.
    static func ofLevel(structSize: Int) -> Int {
        _isDebugAssertConfiguration() ? 2048 + 32 * structSize : 512 + 8 * structSize
    }

    /// The stack for each level of protobuf-c's parser, and of the rewriting before.
    static let ofParserLevel = 4096
    /// The number of such levels on the caller's stack.
    static let parserLevelsOfCaller = 12
    /// The stack for everything else on a new stack.
    static let ofRest = 128 << 10

    /// The stack for reading an array or object in a JSON text, and how many nested ones are read on the caller's stack.
    static let ofTextLevel = 32 << 10
    static let textLevelsOfCaller = 6

    /// The stack for writing ``jsonLevels`` + 1 levels of JSON. One more is needed because a map's entry and the message in it are two levels.
    static let ofJSONLevels = 256 << 10
    /// How many levels of JSON are written before the next message gets a new stack. Their sizes are not counted.
    static let jsonLevels = 15

    /// Runs `body` on a thread of its own with a stack of at least `byteCount` bytes, and waits for it.
    /// - Returns: false if the system cannot make such a thread. Then `body` is not called.
    static func onNewStack(byteCount: Int, _ body: () -> Void) -> Bool {
        withoutActuallyEscaping(body) { body in
            var attributes = pthread_attr_t()
            guard pthread_attr_init(&attributes) == 0 else { return false }
            defer { pthread_attr_destroy(&attributes) }
            let pages = (byteCount + 0xFFFF) & ~0xFFFF
            guard pthread_attr_setstacksize(&attributes, pages) == 0 else { return false }
            var work = body
            return withUnsafeMutablePointer(to: &work) { work in
                var thread = pthread_t()
                let made = pthread_create(
                    &thread, &attributes,
                    {
                        // The creator of the thread waits for it, and has passed the closure's address.
                        $0?.assumingMemoryBound(to: (() -> Void).self).pointee()
                        return nil
                    }, work)
                guard made == 0 else { return false }
                pthread_join(thread, nil)
                return true
            }
        }
    }
}
