/// A name that the caller gives to one write, so that a retry is recognised (AIP-155).
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// Longest request id in bytes.
    public static let maximumBytes = 64

    public let text: String

    /// Reads a request id: `nil` for an empty text (no id was given).
    ///
    /// - Throws: `ValidationError` for the field `request_id` unless it is printable ASCII of at most 64 bytes.
    public static func parse(_ text: String) throws(ValidationError) -> RequestID? {
        guard !text.isEmpty else { return nil }
        guard text.utf8.count <= maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError(field: "request_id", reason: .requestIDInvalid, limit: maximumBytes)
        }
        return RequestID(text: text)
    }

    public var description: String { text }
}

/// Identifies a retried write by the caller's request id and the SHA-256 of the request.
///
/// Each user has their own ids. The store records the pair and the result in the transaction of the write. So a retry
/// gets the first result, even after a restart. Another request with the same id is refused (`requestIDReused`).
public struct IdempotencyKey: Hashable, Sendable {
    public let requestID: RequestID
    /// SHA-256 of the method and its canonical request, 32 bytes.
    public let fingerprint: [UInt8]

    public init(requestID: RequestID, fingerprint: [UInt8]) {
        precondition(fingerprint.count == 32, "a fingerprint is a SHA-256")
        self.requestID = requestID
        self.fingerprint = fingerprint
    }

    /// How long a store must remember a write.
    public static let retention: Timestamp.Interval = .hours(24)
}
