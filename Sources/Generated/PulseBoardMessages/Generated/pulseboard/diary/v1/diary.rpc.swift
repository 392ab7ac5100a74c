// Written by protoc-gen-pulseboard-swift from pulseboard/diary/v1/diary.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Keeps diaries, and keeps devices the same.
public enum PBDiaryService {
    /// The service's name on the wire.
    public static let fullName = "pulseboard.diary.v1.DiaryService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { PBDiaryFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `pulseboard.diary.v1.DiaryService/CreateDiaryEntry`.
        public static let createDiaryEntry = MethodDescriptor<PBCreateDiaryEntryRequest, PBDiaryEntry>(
            service: PBDiaryService.fullName, method: "CreateDiaryEntry", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/GetDiaryEntry`.
        public static let getDiaryEntry = MethodDescriptor<PBGetDiaryEntryRequest, PBDiaryEntry>(
            service: PBDiaryService.fullName, method: "GetDiaryEntry", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/ListDiaryEntries`.
        public static let listDiaryEntries = MethodDescriptor<PBListDiaryEntriesRequest, PBListDiaryEntriesResponse>(
            service: PBDiaryService.fullName, method: "ListDiaryEntries", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/UpdateDiaryEntry`.
        public static let updateDiaryEntry = MethodDescriptor<PBUpdateDiaryEntryRequest, PBDiaryEntry>(
            service: PBDiaryService.fullName, method: "UpdateDiaryEntry", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/DeleteDiaryEntry`.
        public static let deleteDiaryEntry = MethodDescriptor<PBDeleteDiaryEntryRequest, PBDeleteDiaryEntryResponse>(
            service: PBDiaryService.fullName, method: "DeleteDiaryEntry", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/RegisterDiaryDevice`.
        public static let registerDiaryDevice = MethodDescriptor<PBRegisterDiaryDeviceRequest, PBDiaryDevice>(
            service: PBDiaryService.fullName, method: "RegisterDiaryDevice", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/ListDiaryDevices`.
        public static let listDiaryDevices = MethodDescriptor<PBListDiaryDevicesRequest, PBListDiaryDevicesResponse>(
            service: PBDiaryService.fullName, method: "ListDiaryDevices", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/DeleteDiaryDevice`.
        public static let deleteDiaryDevice = MethodDescriptor<PBDeleteDiaryDeviceRequest, PBDeleteDiaryDeviceResponse>(
            service: PBDiaryService.fullName, method: "DeleteDiaryDevice", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/PushDiaryMutations`.
        public static let pushDiaryMutations = MethodDescriptor<PBPushDiaryMutationsRequest, PBPushDiaryMutationsResponse>(
            service: PBDiaryService.fullName, method: "PushDiaryMutations", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/PullDiaryChanges`.
        public static let pullDiaryChanges = MethodDescriptor<PBPullDiaryChangesRequest, PBDiaryChanges>(
            service: PBDiaryService.fullName, method: "PullDiaryChanges", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/WatchDiary`.
        public static let watchDiary = MethodDescriptor<PBWatchDiaryRequest, PBDiaryChanges>(
            service: PBDiaryService.fullName, method: "WatchDiary", shape: .serverStreaming)
        /// `pulseboard.diary.v1.DiaryService/UploadDiaryImage`.
        public static let uploadDiaryImage = MethodDescriptor<PBUploadDiaryImageRequest, PBDiaryImage>(
            service: PBDiaryService.fullName, method: "UploadDiaryImage", shape: .clientStreaming)
        /// `pulseboard.diary.v1.DiaryService/FindMissingDiaryImages`.
        public static let findMissingDiaryImages = MethodDescriptor<PBFindMissingDiaryImagesRequest, PBFindMissingDiaryImagesResponse>(
            service: PBDiaryService.fullName, method: "FindMissingDiaryImages", shape: .unary)
        /// `pulseboard.diary.v1.DiaryService/DownloadDiaryImage`.
        public static let downloadDiaryImage = MethodDescriptor<PBDownloadDiaryImageRequest, PBDownloadDiaryImageResponse>(
            service: PBDiaryService.fullName, method: "DownloadDiaryImage", shape: .serverStreaming)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `pulseboard.diary.v1.DiaryService/CreateDiaryEntry`.
        public var createDiaryEntry: (@Sendable (PBCreateDiaryEntryRequest, CallContext) throws -> PBDiaryEntry)?
        /// `pulseboard.diary.v1.DiaryService/GetDiaryEntry`.
        public var getDiaryEntry: (@Sendable (PBGetDiaryEntryRequest, CallContext) throws -> PBDiaryEntry)?
        /// `pulseboard.diary.v1.DiaryService/ListDiaryEntries`.
        public var listDiaryEntries: (@Sendable (PBListDiaryEntriesRequest, CallContext) throws -> PBListDiaryEntriesResponse)?
        /// `pulseboard.diary.v1.DiaryService/UpdateDiaryEntry`.
        public var updateDiaryEntry: (@Sendable (PBUpdateDiaryEntryRequest, CallContext) throws -> PBDiaryEntry)?
        /// `pulseboard.diary.v1.DiaryService/DeleteDiaryEntry`.
        public var deleteDiaryEntry: (@Sendable (PBDeleteDiaryEntryRequest, CallContext) throws -> PBDeleteDiaryEntryResponse)?
        /// `pulseboard.diary.v1.DiaryService/RegisterDiaryDevice`.
        public var registerDiaryDevice: (@Sendable (PBRegisterDiaryDeviceRequest, CallContext) throws -> PBDiaryDevice)?
        /// `pulseboard.diary.v1.DiaryService/ListDiaryDevices`.
        public var listDiaryDevices: (@Sendable (PBListDiaryDevicesRequest, CallContext) throws -> PBListDiaryDevicesResponse)?
        /// `pulseboard.diary.v1.DiaryService/DeleteDiaryDevice`.
        public var deleteDiaryDevice: (@Sendable (PBDeleteDiaryDeviceRequest, CallContext) throws -> PBDeleteDiaryDeviceResponse)?
        /// `pulseboard.diary.v1.DiaryService/PushDiaryMutations`.
        public var pushDiaryMutations: (@Sendable (PBPushDiaryMutationsRequest, CallContext) throws -> PBPushDiaryMutationsResponse)?
        /// `pulseboard.diary.v1.DiaryService/PullDiaryChanges`.
        public var pullDiaryChanges: (@Sendable (PBPullDiaryChangesRequest, CallContext) throws -> PBDiaryChanges)?
        /// `pulseboard.diary.v1.DiaryService/FindMissingDiaryImages`.
        public var findMissingDiaryImages: (@Sendable (PBFindMissingDiaryImagesRequest, CallContext) throws -> PBFindMissingDiaryImagesResponse)?

        /// Methods without a handler here may wait.
        public init(
            createDiaryEntry: (@Sendable (PBCreateDiaryEntryRequest, CallContext) throws -> PBDiaryEntry)? = nil,
            getDiaryEntry: (@Sendable (PBGetDiaryEntryRequest, CallContext) throws -> PBDiaryEntry)? = nil,
            listDiaryEntries: (@Sendable (PBListDiaryEntriesRequest, CallContext) throws -> PBListDiaryEntriesResponse)? = nil,
            updateDiaryEntry: (@Sendable (PBUpdateDiaryEntryRequest, CallContext) throws -> PBDiaryEntry)? = nil,
            deleteDiaryEntry: (@Sendable (PBDeleteDiaryEntryRequest, CallContext) throws -> PBDeleteDiaryEntryResponse)? = nil,
            registerDiaryDevice: (@Sendable (PBRegisterDiaryDeviceRequest, CallContext) throws -> PBDiaryDevice)? = nil,
            listDiaryDevices: (@Sendable (PBListDiaryDevicesRequest, CallContext) throws -> PBListDiaryDevicesResponse)? = nil,
            deleteDiaryDevice: (@Sendable (PBDeleteDiaryDeviceRequest, CallContext) throws -> PBDeleteDiaryDeviceResponse)? = nil,
            pushDiaryMutations: (@Sendable (PBPushDiaryMutationsRequest, CallContext) throws -> PBPushDiaryMutationsResponse)? = nil,
            pullDiaryChanges: (@Sendable (PBPullDiaryChangesRequest, CallContext) throws -> PBDiaryChanges)? = nil,
            findMissingDiaryImages: (@Sendable (PBFindMissingDiaryImagesRequest, CallContext) throws -> PBFindMissingDiaryImagesResponse)? = nil
        ) {
            self.createDiaryEntry = createDiaryEntry
            self.getDiaryEntry = getDiaryEntry
            self.listDiaryEntries = listDiaryEntries
            self.updateDiaryEntry = updateDiaryEntry
            self.deleteDiaryEntry = deleteDiaryEntry
            self.registerDiaryDevice = registerDiaryDevice
            self.listDiaryDevices = listDiaryDevices
            self.deleteDiaryDevice = deleteDiaryDevice
            self.pushDiaryMutations = pushDiaryMutations
            self.pullDiaryChanges = pullDiaryChanges
            self.findMissingDiaryImages = findMissingDiaryImages
        }
    }
}

/// Implements `pulseboard.diary.v1.DiaryService` on a server: `Server(services: […])`.
public protocol PBDiaryServiceHandler: RPCService {
    /// Makes an entry. Making the same one again succeeds.
    ///
    /// Errors: INVALID_ARGUMENT (DIARY_TEXT_TOO_LONG, DIARY_TEXT_INVALID_CHARACTERS, EMOTION_INVALID, ENTRY_TIME_INVALID); ALREADY_EXISTS
    /// (DIARY_ENTRY_EXISTS) when there is or was another entry of this id; RESOURCE_EXHAUSTED (DIARY_FULL); FAILED_PRECONDITION
    /// (PROFILE_REQUIRED) when the caller has no profile, (IMAGE_NOT_STAGED) for a picture that was not uploaded. For `images` INVALID_ARGUMENT also
    /// (IDENTIFIER_INVALID, FIELD_MISSING, IMAGE_FORMAT_UNSUPPORTED, IMAGE_EMPTY, IMAGE_TOO_LARGE, ITEM_DUPLICATED, TOO_MANY_ITEMS; DIARY_IMAGE_DIFFERS
    /// for a picture that was uploaded with another type or size).
    func createDiaryEntry(
        _ request: PBCreateDiaryEntryRequest, context: CallContext
    ) async throws -> PBDiaryEntry
    /// One entry.
    ///
    /// Errors: NOT_FOUND (DIARY_ENTRY_NOT_FOUND).
    func getDiaryEntry(
        _ request: PBGetDiaryEntryRequest, context: CallContext
    ) async throws -> PBDiaryEntry
    /// Entries, the newest first.
    ///
    /// Errors: INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE, PAGE_TOKEN_INVALID, EMOTION_INVALID, QUERY_INVALID for the query).
    func listDiaryEntries(
        _ request: PBListDiaryEntriesRequest, context: CallContext
    ) async throws -> PBListDiaryEntriesResponse
    /// Changes the fields of the mask. An entry that has these values already stays as it is.
    ///
    /// Errors: as `CreateDiaryEntry`; NOT_FOUND (DIARY_ENTRY_NOT_FOUND); ABORTED (ETAG_MISMATCH); INVALID_ARGUMENT (FIELD_MISSING, FIELD_UNKNOWN,
    /// FIELD_READ_ONLY) for the mask.
    func updateDiaryEntry(
        _ request: PBUpdateDiaryEntryRequest, context: CallContext
    ) async throws -> PBDiaryEntry
    /// Removes an entry. One that is not there is no error.
    func deleteDiaryEntry(
        _ request: PBDeleteDiaryEntryRequest, context: CallContext
    ) async throws -> PBDeleteDiaryEntryResponse
    /// Registers a device, or renames it. A diary has at most 32.
    ///
    /// Errors: RESOURCE_EXHAUSTED (DIARY_TOO_MANY_DEVICES); FAILED_PRECONDITION (PROFILE_REQUIRED); INVALID_ARGUMENT (DEVICE_NAME_INVALID).
    func registerDiaryDevice(
        _ request: PBRegisterDiaryDeviceRequest, context: CallContext
    ) async throws -> PBDiaryDevice
    /// The caller's devices.
    func listDiaryDevices(
        _ request: PBListDiaryDevicesRequest, context: CallContext
    ) async throws -> PBListDiaryDevicesResponse
    /// Forgets a device. What it wrote stays. One that is not there is no error.
    func deleteDiaryDevice(
        _ request: PBDeleteDiaryDeviceRequest, context: CallContext
    ) async throws -> PBDeleteDiaryDeviceResponse
    /// Applies a device's mutations in their order, in one transaction. Sending them again gives the same results again and changes nothing.
    ///
    /// Errors: FAILED_PRECONDITION (DIARY_DEVICE_UNKNOWN; DIARY_MUTATION_GAP when mutations between the device's last and the first are missing;
    /// DIARY_DEVICE_CLONED when a number comes with another mutation than before, or after its result was confirmed; DIARY_CLOCK_SKEWED when a stamp is more than 24 hours ahead). The
    /// details of a gap and of a skew have `last_mutation`, and those of a skew `server_time` in microseconds. INVALID_ARGUMENT (TOO_MANY_ITEMS) for
    /// more than 100 or 1 MiB, (FIELD_MISSING) for a mutation without a change, (DIARY_NUMBER_INVALID) for a number that is not the one after that
    /// before. Then nothing has changed.
    func pushDiaryMutations(
        _ request: PBPushDiaryMutationsRequest, context: CallContext
    ) async throws -> PBPushDiaryMutationsResponse
    /// What has changed since a cursor, a page at a time.
    ///
    /// Errors: INVALID_ARGUMENT (PAGE_TOKEN_INVALID) for a cursor of another diary, or from before the server was restored: begin again as after
    /// DIARY_RESYNC_REQUIRED; FAILED_PRECONDITION (DIARY_DEVICE_UNKNOWN); OUT_OF_RANGE
    /// (DIARY_RESYNC_REQUIRED) when deletions after the cursor are forgotten by now: begin again with an empty cursor, and put what comes in the place
    /// of everything.
    func pullDiaryChanges(
        _ request: PBPullDiaryChangesRequest, context: CallContext
    ) async throws -> PBDiaryChanges
    /// The same without an end: after the page that is complete, each further change as it happens. The next page is read when there is room to send it,
    /// so a slow reader gets fewer and newer rows. If nothing changes, a page without rows comes at least every 30 s, so that whoever forwards the stream
    /// keeps it.
    ///
    /// Errors: as `PullDiaryChanges`; UNAUTHENTICATED also when the session ends; UNAVAILABLE when the server shuts down: begin again.
    func watchDiary(
        _ request: PBWatchDiaryRequest, responses: MessageWriter<PBDiaryChanges>, context: CallContext
    ) async throws
    /// Keeps a picture for the entries that will name it: JPEG, PNG or WebP, at most 5 MiB and 32 million pixels.
    ///
    /// The first message is the header, the others are the bytes in order, each at most 1 MiB; then half-close. The bytes are kept as they are. They wait
    /// a day for an entry that names them. A picture that is there already is kept for longer. A caller uploads one picture at a time, and
    /// has at most 10,000 pictures and 1 GiB of them. In every 30 seconds, at least 128 KiB must come, or all that is left.
    /// Errors: INVALID_ARGUMENT (IMAGE_EMPTY, IMAGE_TOO_LARGE, IMAGE_DIMENSIONS, IMAGE_FORMAT_UNSUPPORTED, IMAGE_INVALID for a damaged one, IMAGE_HASH_MISMATCH when
    /// other bytes come than the header announces, FIELD_MISSING without a header, IDENTIFIER_INVALID for a hash of another length); RESOURCE_EXHAUSTED
    /// (DIARY_FULL; IMAGE_BUSY when the caller is uploading another one, too many callers are uploading, or too many pictures are being decoded);
    /// DEADLINE_EXCEEDED (IMAGE_TOO_SLOW); FAILED_PRECONDITION (PROFILE_REQUIRED).
    func uploadDiaryImage(
        _ requests: MessageStream<PBUploadDiaryImageRequest>, context: CallContext
    ) async throws -> PBDiaryImage
    /// Which of some pictures are not there, and have to be uploaded. The others are kept for another day.
    ///
    /// Errors: INVALID_ARGUMENT (TOO_MANY_ITEMS) for more than 400, (IDENTIFIER_INVALID) for a hash of another length.
    func findMissingDiaryImages(
        _ request: PBFindMissingDiaryImagesRequest, context: CallContext
    ) async throws -> PBFindMissingDiaryImagesResponse
    /// The bytes of a picture, as they were uploaded. The next part is read when there is room to send it.
    ///
    /// Errors: NOT_FOUND (IMAGE_NOT_FOUND); INVALID_ARGUMENT (IDENTIFIER_INVALID); RESOURCE_EXHAUSTED (WATCH_LIMIT), because it counts as a watch.
    func downloadDiaryImage(
        _ request: PBDownloadDiaryImageRequest, responses: MessageWriter<PBDownloadDiaryImageResponse>, context: CallContext
    ) async throws
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: PBDiaryService.SynchronousHandlers { get }
}

extension PBDiaryServiceHandler {
    public var synchronousHandlers: PBDiaryService.SynchronousHandlers { PBDiaryService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(PBDiaryService.Methods.createDiaryEntry, synchronous: synchronous.createDiaryEntry) {
            try await self.createDiaryEntry($0, context: $1)
        }
        router.register(PBDiaryService.Methods.getDiaryEntry, synchronous: synchronous.getDiaryEntry) {
            try await self.getDiaryEntry($0, context: $1)
        }
        router.register(PBDiaryService.Methods.listDiaryEntries, synchronous: synchronous.listDiaryEntries) {
            try await self.listDiaryEntries($0, context: $1)
        }
        router.register(PBDiaryService.Methods.updateDiaryEntry, synchronous: synchronous.updateDiaryEntry) {
            try await self.updateDiaryEntry($0, context: $1)
        }
        router.register(PBDiaryService.Methods.deleteDiaryEntry, synchronous: synchronous.deleteDiaryEntry) {
            try await self.deleteDiaryEntry($0, context: $1)
        }
        router.register(PBDiaryService.Methods.registerDiaryDevice, synchronous: synchronous.registerDiaryDevice) {
            try await self.registerDiaryDevice($0, context: $1)
        }
        router.register(PBDiaryService.Methods.listDiaryDevices, synchronous: synchronous.listDiaryDevices) {
            try await self.listDiaryDevices($0, context: $1)
        }
        router.register(PBDiaryService.Methods.deleteDiaryDevice, synchronous: synchronous.deleteDiaryDevice) {
            try await self.deleteDiaryDevice($0, context: $1)
        }
        router.register(PBDiaryService.Methods.pushDiaryMutations, synchronous: synchronous.pushDiaryMutations) {
            try await self.pushDiaryMutations($0, context: $1)
        }
        router.register(PBDiaryService.Methods.pullDiaryChanges, synchronous: synchronous.pullDiaryChanges) {
            try await self.pullDiaryChanges($0, context: $1)
        }
        router.registerServerStreaming(PBDiaryService.Methods.watchDiary) {
            try await self.watchDiary($0, responses: $1, context: $2)
        }
        router.registerClientStreaming(PBDiaryService.Methods.uploadDiaryImage) {
            try await self.uploadDiaryImage($0, context: $1)
        }
        router.register(PBDiaryService.Methods.findMissingDiaryImages, synchronous: synchronous.findMissingDiaryImages) {
            try await self.findMissingDiaryImages($0, context: $1)
        }
        router.registerServerStreaming(PBDiaryService.Methods.downloadDiaryImage) {
            try await self.downloadDiaryImage($0, responses: $1, context: $2)
        }
    }
}

/// Calls `pulseboard.diary.v1.DiaryService` over any channel.
public struct PBDiaryServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// Makes an entry. Making the same one again succeeds.
    ///
    /// Errors: INVALID_ARGUMENT (DIARY_TEXT_TOO_LONG, DIARY_TEXT_INVALID_CHARACTERS, EMOTION_INVALID, ENTRY_TIME_INVALID); ALREADY_EXISTS
    /// (DIARY_ENTRY_EXISTS) when there is or was another entry of this id; RESOURCE_EXHAUSTED (DIARY_FULL); FAILED_PRECONDITION
    /// (PROFILE_REQUIRED) when the caller has no profile, (IMAGE_NOT_STAGED) for a picture that was not uploaded. For `images` INVALID_ARGUMENT also
    /// (IDENTIFIER_INVALID, FIELD_MISSING, IMAGE_FORMAT_UNSUPPORTED, IMAGE_EMPTY, IMAGE_TOO_LARGE, ITEM_DUPLICATED, TOO_MANY_ITEMS; DIARY_IMAGE_DIFFERS
    /// for a picture that was uploaded with another type or size).
    public func createDiaryEntry(
        _ request: PBCreateDiaryEntryRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDiaryEntry {
        try await channel.unary(PBDiaryService.Methods.createDiaryEntry, request, options: options)
    }

    /// One entry.
    ///
    /// Errors: NOT_FOUND (DIARY_ENTRY_NOT_FOUND).
    public func getDiaryEntry(
        _ request: PBGetDiaryEntryRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDiaryEntry {
        try await channel.unary(PBDiaryService.Methods.getDiaryEntry, request, options: options)
    }

    /// Entries, the newest first.
    ///
    /// Errors: INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE, PAGE_TOKEN_INVALID, EMOTION_INVALID, QUERY_INVALID for the query).
    public func listDiaryEntries(
        _ request: PBListDiaryEntriesRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBListDiaryEntriesResponse {
        try await channel.unary(PBDiaryService.Methods.listDiaryEntries, request, options: options)
    }

    /// Changes the fields of the mask. An entry that has these values already stays as it is.
    ///
    /// Errors: as `CreateDiaryEntry`; NOT_FOUND (DIARY_ENTRY_NOT_FOUND); ABORTED (ETAG_MISMATCH); INVALID_ARGUMENT (FIELD_MISSING, FIELD_UNKNOWN,
    /// FIELD_READ_ONLY) for the mask.
    public func updateDiaryEntry(
        _ request: PBUpdateDiaryEntryRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDiaryEntry {
        try await channel.unary(PBDiaryService.Methods.updateDiaryEntry, request, options: options)
    }

    /// Removes an entry. One that is not there is no error.
    public func deleteDiaryEntry(
        _ request: PBDeleteDiaryEntryRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDeleteDiaryEntryResponse {
        try await channel.unary(PBDiaryService.Methods.deleteDiaryEntry, request, options: options)
    }

    /// Registers a device, or renames it. A diary has at most 32.
    ///
    /// Errors: RESOURCE_EXHAUSTED (DIARY_TOO_MANY_DEVICES); FAILED_PRECONDITION (PROFILE_REQUIRED); INVALID_ARGUMENT (DEVICE_NAME_INVALID).
    public func registerDiaryDevice(
        _ request: PBRegisterDiaryDeviceRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDiaryDevice {
        try await channel.unary(PBDiaryService.Methods.registerDiaryDevice, request, options: options)
    }

    /// The caller's devices.
    public func listDiaryDevices(
        _ request: PBListDiaryDevicesRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBListDiaryDevicesResponse {
        try await channel.unary(PBDiaryService.Methods.listDiaryDevices, request, options: options)
    }

    /// Forgets a device. What it wrote stays. One that is not there is no error.
    public func deleteDiaryDevice(
        _ request: PBDeleteDiaryDeviceRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDeleteDiaryDeviceResponse {
        try await channel.unary(PBDiaryService.Methods.deleteDiaryDevice, request, options: options)
    }

    /// Applies a device's mutations in their order, in one transaction. Sending them again gives the same results again and changes nothing.
    ///
    /// Errors: FAILED_PRECONDITION (DIARY_DEVICE_UNKNOWN; DIARY_MUTATION_GAP when mutations between the device's last and the first are missing;
    /// DIARY_DEVICE_CLONED when a number comes with another mutation than before, or after its result was confirmed; DIARY_CLOCK_SKEWED when a stamp is more than 24 hours ahead). The
    /// details of a gap and of a skew have `last_mutation`, and those of a skew `server_time` in microseconds. INVALID_ARGUMENT (TOO_MANY_ITEMS) for
    /// more than 100 or 1 MiB, (FIELD_MISSING) for a mutation without a change, (DIARY_NUMBER_INVALID) for a number that is not the one after that
    /// before. Then nothing has changed.
    public func pushDiaryMutations(
        _ request: PBPushDiaryMutationsRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBPushDiaryMutationsResponse {
        try await channel.unary(PBDiaryService.Methods.pushDiaryMutations, request, options: options)
    }

    /// What has changed since a cursor, a page at a time.
    ///
    /// Errors: INVALID_ARGUMENT (PAGE_TOKEN_INVALID) for a cursor of another diary, or from before the server was restored: begin again as after
    /// DIARY_RESYNC_REQUIRED; FAILED_PRECONDITION (DIARY_DEVICE_UNKNOWN); OUT_OF_RANGE
    /// (DIARY_RESYNC_REQUIRED) when deletions after the cursor are forgotten by now: begin again with an empty cursor, and put what comes in the place
    /// of everything.
    public func pullDiaryChanges(
        _ request: PBPullDiaryChangesRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDiaryChanges {
        try await channel.unary(PBDiaryService.Methods.pullDiaryChanges, request, options: options)
    }

    /// The same without an end: after the page that is complete, each further change as it happens. The next page is read when there is room to send it,
    /// so a slow reader gets fewer and newer rows. If nothing changes, a page without rows comes at least every 30 s, so that whoever forwards the stream
    /// keeps it.
    ///
    /// Errors: as `PullDiaryChanges`; UNAUTHENTICATED also when the session ends; UNAVAILABLE when the server shuts down: begin again.
    public func watchDiary(
        _ request: PBWatchDiaryRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<PBDiaryChanges> {
        channel.serverStream(PBDiaryService.Methods.watchDiary, request, options: options)
    }

    /// Keeps a picture for the entries that will name it: JPEG, PNG or WebP, at most 5 MiB and 32 million pixels.
    ///
    /// The first message is the header, the others are the bytes in order, each at most 1 MiB; then half-close. The bytes are kept as they are. They wait
    /// a day for an entry that names them. A picture that is there already is kept for longer. A caller uploads one picture at a time, and
    /// has at most 10,000 pictures and 1 GiB of them. In every 30 seconds, at least 128 KiB must come, or all that is left.
    /// Errors: INVALID_ARGUMENT (IMAGE_EMPTY, IMAGE_TOO_LARGE, IMAGE_DIMENSIONS, IMAGE_FORMAT_UNSUPPORTED, IMAGE_INVALID for a damaged one, IMAGE_HASH_MISMATCH when
    /// other bytes come than the header announces, FIELD_MISSING without a header, IDENTIFIER_INVALID for a hash of another length); RESOURCE_EXHAUSTED
    /// (DIARY_FULL; IMAGE_BUSY when the caller is uploading another one, too many callers are uploading, or too many pictures are being decoded);
    /// DEADLINE_EXCEEDED (IMAGE_TOO_SLOW); FAILED_PRECONDITION (PROFILE_REQUIRED).
    public func uploadDiaryImage(
        options: CallOptions = CallOptions()
    ) -> ClientStream<PBUploadDiaryImageRequest, PBDiaryImage> {
        channel.clientStream(PBDiaryService.Methods.uploadDiaryImage, options: options)
    }

    /// Which of some pictures are not there, and have to be uploaded. The others are kept for another day.
    ///
    /// Errors: INVALID_ARGUMENT (TOO_MANY_ITEMS) for more than 400, (IDENTIFIER_INVALID) for a hash of another length.
    public func findMissingDiaryImages(
        _ request: PBFindMissingDiaryImagesRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBFindMissingDiaryImagesResponse {
        try await channel.unary(PBDiaryService.Methods.findMissingDiaryImages, request, options: options)
    }

    /// The bytes of a picture, as they were uploaded. The next part is read when there is room to send it.
    ///
    /// Errors: NOT_FOUND (IMAGE_NOT_FOUND); INVALID_ARGUMENT (IDENTIFIER_INVALID); RESOURCE_EXHAUSTED (WATCH_LIMIT), because it counts as a watch.
    public func downloadDiaryImage(
        _ request: PBDownloadDiaryImageRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<PBDownloadDiaryImageResponse> {
        channel.serverStream(PBDiaryService.Methods.downloadDiaryImage, request, options: options)
    }
}
