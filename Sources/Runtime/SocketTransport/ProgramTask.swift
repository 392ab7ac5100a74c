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
        replaceClosedStandardFiles()
        Task { @MainActor in await end(work) }
        dispatchMain()
    }

    /// Gives a closed standard descriptor a file. Otherwise the program's own files, such as an event loop's, would take its number, and what is
    /// printed would go into them. A read finds the end. A write fails, as it does on a closed descriptor.
    private static func replaceClosedStandardFiles() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    @MainActor private static func end(_ work: @MainActor @Sendable () async -> Int32) async {
        exit(await work())
    }
}
