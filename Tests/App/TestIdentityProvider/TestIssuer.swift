import FoundationEssentials
import Glibc
import IDTokens
import PulseBoardDomain

/// A configuration and its key file in a temporary folder.
package final class TestIssuer {
    package let folder: String
    package let time = TestTime()
    package let log = TestLog()
    package let tokens: ConfiguredIDTokens
    package var path: String { folder + "/keys.json" }

    /// - Parameter settings: members of the issuer with JSON values, in addition to the usual ones or instead of them.
    package init(_ keys: [String], _ settings: [String: String] = [:]) throws {
        folder = try makeFolder()
        try write(keys, to: folder + "/keys.json")
        var members = [
            "name": "\"example\"", "issuer": "\"https://id.example\"", "aliases": "[\"id.example\"]", "audiences": "[\"app\",\"other\"]",
            "algorithms": "[\"RS256\",\"ES256\",\"EdDSA\"]", "jwks_file": "\"keys.json\"", "nonce": "\"client\"",
        ]
        for (name, value) in settings { members[name] = value }
        let text = "{\"issuers\":[\(json(members))]}"
        tokens = ConfiguredIDTokens(
            try IDTokenConfiguration(json: Array(text.utf8), directory: folder), clock: time, logger: log.logger, uptime: time.uptime)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Verifies a token: returns its account, or why it is refused.
    package func judge(_ token: String, nonce: String = "n-1") async -> Result<VerifiedIDToken, IDTokenRefusal> {
        do throws(IDTokenRefusal) {
            return .success(try await tokens.verify(token, nonce: nonce, at: time.now()))
        } catch {
            return .failure(error)
        }
    }
}

extension Result where Success == VerifiedIDToken, Failure == IDTokenRefusal {
    package var refusal: IDTokenRefusal? { if case .failure(let refusal) = self { refusal } else { nil } }
    package var account: AccountID? { try? get().account }
}

private func makeFolder() throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "id-tokens-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}

/// Replaces a file as `pulseboard-jwks@` does: the new file is written beside it and renamed.
package func write(_ keys: [String], to path: String) throws { try replace(path, "{\"keys\":[\(keys.joined(separator: ","))]}") }

package func replace(_ path: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path + ".new"))
    guard rename(path + ".new", path) == 0 else { throw POSIXFailure(code: errno) }
}

package struct POSIXFailure: Error { let code: Int32 }
