import Crypto
import Foundation
import SystemPackage

/// Reads a backup's archive once from beginning to end, and checks every byte.
final class BackupReader {
    private let input: FileDescriptor
    private let name: String
    private static let partBytes = 1 << 20

    /// - Parameter path: `nil` reads standard input.
    init(path: String?) throws(BackupError) {
        name = path ?? "-"
        guard let path else {
            input = .standardInput
            return
        }
        do { input = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec]) } catch {
            throw .file(path, error as? Errno ?? .ioError)
        }
    }

    deinit {
        if name != "-" { try? input.close() }
    }

    /// Reads everything.
    /// - Parameters:
    ///   - begin: called when a file begins, with its length.
    ///   - append: called with the next bytes of the file.
    /// - Returns: the manifest. Everything agreed with it.
    func read(
        begin: (_ path: String, _ byteCount: Int64) throws -> Void, append: ([UInt8]) throws -> Void
    ) throws -> BackupManifest {
        var sums = SHA256()
        var (files, bytes): (Int64, Int64) = (0, 0)
        var announced: [UInt8]?
        while let header = try header() {
            switch header.path {
            case BackupManifest.sumsName:
                var hash = SHA256()
                try readFile(header) { hash.update(data: $0) }
                announced = Array(hash.finalize())
            case BackupManifest.fileName:
                guard header.byteCount <= BackupManifest.maximumBytes else { throw BackupError.damaged("its manifest is too long") }
                var text: [UInt8] = []
                try readFile(header) { text += $0 }
                let found = Array(sums.finalize())
                guard found == announced else { throw BackupError.damaged("a file has other bytes than when it was written") }
                return try check(text, found, files, bytes)
            default:
                guard announced == nil else { throw BackupError.damaged("a file follows the list of hashes") }
                try begin(header.path, header.byteCount)
                var hash = SHA256()
                try readFile(header) { part in
                    hash.update(data: part)
                    try append(part)
                }
                sums.update(data: Array("\(hash.finalize().hexadecimal)  \(header.path)\n".utf8))
                files += 1
                bytes += header.byteCount
            }
        }
        throw BackupError.damaged("it ends before its manifest")
    }

    private func check(_ text: [UInt8], _ sums: [UInt8], _ files: Int64, _ bytes: Int64) throws -> BackupManifest {
        struct Format: Decodable { let format: Int }
        let decoder = JSONDecoder()
        guard let format = try? decoder.decode(Format.self, from: Data(text)).format else { throw BackupError.damaged("its manifest cannot be read") }
        guard format <= BackupManifest.newestFormat else { throw BackupError.newerFormat(format) }
        guard let manifest = try? decoder.decode(BackupManifest.self, from: Data(text)) else {
            throw BackupError.damaged("its manifest cannot be read")
        }
        guard manifest.sha256 == sums.hexadecimal, manifest.files == files, manifest.bytes == bytes else {
            throw BackupError.damaged("its manifest is another backup's")
        }
        return manifest
    }

    /// The next header; `nil` at the archive's end.
    private func header() throws(BackupError) -> TarHeader? {
        let block = try take(TarHeader.blockBytes)
        if block.isEmpty || block.allSatisfy({ $0 == 0 }) { return nil }
        guard let header = TarHeader(bytes: block) else { throw .damaged("it is no archive of a backup, or is damaged") }
        return header
    }

    private func readFile(_ header: TarHeader, _ body: ([UInt8]) throws -> Void) throws {
        var left = header.byteCount
        while left > 0 {
            let part = try take(Int(min(left, Int64(Self.partBytes))))
            guard !part.isEmpty else { throw BackupError.damaged("it ends within \(header.path)") }
            left -= Int64(part.count)
            try body(part)
        }
        guard try take(header.paddingBytes).count == header.paddingBytes else { throw BackupError.damaged("it ends within \(header.path)") }
    }

    /// Reads `count` bytes, or fewer at the end.
    private func take(_ count: Int) throws(BackupError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        do {
            while bytes.count < count {
                let handle = FileHandle(fileDescriptor: input.rawValue, closeOnDealloc: false)
                guard let more = try handle.read(upToCount: count - bytes.count), !more.isEmpty else { break }
                bytes += more
            }
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            throw .file(name, Errno(rawValue: CInt(cause?.code ?? Int(EIO))))
        }
        return bytes
    }
}
