import PulseBoardDomain
import Subprocess
import struct SystemPackage.FilePath

/// Decodes pictures in `pulseboard-image`, a program that is started for each and can do nothing but read, compute and
/// write: see `Sources/App/pulseboard-image/main.c`, which also says how its answer looks.
///
/// Two pictures are decoded at a time, and sixteen wait; one more is `busy`. A picture has four seconds of CPU, which the program
/// limits itself: one that needs more is `invalid`. On a machine that is so busy that it does not get them the server gives up.
public struct ImageProgram: ImageDecoding {
    /// Pictures that are decoded at the same time.
    public static let places = 2
    /// Pictures that wait for a place.
    public static let waitingPlaces = 16
    /// How long the program may take to get its four seconds of CPU.
    public static let patience = Duration.seconds(30)

    private let program: FilePath
    private let folder: FilePath
    private let queue = DecodingQueue(places: places, waitingPlaces: waitingPlaces)

    /// - Parameters:
    ///   - program: `pulseboard-image`'s path.
    ///   - folder: where uploads are written, without names.
    public init(program: String, uploadsIn folder: String) {
        self.program = FilePath(program)
        self.folder = FilePath(folder)
    }

    public func beginUpload() throws(ImageRefusal) -> any ImageUpload { try UploadFile(in: folder, for: self) }

    /// Decodes an upload: waits for a place, then runs the program.
    func variants(of upload: UploadFile) async throws(ImageRefusal) -> ImageVariants {
        try Self.variants(in: try await answer(to: upload, arguments: []))
    }

    /// Decodes an upload as ``variants(of:)`` does, and makes nothing of it.
    func check(_ upload: UploadFile) async throws(ImageRefusal) {
        let answer = try await answer(to: upload, arguments: ["check"])
        try Self.requireDecoded(answer)
        guard answer.count == 1 else { throw .invalid }
    }

    private func answer(to upload: UploadFile, arguments: [String]) async throws(ImageRefusal) -> [UInt8] {
        guard await queue.enter() else { throw .busy }
        let result = await result(of: upload, arguments)
        await queue.leave()
        return try result.get()
    }

    /// What the program writes about an upload.
    private func result(of upload: UploadFile, _ arguments: [String]) async -> Result<[UInt8], ImageRefusal> {
        do {
            try upload.descriptor.seek(offset: 0, from: .start)
            return try await withThrowingTaskGroup(of: Result<[UInt8], ImageRefusal>.self) { group in
                group.addTask { try await run(on: upload, arguments) }
                group.addTask {
                    try await Task.sleep(for: Self.patience)
                    return .failure(.unavailable(detail: "\(program) took longer than \(Self.patience)"))
                }
                defer { group.cancelAll() }
                return try await group.next() ?? .failure(.invalid)
            }
        } catch {
            return .failure(.unavailable(detail: "\(program): \(error)"))
        }
    }

    /// Runs the program. It gets no environment and three descriptors; when the task is cancelled it is killed.
    private func run(on upload: UploadFile, _ arguments: [String]) async throws -> Result<[UInt8], ImageRefusal> {
        var options = PlatformOptions()
        options.teardownSequence = []
        let result = try await Subprocess.run(
            .path(program), arguments: Arguments(arguments), environment: .custom([:]), platformOptions: options,
            input: .fileDescriptor(upload.descriptor, closeAfterSpawningProcess: false),
            output: .bytes(limit: ImageSize.allCases.reduce(64) { $0 + $1.maximumBytes }), error: .discarded)
        guard case .exited(0) = result.terminationStatus else { return .failure(.invalid) }
        return .success(result.standardOutput)
    }

    /// Reads the program's answer.
    static func variants(in answer: [UInt8]) throws(ImageRefusal) -> ImageVariants {
        try requireDecoded(answer)
        var rest = answer.dropFirst()
        func number() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        var images: [[UInt8]] = []
        for size in ImageSize.allCases {
            guard let side = number(), (1...size.side).contains(side), let count = number(), (1...size.maximumBytes).contains(count),
                rest.count >= count
            else { throw .invalid }
            images.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        guard rest.isEmpty else { throw .invalid }
        return ImageVariants(small: images[0], medium: images[1], large: images[2])
    }
}

extension ImageProgram {
    /// Reads the first byte of the program's answer.
    private static func requireDecoded(_ answer: [UInt8]) throws(ImageRefusal) {
        switch answer.first {
        case 0: return
        case 1: throw .formatUnsupported
        case 2: throw .dimensions
        case 4: throw .tooLarge
        default: throw .invalid
        }
    }
}

/// Lets a few in at a time, and a few more wait in order.
actor DecodingQueue {
    private var free: Int
    private let waitingPlaces: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int, waitingPlaces: Int) {
        free = places
        self.waitingPlaces = waitingPlaces
    }

    /// Waits for a place; `false` when too many wait already.
    func enter() async -> Bool {
        if free > 0 {
            free -= 1
            return true
        }
        guard waiting.count < waitingPlaces else { return false }
        // The place is handed over by whoever leaves.
        await withCheckedContinuation { waiting.append($0) }
        return true
    }

    /// Gives a place back.
    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
