import FoundationEssentials
import TestIdentityProvider
import Testing

@testable import IDTokens

@Suite("The configuration of ID tokens") struct ConfigurationTests {
    private static let good = [
        "name": "\"google\"", "issuer": "\"https://accounts.google.com\"", "audiences": "[\"app\"]", "algorithms": "[\"RS256\"]",
        "jwks_file": "\"google.jwks.json\"",
    ]

    private func read(_ changes: [String: String?]) throws -> IDTokenConfiguration {
        var members: [String: String] = Self.good
        for (name, value) in changes { members[name] = value }
        return try IDTokenConfiguration(json: Array("{\"issuers\":[\(json(members))]}".utf8), directory: "/etc/pulseboard")
    }

    @Test("What is left out has its default")
    func defaults() throws {
        let configuration = try read([:])
        let issuer = configuration.issuers[0]
        #expect(issuer.nonce == .server && issuer.clockSkewSeconds == 60 && issuer.maximumAgeSeconds == 86_400 && issuer.signInsPerSecond == 500)
        #expect(issuer.jwksFile == "/etc/pulseboard/google.jwks.json" && issuer.aliases == [])
        #expect(configuration.signInsPerSecondPerCaller == 50)
        #expect(try read(["jwks_file": "\"/srv/keys\""]).issuers[0].jwksFile == "/srv/keys")
    }

    @Test("Every policy for nonces has its name", arguments: ["server", "client-hashed", "client", "off"])
    func noncePolicies(_ name: String) throws {
        #expect(try read(["nonce": quoted(name)]).issuers[0].nonce.rawValue == name)
    }

    private static let faults: [(String, String?)] = [
        ("name", nil), ("name", "\"\""), ("name", "\"Google\""), ("name", quoted(String(repeating: "g", count: 33))), ("name", "7"),
        ("issuer", nil), ("issuer", "\"http://id.example\""), ("issuer", "\"unix\""), ("issuer", "\"account\""), ("issuer", "\"https://\""),
        ("issuer", quoted("https://" + String(repeating: "x", count: 248))), ("issuer", "\"https://a b\""),
        ("aliases", "[\"\"]"), ("aliases", "[\(Array(repeating: "\"a\"", count: 9).joined(separator: ","))]"),
        ("aliases", "[\"https://accounts.google.com\"]"), ("audiences", nil), ("audiences", "[]"), ("audiences", "[\"\"]"), ("audiences", "\"app\""),
        ("audiences", "[\((0...32).map { "\"a\($0)\"" }.joined(separator: ","))]"), ("algorithms", "[]"), ("algorithms", "[\"none\"]"),
        ("algorithms", "[\"HS256\"]"), ("algorithms", "[\"RS256\",\"RS256\"]"), ("jwks_file", nil), ("jwks_file", "\"\""),
        ("nonce", "\"none\""), ("clock_skew_seconds", "301"), ("clock_skew_seconds", "-1"), ("clock_skew_seconds", "1.5"),
        ("maximum_age_seconds", "59"), ("maximum_age_seconds", "2592001"), ("sign_ins_per_second", "0"), ("sign_ins_per_second", "100001"),
        ("audience", "\"app\""),
    ]

    @Test("What is out of its bounds is refused by its name", arguments: faults)
    func refused(_ name: String, _ value: String?) throws {
        let error = #expect(throws: IDTokenConfigurationError.self) { _ = try read([name: value]) }
        let words = try #require(error?.description)
        #expect(error?.phrase.korean.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } == true, "\(words)")
        #expect(words.contains(name == "aliases" && value?.contains("https") == true ? "stands for two issuers" : name), "\(words)")
    }

    @Test("1 to 64 issuers, of different names and addresses")
    func issuers() throws {
        func read(_ count: Int, _ change: (Int) -> [String: String] = { _ in [:] }) throws -> IDTokenConfiguration {
            let entries = (0..<count).map { number in
                json(
                    Self.good.merging(["name": "\"i\(number)\"", "issuer": "\"https://i\(number).example\""]) { $1 }
                        .merging(change(number)) { $1 })
            }
            return try IDTokenConfiguration(json: Array("{\"issuers\":[\(entries.joined(separator: ","))]}".utf8), directory: "")
        }
        #expect(try read(64).issuers.count == 64)
        #expect(throws: IDTokenConfigurationError.self) { _ = try read(65) }
        #expect(throws: IDTokenConfigurationError.self) { _ = try read(0) }
        #expect(throws: IDTokenConfigurationError.self) { _ = try read(2) { _ in ["name": "\"same\""] } }
        #expect(throws: IDTokenConfigurationError.self) { _ = try read(2) { $0 == 0 ? [:] : ["aliases": "[\"https://i0.example\"]"] } }
    }

    @Test("A file that is absent, or no JSON, is refused with its path")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "oidc-\(UUID().uuidString).json").path
        let error = #expect(throws: IDTokenConfigurationError.self) { _ = try IDTokenConfiguration(path: path) }
        #expect(error?.description.contains(path) == true)
        try Data("{\"issuers\":[\(json(Self.good))]".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: IDTokenConfigurationError.self) { _ = try IDTokenConfiguration(path: path) }
        try Data("{\"issuers\":[\(json(Self.good))]}".utf8).write(to: URL(filePath: path))
        let folder = FileManager.default.temporaryDirectory.path
        #expect(
            try IDTokenConfiguration(path: path).issuers[0].jwksFile
                == "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/google.jwks.json")
    }
}
