import Crypto

/// Seals and opens pieces of diaries for a store: AES-GCM with 256 bits and a fresh nonce for every piece. The piece's place is additional data, so a
/// piece that was moved to another place does not open.
///
/// A sealed piece is: the byte 0xE1, the key's id (8 bytes), the nonce (12), the ciphertext, the tag (16).
public struct DiarySeal: Sendable {
    /// The first byte of every sealed piece.
    public static let mark: UInt8 = 0xE1
    /// How many bytes sealing adds to a piece.
    public static let overhead = 1 + DiaryKeys.ID.byteCount + 12 + 16

    public let keys: DiaryKeys

    public init(_ keys: DiaryKeys) { self.keys = keys }

    /// Whether new data is sealed.
    public var isSealing: Bool { keys.newest != .none }

    /// Seals a piece with the newest key. Without such a key the piece stays as it is.
    /// - Parameter place: identifies the place of the piece; no other piece has the same.
    public func seal(_ bytes: [UInt8], at place: [UInt8]) throws(DiarySealError) -> [UInt8] {
        guard isSealing else { return bytes }
        guard let key = keys.key(keys.newest) else { throw .keyMissing(keys.newest) }
        do {
            let box = try AES.GCM.seal(bytes, using: key, authenticating: place)
            guard let combined = box.combined else { throw DiarySealError.damaged }
            return [Self.mark] + keys.newest.bytes + combined
        } catch { throw .damaged }
    }

    /// The key that a piece is sealed with; `nil` if the bytes are not a sealed piece.
    public static func key(of bytes: [UInt8]) -> DiaryKeys.ID? {
        guard bytes.count >= overhead, bytes[0] == mark else { return nil }
        return DiaryKeys.ID(bytes: Array(bytes[1...DiaryKeys.ID.byteCount]))
    }

    /// Opens a sealed piece.
    /// - Throws: `keyMissing` when its key is not in the file; `damaged` when the bytes are not what was sealed at this place.
    public func open(_ bytes: [UInt8], at place: [UInt8]) throws(DiarySealError) -> [UInt8] {
        guard let id = Self.key(of: bytes) else { throw .damaged }
        guard let key = keys.key(id) else { throw .keyMissing(id) }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes[(1 + DiaryKeys.ID.byteCount)...])
            return Array(try AES.GCM.open(box, using: key, authenticating: place))
        } catch { throw .damaged }
    }
}

/// Why a piece cannot be sealed or opened.
public enum DiarySealError: Error, Hashable, Sendable {
    case keyMissing(DiaryKeys.ID)
    /// The piece was changed, or belongs to another place.
    case damaged
}
