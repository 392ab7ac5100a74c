// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Greeter",
    dependencies: [
        // In a package of your own: .package(url: "https://…/pulseboard.git", from: "0.1.0", traits: [])
        // `traits: []`: only the RPC runtime, without the dependencies of PulseBoard's own server.
        .package(name: "PulseBoard", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // Generated: protoc-c's C, and the plugin's Swift around it.
        .target(name: "GreeterC", dependencies: [.product(name: "PulseRPCMessages", package: "PulseBoard")]),
        .target(
            name: "GreeterMessages",
            dependencies: ["GreeterC", .product(name: "PulseRPCMessages", package: "PulseBoard")]),
        // Yours.
        .executableTarget(
            name: "greeter-server",
            dependencies: [
                "GreeterMessages", .product(name: "PulseRPCServer", package: "PulseBoard"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "greeter", dependencies: ["GreeterMessages", .product(name: "PulseRPCClient", package: "PulseBoard")]),
        .testTarget(
            name: "GreeterServerTests",
            dependencies: ["greeter-server", "GreeterMessages", .product(name: "PulseRPCTesting", package: "PulseBoard")]),
    ],
    swiftLanguageModes: [.v6]
)
