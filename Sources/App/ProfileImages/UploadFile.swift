import Crypto
import PulseBoardDomain
import struct SystemPackage.Errno
import struct SystemPackage.FileDescriptor
import struct SystemPackage.FilePath

/// The bytes of an upload in a file without a name. The file is gone with its descriptor, however the server ends.
///
/// Everything that may wait for the disk runs on the threads of ``ImageProgram/uploads``.
public actor UploadFile: ImageUpload {
    /// The file. It is read from its beginning.
    nonisolated let descriptor: FileDescriptor
    private var hash = SHA256()
    private var size = 0

    /// Who uploads.
    nonisolated let user: UserID
    private let program: ImageProgram

    /// Opens a file without a name in a folder.
    init(in folder: FilePath, of user: UserID, for program: ImageProgram) throws(ImageRefusal) {
        self.user = user
        self.program = program
        do {
            descriptor = try FileDescriptor.open(
                folder, .readWrite, options: [.withoutName, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw program.storeFailed(error, "an upload in \(folder)")
        }
    }

    deinit {
        // The file is removed with its last descriptor, which may wait for the disk.
        Task(executorPreference: program.uploads) { [descriptor] in try? descriptor.close() }
    }

    public nonisolated func append(_ bytes: [UInt8]) async throws(ImageRefusal) {
        try await program.uploads.run { () async throws(ImageRefusal) in try await self.write(bytes) }
    }

    private func write(_ bytes: [UInt8]) throws(ImageRefusal) {
        guard size + bytes.count <= ImageLimits.maximumUploadBytes else { throw .tooLarge }
        do {
            try descriptor.writeAll(bytes)
        } catch {
            throw program.storeFailed(error, "writing an upload")
        }
        hash.update(data: bytes)
        size += bytes.count
    }

    public var sha256: [UInt8] { Array(hash.finalize()) }
    public var byteCount: Int { size }

    public func check() async throws(ImageRefusal) { try await program.check(self) }

    public nonisolated func bytes(in range: Range<Int>) async throws(ImageRefusal) -> [UInt8] {
        try await program.uploads.run { () async throws(ImageRefusal) in try await self.read(range) }
    }

    private func read(_ range: Range<Int>) throws(ImageRefusal) -> [UInt8] {
        do {
            var bytes: [UInt8] = []
            while bytes.count < range.count {
                let start = Int64(range.lowerBound + bytes.count)
                let more = try [UInt8](unsafeUninitializedCapacity: range.count - bytes.count) { buffer, count in
                    count = try descriptor.read(fromAbsoluteOffset: start, into: .init(buffer))
                }
                guard !more.isEmpty else { throw Errno.ioError }
                bytes += more
            }
            return bytes
        } catch {
            throw program.storeFailed(error, "reading an upload")
        }
    }

    public func decoded() async throws(ImageRefusal) -> ImageVariants { try await program.variants(of: self) }
}
