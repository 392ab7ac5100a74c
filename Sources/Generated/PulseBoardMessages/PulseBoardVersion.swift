/// The version of PulseBoard's API and programs, as `--version` and the server's ready line say it.
public let pulseBoardVersion = "0.1.0"
