import Foundation
import Testing

/// User namespaces (user_namespaces(7)), in which other users have no uid.
enum Namespaces {
    static let unshare = "/usr/bin/unshare"

    /// Whether this machine permits user namespaces; some containers do not.
    static let arePossible: Bool = {
        let trial = Process()
        trial.executableURL = URL(filePath: unshare)
        trial.arguments = ["--user", "true"]
        trial.standardError = FileHandle.nullDevice
        guard (try? trial.run()) != nil else { return false }
        trial.waitUntilExit()
        return trial.terminationStatus == 0
    }()

    /// Why their tests do not run, for the test report.
    static let absence: Comment = "this machine lets nobody make a user namespace"
}
