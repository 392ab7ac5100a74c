// swift-tools-version: 6.2
import PackageDescription

/// With this setting, an async function runs on its caller's executor (SE-0461). So a service that finds its answer in memory does not leave the
/// event loop.
let staysWithCaller: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// For dependencies that only PulseBoard itself and the tests need. The trait `App` is on by default. A package that uses only the RPC runtime
/// switches it off (`traits: []`), and then resolves only swift-log.
let ofTheApp = TargetDependencyCondition.when(traits: ["App"])

/// The PulseBoard package. Targets are listed bottom-up: each may import only what stands above it.
/// `docs/architecture.md` describes each target.
let package = Package(
    name: "PulseBoard",
    products: [
        .executable(name: "pulseboardd", targets: ["pulseboardd"]),
        .executable(name: "pulseboard", targets: ["pulseboard"]),
        .executable(name: "protoc-gen-pulseboard-swift", targets: ["protoc-gen-pulseboard-swift"]),
        // The modules that generated messages need, and their C code.
        .library(
            name: "PulseRPCMessages",
            targets: ["RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "WellKnownTypesC"]),
        .library(name: "PulseRPCServer", targets: ["RPCServer", "RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "SocketTransport"]),
        // A separate product, because a program links all of a product, and not every server needs these.
        .library(name: "PulseRPCStandardServices", targets: ["RPCStandardServices", "StandardServiceMessages"]),
        .library(name: "PulseRPCClient", targets: ["RPCClient", "RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "SocketTransport"]),
        // A server and its client in one process, for tests of your own services.
        .library(name: "PulseRPCTesting", targets: ["RPCTesting"]),
        // The messages and clients of PulseBoard's own API.
        .library(name: "PulseBoardMessages", targets: ["PulseBoardMessages"]),
        // The diary of a client's device. It depends on no module of the server.
        .library(name: "PulseBoardDiary", targets: ["PulseBoardDiary", "PulseBoardDomain"]),
        .library(name: "PulseBoardServices", targets: ["PulseBoardDomain", "PulseBoardServices", "PulseBoardVocabulary", "StoreSQLite"]),
    ],
    traits: [
        .trait(name: "App", description: "PulseBoard itself: its services, its store, its programs, and the tests."),
        .default(enabledTraits: ["App"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // MARK: protobuf-c and the messages
        .systemLibrary(
            name: "CProtobufC",
            path: "Sources/System/CProtobufC", pkgConfig: "libprotobuf-c", providers: [.apt(["libprotobuf-c-dev"])]),
        .target(name: "WellKnownTypesC", dependencies: ["CProtobufC"], path: "Sources/Generated/WellKnownTypesC"),
        .target(name: "CompilerPluginC", dependencies: ["CProtobufC"], path: "Sources/Generated/CompilerPluginC"),
        .target(name: "StandardServicesC", dependencies: ["CProtobufC"], path: "Sources/Generated/StandardServicesC"),
        .target(name: "PulseBoardC", dependencies: ["CProtobufC", "WellKnownTypesC"], path: "Sources/Generated/PulseBoardC"),
        .target(name: "ProtobufC", dependencies: ["CProtobufC"], path: "Sources/Runtime/ProtobufC"),
        .target(
            name: "ProtobufWellKnownTypes",
            dependencies: ["ProtobufC", "WellKnownTypesC"],
            path: "Sources/Runtime/ProtobufWellKnownTypes"),
        .target(
            name: "ProtobufSchema",
            dependencies: ["ProtobufC", "CProtobufC", "CompilerPluginC"],
            path: "Sources/Runtime/ProtobufSchema"),
        .target(name: "RPCCodeGeneration", dependencies: ["CompilerPluginC"], path: "Sources/Plugin/RPCCodeGeneration"),
        .executableTarget(
            name: "protoc-gen-pulseboard-swift",
            dependencies: ["RPCCodeGeneration"],
            path: "Sources/Plugin/protoc-gen-pulseboard-swift"),

        // MARK: the RPC runtime
        .target(
            name: "RPCCore",
            dependencies: ["ProtobufC", "ProtobufWellKnownTypes", .product(name: "Logging", package: "swift-log")],
            path: "Sources/Runtime/RPCCore"),
        .target(name: "WireBytes", dependencies: ["RPCCore"], path: "Sources/Runtime/WireBytes"),
        .target(name: "TTRPCWire", dependencies: ["RPCCore", "ProtobufC", "WireBytes"], path: "Sources/Runtime/TTRPCWire"),
        .systemLibrary(name: "CNGHTTP2",
            path: "Sources/System/CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CZlib", path: "Sources/System/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "GRPCWire",
            dependencies: ["RPCCore", "ProtobufC", "WireBytes", "CNGHTTP2", "CZlib"],
            path: "Sources/Runtime/GRPCWire"),
        .systemLibrary(name: "CLinuxSockets", path: "Sources/System/CLinuxSockets"),
        .target(name: "SocketTransport", dependencies: ["CLinuxSockets"], path: "Sources/Runtime/SocketTransport"),
        .target(
            name: "RPCServer",
            dependencies: [
                "ProtobufC", "RPCCore", "TTRPCWire", "GRPCWire", "SocketTransport",
                .product(name: "Logging", package: "swift-log"),
            ], path: "Sources/Runtime/RPCServer"),
        .target(
            name: "RPCClient",
            dependencies: ["ProtobufC", "RPCCore", "TTRPCWire", "GRPCWire", "SocketTransport"],
            path: "Sources/Runtime/RPCClient"),
        .target(
            name: "RPCTesting",
            dependencies: ["RPCServer", "RPCClient", "RPCCore", "SocketTransport", .product(name: "Logging", package: "swift-log")],
            path: "Sources/Runtime/RPCTesting"),
        // gRPC's health and reflection, and the plugin's Swift for Proto/grpc.
        .target(
            name: "StandardServiceMessages",
            dependencies: ["ProtobufC", "StandardServicesC", "RPCCore"],
            path: "Sources/Generated/StandardServiceMessages"),
        .target(
            name: "ReflectionV1AlphaMessages",
            dependencies: ["ProtobufC", "StandardServicesC", "RPCCore"],
            path: "Sources/Generated/ReflectionV1AlphaMessages"),
        .target(
            name: "RPCStandardServices",
            dependencies: ["ProtobufC", "RPCCore", "StandardServiceMessages", "ReflectionV1AlphaMessages"],
            path: "Sources/Runtime/RPCStandardServices"),

        // MARK: PulseBoard
        // Shared by server and command line: texts, the fields of a profile, the version.
        .target(name: "PulseBoardVocabulary", path: "Sources/App/PulseBoardVocabulary"),
        // Help and usage errors of a program, in Korean and English. argument-parser reads the arguments.
        .target(
            name: "CommandHelp",
            dependencies: [
                "PulseBoardVocabulary", .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofTheApp),
            ], path: "Sources/App/CommandHelp"),
        .target(
            name: "PulseBoardMessages",
            dependencies: ["ProtobufC", "ProtobufWellKnownTypes", "PulseBoardC", "PulseBoardVocabulary", "RPCCore"],
            path: "Sources/Generated/PulseBoardMessages",
            swiftSettings: staysWithCaller),
        .target(
            name: "PulseBoardDomain", dependencies: ["PulseBoardVocabulary"], path: "Sources/App/PulseBoardDomain", swiftSettings: staysWithCaller),
        // Diaries as messages, for the server and for clients.
        .target(
            name: "DiaryMessages", dependencies: ["PulseBoardDomain", "PulseBoardMessages", "ProtobufWellKnownTypes", "RPCCore"],
            path: "Sources/App/DiaryMessages", swiftSettings: staysWithCaller),
        .target(
            name: "PulseBoardServices",
            dependencies: ["PulseBoardDomain", "PulseBoardVocabulary", .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp)],
            path: "Sources/App/PulseBoardServices",
            swiftSettings: staysWithCaller),
        // The files that an operator configures the server with.
        .target(name: "OperatorFiles", dependencies: ["PulseBoardVocabulary"], path: "Sources/App/OperatorFiles"),
        // The encryption of diaries, with keys that are not in the database.
        .target(
            name: "DiarySealing", dependencies: ["OperatorFiles", "PulseBoardVocabulary", .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp)],
            path: "Sources/App/DiarySealing", swiftSettings: staysWithCaller),
        // The repositories on a SQL database: the statements and rules that all SQL stores share.
        .target(
            name: "StoreSQL", dependencies: ["DiarySealing", "PulseBoardDomain", "PulseBoardVocabulary"], path: "Sources/App/StoreSQL",
            swiftSettings: staysWithCaller),
        .target(
            name: "StoreSQLite",
            dependencies: [
                "CLinuxSockets", "DiarySealing", "PulseBoardDomain", "PulseBoardVocabulary", "StoreSQL",
                .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp), .product(name: "GRDB", package: "GRDB.swift", condition: ofTheApp),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: ofTheApp),
            ], path: "Sources/App/StoreSQLite",
            swiftSettings: staysWithCaller),
        // PostgreSQL, for several servers. libpq is not linked; it is loaded when it is first needed.
        .target(
            name: "StorePostgreSQL", dependencies: ["DiarySealing", "PulseBoardDomain", "PulseBoardVocabulary", "StoreSQL"], path: "Sources/App/StorePostgreSQL",
            swiftSettings: staysWithCaller),
        .target(
            name: "PulseBoardRPC",
            dependencies: [
                "DiaryMessages", "ProtobufC", "PulseBoardDomain", "PulseBoardServices", "PulseBoardMessages", "PulseBoardVocabulary",
                "ProtobufWellKnownTypes", "RPCCore", "RPCServer", "SocketTransport",
                .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp), .product(name: "Logging", package: "swift-log"),
            ], path: "Sources/App/PulseBoardRPC",
            swiftSettings: staysWithCaller),
        // ID tokens: the trusted issuers, the files of their keys, and the checks.
        .target(
            name: "IDTokens",
            dependencies: [
                "OperatorFiles", "ProtobufC", "ProtobufWellKnownTypes", "PulseBoardDomain", "PulseBoardVocabulary",
                .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: ofTheApp), .product(name: "Logging", package: "swift-log"),
            ], path: "Sources/App/IDTokens", swiftSettings: staysWithCaller),
        // Pictures: the sandboxed program that decodes them, the code that starts it, and the files of pictures.
        .executableTarget(
            name: "pulseboard-image", path: "Sources/App/pulseboard-image",
            linkerSettings: ["jpeg", "spng", "webp", "webpdemux", "exif", "lcms2", "seccomp", "m"].map { .linkedLibrary($0) }),
        .target(
            name: "ProfileImages",
            dependencies: [
                "PulseBoardDomain", "SocketTransport", .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp),
                .product(name: "Subprocess", package: "swift-subprocess", condition: ofTheApp),
                .product(name: "SystemPackage", package: "swift-system", condition: ofTheApp),
            ],
            path: "Sources/App/ProfileImages", swiftSettings: staysWithCaller),
        // The diary of a client: in a directory, on a server, or both. It depends on no module of the server.
        .target(
            name: "PulseBoardDiary",
            dependencies: [
                "DiaryMessages", "PulseBoardDomain", "PulseBoardMessages", "PulseBoardVocabulary", "ProtobufWellKnownTypes", "RPCClient", "RPCCore",
                .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: ofTheApp),
            ],
            path: "Sources/App/PulseBoardDiary", swiftSettings: staysWithCaller),
        .target(
            name: "ServerLog", dependencies: ["SocketTransport", .product(name: "Logging", package: "swift-log")],
            path: "Sources/App/ServerLog"),
        .executableTarget(
            name: "pulseboardd",
            dependencies: [
                "CommandHelp", "RPCCore", "RPCServer", "RPCStandardServices", "SocketTransport", "ServerLog", "PulseBoardDomain", "PulseBoardMessages",
                "DiarySealing", "PulseBoardRPC", "IDTokens", "OperatorFiles", "ProfileImages", "pulseboard-image", "PulseBoardServices", "PulseBoardVocabulary",
                "StorePostgreSQL", "StoreSQL", "StoreSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofTheApp),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: ofTheApp),
                .product(name: "TOMLKit", package: "TOMLKit", condition: ofTheApp),
            ], path: "Sources/App/pulseboardd"),
        // What the command line needs of a terminal in C: libedit, loaded when it is there, and programs in the foreground.
        .target(name: "CTerminal", path: "Sources/App/CTerminal"),
        .target(
            name: "PulseBoardCLI",
            dependencies: [
                "CTerminal", "CommandHelp", "DiaryMessages", "ProfileImages", "RPCClient", "RPCCore", "SocketTransport", "PulseBoardDiary", "PulseBoardDomain", "PulseBoardMessages", "ProtobufC",
                "ProtobufSchema", "IDTokens", "OperatorFiles", "ProtobufWellKnownTypes", "PulseBoardVocabulary", "StandardServiceMessages", "StoreSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofTheApp),
                .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp),
                .product(name: "SystemPackage", package: "swift-system", condition: ofTheApp),
            ], path: "Sources/App/PulseBoardCLI"),
        .executableTarget(name: "pulseboard", dependencies: ["CommandHelp", "PulseBoardCLI", "SocketTransport"], path: "Sources/App/pulseboard"),

        // MARK: tests of protobuf-c's messages and of the RPC runtime
        // What tests of several targets share.
        .target(name: "TestHarness", dependencies: ["RPCCore", "ProtobufC"], path: "Tests/TestHarness"),
        .target(
            name: "ProtobufCTestMessages", dependencies: ["CProtobufC", "WellKnownTypesC"],
            path: "Tests/Runtime/ProtobufCTestMessages",
            exclude: ["generate.sh", "test_messages.proto", "test_required.proto", "test_well_known.proto"]),
        .testTarget(
            name: "ProtobufCTests",
            dependencies: ["CProtobufC", "ProtobufC", "ProtobufCTestMessages", "ProtobufWellKnownTypes", "TestHarness"],
            path: "Tests/Runtime/ProtobufCTests"),
        .testTarget(
            name: "ProtobufWellKnownTypesTests",
            dependencies: ["ProtobufWellKnownTypes", "ProtobufC"],
            path: "Tests/Runtime/ProtobufWellKnownTypesTests"),
        .testTarget(
            name: "RPCCoreTests",
            dependencies: ["RPCCore", "ProtobufC", "ProtobufWellKnownTypes", .product(name: "Logging", package: "swift-log")],
            path: "Tests/Runtime/RPCCoreTests"),
        .testTarget(
            name: "TTRPCWireTests", dependencies: ["TTRPCWire", "RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "WireBytes", "TestHarness"],
            path: "Tests/Runtime/TTRPCWireTests"),
        .testTarget(
            name: "GRPCWireTests",
            dependencies: [
                "GRPCWire", "RPCCore", "ProtobufC", "ProtobufWellKnownTypes", "WireBytes", "CNGHTTP2", "CZlib", "TestHarness",
            ], path: "Tests/Runtime/GRPCWireTests"),
        .testTarget(
            name: "SocketTransportTests",
            dependencies: ["SocketTransport", "CLinuxSockets", "TestHarness"],
            path: "Tests/Runtime/SocketTransportTests"),
        .testTarget(
            name: "RPCServerTests",
            dependencies: [
                "RPCServer", "RPCClient", "RPCTesting", "RPCCore", "TTRPCWire", "SocketTransport", "CLinuxSockets", "ProtobufC",
                "ProtobufWellKnownTypes", "TestHarness", .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/Runtime/RPCServerTests"),

        // A server and a client for the tests with other implementations, which are in Tests/Interop.
        .target(
            name: "InteropMessagesC", dependencies: ["CProtobufC", "WellKnownTypesC"], path: "Tests/Interop/Messages/C"),
        .target(
            name: "InteropMessages", dependencies: ["ProtobufC", "ProtobufWellKnownTypes", "InteropMessagesC", "RPCCore"],
            path: "Tests/Interop/Messages/Swift"),
        .executableTarget(
            name: "interop-server",
            dependencies: [
                "RPCCore", "RPCServer", "SocketTransport", "ProtobufWellKnownTypes", "InteropMessages",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofTheApp),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/interop-server"),
        .executableTarget(
            name: "interop-client",
            dependencies: [
                "RPCCore", "RPCClient", "InteropMessages", .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofTheApp),
            ],
            path: "Tests/interop-client"),

        // MARK: tests of PulseBoard's modules below the handlers
        // Test cases for every store. Each store's test target runs them.
        .target(
            name: "RepositoryContract", dependencies: ["PulseBoardDomain", "PulseBoardVocabulary"], path: "Tests/App/RepositoryContract",
            swiftSettings: staysWithCaller),
        // Keys and tokens for tests: an identity provider of their own.
        .target(
            name: "TestIdentityProvider",
            dependencies: [
                "IDTokens", "PulseBoardDomain", .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: ofTheApp), .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/App/TestIdentityProvider", swiftSettings: staysWithCaller),
        .testTarget(
            name: "IDTokensTests",
            dependencies: [
                "IDTokens", "PulseBoardDomain", "TestIdentityProvider", "TestHarness", .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: ofTheApp), .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/App/IDTokensTests", swiftSettings: staysWithCaller),
        .testTarget(
            name: "PulseBoardVocabularyTests", dependencies: ["PulseBoardVocabulary", "SocketTransport", "TestHarness"],
            path: "Tests/App/PulseBoardVocabularyTests"),
        .testTarget(
            name: "PulseBoardDomainTests", dependencies: ["PulseBoardDomain", "PulseBoardVocabulary", "TestHarness"],
            path: "Tests/App/PulseBoardDomainTests"),
        .testTarget(
            name: "PulseBoardServicesTests",
            dependencies: [
                "PulseBoardServices", "PulseBoardDomain", "PulseBoardVocabulary", "StoreSQL", "StoreSQLite", "RepositoryContract", "IDTokens",
                "TestIdentityProvider",
            ],
            path: "Tests/App/PulseBoardServicesTests",
            swiftSettings: staysWithCaller),
        .testTarget(name: "DiarySealingTests", dependencies: ["DiarySealing"], path: "Tests/App/DiarySealingTests"),
        .testTarget(
            name: "StoreSQLiteTests",
            dependencies: [
                "DiarySealing", "StoreSQL", "StoreSQLite", "PulseBoardDomain", "PulseBoardVocabulary", "RepositoryContract", "TestHarness", .product(name: "GRDB", package: "GRDB.swift", condition: ofTheApp),
            ], path: "Tests/App/StoreSQLiteTests",
            swiftSettings: staysWithCaller),
        // A PostgreSQL that the tests start themselves.
        .target(name: "TestPostgreSQL", path: "Tests/App/TestPostgreSQL"),
        .testTarget(
            name: "StorePostgreSQLTests",
            dependencies: [
                "DiarySealing", "StorePostgreSQL", "StoreSQL", "StoreSQLite", "PulseBoardDomain", "PulseBoardServices", "PulseBoardVocabulary", "RepositoryContract",
                "TestHarness", "TestPostgreSQL", .product(name: "GRDB", package: "GRDB.swift", condition: ofTheApp),
            ], path: "Tests/App/StorePostgreSQLTests", swiftSettings: staysWithCaller),
        .testTarget(
            name: "ProfileImagesTests",
            dependencies: ["ProfileImages", "PulseBoardDomain", "SocketTransport", "pulseboard-image", .product(name: "Subprocess", package: "swift-subprocess", condition: ofTheApp)],
            path: "Tests/App/ProfileImagesTests"),
        .testTarget(
            name: "ServerLogTests", dependencies: ["ServerLog", "SocketTransport", .product(name: "Logging", package: "swift-log")],
            path: "Tests/App/ServerLogTests"),

        // MARK: tests of the handlers, over a socket
        .testTarget(
            name: "PulseBoardRPCTests",
            dependencies: [
                "ProfileImages", "pulseboard-image", "PulseBoardRPC", "PulseBoardServices", "PulseBoardDomain", "PulseBoardMessages",
                "PulseBoardVocabulary", "StoreSQLite", "RPCServer", "RPCClient", "RPCCore", "SocketTransport", "ProtobufC", "ProtobufSchema",
                "ProtobufWellKnownTypes", "IDTokens",
                "TestIdentityProvider", .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/App/PulseBoardRPCTests"),

        // MARK: tests of the clients: the diary of a device and the command line
        // A simulated disk below SQLite that stops between any two writes.
        .target(name: "FaultyDisk", path: "Tests/App/FaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "PulseBoardDiaryTests",
            dependencies: [
                "FaultyDisk",
                "ProfileImages", "ProtobufWellKnownTypes", "pulseboard-image", "PulseBoardDiary", "PulseBoardDomain", "PulseBoardMessages", "PulseBoardRPC", "PulseBoardServices", "PulseBoardVocabulary",
                "RPCClient", "RPCCore", "RPCServer", "SocketTransport", "StoreSQLite", "TestHarness", .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/App/PulseBoardDiaryTests", swiftSettings: staysWithCaller),
        .testTarget(
            name: "PulseBoardCLITests",
            dependencies: [
                "PulseBoardCLI", "CommandHelp", "ProfileImages", "RPCCore", "SocketTransport", "PulseBoardMessages", "ProtobufC", "ProtobufWellKnownTypes",
                "PulseBoardVocabulary", "StandardServiceMessages", "StoreSQLite", "TestHarness",
                .product(name: "Crypto", package: "swift-crypto", condition: ofTheApp),
                .product(name: "SystemPackage", package: "swift-system", condition: ofTheApp),
            ], path: "Tests/App/PulseBoardCLITests",
            resources: [.copy("Resources/help.txt")]),
        .testTarget(
            name: "CommandHelpTests",
            dependencies: [
                "CommandHelp", "PulseBoardCLI", "PulseBoardVocabulary", "pulseboardd",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofTheApp),
            ], path: "Tests/App/CommandHelpTests"),

        // MARK: tests of the built programs
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "RPCClient", "RPCCore", "ProtobufWellKnownTypes", "PulseBoardDomain", "PulseBoardMessages", "StoreSQLite", "TestIdentityProvider",
                "SocketTransport", "TestPostgreSQL", "TestHarness", "PulseBoardVocabulary",
                .product(name: "GRDB", package: "GRDB.swift", condition: ofTheApp),
            ]),

        // MARK: tests of the pages
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "RPCServer", "RPCClient", "RPCCore", "GRPCWire", "TTRPCWire", "WireBytes", "ProtobufC", "SocketTransport", "PulseBoardDomain",
                "PulseBoardVocabulary", "IDTokens", "PulseBoardServices", "PulseBoardDiary", "PulseBoardCLI", "StoreSQL", "StoreSQLite", "pulseboardd",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofTheApp),
                .product(name: "GRDB", package: "GRDB.swift", condition: ofTheApp),
            ]),

        // MARK: tests of the plugin, and of modules that use its output for the protos in Golden
        .target(
            name: "GoldenMessagesC", dependencies: ["CProtobufC", "WellKnownTypesC"],
            path: "Tests/Plugin/RPCCodeGenerationTests/Golden/C"),
        .target(
            name: "GoldenMessages",
            dependencies: ["ProtobufC", "ProtobufWellKnownTypes", "GoldenMessagesC", "RPCCore"],
            path: "Tests/Plugin/RPCCodeGenerationTests/Golden/Swift"),
        .testTarget(
            name: "RPCCodeGenerationTests",
            dependencies: [
                "RPCCodeGeneration", "GoldenMessages", "ProtobufC", "ProtobufWellKnownTypes", "RPCCore",
                "protoc-gen-pulseboard-swift", .product(name: "Subprocess", package: "swift-subprocess", condition: ofTheApp),
            ], path: "Tests/Plugin/RPCCodeGenerationTests",
            exclude: ["Golden"]),
        .testTarget(
            name: "ProtobufSchemaTests",
            dependencies: ["ProtobufSchema", "GoldenMessages", "ProtobufC", "ProtobufWellKnownTypes", "StandardServiceMessages"],
            path: "Tests/Runtime/ProtobufSchemaTests"),
        .testTarget(
            name: "RPCStandardServicesTests",
            dependencies: [
                "RPCStandardServices", "StandardServiceMessages", "ProtobufC", "ProtobufSchema", "RPCCore", "GoldenMessages",
            ], path: "Tests/Runtime/RPCStandardServicesTests"),

        // MARK: Google's conformance suite: the program that its runner tests, and our own tests of the same messages
        .target(
            name: "ConformanceMessagesC", dependencies: ["CProtobufC", "WellKnownTypesC"], path: "Tests/Conformance/Messages/C"),
        .target(
            name: "ConformanceMessages", dependencies: ["ProtobufC", "ProtobufWellKnownTypes", "ConformanceMessagesC"],
            path: "Tests/Conformance/Messages/Swift"),
        .executableTarget(
            name: "conformance-testee",
            dependencies: ["ProtobufC", "ProtobufSchema", "ProtobufWellKnownTypes", "ConformanceMessages"],
            path: "Tests/conformance-testee"),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "ProtobufC", "ProtobufSchema", "ProtobufWellKnownTypes", "ConformanceMessages", "conformance-testee",
                .product(name: "Subprocess", package: "swift-subprocess", condition: ofTheApp),
            ],
            path: "Tests/Conformance/ConformanceTests"),

        // MARK: the targets of `make fuzz`, and tests that run them on known inputs
        .target(name: "FuzzCounters", path: "Tests/FuzzCounters"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "TTRPCWire", "GRPCWire", "RPCCore", "ProtobufC", "ProtobufSchema", "ProtobufWellKnownTypes", "PulseBoardMessages", "GoldenMessages",
            ],
            path: "Tests/FuzzTargets"),
        .executableTarget(name: "fuzz", dependencies: ["FuzzTargets", "FuzzCounters"], path: "Tests/fuzz"),
        .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestHarness"]),
    ],
    swiftLanguageModes: [.v6]
)
