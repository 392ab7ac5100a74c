import Crypto
import Foundation
import PulseBoardVocabulary
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
                guard header.byteCount <= BackupManifest.maximumBytes else {
                    throw BackupError.damaged(Phrase("its manifest is too long", "목록(manifest.json)이 너무 깁니다"))
                }
                var text: [UInt8] = []
                try readFile(header) { text += $0 }
                let found = Array(sums.finalize())
                guard found == announced else {
                    throw BackupError.damaged(Phrase("a file has other bytes than when it was written", "파일의 내용이 백업할 때와 다릅니다"))
                }
                return try check(text, found, files, bytes)
            default:
                guard announced == nil else {
                    throw BackupError.damaged(Phrase("a file follows the list of hashes", "해시 목록 뒤에 파일이 있습니다"))
                }
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
        throw BackupError.damaged(Phrase("it ends before its manifest", "목록(manifest.json) 앞에서 끝납니다"))
    }

    private static let unreadableManifest = BackupError.damaged(
        Phrase("its manifest cannot be read", "목록(manifest.json)을 읽을 수 없습니다"))

    private func check(_ text: [UInt8], _ sums: [UInt8], _ files: Int64, _ bytes: Int64) throws -> BackupManifest {
        struct Format: Decodable { let format: Int }
        let decoder = JSONDecoder()
        guard let format = try? decoder.decode(Format.self, from: Data(text)).format else { throw Self.unreadableManifest }
        guard format <= BackupManifest.newestFormat else { throw BackupError.newerFormat(format) }
        guard let manifest = try? decoder.decode(BackupManifest.self, from: Data(text)) else {
            throw Self.unreadableManifest
        }
        guard manifest.sha256 == sums.hexadecimal, manifest.files == files, manifest.bytes == bytes else {
            throw BackupError.damaged(Phrase("its manifest is another backup's", "목록(manifest.json)이 다른 백업의 것입니다"))
        }
        return manifest
    }

    /// The next header; `nil` at the archive's end.
    private func header() throws(BackupError) -> TarHeader? {
        let block = try take(TarHeader.blockBytes)
        if block.isEmpty || block.allSatisfy({ $0 == 0 }) { return nil }
        guard let header = TarHeader(bytes: block) else {
            throw .damaged(Phrase("it is no archive of a backup, or is damaged", "백업 파일이 아니거나 손상되었습니다"))
        }
        return header
    }

    private func readFile(_ header: TarHeader, _ body: ([UInt8]) throws -> Void) throws {
        var left = header.byteCount
        while left > 0 {
            let part = try take(Int(min(left, Int64(Self.partBytes))))
            guard !part.isEmpty else { throw Self.ends(within: header) }
            left -= Int64(part.count)
            try body(part)
        }
        guard try take(header.paddingBytes).count == header.paddingBytes else { throw Self.ends(within: header) }
    }

    private static func ends(within file: TarHeader) -> BackupError {
        .damaged(Phrase("it ends within \(file.path)", "\(file.path) 중간에서 끝납니다"))
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
