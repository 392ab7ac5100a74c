import PulseBoardDomain

/// Runs checks of a request and turns their verdict into the domain's error.
func validated<Value>(
    _ check: () throws(ValidationError) -> Value
) throws(RepositoryError) -> Value {
    do {
        return try check()
    } catch {
        throw .invalid(error)
    }
}

/// Most users one batch may ask for.
package let maximumBatchSize = 100

/// Refuses a batch of more than 100 users by their number, before any of their texts is read.
package func checkBatch(of count: Int, field: String = "user_ids") throws(RepositoryError) {
    guard count <= maximumBatchSize else {
        throw .invalid(ValidationError(field: field, reason: .tooManyItems, limit: maximumBatchSize))
    }
}
