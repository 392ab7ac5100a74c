import PulseBoardDomain
import PulseBoardVocabulary
import Testing

@testable import PulseBoardServices
@testable import SocketTransport

/// The figures that `CONTRIBUTING.md` gives are those of the code.
@Suite struct ContributingFactTests {
    @Test("CONTRIBUTING.md gives the figures of the code")
    func figures() throws {
        let refusal = Written.milliseconds(Listener.pauseAfterRefusals), shortage = Written.milliseconds(Listener.pauseWithoutDescriptors)
        let turns = Written.word(Listener.turnsBeforePause)
        let names = UsernameRules.defaultLength
        let status = ProfileTextField.statusMessage.facts
        let bytes = Written.count(status.maximumBytes)
        let bytesInCode = bytes.replacing(",", with: "_")
        let documented = [
            "pauses accepting: \(refusal) after \(turns) turns with refused connections, \(shortage) without a free descriptor",
            "Its default, \(names.lowerBound) to \(names.upperBound): `defaultLength`",
            "an element every \(Watch.heartbeat.microseconds / 1_000_000) s |",
            "-e \(status.maximumCharacters) -e \(bytes) -e \(bytesInCode)`",
        ]
        let page = try Page("CONTRIBUTING.md").text
        #expect(documented.filter { !page.contains($0) } == [], "the page does not say these")
    }

    @Test("The pages name the Swift version of Package.swift", arguments: ["README.md", "CONTRIBUTING.md", "docs/your-own-service.md"])
    func swiftVersion(page: String) throws {
        let manifest = try Page("Package.swift").text
        let version = try #require(try /swift-tools-version: (\d+\.\d+)/.firstMatch(in: manifest)?.1)
        #expect(try Page(page).text.contains("Swift \(version) or later"))
    }
}
