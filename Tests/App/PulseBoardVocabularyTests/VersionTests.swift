import Foundation
import PulseBoardVocabulary
import Testing

@Suite("The version") struct VersionTests {
    /// The repository.
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test("the changelog's newest heading is the version, and pages show it as a server would")
    func pages() throws {
        let heading = try #require(try text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(
            heading == "## \(pulseBoardVersion)" || heading == "## Unreleased / \(pulseBoardVersion)" || heading.hasPrefix("## \(pulseBoardVersion) ")
        )
        for page in ["README.md", "docs/operating.md"] {
            let versions = try text(page).matches(of: /pulseboardd (\d+\.\d+\.\d+)/).map { String($0.output.1) }
            #expect(!versions.isEmpty)
            #expect(versions.allSatisfy { $0 == pulseBoardVersion })
        }
    }

    @Test("the Debian package has the version, and a package that depends on this one asks for it")
    func packages() throws {
        let debian = try #require(try text("debian/changelog").split(separator: "\n").first)
        #expect(debian.hasPrefix("pulseboard (\(pulseBoardVersion)) "), "\(debian)")
        for file in ["docs/your-own-service.md", "docs/releasing.md", "Examples/Greeter/Package.swift", "Scripts/new-service"] {
            let versions = try text(file).matches(of: /pulseboard\.git", from: "([^"]*)"/).map { String($0.output.1) }
            #expect(!versions.isEmpty && versions.allSatisfy { $0 == pulseBoardVersion }, "\(file): \(versions)")
        }
        let installing = try text("docs/installing.md")
        let installed = installing.matches(of: /build\/deb\/pulseboard(?:-server)?_(\d+\.\d+\.\d+)_amd64/).map { String($0.output.1) }
        #expect(!installed.isEmpty && installed.allSatisfy { $0 == pulseBoardVersion }, "\(installed)")
    }

    @Test("no source but the one that declares it spells the version")
    func oneConstant() throws {
        let sources = Self.root.appending(path: "Sources/App")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        let spelling = try files.filter { try text("Sources/App/" + $0).contains("\"\(pulseBoardVersion)") }
        #expect(spelling == ["PulseBoardVocabulary/Version.swift"])
    }
}
