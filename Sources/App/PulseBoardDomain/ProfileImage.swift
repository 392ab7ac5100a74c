/// Names one uploaded picture. A new picture has a new id, so whatever is kept under an id never changes.
public struct ImageID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }
}

/// The sizes in which a picture is kept: squares, as WebP in sRGB and without metadata.
public enum ImageSize: Int, CaseIterable, Sendable, Hashable {
    case small = 96
    case medium = 400
    case large = 1024

    /// The side in pixels. A picture that was smaller is kept as it was, since nothing is enlarged.
    public var side: Int { rawValue }

    /// Most bytes of a picture of this size.
    public var maximumBytes: Int {
        switch self {
        case .small: 16 << 10
        case .medium: 128 << 10
        case .large: 512 << 10
        }
    }
}

/// A picture in every ``ImageSize``, as WebP.
public struct ImageVariants: Hashable, Sendable {
    public let small: [UInt8]
    public let medium: [UInt8]
    public let large: [UInt8]

    public init(small: [UInt8], medium: [UInt8], large: [UInt8]) {
        self.small = small
        self.medium = medium
        self.large = large
    }

    /// The picture in one size.
    public subscript(size: ImageSize) -> [UInt8] {
        switch size {
        case .small: small
        case .medium: medium
        case .large: large
        }
    }
}

/// What an uploaded picture may be.
public enum ImageLimits {
    /// Most bytes of an upload.
    public static let maximumUploadBytes = 8 << 20
    /// Most pixels, width times height.
    public static let maximumPixels = 32_000_000
}

/// Why a picture was not taken.
public enum ImageRefusal: Error, Hashable, Sendable {
    /// More than ``ImageLimits/maximumUploadBytes``.
    case tooLarge
    /// More than ``ImageLimits/maximumPixels``.
    case dimensions
    /// Neither JPEG nor PNG nor WebP.
    case formatUnsupported
    /// Damaged, cut off, or made to cost more than a picture may.
    case invalid
    /// The bytes are not those whose SHA-256 was announced.
    case hashMismatch
    /// Too many pictures wait already.
    case busy
    /// The server could not do it. The detail is for the log and not for the caller.
    case unavailable(detail: String)
}

/// The bytes of a picture that is being uploaded. Dropping it forgets them.
public protocol ImageUpload: AnyObject, Sendable {
    /// Takes the next bytes. - Throws: `tooLarge`, `unavailable`.
    func append(_ bytes: [UInt8]) async throws(ImageRefusal)

    /// The SHA-256 of all bytes so far, 32 bytes.
    var sha256: [UInt8] { get async }
    /// How many bytes came so far.
    var byteCount: Int { get async }
}

/// Takes uploads and makes variants of them (B20). The decoding of strangers' pictures is apart from the server.
public protocol ImageDecoding: Sendable {
    associatedtype Upload: ImageUpload

    /// A place for the bytes of one upload. - Throws: `unavailable`.
    func beginUpload() throws(ImageRefusal) -> Upload

    /// The picture in every size, the right way up. - Throws: every case of ``ImageRefusal`` but `hashMismatch`.
    func variants(of upload: Upload) async throws(ImageRefusal) -> ImageVariants
}

/// Where the bytes of pictures are kept, under their owner and id. It knows no profile: which picture is whose is the
/// ``UserRepository``'s to say.
public protocol ImageStore: Sendable {
    /// Keeps a picture. When it returns, the picture is durable; when it throws, parts may be there, and ``remove(_:of:)`` removes them.
    func store(_ variants: ImageVariants, as id: ImageID, of owner: UserID) async throws(RepositoryError)

    /// The bytes of one size, or `nil` when there is no such picture.
    func image(_ id: ImageID, of owner: UserID, size: ImageSize) async throws(RepositoryError) -> [UInt8]?

    /// Removes a picture, or what there is of it.
    func remove(_ id: ImageID, of owner: UserID) async throws(RepositoryError)
}
