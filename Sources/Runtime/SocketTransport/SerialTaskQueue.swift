import Dispatch
import Synchronization

/// Runs tasks outside of the event loops, one job at a time, on a Dispatch thread. For work that would delay a loop.
///
/// The jobs come in lines, which take turns. So a line with many jobs delays each other line by one job.
public final class SerialTaskQueue: Sendable {
    private let queue: DispatchQueue
    private let turns = Mutex(Turns())

    private struct Turns {
        /// The jobs of the lines that have some, the oldest first.
        var jobs: [ObjectIdentifier: [UnownedJob]] = [:]
        /// These lines, in the order of their turns.
        var lines: [Line] = []
    }

    /// - Parameter label: the queue's name, as debuggers show it.
    public init(label: String) { queue = DispatchQueue(label: label) }

    /// Makes an executor whose jobs are one line.
    public func makeLine() -> Line { Line(of: self) }

    /// A line of jobs, in their order.
    public final class Line: TaskExecutor {
        private let owner: SerialTaskQueue

        fileprivate init(of owner: SerialTaskQueue) { self.owner = owner }

        /// Runs a job after all earlier ones of this line.
        public func enqueue(_ job: consuming ExecutorJob) { owner.enqueue(UnownedJob(job), of: self) }
    }

    private func enqueue(_ job: UnownedJob, of line: Line) {
        turns.withLock { turns in
            if turns.jobs[ObjectIdentifier(line), default: []].isEmpty { turns.lines.append(line) }
            turns.jobs[ObjectIdentifier(line), default: []].append(job)
        }
        // As many runs as jobs. Which job a run takes is decided when it begins.
        queue.async { self.runNext() }
    }

    private func runNext() {
        let (job, line) = turns.withLock { turns in
            let line = turns.lines.removeFirst()
            var rest = turns.jobs.removeValue(forKey: ObjectIdentifier(line)) ?? []
            let job = rest.removeFirst()
            if !rest.isEmpty {
                turns.jobs[ObjectIdentifier(line)] = rest
                turns.lines.append(line)
            }
            return (job, line)
        }
        job.runSynchronously(on: line.asUnownedTaskExecutor())
    }
}
