import Foundation
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages

/// The last file of a backup's archive, `manifest.json`. An archive without it is incomplete.
///
/// The hashes of all files stand in `SHA256SUMS` before it, as `sha256sum -c` reads them; the manifest has the hash of that.
struct BackupManifest: Codable, Hashable {
    static let fileName = "manifest.json"
    static let sumsName = "SHA256SUMS"
    /// The newest form that this program reads. A later one adds fields, or has another number.
    static let newestFormat = 1
    /// Most bytes of a manifest that are read.
    static let maximumBytes: Int64 = 1 << 20

    struct Count: Codable, Hashable {
        var table: String
        /// Its rows.
        var rows: Int64
    }

    var format = newestFormat
    /// Of the server that made the backup.
    var version: String
    /// The instant whose state it is, in UTC.
    var time: String
    /// Kind and version of the store.
    var store: String
    /// The newest migration of the database.
    var schema: String
    /// Rows of each table.
    var counts: [Count]
    /// Files before `SHA256SUMS`.
    var files: Int64
    /// Bytes of those.
    var bytes: Int64
    /// Files of pictures that the server did not have.
    var missingFiles: Int64
    /// From where on an archive of what was committed goes on (`--wal-archive`); `nil` where there was none.
    var archivePosition: String?
    /// Of `SHA256SUMS`, in hexadecimal digits.
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
        archivePosition = manifest.archivePosition.isEmpty ? nil : manifest.archivePosition
        sha256 = sums.hexadecimal
    }

    /// Rows of each table, as a store counts them.
    var storeCounts: [StoreTableCount] { counts.map { StoreTableCount(table: $0.table, rows: $0.rows) } }

    /// The rows of one table.
    func rows(of table: String) -> Int64 { counts.first { $0.table == table }?.rows ?? 0 }
}

extension Sequence<UInt8> {
    /// Two digits for each byte.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
