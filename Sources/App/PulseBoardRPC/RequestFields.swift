import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices

// What handlers read from the fields of their requests. What cannot be read is a violation of the field it stands in.

/// Reads an identifier.
func identifier<ID: UUIDIdentifier>(_ text: String, field: String) throws(RepositoryError) -> ID {
    try validated { () throws(ValidationError) in try ID.parse(text, field: field) }
}

/// Reads the identifiers of a batch; every malformed one is named by its index, unless there are too many of them.
func identifiers<ID: UUIDIdentifier>(_ texts: [String], field: String) throws(RepositoryError) -> [ID] {
    try requireAtMost(BatchRequest.maximumSize, itemsIn: field, texts.count)
    var violations: [FieldViolation] = []
    var identifiers: [ID] = []
    identifiers.reserveCapacity(texts.count)
    for (index, text) in texts.enumerated() {
        if let identifier = ID(text: text) {
            identifiers.append(identifier)
        } else {
            violations.append(FieldViolation(field: "\(field)[\(index)]", reason: .identifierInvalid))
        }
    }
    guard violations.isEmpty else { throw .invalid(ValidationError(violations)) }
    return identifiers
}

/// Reads the user of `user_id`; without one, the caller is meant.
func user(_ text: String, _ caller: Caller) throws(RepositoryError) -> UserID {
    text.isEmpty ? caller.userID : try identifier(text, field: "user_id")
}

/// Reads the paging fields of a list request.
func pageRequest(_ size: Int32, _ token: String) throws(RepositoryError) -> PageRequest {
    try validated { () throws(ValidationError) in try PageRequest(size: Int(size), token: token) }
}

/// Reads the device of a sign-in.
func device(_ message: PBDevice?) throws(RepositoryError) -> Device? {
    guard let message else { return nil }
    return try validated { () throws(ValidationError) in try Device(id: message.id, name: message.name, platform: message.platform) }
}

/// Maximum bytes of one chunk of an upload.
let maximumUploadChunkBytes = 1 << 20

/// Reads a chunk of an upload.
/// - Parameter bytes: `nil` if the message has another part.
func chunk(_ bytes: [UInt8]?) throws(RepositoryError) -> [UInt8] {
    guard let bytes else { throw .invalid("chunk", .fieldMissing) }
    guard bytes.count <= maximumUploadChunkBytes else { throw .invalid("chunk", .imageTooLarge, limit: maximumUploadChunkBytes) }
    return bytes
}
