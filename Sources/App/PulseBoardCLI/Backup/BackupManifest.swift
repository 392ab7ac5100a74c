import Foundation
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardVocabulary

/// The last file of a backup's archive, `manifest.json`. An archive without it is incomplete.
///
/// `SHA256SUMS` before it has the hashes of all files, in the format of `sha256sum -c`. The manifest has the hash of
/// `SHA256SUMS`.
struct BackupManifest: Codable, Hashable {
    static let fileName = "manifest.json"
    static let sumsName = "SHA256SUMS"
    /// The newest format that this program reads. A later version adds fields, or has another number.
    static let newestFormat = 1
    /// Maximum bytes of a manifest.
    static let maximumBytes: Int64 = 1 << 20

    struct Count: Codable, Hashable {
        var table: String
        /// The number of rows.
        var rows: Int64
    }

    var format = newestFormat
    /// The version of the server that made the backup.
    var version: String
    /// The instant of the copied state, in UTC.
    var time: String
    /// Kind and version of the store.
    var store: String
    /// The newest migration of the database.
    var schema: String
    /// The number of rows of each table.
    var counts: [Count]
    /// The number of files before `SHA256SUMS`.
    var files: Int64
    /// The bytes of these files.
    var bytes: Int64
    /// How many picture files the server did not have.
    var missingFiles: Int64
    /// How many picture files the server could not read; `nil` in a backup of an earlier program.
    var unreadableFiles: Int64?
    /// The position in the archive of commits that follows the backup (`--wal-archive`); `nil` without an archive.
    var archivePosition: String?
    /// SHA-256 of `SHA256SUMS`, in hexadecimal digits.
    var sha256: String

    init(_ manifest: PBBackupManifest, sums: [UInt8]) {
        version = manifest.version
        time = Date(timeIntervalSince1970: Double(manifest.time?.seconds ?? 0)).ISO8601Format()
        store = manifest.store
        schema = manifest.schema
        counts = manifest.counts.map { Count(table: $0.table, rows: $0.rows) }
        files = manifest.files
        bytes = manifest.bytes
        missingFiles = manifest.missingFiles
        unreadableFiles = manifest.unreadableFiles
        archivePosition = manifest.archivePosition.isEmpty ? nil : manifest.archivePosition
        sha256 = sums.hexadecimal
    }

    /// ``counts`` in the store's type.
    var storeCounts: [StoreTableCount] { counts.map { StoreTableCount(table: $0.table, rows: $0.rows) } }

    /// The rows of one table.
    func rows(of table: String) -> Int64 { counts.first { $0.table == table }?.rows ?? 0 }
}
