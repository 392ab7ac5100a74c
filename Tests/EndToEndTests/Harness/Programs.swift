import Foundation
import Testing

/// The paths of the programs under test.
enum Programs {
    static let server = built("pulseboardd")
    static let commandLine = built("pulseboard")
    static let imageProgram = built("pulseboard-image")
    /// The server for tests with other gRPC clients: see Tests/interop-server.
    static let interopServer = built("interop-server")
    /// The client for tests with other servers: see Tests/interop-client.
    static let interopClient = built("interop-client")

    /// The root of the repository.
    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Programs are built into the folder of the test bundle, the executable of this process.
    private static func built(_ name: String) -> String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
    }
}

/// The ttrpc client in Go: see Tests/Interop/go.
enum GoPeer {
    /// The path of Debian's package that the interop tests need.
    private static let ttrpc = "/usr/share/gocode/src/github.com/containerd/ttrpc/client.go"

    /// Whether to run the interop tests. In CI they always run: there, an absent peer is a failure and not a reason to skip.
    static let isExpected = ProcessInfo.processInfo.environment["CI"] != nil || isInstalled

    /// Why they do not run, for the test report.
    static let absence: Comment = "the Go peer needs golang-go and golang-github-containerd-ttrpc-dev: run `make test`"

    private static var isInstalled: Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return FileManager.default.isReadableFile(atPath: ttrpc)
            && path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: $0 + "/go") }
    }

    /// Builds the peer once for all tests, and returns its path. Go's cache makes this fast if it was built before.
    static func program() async throws -> String { try await building.value }

    private static let building = Task {
        let build = try ChildProcess(
            Programs.repository + "/Scripts/interop-build", [], environment: ProcessInfo.processInfo.environment)
        let exit = try await build.ended()
        let progress = build.progress.current
        try #require(exit == .status(0), "the Go peer does not build:\n\(progress.errorText)")
        return progress.outputText.trimmingCharacters(in: .newlines)
    }
}

/// The gRPC clients in Python: see Tests/Interop/python.
enum PythonPeer {
    /// Whether to run their tests. In CI they always run: there, an absent peer is a failure and not a reason to skip.
    static let isExpected = ProcessInfo.processInfo.environment["CI"] != nil || isInstalled

    /// Why they do not run, for the test report.
    static let absence: Comment = "the Python gRPC clients are not installed: run `make interop`, or `make test`"

    private static var isInstalled: Bool {
        let tools = (try? FileManager.default.contentsOfDirectory(atPath: Programs.repository + "/.build-tools")) ?? []
        return tools.contains { $0.hasPrefix("interop-python-") }
    }

    /// The path of one of the clients.
    static func client(_ name: String) -> String { Programs.repository + "/Tests/Interop/python/\(name).py" }

    /// The interpreter with the packages. They are installed once for all tests.
    static func interpreter() async throws -> String { try await installing.value }

    private static let installing = Task {
        let install = try ChildProcess(
            Programs.repository + "/Scripts/interop-python", [], environment: ProcessInfo.processInfo.environment)
        let exit = try await install.ended()
        let progress = install.progress.current
        try #require(exit == .status(0), "the Python peers cannot be installed:\n\(progress.errorText)")
        return progress.outputText.trimmingCharacters(in: .newlines)
    }
}

/// `buf curl`, which calls gRPC servers by reflection: see Scripts/buf.
enum BufPeer {
    static let program = Programs.repository + "/Scripts/buf"

    /// Whether to run its test. In CI it always runs: there, an absent peer is a failure and not a reason to skip.
    static let isExpected = ProcessInfo.processInfo.environment["CI"] != nil || isInstalled

    /// Why it does not run, for whoever reads the test report.
    static let absence: Comment = "buf is not installed: run `make lint`, or `make test`"

    private static var isInstalled: Bool {
        let tools = (try? FileManager.default.contentsOfDirectory(atPath: Programs.repository + "/.build-tools")) ?? []
        return tools.contains { $0.hasPrefix("buf-") }
    }
}

/// The client of gRPC's interoperability cases in C++: see Tests/Interop/cpp.
enum CppPeer {
    /// Whether to run its tests. In CI they always run: there, an absent peer is a failure and not a reason to skip.
    static let isExpected = ProcessInfo.processInfo.environment["CI"] != nil || isInstalled

    /// Why they do not run, for the test report.
    static let absence: Comment = "the C++ peer needs g++, libgrpc++-dev and protobuf-compiler-grpc: run `make test`"

    private static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/grpc_cpp_plugin")
            && FileManager.default.isReadableFile(atPath: "/usr/include/grpcpp/grpcpp.h")
    }

    /// Builds the program if needed, once for all tests, and returns its path.
    static func program() async throws -> String { try await building.value }

    private static let building = Task {
        let build = try ChildProcess(Programs.repository + "/Scripts/interop-cpp", [], environment: ProcessInfo.processInfo.environment)
        let exit = try await build.ended()
        let progress = build.progress.current
        try #require(exit == .status(0), "the C++ peer does not build:\n\(progress.errorText)")
        return progress.outputText.trimmingCharacters(in: .newlines)
    }
}
