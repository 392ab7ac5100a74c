import PulseBoardVocabulary

/// Shows the progress of a load, on a terminal only.
struct LoadProgress: Sendable {
    let isShown: Bool
    let columns: Int
    let language: Language
    let write: @Sendable (String) -> Void

    /// Shows the progress of a queue until the returned ticker is finished.
    func follow(_ queue: WorkQueue, _ phase: LoadPhaseName) -> Ticker {
        guard isShown else { return Ticker(task: nil) }
        let bar = ProgressBar(label: phase.phrase.text(in: language), total: queue.count, columns: columns)
        let clock = ContinuousClock()
        let start = clock.now
        let write = write
        return Ticker(
            task: Task {
                while !Task.isCancelled {
                    write("\r" + bar.line(done: queue.done, elapsed: clock.now - start) + "\u{1B}[K")
                    try? await Task.sleep(for: .milliseconds(200))
                }
                write("\r" + bar.line(done: queue.done, elapsed: clock.now - start) + "\u{1B}[K\n")
            })
    }

    /// A progress line that is being redrawn.
    struct Ticker: Sendable {
        fileprivate let task: Task<Void, Never>?

        /// Draws the line for the last time and ends it.
        func finish() async {
            task?.cancel()
            await task?.value
        }
    }
}
