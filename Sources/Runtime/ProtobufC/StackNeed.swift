#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Bytes of stack that reading and writing generated messages takes.
///
/// Swift keeps a frame for each message around the one at hand, and the frame grows with the fields. A message of 150 fields takes some 10 KiB
/// of stack in a release build and some 40 KiB in a debug build. So the need of all levels is estimated, from above, by the sizes of the C
/// structs. A message that needs more than ``ofCaller`` continues on a thread that has it.
@usableFromInline
enum StackNeed {
    /// What a message may take of the caller's stack. With what protobuf-c and the checks take, 256 KiB are enough.
    @usableFromInline static var ofCaller: Int { 64 << 10 }

    /// What one level takes at most.
    static func ofLevel(structSize: Int) -> Int {
        _isDebugAssertConfiguration() ? 2048 + 32 * structSize : 512 + 8 * structSize
    }

    /// What protobuf-c's parser takes for each level, together with what rewrites the bytes before.
    static let ofParserLevel = 4096
    /// How many levels of that there are on the caller's stack.
    static let parserLevelsOfCaller = 12
    /// What everything else takes that runs on a new stack.
    static let ofRest = 128 << 10

    /// What an array or object in a JSON text takes while it is read, and how many of them are read on the caller's stack.
    static let ofTextLevel = 32 << 10
    static let textLevelsOfCaller = 6

    /// What 16 levels of JSON take, written. They are not counted by size: writing continues on a new stack where ``isFull(atDepth:)`` says.
    static let ofJSONLevels = 256 << 10

    /// Whether writing JSON goes on with a new stack at that level.
    static func isFull(atDepth depth: Int) -> Bool { depth & 15 == 15 }

    /// Runs `body` on a thread of its own with a stack of at least `byteCount` bytes, and waits for it.
    /// - Returns: false when the system makes no such thread; `body` was not called then.
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
                        // Whoever made the thread waits for it, and passed the closure's address.
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
