import Dispatch
import Glibc

/// The task in which a program does its work.
package enum ProgramTask {
    /// Does the work on the main actor, as an asynchronous `main` would, and exits with its code.
    ///
    /// libdispatch tells syslog when it may not raise the priority of the main actor's thread, which only root may. So every run of a program would
    /// leave a line in the machine's log. Nothing else in these programs uses syslog(3): the server speaks to the journal itself.
    package static func run(_ work: @escaping @MainActor @Sendable () async -> Int32) -> Never {
        setlogmask(1 << LOG_EMERG)
        Task { @MainActor in await end(work) }
        dispatchMain()
    }

    @MainActor private static func end(_ work: @MainActor @Sendable () async -> Int32) async {
        exit(await work())
    }
}
