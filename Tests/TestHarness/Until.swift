import Dispatch

/// Waits until something is true that happens on other threads or in another process. It looks every millisecond, so that they have the processor
/// meanwhile. It also returns when the task is cancelled.
nonisolated(nonsending) package func until(_ condition: nonisolated(nonsending) () async throws -> Bool) async rethrows {
    while try await !condition(), !Task.isCancelled {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
        }
    }
}
