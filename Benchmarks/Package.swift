// swift-tools-version: 6.2
import PackageDescription

/// The benchmarks are a separate package, so that their dependencies stay out of the product.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "PulseBoard", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "rpc-benchmark",
            dependencies: [
                .product(name: "PulseRPCServer", package: "PulseBoard"),
                .product(name: "PulseRPCClient", package: "PulseBoard"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "diary-benchmark",
            dependencies: [
                .product(name: "PulseBoardDiary", package: "PulseBoard"),
                .product(name: "PulseRPCClient", package: "PulseBoard"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
