import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices

extension PBStoreStatus {
    /// The message of how the store is.
    init(_ status: StoreStatus) {
        self.init(
            path: status.path, databaseBytes: status.databaseBytes, walBytes: status.walBytes, freeBytes: status.freeBytes ?? 0,
            lastCommitTime: status.lastCommitTime.map(Google_Protobuf_Timestamp.init), trouble: status.trouble.map(PBStoreTrouble.init),
            lastTrouble: status.lastTrouble.map(PBStoreTrouble.init))
    }
}

extension PBStoreTrouble {
    /// The message of what keeps the store from its work.
    init(_ trouble: StoreTrouble) {
        self.init(
            reason: trouble.failure.rawValue, detail: trouble.detail, startTime: Google_Protobuf_Timestamp(trouble.since),
            count: Int64(trouble.count))
    }
}

extension PBCacheStatus {
    /// The message of how a cache is used.
    init(_ usage: CacheUsage) {
        self.init(
            name: usage.name, entries: Int64(usage.entries), capacity: Int64(usage.capacity), hits: Int64(clamping: usage.hits),
            misses: Int64(clamping: usage.misses))
    }
}
