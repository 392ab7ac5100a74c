/// The version of PulseBoard's API and programs. `--version`, the server's ready line and `GetServerInfo` show it. A test compares
/// CHANGELOG.md and the pages that show it.
public let pulseBoardVersion = "0.1.0"
