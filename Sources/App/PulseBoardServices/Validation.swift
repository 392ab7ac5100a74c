import PulseBoardDomain

/// Runs checks of a request and turns a `ValidationError` into a `RepositoryError`.
func validated<Value>(
    _ check: () throws(ValidationError) -> Value
) throws(RepositoryError) -> Value {
    do {
        return try check()
    } catch {
        throw .invalid(error)
    }
}

/// Maximum users in one batch request.
package let maximumBatchSize = 100

/// Refuses a batch of more than ``maximumBatchSize`` users before any id is read. - Throws: `invalid` for `field`.
package func checkBatch(of count: Int, field: String = "user_ids") throws(RepositoryError) {
    guard count <= maximumBatchSize else {
        throw .invalid(ValidationError(field: field, reason: .tooManyItems, limit: maximumBatchSize))
    }
}
