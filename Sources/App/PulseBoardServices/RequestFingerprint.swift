import Crypto
import PulseBoardDomain
import PulseBoardVocabulary

/// The SHA-256 of a method and its canonical request: two requests have one fingerprint only if they ask the same.
///
/// Every part is written with its length before it, so that no two lists of parts run together to the same bytes.
struct RequestFingerprint {
    private var hash = SHA256()

    init(method: StaticString) {
        add(method.description)
    }

    mutating func add(_ text: String) {
        addBytes(Array(text.utf8))
    }

    mutating func add(_ id: UserID) {
        addBytes(id.bits.bytes)
    }

    /// A field that came after the first release counts only when it is set: a request without it is what it was before.
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

    /// The key to give the store, or `nil` when the caller gave no request id.
    func key(_ requestID: RequestID?) -> IdempotencyKey? {
        requestID.map { IdempotencyKey(requestID: $0, fingerprint: [UInt8](hash.finalize())) }
    }
}
