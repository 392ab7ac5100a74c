import PulseBoardVocabulary

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
    /// How long the bytes of an upload may take to come.
    public static let uploadPatience = Duration.seconds(120)
    /// How long a staged picture waits for its profile.
    public static let stagedLifetime = Timestamp.Interval.hours(1)
    /// How long an upload may take to be stored; what a crash leaves of it is removed then.
    public static let uploadLifetime = Timestamp.Interval.seconds(600)
    /// Most users in one request for many pictures.
    public static let maximumBatch = 100
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

    /// The picture that the bytes are, in every size, the right way up.
    /// - Throws: every case of ``ImageRefusal`` but `hashMismatch`.
    func decoded() async throws(ImageRefusal) -> ImageVariants

    /// Whether the bytes are a picture, without making anything of it. - Throws: as ``decoded()``.
    func check() async throws(ImageRefusal)

    /// Some of the bytes that came. - Throws: `unavailable`.
    func bytes(in range: Range<Int>) async throws(ImageRefusal) -> [UInt8]
}

/// Takes the bytes of pictures (B20). Their decoding is apart from the server: they are strangers' bytes.
public protocol ImageDecoding: Sendable {
    /// A place for the bytes of one upload. - Throws: `unavailable`.
    func beginUpload() throws(ImageRefusal) -> any ImageUpload
}

/// A picture that may be put into its owner's profile.
public struct StagedImage: Hashable, Sendable {
    public let id: ImageID
    /// When it is forgotten, unless it is in a profile by then.
    public let expireTime: Timestamp

    public init(id: ImageID, expireTime: Timestamp) {
        self.id = id
        self.expireTime = expireTime
    }
}

/// A picture whose bytes are to be removed.
public struct DiscardedImage: Hashable, Sendable {
    public let id: ImageID
    public let owner: UserID

    public init(id: ImageID, owner: UserID) {
        self.id = id
        self.owner = owner
    }
}

/// Which pictures there are. The row of a picture comes before its bytes and goes after them, so that no crash leaves bytes that no row
/// names (C18), and no store of bytes has to be searched.
///
/// A picture is being written, then staged, then in a profile; discarded when another takes its place, when it expires, and when its owner
/// withdraws. ``UserRepository`` attaches a staged picture in the transaction that writes the profile (X14).
public protocol ImageRepository: Sendable {
    /// Notes that the bytes of a picture are going to be written. - Parameter expireTime: when it is discarded unless it is staged by then.
    func beginImage(_ id: ImageID, of owner: UserID, expiring expireTime: Timestamp) async throws(RepositoryError)

    /// Stages a picture whose bytes are durable. The owner's picture that was staged before is discarded: each has one.
    /// - Throws: `imageNotStaged` when the picture is not being written any more.
    func stageImage(_ id: ImageID, of owner: UserID, at time: Timestamp, expiring expireTime: Timestamp) async throws(RepositoryError)

    /// Pictures to be removed: discarded ones, and those that have expired, which are discarded by it.
    func discardedImages(at time: Timestamp, limit: Int) async throws(RepositoryError) -> [DiscardedImage]

    /// Forgets a discarded picture, whose bytes are gone.
    func forgetImage(_ image: DiscardedImage) async throws(RepositoryError)
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

extension Reason {
    /// The reason of an upload that was not taken.
    init(_ refusal: ImageRefusal) {
        self =
            switch refusal {
            case .tooLarge: .imageTooLarge
            case .dimensions: .imageDimensions
            case .formatUnsupported: .imageFormatUnsupported
            case .invalid: .imageInvalid
            case .hashMismatch: .imageHashMismatch
            case .busy: .imageBusy
            case .unavailable: .unavailable
            }
    }
}
