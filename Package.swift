// swift-tools-version: 6.2
import PackageDescription

/// An async function runs where its caller runs (SE-0461), so a service that finds its answer in memory returns it
/// without leaving the caller's event loop.
let staysWithCaller: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// The PulseBoard package. Targets are listed bottom-up: each may import only what stands above it.
/// `docs/architecture.md` says what each holds and why the arrows point the way they do.
let package = Package(
    name: "PulseBoard",
    products: [
        .executable(name: "pulseboardd", targets: ["pulseboardd"]),
        .executable(name: "pulseboard", targets: ["pulseboard"]),
        .executable(name: "protoc-gen-pulseboard-swift", targets: ["protoc-gen-pulseboard-swift"]),
        // What generated messages and stubs are built on, the C among them included.
        .library(
            name: "PulseRPCMessages",
            targets: ["RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "WellKnownTypesC"]),
        .library(name: "PulseRPCServer", targets: ["RPCServer", "RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "SocketTransport"]),
        // Apart from the server: a program links all of a product, and these take 0.4 MB of its text.
        .library(name: "PulseRPCStandardServices", targets: ["RPCStandardServices", "StandardServiceMessages"]),
        .library(name: "PulseRPCClient", targets: ["RPCClient", "RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "SocketTransport"]),
        .library(name: "PulseBoardServices", targets: ["PulseBoardDomain", "PulseBoardServices", "StoreSQLite"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Of the tests only.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // MARK: protobuf-c and the messages
        .systemLibrary(
            name: "CProtobufC", pkgConfig: "libprotobuf-c", providers: [.apt(["libprotobuf-c-dev"])]),
        .target(name: "WellKnownTypesC", dependencies: ["CProtobufC"]),
        .target(name: "CompilerPluginC", dependencies: ["CProtobufC"]),
        .target(name: "StandardServicesC", dependencies: ["CProtobufC"]),
        .target(name: "PulseBoardC", dependencies: ["CProtobufC", "WellKnownTypesC"]),
        .target(name: "ProtobufC", dependencies: ["CProtobufC"]),
        .target(name: "ProtobufWellKnownTypes", dependencies: ["ProtobufC", "WellKnownTypesC"]),
        .target(name: "ProtobufSchema", dependencies: ["ProtobufC", "CProtobufC", "CompilerPluginC"]),
        .target(name: "RPCCodeGeneration", dependencies: ["CompilerPluginC"]),
        .executableTarget(name: "protoc-gen-pulseboard-swift", dependencies: ["RPCCodeGeneration"]),

        // MARK: the RPC runtime
        .target(name: "RPCCore", dependencies: ["ProtobufC", .product(name: "Logging", package: "swift-log")]),
        .target(name: "WireBytes", dependencies: ["RPCCore"]),
        .target(name: "TTRPC", dependencies: ["RPCCore", "ProtobufC", "WireBytes"]),
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "GRPC", dependencies: ["RPCCore", "ProtobufC", "WireBytes", "CNGHTTP2", "CZlib"]),
        .systemLibrary(name: "CLinuxSockets"),
        .target(name: "SocketTransport", dependencies: ["CLinuxSockets"]),
        .target(
            name: "RPCServer",
            dependencies: [
                "ProtobufC", "ProtobufWellKnownTypes", "RPCCore", "TTRPC", "GRPC", "SocketTransport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "RPCClient", dependencies: ["ProtobufC", "RPCCore", "TTRPC", "GRPC", "SocketTransport"]),
        // gRPC's health and reflection, the plugin's Swift for Proto/grpc among it.
        .target(name: "StandardServiceMessages", dependencies: ["ProtobufC", "StandardServicesC", "RPCCore"]),
        .target(name: "ReflectionV1AlphaMessages", dependencies: ["ProtobufC", "StandardServicesC", "RPCCore"]),
        .target(
            name: "RPCStandardServices",
            dependencies: ["ProtobufC", "RPCCore", "StandardServiceMessages", "ReflectionV1AlphaMessages"]),

        // MARK: PulseBoard
        .target(
            name: "PulseBoardMessages",
            dependencies: ["ProtobufC", "ProtobufWellKnownTypes", "PulseBoardC", "RPCCore"],
            swiftSettings: staysWithCaller),
        .target(name: "PulseBoardDomain", swiftSettings: staysWithCaller),
        .target(
            name: "PulseBoardServices",
            dependencies: ["PulseBoardDomain", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: staysWithCaller),
        .target(
            name: "StoreSQLite",
            dependencies: [
                "PulseBoardDomain", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: staysWithCaller),
        .target(
            name: "PulseBoardRPC",
            dependencies: [
                "ProtobufC", "PulseBoardDomain", "PulseBoardServices", "PulseBoardMessages", "ProtobufWellKnownTypes", "RPCCore",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: staysWithCaller),
        .executableTarget(
            name: "pulseboardd",
            dependencies: [
                "RPCCore", "RPCServer", "RPCStandardServices", "SocketTransport", "PulseBoardDomain", "PulseBoardMessages",
                "PulseBoardRPC", "PulseBoardServices", "StoreSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .target(
            name: "PulseBoardCLI",
            dependencies: [
                "RPCClient", "RPCCore", "SocketTransport", "PulseBoardMessages", "ProtobufC", "ProtobufSchema",
                "ProtobufWellKnownTypes", "StandardServiceMessages",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "pulseboard", dependencies: ["PulseBoardCLI"]),
        .testTarget(
            name: "PulseBoardCLITests",
            dependencies: [
                "PulseBoardCLI", "RPCCore", "SocketTransport", "PulseBoardMessages", "ProtobufC", "ProtobufWellKnownTypes",
                "PulseBoardDomain", "StandardServiceMessages",
            ],
            resources: [.copy("Resources/help.txt")]),

        // MARK: tests of the RPC runtime
        .testTarget(name: "RPCCoreTests", dependencies: ["RPCCore", "ProtobufC", "ProtobufWellKnownTypes"]),
        .testTarget(
            name: "TTRPCTests", dependencies: ["TTRPC", "RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "WireBytes"]),
        .testTarget(
            name: "GRPCTests",
            dependencies: [
                "GRPC", "RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "WireBytes", "CNGHTTP2", "CZlib",
            ]),
        .testTarget(name: "SocketTransportTests", dependencies: ["SocketTransport", "CLinuxSockets"]),
        .testTarget(
            name: "RPCServerTests",
            dependencies: [
                "RPCServer", "RPCClient", "RPCCore", "TTRPC", "SocketTransport", "CLinuxSockets", "ProtobufC",
                "ProtobufWellKnownTypes", .product(name: "Logging", package: "swift-log"),
            ]),

        // A server and a client for the tests with programs that others wrote, which are in Tests/Interop.
        .target(
            name: "InteropMessagesC", dependencies: ["CProtobufC"], path: "Tests/Interop/Messages/C"),
        .target(
            name: "InteropMessages", dependencies: ["ProtobufC", "InteropMessagesC", "RPCCore"],
            path: "Tests/Interop/Messages/Swift"),
        .executableTarget(
            name: "interop-server",
            dependencies: [
                "RPCCore", "RPCServer", "SocketTransport", "ProtobufWellKnownTypes", "InteropMessages",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/interop-server"),
        .executableTarget(
            name: "interop-client",
            dependencies: [
                "RPCCore", "RPCClient", "InteropMessages", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/interop-client"),

        // MARK: tests of the domain, the services and the stores
        // What every store must do, as cases any test target can run: a second store runs the same suite.
        .target(
            name: "RepositoryContract", dependencies: ["PulseBoardDomain"], path: "Tests/RepositoryContract",
            swiftSettings: staysWithCaller),
        .testTarget(name: "PulseBoardDomainTests", dependencies: ["PulseBoardDomain"]),
        .testTarget(
            name: "PulseBoardServicesTests",
            dependencies: ["PulseBoardServices", "PulseBoardDomain", "StoreSQLite", "RepositoryContract"],
            swiftSettings: staysWithCaller),
        .testTarget(
            name: "StoreSQLiteTests",
            dependencies: [
                "StoreSQLite", "PulseBoardDomain", "RepositoryContract", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: staysWithCaller),
        // MARK: tests of the handlers, over a socket
        .testTarget(
            name: "PulseBoardRPCTests",
            dependencies: [
                "PulseBoardRPC", "PulseBoardServices", "PulseBoardDomain", "PulseBoardMessages", "StoreSQLite", "RPCServer",
                "RPCClient", "RPCCore", "SocketTransport", "ProtobufWellKnownTypes",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // MARK: tests of the built programs
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "RPCClient", "RPCCore", "ProtobufWellKnownTypes", "PulseBoardMessages", "StoreSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // MARK: tests of the plugin: its output for the protos in Golden, compiled and run
        .target(
            name: "GoldenMessagesC", dependencies: ["CProtobufC", "WellKnownTypesC"],
            path: "Tests/RPCCodeGenerationTests/Golden/C"),
        .target(
            name: "GoldenMessages",
            dependencies: ["ProtobufC", "ProtobufWellKnownTypes", "GoldenMessagesC", "RPCCore"],
            path: "Tests/RPCCodeGenerationTests/Golden/Swift"),
        .testTarget(
            name: "RPCCodeGenerationTests",
            dependencies: [
                "RPCCodeGeneration", "GoldenMessages", "ProtobufC", "ProtobufWellKnownTypes", "RPCCore",
                "protoc-gen-pulseboard-swift", .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "ProtobufSchemaTests",
            dependencies: ["ProtobufSchema", "GoldenMessages", "ProtobufC", "ProtobufWellKnownTypes", "StandardServiceMessages"]),
        .testTarget(
            name: "RPCStandardServicesTests",
            dependencies: [
                "RPCStandardServices", "StandardServiceMessages", "ProtobufC", "ProtobufSchema", "RPCCore", "GoldenMessages",
            ]),
        .testTarget(name: "ProtobufWellKnownTypesTests", dependencies: ["ProtobufWellKnownTypes", "ProtobufC"]),
        // MARK: what `make fuzz` feeds with bytes, and the same on known ones as tests
        .target(name: "FuzzCounters", path: "Tests/FuzzCounters"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "TTRPC", "GRPC", "RPCCore", "ProtobufC", "ProtobufSchema", "ProtobufWellKnownTypes", "PulseBoardMessages", "GoldenMessages",
            ],
            path: "Tests/FuzzTargets"),
        .executableTarget(name: "fuzz", dependencies: ["FuzzTargets", "FuzzCounters"], path: "Tests/fuzz"),
        .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets"]),
        // MARK: tests
        .target(
            name: "ProtobufCTestMessages", dependencies: ["CProtobufC", "WellKnownTypesC"],
            path: "Tests/ProtobufCTestMessages",
            exclude: ["generate.sh", "test_messages.proto", "test_required.proto", "test_well_known.proto"]),
        .testTarget(
            name: "ProtobufCTests",
            dependencies: ["CProtobufC", "ProtobufC", "ProtobufCTestMessages", "ProtobufWellKnownTypes"]),
    ],
    swiftLanguageModes: [.v6]
)
