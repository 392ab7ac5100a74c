import PulseBoardVocabulary

/// The id of one uploaded picture. A new picture has a new id, so the bytes under an id never change.
public struct ImageID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }

    /// The field of a request that has the id of a staged picture.
    package static let field = "image_id"
}

/// The sizes in which a picture is kept, from the smallest to the largest: squares, as WebP in sRGB and without metadata. The program that decodes
/// pictures has the same table (`variants` in its `main.c`).
public enum ImageSize: Int, CaseIterable, Sendable, Hashable {
    case small = 96
    case medium = 400
    case large = 1024

    /// The side in pixels. A smaller picture keeps its size: nothing is enlarged.
    public var side: Int { rawValue }

    /// Maximum bytes of a picture of this size.
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
    private let images: [ImageSize: [UInt8]]

    /// Takes the picture in all sizes.
    public init(_ images: [ImageSize: [UInt8]]) {
        precondition(images.count == ImageSize.allCases.count, "a size is missing")
        self.images = images
    }

    /// The picture in one size.
    public subscript(size: ImageSize) -> [UInt8] { images[size] ?? [] }
}

/// Limits of uploaded pictures.
public enum ImageLimits {
    /// In each of these times, an upload must bring ``uploadProgress``, or all that is left. It has no other limit of time.
    ///
    /// A phone with a poor connection sends 10 KiB a second. Half of that is enough, so it may be silent for 17 s. Nobody keeps a place for nothing.
    public static let uploadInterval = Duration.seconds(30)
    /// The bytes that an upload must bring in ``uploadInterval``.
    public static let uploadProgress = 128 << 10
    /// How long an upload keeps its place, however slow it is, when all places are taken. After that the slowest one loses its place to a new one.
    public static let uploadHeadStart = Timestamp.Interval.seconds(10)
    /// How long a staged picture waits for its profile.
    public static let stagedLifetime = Timestamp.Interval.hours(1)
    /// How long an upload may take to be stored. After that, what a crash left is removed.
    public static let uploadLifetime = Timestamp.Interval.seconds(600)
    /// Maximum bytes of an upload.
    public static let maximumUploadBytes = 8 << 20
    /// Maximum pixels, width times height.
    public static let maximumPixels = 32_000_000
}

/// Why a picture was refused.
public enum ImageRefusal: Error, Hashable, Sendable {
    /// More than ``ImageLimits/maximumUploadBytes``.
    case tooLarge
    /// More than ``ImageLimits/maximumPixels``.
    case dimensions
    /// Neither JPEG nor PNG nor WebP.
    case formatUnsupported
    /// The picture is damaged or cut off, or decoding it would cost too much.
    case invalid
    /// The bytes are not those whose SHA-256 was announced.
    case hashMismatch
    /// Too many pictures are being uploaded or wait for the decoder. Or this upload was the slowest, and gave its place to another.
    case busy
    /// The bytes came too slowly (``ImageLimits/uploadInterval``).
    case tooSlow
    /// The picture could not be written, such as on a full disk. The detail is for the log only.
    case storeUnavailable(StoreFailure, detail: String)
    /// The server could not process the picture. The detail is for the log only.
    case unavailable(detail: String)
}

/// The bytes of a picture that is being uploaded. They are removed when the last reference is gone.
public protocol ImageUpload: AnyObject, Sendable {
    /// Appends bytes.
    /// - Throws: `tooLarge`, `storeUnavailable`.
    func append(_ bytes: [UInt8]) async throws(ImageRefusal)

    /// The SHA-256 of all bytes so far, 32 bytes.
    var sha256: [UInt8] { get async }
    /// How many bytes were appended so far.
    var byteCount: Int { get async }

    /// Decodes the bytes into a picture in every size, the right way up.
    /// - Throws: every case of ``ImageRefusal`` but `hashMismatch` and `tooSlow`.
    func decoded() async throws(ImageRefusal) -> ImageVariants

    /// Checks that the bytes are a picture, without decoding it into sizes.
    /// - Throws: as ``decoded()``.
    func check() async throws(ImageRefusal)

    /// Reads a range of the appended bytes.
    /// - Throws: `unavailable`.
    func bytes(in range: Range<Int>) async throws(ImageRefusal) -> [UInt8]
}

/// Receives and decodes pictures (B20). Decoding runs in another process, because the bytes are not trusted.
public protocol ImageDecoding: Sendable {
    /// Begins an upload.
    /// - Parameter user: who uploads. Pictures of users who have used the decoder much give way to others.
    /// - Throws: `unavailable`.
    func beginUpload(of user: UserID) async throws(ImageRefusal) -> any ImageUpload
}

/// A picture that may be put into its owner's profile.
public struct StagedImage: Hashable, Sendable {
    public let id: ImageID
    /// When it is discarded, unless it is in a profile by then.
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

/// Stores which pictures exist. A picture's row is written before its bytes and removed after them. So a crash leaves no bytes without
/// a row (C18), and nothing has to search the stored bytes.
///
/// A picture is first being written, then staged, then in a profile. It is discarded when another one replaces it, when it expires, and
/// when its owner withdraws. ``ProfileRepository`` attaches a staged picture in the transaction that writes the profile (X14).
public protocol ImageRepository: Sendable {
    /// Records that the bytes of a picture are about to be written.
    /// - Parameter expireTime: when it is discarded unless it is staged by then.
    func beginImage(_ id: ImageID, of owner: UserID, expiring expireTime: Timestamp) async throws(RepositoryError)

    /// Stages a picture whose bytes are durable. An owner has one staged picture: the one before is discarded.
    /// - Throws: `imageNotStaged` when the picture is not being written any more.
    func stageImage(_ id: ImageID, of owner: UserID, at time: Timestamp, expiring expireTime: Timestamp) async throws(RepositoryError)

    /// Returns pictures to remove. It first discards those that have expired.
    func discardedImages(at time: Timestamp, limit: Int) async throws(RepositoryError) -> [DiscardedImage]

    /// Removes the row of a discarded picture whose bytes are gone.
    func forgetImage(_ image: DiscardedImage) async throws(RepositoryError)

    /// Whether a profile has a picture.
    func hasAttachedImages() async throws(RepositoryError) -> Bool
}

/// Stores the bytes of pictures by owner and id. It knows no profiles: ``ProfileRepository`` says which picture a profile
/// has. While a method waits for a disk, it holds no thread of the caller's executor and none of Swift's shared pool.
public protocol ImageStore: Sendable {
    /// Stores a picture. When it returns, the picture is durable. When it throws, parts may be stored; ``remove(_:of:)`` removes them.
    func store(_ variants: ImageVariants, as id: ImageID, of owner: UserID) async throws(RepositoryError)

    /// The bytes of one size, or `nil` when there is no such picture.
    func image(_ id: ImageID, of owner: UserID, size: ImageSize) async throws(RepositoryError) -> [UInt8]?

    /// Removes a picture, or the parts of it that are stored.
    func remove(_ id: ImageID, of owner: UserID) async throws(RepositoryError)

    /// Whether nothing at all is stored. So it looks, too, while the disk of the pictures is not mounted.
    func isEmpty() async throws(RepositoryError) -> Bool

    /// Records whether all pictures of profiles are missing. Then none can be stored until something is here again.
    /// - Parameter missing: for the log and for the operator; `nil` if they are not missing.
    func notePictures(missing: String?)
}

extension Reason {
    /// The reason for a refused upload.
    init(_ refusal: ImageRefusal) {
        self =
            switch refusal {
            case .tooLarge: .imageTooLarge
            case .dimensions: .imageDimensions
            case .formatUnsupported: .imageFormatUnsupported
            case .invalid: .imageInvalid
            case .hashMismatch: .imageHashMismatch
            case .busy: .imageBusy
            case .tooSlow: .imageTooSlow
            case .storeUnavailable(let failure, _): Reason(failure)
            case .unavailable: .unavailable
            }
    }
}
