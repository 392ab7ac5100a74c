extension SQLiteStore {
    /// How long a wait for the directory pauses between two looks.
    private static let pause = Duration.milliseconds(10)

    /// Opens the store of a directory, waiting for a process that is about to leave it.
    ///
    /// One process at a time may have the directory, so a server that takes over from another waits for the other's last write.
    /// The lock is looked at, not queued for: a queued `flock` cannot be given up after a while.
    /// - Parameters:
    ///   - directory: as for `init`.
    ///   - patience: how long a directory in use is waited for; the pauses are counted, not the time between them.
    ///   - willMigrate: as for `init`.
    ///   - willWait: called once, before the first pause, with the process that has the directory, as far as that is known.
    /// - Throws: `StoreOpeningError.locked` when it is still in use then; every other failure at once.
    public static func open(
        directory: String, patience: Duration, willMigrate: () -> Void = {}, willWait: (_ holder: Int32?) -> Void = { _ in }
    ) async throws(StoreOpeningError) -> SQLiteStore {
        try await open(directory: directory, patience: patience, willMigrate: willMigrate, willWait: willWait) {
            try? await Task.sleep(for: $0)
        }
    }

    /// The same with the pause to be taken.
    static func open(
        directory: String, patience: Duration, willMigrate: () -> Void = {}, willWait: (_ holder: Int32?) -> Void = { _ in },
        pausing: (Duration) async -> Void
    ) async throws(StoreOpeningError) -> SQLiteStore {
        var left = patience
        while true {
            do throws(StoreOpeningError) {
                return try SQLiteStore(directory: directory, willMigrate: willMigrate)
            } catch {
                guard case .locked(_, let holder) = error, left > .zero, !Task.isCancelled else { throw error }
                if left == patience { willWait(holder) }
            }
            await pausing(Self.pause)
            left -= Self.pause
        }
    }
}
