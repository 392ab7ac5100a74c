import Crypto
import PulseBoardDomain
import PulseBoardVocabulary

/// The SHA-256 of a method and its canonical request. Only equal requests have the same fingerprint.
///
/// Each part follows its length, so that different lists of parts never give the same bytes.
struct RequestFingerprint {
    private var hash = SHA256()

    init(method: StaticString) {
        add(method.description)
    }

    mutating func add(_ text: String) {
        addBytes(Array(text.utf8))
    }

    mutating func add(_ bytes: [UInt8]) { addBytes(bytes) }

    mutating func add(_ id: UserID) {
        addBytes(id.bits.bytes)
    }

    /// A field that is newer than the first release counts only when it is set. So requests without it keep their
    /// fingerprint.
    mutating func add(_ texts: ProfileTexts) {
        for field in ProfileTextField.allCases {
            if field.facts.isOriginal {
                add(texts[field])
            } else if !texts[field].isEmpty {
                add(field.facts.path)
                add(texts[field])
            }
        }
    }

    private mutating func addBytes(_ bytes: [UInt8]) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: bytes)
    }

    /// The key for the store, or `nil` without a request id.
    func key(_ requestID: RequestID?) -> IdempotencyKey? {
        requestID.map { IdempotencyKey(requestID: $0, fingerprint: [UInt8](hash.finalize())) }
    }
}
