import Glibc
import RPCCore
import WireBytes

/// The method of the request before, and how a request for it begins: clients make many calls of one method, and encoders write its names first.
struct KnownMethod {
    private let storage: Storage
    /// The same to look at, valid as long as this value is kept.
    let lent: Lent

    private final class Storage {
        let method: RegisteredMethod
        let prefix: UnsafeMutableRawBufferPointer

        init(_ method: RegisteredMethod) {
            self.method = method
            var bytes: [UInt8] = []
            appendField(1, method.service.utf8, to: &bytes)
            appendField(2, method.method.utf8, to: &bytes)
            prefix = .allocate(byteCount: bytes.count, alignment: 1)
            prefix.copyBytes(from: bytes)
        }

        deinit { prefix.deallocate() }
    }

    /// Without references of its own: to count those would be a tenth of a call.
    struct Lent {
        let method: Unmanaged<RegisteredMethod>
        fileprivate let prefix: UnsafeRawBufferPointer

        /// How many bytes at the front of an envelope name the method; 0 when others do.
        func match(_ envelope: UnsafeRawBufferPointer) -> Int {
            guard envelope.count >= prefix.count, let start = envelope.baseAddress, let known = prefix.baseAddress else { return 0 }
            return memcmp(known, start, prefix.count) == 0 ? prefix.count : 0
        }
    }

    init(_ method: RegisteredMethod) {
        storage = Storage(method)
        lent = Lent(method: .passUnretained(method), prefix: UnsafeRawBufferPointer(storage.prefix))
    }
}
