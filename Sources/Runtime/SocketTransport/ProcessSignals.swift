import CLinuxSockets
import Dispatch
import Glibc

/// A signal that a program can wait for.
public enum ProcessSignal: Sendable, Hashable {
    /// SIGTERM, what `kill` and service managers send.
    case terminate
    /// SIGINT, what Ctrl-C sends.
    case interrupt
    /// SIGHUP. A closed terminal sends it. Log rotation sends it so that a program opens its log again.
    case hangUp

    var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        }
    }
}

/// Receives signals of this process. While the value exists, these signals do not end the process.
///
///     let signals = await ProcessSignals([.terminate, .interrupt, .hangUp])
///     server.start(on: socket)
///     while await signals.next() == .hangUp { server.setLimits(readLimits()) }
///     await server.shutdown(gracePeriod: .seconds(10))
public final class ProcessSignals: @unchecked Sendable {
    // Sendable: nothing changes after init. A Dispatch source may be cancelled on any thread, but Swift does not know it as Sendable.
    private let sources: [any DispatchSourceSignal]
    private let heard: AsyncStream<ProcessSignal>

    /// Begins to receive signals. A signal that comes after this has returned is not missed.
    public init(_ signals: Set<ProcessSignal>) async {
        let (heard, continuation) = AsyncStream.makeStream(of: ProcessSignal.self)
        self.heard = heard
        let queue = DispatchQueue(label: "process.signals")
        sources = signals.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
            source.setEventHandler { continuation.yield(signal) }
            return source
        }
        for source in sources {
            await withCheckedContinuation { (registered: CheckedContinuation<Void, Never>) in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// Waits for the next signal; nil when the waiting task is cancelled. One task at a time.
    @discardableResult
    public func next() async -> ProcessSignal? {
        var iterator = heard.makeAsyncIterator()
        return await iterator.next()
    }
}

/// Waits for the end of a process that is not a child, such as the server of a socket.
///
///     if let server = ProcessWatch(pid: pid) { await server.ended() }
///
/// It holds the process by a descriptor (pidfd_open(2), Linux 5.3). So another process that gets the same id later is not confused with it.
public final class ProcessWatch: Sendable {
    private let descriptor: Int32

    /// Nil if there is no such process, or if it cannot be seen, for example from another pid namespace.
    public init?(pid: Int32) {
        let descriptor = pulse_pidfd_open(pid)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Returns when the process has ended. Ignores cancellation.
    public func ended() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
            source.setEventHandler { source.cancel() }
            // Not earlier, because the source uses the descriptor until then.
            source.setCancelHandler { continuation.resume() }
            source.activate()
        }
    }
}
