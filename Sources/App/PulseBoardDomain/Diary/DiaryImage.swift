import PulseBoardVocabulary

/// A picture of a diary entry, as the entry names it. Its bytes are stored separately, under their hash, and unchanged: metadata stays in, because
/// only the owner sees them. So every device has the same bytes.
public struct DiaryImage: Hashable, Sendable {
    /// Names the picture: the SHA-256 of its bytes.
    public let hash: DiaryImageHash
    /// `image/jpeg`, `image/png` or `image/webp`. A later server may know more types.
    public let contentType: String
    /// Length in bytes, 1 to ``DiaryLimits/maximumImageBytes``.
    public let byteCount: Int

    public init(hash: DiaryImageHash, contentType: String, byteCount: Int) {
        self.hash = hash
        self.contentType = contentType
        self.byteCount = byteCount
    }

    /// The path of the bytes in a device's diary directory (B22).
    public var path: String { "images/\(hash)" }

    /// How many parts a store keeps the bytes in. Each has ``DiaryLimits/imagePartBytes``; the last may be shorter.
    public var partCount: Int { (byteCount + DiaryLimits.imagePartBytes - 1) / DiaryLimits.imagePartBytes }

    /// The range of bytes of a part.
    public func range(ofPart part: Int) -> Range<Int> {
        let start = part * DiaryLimits.imagePartBytes
        return start..<min(start + DiaryLimits.imagePartBytes, byteCount)
    }

    /// The content type by the first bytes; `nil` for everything but JPEG, PNG and WebP. Only the decoder can say whether the picture is whole.
    public static func contentType(of bytes: some Sequence<UInt8>) -> String? {
        let start = Array(bytes.prefix(12))
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        guard start.count == 12, start.starts(with: Array("RIFF".utf8)), start.suffix(4) == Array("WEBP".utf8)[...] else { return nil }
        return "image/webp"
    }

    /// The rules that an entry's list of pictures breaks, besides their number.
    /// - Parameter field: the path of the list.
    static func violations(of images: [DiaryImage], field: String) -> [FieldViolation] {
        var violations: [FieldViolation] = []
        for (index, image) in images.enumerated() {
            let path = "\(field)[\(index)]"
            if images[..<index].contains(where: { $0.hash == image.hash }) {
                violations.append(FieldViolation(field: "\(path).sha256", reason: .itemDuplicated))
            }
            if !["image/jpeg", "image/png", "image/webp"].contains(image.contentType) {
                let reason: Reason = image.contentType.isEmpty ? .fieldMissing : .imageFormatUnsupported
                violations.append(FieldViolation(field: "\(path).content_type", reason: reason))
            }
            if let violation = violation(ofByteCount: Int64(image.byteCount), at: path) { violations.append(violation) }
        }
        return violations
    }

    /// The rule that a picture's length breaks.
    /// - Parameter path: the path of the picture.
    package static func violation(ofByteCount byteCount: Int64, at path: String) -> FieldViolation? {
        let field = "\(path).size_bytes"
        guard byteCount != 0 else { return FieldViolation(field: field, reason: .fieldMissing) }
        guard byteCount > 0 else { return FieldViolation(field: field, reason: .imageEmpty) }
        guard byteCount > DiaryLimits.maximumImageBytes else { return nil }
        return FieldViolation(field: field, reason: .imageTooLarge, limit: DiaryLimits.maximumImageBytes)
    }
}

/// The SHA-256 of a picture's bytes, 32 bytes.
public struct DiaryImageHash: Hashable, Sendable, Comparable, CustomStringConvertible {
    public static let byteCount = 32
    public let bytes: [UInt8]

    /// `nil` for any other number of bytes.
    public init?(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count == Self.byteCount else { return nil }
    }

    /// Reads what ``description`` writes; `nil` for any other text.
    public init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// 64 lower-case hexadecimal digits.
    public var description: String { bytes.hexadecimal }

    public static func < (one: Self, other: Self) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension DiaryRow {
    /// The pictures of the row: those of the entry and those in conflicts.
    public var images: Set<DiaryImage> {
        var images: Set<DiaryImage> = []
        if case .images(let own)? = self[.images].value { images.formUnion(own) }
        for conflict in conflicts {
            if case .images(let lost) = conflict.value { images.formUnion(lost) }
        }
        return images
    }
}

extension DiaryMutation {
    /// The pictures that the edit puts into its entry.
    public var images: [DiaryImage] {
        switch kind {
        case .create(let content): return content.images
        case .patch(let patch):
            guard case .images(let images)? = patch.values[.images] else { return [] }
            return images
        case .delete, .dismiss: return []
        }
    }
}
