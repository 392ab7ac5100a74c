/// The version of PulseBoard's API and programs: what `--version`, the server's ready line and `GetServerInfo` say. CHANGELOG.md and the pages
/// that show it are compared with it by a test.
public let pulseBoardVersion = "0.1.0"
