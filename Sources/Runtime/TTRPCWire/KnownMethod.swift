import RPCCore

/// The method of the request before: clients make many calls of one method, and encoders write its names first.
struct KnownMethod {
    private let held: RegisteredMethod
    /// The same to look at, valid as long as this value is kept. To count references to it would be two atomic instructions a call.
    let lent: Unmanaged<RegisteredMethod>

    init(_ method: RegisteredMethod) {
        held = method
        lent = .passUnretained(method)
    }
}

extension Unmanaged<RegisteredMethod> {
    /// How many bytes at the front of an envelope name the method; 0 when they do not.
    func match(_ envelope: UnsafeRawBufferPointer) -> Int { _withUnsafeGuaranteedRef { $0.matchName(at: envelope.bytes) } }
}
