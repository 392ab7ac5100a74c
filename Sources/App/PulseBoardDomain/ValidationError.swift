import PulseBoardVocabulary

/// One rule that one field of a request broke.
public struct FieldViolation: Hashable, Sendable {
    /// The field's path as the request spells it, such as `username` or `user_ids[3]`.
    public let field: String
    /// The broken rule.
    public let reason: Reason
    /// The exceeded limit, if the rule has one, in the unit of the reason's text.
    public let limit: Int?
    /// When the request becomes possible, if the rule is about time.
    public let availableTime: Timestamp?

    public init(field: String, reason: Reason, limit: Int? = nil, availableTime: Timestamp? = nil) {
        self.field = field
        self.reason = reason
        self.limit = limit
        self.availableTime = availableTime
    }

    /// The text for people.
    public func message(in language: Language) -> String {
        reason.text(limit: limit, of: ProfileTextField(path: field)).text(in: language)
    }
}

/// A request breaks at least one rule. It has **every** violation, so that a form can mark all its fields after one
/// answer.
public struct ValidationError: Error, Hashable, Sendable {
    /// In the order of the request's fields, and for each field in the order of its rules (B18). Never empty.
    public let violations: [FieldViolation]

    /// Takes at least one violation.
    public init(_ violations: [FieldViolation]) {
        precondition(!violations.isEmpty, "a validation error names what was violated")
        self.violations = violations
    }

    public init(field: String, reason: Reason, limit: Int? = nil) {
        self.init([FieldViolation(field: field, reason: reason, limit: limit)])
    }

    /// The same violations in a message that is itself a field of the request.
    /// - Parameter path: the path of that field, such as `mutations[3]`.
    public func inside(_ path: String) -> ValidationError {
        ValidationError(violations.map {
            FieldViolation(field: "\(path).\($0.field)", reason: $0.reason, limit: $0.limit, availableTime: $0.availableTime)
        })
    }
}

extension FieldViolation {
    /// Longest path of an update mask in bytes that an error repeats. For a longer one the error names `update_mask`.
    static let maximumPathBytes = 64

    /// A path of an update mask that cannot be changed: the path itself is the field.
    /// - Parameter readOnly: the paths that exist but are read-only.
    package static func refusedPath(_ path: String, readOnly: Set<String>) -> FieldViolation {
        guard path.utf8.count <= maximumPathBytes else { return FieldViolation(field: "update_mask", reason: .fieldUnknown) }
        let isReadOnly = readOnly.contains(path.prefix { $0 != "." }.description)
        return FieldViolation(field: path, reason: isReadOnly ? .fieldReadOnly : .fieldUnknown)
    }
}

extension RepositoryError {
    /// One field of a request that breaks one rule.
    package static func invalid(_ field: String, _ reason: Reason, limit: Int? = nil) -> RepositoryError {
        .invalid(ValidationError(field: field, reason: reason, limit: limit))
    }
}

/// Refuses a list by the number of its items, before any of them is read.
package func requireAtMost(_ limit: Int, itemsIn field: String, _ count: Int) throws(RepositoryError) {
    guard count <= limit else { throw .invalid(field, .tooManyItems, limit: limit) }
}

/// Runs checks of a request and turns their verdict into the domain's error.
package func validated<Value>(_ check: () throws(ValidationError) -> Value) throws(RepositoryError) -> Value {
    do throws(ValidationError) { return try check() } catch { throw .invalid(error) }
}

/// Long texts of one user that are checked at once. More wait in their order, so that others find a thread.
private let longTexts = UserPlaces(limit: 2)

/// The same for a user's request with a long text. A text of more than 4 KiB is checked on another thread, because normalising the longest one could
/// delay the event loop by milliseconds.
package func validated<Value: Sendable>(
    text: String, of user: UserID, _ check: @Sendable () throws(ValidationError) -> Value
) async throws(RepositoryError) -> Value {
    guard text.utf8.count > 4 << 10 else { return try validated(check) }
    let place = try await longTexts.take(user)
    defer { withExtendedLifetime(place) {} }
    let result = await withTaskExecutorPreference(globalConcurrentExecutor) { () async -> Result<Value, ValidationError> in
        do throws(ValidationError) { return .success(try check()) } catch { return .failure(error) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw .invalid(error)
    }
}
