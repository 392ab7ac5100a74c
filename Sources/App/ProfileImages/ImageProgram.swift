import Glibc
import PulseBoardDomain
import SocketTransport
import Subprocess
import struct SystemPackage.FilePath

/// Decodes pictures in `pulseboard-image`, a sandboxed program that is started for each picture.
/// `Sources/App/pulseboard-image/main.c` describes the sandbox and the format of its answer.
///
/// Two pictures are decoded at a time, and sixteen can wait; one more is `busy`. ``DecodingQueue`` decides who comes first and who is refused.
///
/// The program limits itself to four seconds of CPU: a picture that needs more is `invalid`. It yields to the server by a lower priority. If a busy
/// machine does not give it its time within ``patience``, the server gives up. If something else kills the program, such as the kernel for lack of
/// memory, the server is `busy`: the picture may be good.
public struct ImageProgram: ImageDecoding {
    /// Maximum pictures that are decoded at once.
    public static let places = 2
    /// Maximum pictures that wait for a place.
    public static let waitingPlaces = 16
    /// How long the program may take to get its four seconds of CPU.
    public static let patience = Duration.seconds(30)

    private let program: FilePath
    private let folder: FilePath
    private let patience: Duration
    /// Told of uploads that cannot be written.
    let health: ImageFolderHealth?
    private let queue = DecodingQueue(places: places, waitingPlaces: waitingPlaces)
    /// Write and read the files of uploads. They do not sync, so they are not behind writes of ``ImageFolder``, which do.
    let uploads = BlockingTaskExecutor(label: "images.uploads", threads: 2)

    /// - Parameters:
    ///   - program: the path of `pulseboard-image`.
    ///   - folder: the folder where uploads are written as files without names.
    ///   - health: is told of uploads that cannot be written to the folder.
    ///   - patience: how long the program may take. Tests give it more time than ``patience``, because many run at once.
    public init(program: String, uploadsIn folder: String, health: ImageFolderHealth? = nil, patience: Duration = Self.patience) {
        self.health = health
        self.program = FilePath(program)
        self.folder = FilePath(folder)
        self.patience = patience
    }

    public func beginUpload(of user: UserID) async throws(ImageRefusal) -> any ImageUpload {
        try await uploads.run { () throws(ImageRefusal) in try UploadFile(in: folder, of: user, for: self) }
    }

    /// Records that the file of an upload could not be used. Returns the refusal.
    func storeFailed(_ error: any Error, _ what: String) -> ImageRefusal {
        let detail = "\(what): \(error)"
        health?.failed(error, detail)
        return .storeUnavailable(StoreFailure(error), detail: detail)
    }

    /// Decodes an upload: waits for a place, then runs the program.
    func variants(of upload: UploadFile) async throws(ImageRefusal) -> ImageVariants {
        try Self.variants(in: try await answer(to: upload, arguments: []))
    }

    /// Decodes an upload like ``variants(of:)``, but makes no variants.
    func check(_ upload: UploadFile) async throws(ImageRefusal) {
        let answer = try await answer(to: upload, arguments: ["check"])
        try Self.requireDecoded(answer)
        guard answer.count == 1 else { throw .invalid }
    }

    private func answer(to upload: UploadFile, arguments: [String]) async throws(ImageRefusal) -> [UInt8] {
        guard await queue.enter(upload.user) else { throw .busy }
        let begin = ContinuousClock.now
        let result = await result(of: upload, arguments)
        await queue.leave(upload.user, begin: begin)
        return try result.get()
    }

    /// The program's answer about an upload.
    private func result(of upload: UploadFile, _ arguments: [String]) async -> Result<[UInt8], ImageRefusal> {
        do {
            try upload.descriptor.seek(offset: 0, from: .start)
            return try await withThrowingTaskGroup(of: Result<[UInt8], ImageRefusal>.self) { group in
                group.addTask { try await run(on: upload, arguments) }
                group.addTask {
                    try await Task.sleep(for: patience)
                    return .failure(.unavailable(detail: "\(program) took longer than \(patience)"))
                }
                defer { group.cancelAll() }
                return try await group.next() ?? .failure(.invalid)
            }
        } catch {
            return .failure(.unavailable(detail: "\(program): \(error)"))
        }
    }

    /// Runs the program, with no environment and three descriptors. If the task is cancelled, the program is killed.
    private func run(on upload: UploadFile, _ arguments: [String]) async throws -> Result<[UInt8], ImageRefusal> {
        var options = PlatformOptions()
        options.teardownSequence = []
        let result = try await Subprocess.run(
            .path(program), arguments: Arguments(arguments), environment: .custom([:]), platformOptions: options,
            input: .fileDescriptor(upload.descriptor, closeAfterSpawningProcess: false),
            output: .bytes(limit: ImageSize.allCases.reduce(64) { $0 + $1.maximumBytes }), error: .discarded)
        switch result.terminationStatus {
        case .exited(0): return .success(result.standardOutput)
        // Neither the sandbox nor a limit of the program ends with this signal.
        case .signaled(SIGKILL): return .failure(.busy)
        // It has no sandbox, or cannot read the upload, or it could not be started: a library is missing, for example. That says nothing of the
        // picture.
        case .exited(let code) where [EX_SOFTWARE, EX_IOERR, 126, 127].contains(code):
            return .failure(.unavailable(detail: "\(program) ended with the code \(code)"))
        default: return .failure(.invalid)
        }
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
        var images: [ImageSize: [UInt8]] = [:]
        for size in ImageSize.allCases {
            guard let side = number(), (1...size.side).contains(side), let count = number(), (1...size.maximumBytes).contains(count),
                rest.count >= count
            else { throw .invalid }
            images[size] = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        guard rest.isEmpty else { throw .invalid }
        return ImageVariants(images)
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

/// The pixels of a square picture, for drawing in a terminal.
public struct PicturePixels: Hashable, Sendable {
    /// The number of rows, and of pixels in a row; at most 1,024.
    public let side: Int
    /// Four bytes for each pixel, row by row: red, green, blue, alpha.
    public let rgba: [UInt8]

    public init(side: Int, rgba: [UInt8]) {
        self.side = side
        self.rgba = rgba
    }

    /// Reads the answer of `pulseboard-image` to a request for pixels.
    init?(answer: [UInt8]) {
        guard answer.count > 5, answer[0] == 0 else { return nil }
        let side = answer[1..<5].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.largestSide).contains(side), answer.count == 5 + side * side * 4 else { return nil }
        self.init(side: side, rgba: Array(answer[5...]))
    }

    fileprivate static let largestSide = 1_024

    /// Decodes a picture in `pulseboard-image`, a sandboxed program, because pictures are not trusted.
    /// - Parameter program: the path of that program.
    /// - Returns: `nil` if the bytes are not a picture, or the program does not exist.
    public static func decoding(_ picture: [UInt8], with program: String) async -> PicturePixels? {
        let result = try? await Subprocess.run(
            .path(FilePath(program)), arguments: ["--pixels"], environment: .custom([:]), input: .array(picture),
            output: .bytes(limit: 5 + largestSide * largestSide * 4), error: .discarded)
        guard let result, case .exited(0) = result.terminationStatus else { return nil }
        return PicturePixels(answer: result.standardOutput)
    }
}
