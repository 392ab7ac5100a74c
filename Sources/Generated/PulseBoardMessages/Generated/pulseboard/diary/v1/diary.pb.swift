// Written by protoc-gen-pulseboard-swift from pulseboard/diary/v1/diary.proto.
// Do not edit: change that file and generate again.

internal import PulseBoardC
import ProtobufC
import ProtobufWellKnownTypes

/// One entry as its owner sees it.
public struct PBDiaryEntry: Message {
    /// Names it: lower-case UUID text, made by the client.
    public var id: String = ""
    /// The instant that the entry is about (UTC, microseconds, years 1 to 9999).
    public var entryTime: Google_Protobuf_Timestamp?
    /// What the owner felt: up to 32 small letters and underscores; empty: none is told.
    public var emotion: String = ""
    /// Up to 10,000 characters and 40,000 bytes, in NFC. Line breaks and tabs, no other control characters.
    public var text: String = ""
    /// The entry's pictures, in its owner's order, each once, at most 4. Each was uploaded before (`UploadDiaryImage`).
    public var images: [PBDiaryImage] = []
    /// When it was written first, by the clock of the device (UTC, microseconds).
    public var createTime: Google_Protobuf_Timestamp?
    /// When it was last changed.
    public var updateTime: Google_Protobuf_Timestamp?
    /// Changes with every change; the same on all devices that have the same state.
    public var etag: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        entryTime: Google_Protobuf_Timestamp? = nil,
        emotion: String = "",
        text: String = "",
        images: [PBDiaryImage] = [],
        createTime: Google_Protobuf_Timestamp? = nil,
        updateTime: Google_Protobuf_Timestamp? = nil,
        etag: String = ""
    ) {
        self.id = id
        self.entryTime = entryTime
        self.emotion = emotion
        self.text = text
        self.images = images
        self.createTime = createTime
        self.updateTime = updateTime
        self.etag = etag
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryEntry.self,
        initializedBy: pulseboard__diary__v1__diary_entry__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryEntry.self)
        self.id = MessageReader.string(message.pointee.id)
        self.entryTime = MessageReader.message(message.pointee.entry_time)
        self.emotion = MessageReader.string(message.pointee.emotion)
        self.text = MessageReader.string(message.pointee.text)
        self.images = MessageReader.messages(message.pointee.n_images, message.pointee.images)
        self.createTime = MessageReader.message(message.pointee.create_time)
        self.updateTime = MessageReader.message(message.pointee.update_time)
        self.etag = MessageReader.string(message.pointee.etag)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryEntry.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        message.pointee.entry_time = try encoder.message(
            self.entryTime, as: Google__Protobuf__Timestamp.self, field: "entry_time")
        if !self.emotion.isEmpty {
            message.pointee.emotion = try encoder.string(self.emotion, field: "emotion")
        }
        if !self.text.isEmpty {
            message.pointee.text = try encoder.string(self.text, field: "text")
        }
        (message.pointee.n_images, message.pointee.images) = try encoder.messages(
            self.images, as: Pulseboard__Diary__V1__DiaryImage.self, field: "images")
        message.pointee.create_time = try encoder.message(
            self.createTime, as: Google__Protobuf__Timestamp.self, field: "create_time")
        message.pointee.update_time = try encoder.message(
            self.updateTime, as: Google__Protobuf__Timestamp.self, field: "update_time")
        if !self.etag.isEmpty {
            message.pointee.etag = try encoder.string(self.etag, field: "etag")
        }
    }
}

/// A picture of an entry, as the entry names it.
public struct PBDiaryImage: Message {
    /// The SHA-256 of its bytes, 32 bytes: names the picture.
    public var sha256: [UInt8] = []
    /// image/jpeg, image/png or image/webp. More may come.
    public var contentType: String = ""
    /// How many bytes it has: 1 to 5,242,880.
    public var sizeBytes: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        sha256: [UInt8] = [],
        contentType: String = "",
        sizeBytes: Int64 = 0
    ) {
        self.sha256 = sha256
        self.contentType = contentType
        self.sizeBytes = sizeBytes
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryImage.self,
        initializedBy: pulseboard__diary__v1__diary_image__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryImage.self)
        self.sha256 = MessageReader.bytes(message.pointee.sha256)
        self.contentType = MessageReader.string(message.pointee.content_type)
        self.sizeBytes = message.pointee.size_bytes
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryImage.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.sha256.isEmpty {
            message.pointee.sha256 = encoder.bytes(self.sha256)
        }
        if !self.contentType.isEmpty {
            message.pointee.content_type = try encoder.string(self.contentType, field: "content_type")
        }
        message.pointee.size_bytes = self.sizeBytes
    }
}

/// One message of an upload.
public struct PBUploadDiaryImageRequest: Message {
    /// The header once, first; then chunks.
    public var part: OneOf_Part?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(part: OneOf_Part? = nil) {
        self.part = part
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__UploadDiaryImageRequest.self,
        initializedBy: pulseboard__diary__v1__upload_diary_image_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__UploadDiaryImageRequest.self)
        switch message.pointee.part_case.rawValue {
        case 1: self.part = MessageReader.message(message.pointee.header).map { .header($0) }
        case 2: self.part = .chunk(MessageReader.bytes(message.pointee.chunk))
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__UploadDiaryImageRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.part {
        case .header(let value)?:
            message.pointee.part_case = .init(rawValue: 1)
            message.pointee.header = try encoder.message(
                value, as: Pulseboard__Diary__V1__UploadDiaryImageHeader.self, field: "header")
        case .chunk(let value)?:
            message.pointee.part_case = .init(rawValue: 2)
            message.pointee.chunk = encoder.bytes(value)
        case nil: break
        }
    }

    /// What ``part`` can be.
    public enum OneOf_Part: Hashable, Sendable {
        /// What will come.
        case header(PBUploadDiaryImageHeader)
        /// The next bytes, at most 1 MiB.
        case chunk([UInt8])
    }
}

/// What an upload will bring.
public struct PBUploadDiaryImageHeader: Message {
    /// How many bytes will come: 1 to 5,242,880.
    public var sizeBytes: Int64 = 0
    /// The SHA-256 of them, 32 bytes.
    public var sha256: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        sizeBytes: Int64 = 0,
        sha256: [UInt8] = []
    ) {
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__UploadDiaryImageHeader.self,
        initializedBy: pulseboard__diary__v1__upload_diary_image_header__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__UploadDiaryImageHeader.self)
        self.sizeBytes = message.pointee.size_bytes
        self.sha256 = MessageReader.bytes(message.pointee.sha256)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__UploadDiaryImageHeader.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.size_bytes = self.sizeBytes
        if !self.sha256.isEmpty {
            message.pointee.sha256 = encoder.bytes(self.sha256)
        }
    }
}

/// Asks which pictures have to be uploaded.
public struct PBFindMissingDiaryImagesRequest: Message {
    /// The SHA-256 of each, 32 bytes; at most 400.
    public var sha256: [[UInt8]] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(sha256: [[UInt8]] = []) {
        self.sha256 = sha256
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__FindMissingDiaryImagesRequest.self,
        initializedBy: pulseboard__diary__v1__find_missing_diary_images_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__FindMissingDiaryImagesRequest.self)
        self.sha256 = MessageReader.bytesArray(message.pointee.n_sha256, message.pointee.sha256)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__FindMissingDiaryImagesRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_sha256, message.pointee.sha256) = encoder.bytesArray(self.sha256)
    }
}

/// The pictures that are not there.
public struct PBFindMissingDiaryImagesResponse: Message {
    /// In the order of the request.
    public var sha256: [[UInt8]] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(sha256: [[UInt8]] = []) {
        self.sha256 = sha256
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__FindMissingDiaryImagesResponse.self,
        initializedBy: pulseboard__diary__v1__find_missing_diary_images_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__FindMissingDiaryImagesResponse.self)
        self.sha256 = MessageReader.bytesArray(message.pointee.n_sha256, message.pointee.sha256)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__FindMissingDiaryImagesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_sha256, message.pointee.sha256) = encoder.bytesArray(self.sha256)
    }
}

/// Asks for the bytes of a picture.
public struct PBDownloadDiaryImageRequest: Message {
    /// `DiaryImage.sha256`.
    public var sha256: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(sha256: [UInt8] = []) {
        self.sha256 = sha256
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DownloadDiaryImageRequest.self,
        initializedBy: pulseboard__diary__v1__download_diary_image_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DownloadDiaryImageRequest.self)
        self.sha256 = MessageReader.bytes(message.pointee.sha256)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DownloadDiaryImageRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.sha256.isEmpty {
            message.pointee.sha256 = encoder.bytes(self.sha256)
        }
    }
}

/// Some of the bytes.
public struct PBDownloadDiaryImageResponse: Message {
    /// The next ones, at most 256 KiB.
    public var chunk: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(chunk: [UInt8] = []) {
        self.chunk = chunk
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DownloadDiaryImageResponse.self,
        initializedBy: pulseboard__diary__v1__download_diary_image_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DownloadDiaryImageResponse.self)
        self.chunk = MessageReader.bytes(message.pointee.chunk)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DownloadDiaryImageResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.chunk.isEmpty {
            message.pointee.chunk = encoder.bytes(self.chunk)
        }
    }
}

/// Asks for an entry to be made.
public struct PBCreateDiaryEntryRequest: Message {
    /// `id`, `entry_time`, `emotion`, `text` and `images` are taken.
    public var entry: PBDiaryEntry?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(entry: PBDiaryEntry? = nil) {
        self.entry = entry
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__CreateDiaryEntryRequest.self,
        initializedBy: pulseboard__diary__v1__create_diary_entry_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__CreateDiaryEntryRequest.self)
        self.entry = MessageReader.message(message.pointee.entry)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__CreateDiaryEntryRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.entry = try encoder.message(
            self.entry, as: Pulseboard__Diary__V1__DiaryEntry.self, field: "entry")
    }
}

/// Asks for an entry.
public struct PBGetDiaryEntryRequest: Message {
    /// Which.
    public var id: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(id: String = "") {
        self.id = id
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__GetDiaryEntryRequest.self,
        initializedBy: pulseboard__diary__v1__get_diary_entry_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__GetDiaryEntryRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__GetDiaryEntryRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
    }
}

/// Asks for a page of entries.
public struct PBListDiaryEntriesRequest: Message {
    /// 0: 50; at most 200. A page of more than 1 MiB ends earlier.
    public var pageSize: Int32 = 0
    /// `next_page_token` of the page before, with the same filter. Empty: the first page.
    public var pageToken: String = ""
    /// From this instant on. Not set: from the first.
    public var startTime: Google_Protobuf_Timestamp?
    /// Before this instant. Not set: to the last.
    public var endTime: Google_Protobuf_Timestamp?
    /// Only entries with this emotion. Empty: all.
    public var emotion: String = ""
    /// Only entries whose text has these characters, at most 100. Latin letters match in either case. Empty: all.
    public var query: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        pageSize: Int32 = 0,
        pageToken: String = "",
        startTime: Google_Protobuf_Timestamp? = nil,
        endTime: Google_Protobuf_Timestamp? = nil,
        emotion: String = "",
        query: String = ""
    ) {
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.startTime = startTime
        self.endTime = endTime
        self.emotion = emotion
        self.query = query
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__ListDiaryEntriesRequest.self,
        initializedBy: pulseboard__diary__v1__list_diary_entries_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__ListDiaryEntriesRequest.self)
        self.pageSize = message.pointee.page_size
        self.pageToken = MessageReader.string(message.pointee.page_token)
        self.startTime = MessageReader.message(message.pointee.start_time)
        self.endTime = MessageReader.message(message.pointee.end_time)
        self.emotion = MessageReader.string(message.pointee.emotion)
        self.query = MessageReader.string(message.pointee.query)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__ListDiaryEntriesRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.page_size = self.pageSize
        if !self.pageToken.isEmpty {
            message.pointee.page_token = try encoder.string(self.pageToken, field: "page_token")
        }
        message.pointee.start_time = try encoder.message(
            self.startTime, as: Google__Protobuf__Timestamp.self, field: "start_time")
        message.pointee.end_time = try encoder.message(
            self.endTime, as: Google__Protobuf__Timestamp.self, field: "end_time")
        if !self.emotion.isEmpty {
            message.pointee.emotion = try encoder.string(self.emotion, field: "emotion")
        }
        if !self.query.isEmpty {
            message.pointee.query = try encoder.string(self.query, field: "query")
        }
    }
}

/// A page of entries.
public struct PBListDiaryEntriesResponse: Message {
    /// The newest first; within one instant by id, descending.
    public var entries: [PBDiaryEntry] = []
    /// Empty: this is the last page.
    public var nextPageToken: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        entries: [PBDiaryEntry] = [],
        nextPageToken: String = ""
    ) {
        self.entries = entries
        self.nextPageToken = nextPageToken
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__ListDiaryEntriesResponse.self,
        initializedBy: pulseboard__diary__v1__list_diary_entries_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__ListDiaryEntriesResponse.self)
        self.entries = MessageReader.messages(message.pointee.n_entries, message.pointee.entries)
        self.nextPageToken = MessageReader.string(message.pointee.next_page_token)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__ListDiaryEntriesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_entries, message.pointee.entries) = try encoder.messages(
            self.entries, as: Pulseboard__Diary__V1__DiaryEntry.self, field: "entries")
        if !self.nextPageToken.isEmpty {
            message.pointee.next_page_token = try encoder.string(self.nextPageToken, field: "next_page_token")
        }
    }
}

/// Asks for a change of an entry.
public struct PBUpdateDiaryEntryRequest: Message {
    /// `id` and the fields of the mask are taken.
    public var entry: PBDiaryEntry?
    /// `entry_time`, `emotion`, `text`, `images`; at least one.
    public var updateMask: Google_Protobuf_FieldMask?
    /// Only if the entry has this etag. Empty: in any state.
    public var etag: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        entry: PBDiaryEntry? = nil,
        updateMask: Google_Protobuf_FieldMask? = nil,
        etag: String = ""
    ) {
        self.entry = entry
        self.updateMask = updateMask
        self.etag = etag
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__UpdateDiaryEntryRequest.self,
        initializedBy: pulseboard__diary__v1__update_diary_entry_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__UpdateDiaryEntryRequest.self)
        self.entry = MessageReader.message(message.pointee.entry)
        self.updateMask = MessageReader.message(message.pointee.update_mask)
        self.etag = MessageReader.string(message.pointee.etag)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__UpdateDiaryEntryRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.entry = try encoder.message(
            self.entry, as: Pulseboard__Diary__V1__DiaryEntry.self, field: "entry")
        message.pointee.update_mask = try encoder.message(
            self.updateMask, as: Google__Protobuf__FieldMask.self, field: "update_mask")
        if !self.etag.isEmpty {
            message.pointee.etag = try encoder.string(self.etag, field: "etag")
        }
    }
}

/// Asks for an entry to be removed.
public struct PBDeleteDiaryEntryRequest: Message {
    /// Which.
    public var id: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(id: String = "") {
        self.id = id
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DeleteDiaryEntryRequest.self,
        initializedBy: pulseboard__diary__v1__delete_diary_entry_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DeleteDiaryEntryRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DeleteDiaryEntryRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
    }
}

/// Nothing is told.
public struct PBDeleteDiaryEntryResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DeleteDiaryEntryResponse.self,
        initializedBy: pulseboard__diary__v1__delete_diary_entry_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// A device that writes the diary.
public struct PBDiaryDevice: Message {
    /// Names it: lower-case UUID text, made by the device.
    public var id: String = ""
    /// What its owner calls it.
    public var name: String = ""
    /// The number of its last mutation that is done; 0 before the first.
    public var lastMutation: Int64 = 0
    /// When it was last registered or pushed (UTC, microseconds).
    public var seenTime: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        name: String = "",
        lastMutation: Int64 = 0,
        seenTime: Google_Protobuf_Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.lastMutation = lastMutation
        self.seenTime = seenTime
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryDevice.self,
        initializedBy: pulseboard__diary__v1__diary_device__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryDevice.self)
        self.id = MessageReader.string(message.pointee.id)
        self.name = MessageReader.string(message.pointee.name)
        self.lastMutation = message.pointee.last_mutation
        self.seenTime = MessageReader.message(message.pointee.seen_time)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryDevice.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
        message.pointee.last_mutation = self.lastMutation
        message.pointee.seen_time = try encoder.message(
            self.seenTime, as: Google__Protobuf__Timestamp.self, field: "seen_time")
    }
}

/// Asks for a device to be registered.
public struct PBRegisterDiaryDeviceRequest: Message {
    /// Names it: lower-case UUID text, made by the device.
    public var deviceID: String = ""
    /// Up to 100 bytes without control characters; it may be empty.
    public var name: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        deviceID: String = "",
        name: String = ""
    ) {
        self.deviceID = deviceID
        self.name = name
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__RegisterDiaryDeviceRequest.self,
        initializedBy: pulseboard__diary__v1__register_diary_device_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__RegisterDiaryDeviceRequest.self)
        self.deviceID = MessageReader.string(message.pointee.device_id)
        self.name = MessageReader.string(message.pointee.name)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__RegisterDiaryDeviceRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.deviceID.isEmpty {
            message.pointee.device_id = try encoder.string(self.deviceID, field: "device_id")
        }
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
    }
}

/// Asks for all devices.
public struct PBListDiaryDevicesRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__ListDiaryDevicesRequest.self,
        initializedBy: pulseboard__diary__v1__list_diary_devices_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// All devices.
public struct PBListDiaryDevicesResponse: Message {
    /// In the order of their ids, at most 32.
    public var devices: [PBDiaryDevice] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(devices: [PBDiaryDevice] = []) {
        self.devices = devices
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__ListDiaryDevicesResponse.self,
        initializedBy: pulseboard__diary__v1__list_diary_devices_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__ListDiaryDevicesResponse.self)
        self.devices = MessageReader.messages(message.pointee.n_devices, message.pointee.devices)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__ListDiaryDevicesResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_devices, message.pointee.devices) = try encoder.messages(
            self.devices, as: Pulseboard__Diary__V1__DiaryDevice.self, field: "devices")
    }
}

/// Asks for a device to be forgotten.
public struct PBDeleteDiaryDeviceRequest: Message {
    /// Which.
    public var deviceID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(deviceID: String = "") {
        self.deviceID = deviceID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DeleteDiaryDeviceRequest.self,
        initializedBy: pulseboard__diary__v1__delete_diary_device_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DeleteDiaryDeviceRequest.self)
        self.deviceID = MessageReader.string(message.pointee.device_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DeleteDiaryDeviceRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.deviceID.isEmpty {
            message.pointee.device_id = try encoder.string(self.deviceID, field: "device_id")
        }
    }
}

/// Nothing is told.
public struct PBDeleteDiaryDeviceResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DeleteDiaryDeviceResponse.self,
        initializedBy: pulseboard__diary__v1__delete_diary_device_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// When and where an edit was made: the order of edits.
public struct PBDiaryStamp: Message {
    /// UTC microseconds by the device's clock, later than every stamp that the device has seen.
    public var time: Int64 = 0
    /// Who made it, lower-case UUID text: the device, or a name of its own for every program that opens a device's diary. One author never gives two edits one time.
    public var deviceID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        time: Int64 = 0,
        deviceID: String = ""
    ) {
        self.time = time
        self.deviceID = deviceID
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryStamp.self,
        initializedBy: pulseboard__diary__v1__diary_stamp__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryStamp.self)
        self.time = message.pointee.time
        self.deviceID = MessageReader.string(message.pointee.device_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryStamp.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.time = self.time
        if !self.deviceID.isEmpty {
            message.pointee.device_id = try encoder.string(self.deviceID, field: "device_id")
        }
    }
}

/// The stamp of one field of an entry: names one edit of it.
public struct PBDiaryFieldStamp: Message {
    /// `entry_time`, `emotion`, `text` or `images`.
    public var field: String = ""
    /// Of the edit.
    public var stamp: PBDiaryStamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        field: String = "",
        stamp: PBDiaryStamp? = nil
    ) {
        self.field = field
        self.stamp = stamp
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryFieldStamp.self,
        initializedBy: pulseboard__diary__v1__diary_field_stamp__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryFieldStamp.self)
        self.field = MessageReader.string(message.pointee.field)
        self.stamp = MessageReader.message(message.pointee.stamp)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryFieldStamp.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.field.isEmpty {
            message.pointee.field = try encoder.string(self.field, field: "field")
        }
        message.pointee.stamp = try encoder.message(
            self.stamp, as: Pulseboard__Diary__V1__DiaryStamp.self, field: "stamp")
    }
}

/// One edit of one entry.
public struct PBDiaryMutation: Message {
    /// Its place among the mutations of the device: 1, 2, 3…
    public var number: Int64 = 0
    /// The entry: lower-case UUID text.
    public var entryID: String = ""
    /// When and where.
    public var stamp: PBDiaryStamp?
    /// What it does.
    public var change: OneOf_Change?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        number: Int64 = 0,
        entryID: String = "",
        stamp: PBDiaryStamp? = nil,
        change: OneOf_Change? = nil
    ) {
        self.number = number
        self.entryID = entryID
        self.stamp = stamp
        self.change = change
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryMutation.self,
        initializedBy: pulseboard__diary__v1__diary_mutation__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryMutation.self)
        self.number = message.pointee.number
        self.entryID = MessageReader.string(message.pointee.entry_id)
        self.stamp = MessageReader.message(message.pointee.stamp)
        switch message.pointee.change_case.rawValue {
        case 4: self.change = MessageReader.message(message.pointee.create).map { .create($0) }
        case 5: self.change = MessageReader.message(message.pointee.patch).map { .patch($0) }
        case 6: self.change = MessageReader.message(message.pointee.delete_).map { .delete($0) }
        case 7: self.change = MessageReader.message(message.pointee.dismiss).map { .dismiss($0) }
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryMutation.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.number = self.number
        if !self.entryID.isEmpty {
            message.pointee.entry_id = try encoder.string(self.entryID, field: "entry_id")
        }
        message.pointee.stamp = try encoder.message(
            self.stamp, as: Pulseboard__Diary__V1__DiaryStamp.self, field: "stamp")
        switch self.change {
        case .create(let value)?:
            message.pointee.change_case = .init(rawValue: 4)
            message.pointee.create = try encoder.message(
                value, as: Pulseboard__Diary__V1__DiaryEntry.self, field: "create")
        case .patch(let value)?:
            message.pointee.change_case = .init(rawValue: 5)
            message.pointee.patch = try encoder.message(
                value, as: Pulseboard__Diary__V1__DiaryPatch.self, field: "patch")
        case .delete(let value)?:
            message.pointee.change_case = .init(rawValue: 6)
            message.pointee.delete_ = try encoder.message(
                value, as: Pulseboard__Diary__V1__DiaryDelete.self, field: "delete")
        case .dismiss(let value)?:
            message.pointee.change_case = .init(rawValue: 7)
            message.pointee.dismiss = try encoder.message(
                value, as: Pulseboard__Diary__V1__DiaryDismiss.self, field: "dismiss")
        case nil: break
        }
    }

    /// What ``change`` can be.
    public enum OneOf_Change: Hashable, Sendable {
        /// Makes the entry. One that is there already stays as it is. `entry_time`, `emotion`, `text` and `images` are taken.
        case create(PBDiaryEntry)
        /// Changes fields.
        indirect case patch(PBDiaryPatch)
        /// Removes the entry.
        case delete(PBDiaryDelete)
        /// Forgets conflicts.
        case dismiss(PBDiaryDismiss)
    }
}

/// A change of some fields.
public struct PBDiaryPatch: Message {
    /// The fields of the mask are taken.
    public var entry: PBDiaryEntry?
    /// `entry_time`, `emotion`, `text`, `images`; at least one.
    public var updateMask: Google_Protobuf_FieldMask?
    /// For each of them the stamp of the value that is changed. None for `images` if there never were any.
    public var bases: [PBDiaryFieldStamp] = []
    /// Conflicts that the change settles, at most 36.
    public var covers: [PBDiaryFieldStamp] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        entry: PBDiaryEntry? = nil,
        updateMask: Google_Protobuf_FieldMask? = nil,
        bases: [PBDiaryFieldStamp] = [],
        covers: [PBDiaryFieldStamp] = []
    ) {
        self.entry = entry
        self.updateMask = updateMask
        self.bases = bases
        self.covers = covers
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryPatch.self,
        initializedBy: pulseboard__diary__v1__diary_patch__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryPatch.self)
        self.entry = MessageReader.message(message.pointee.entry)
        self.updateMask = MessageReader.message(message.pointee.update_mask)
        self.bases = MessageReader.messages(message.pointee.n_bases, message.pointee.bases)
        self.covers = MessageReader.messages(message.pointee.n_covers, message.pointee.covers)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryPatch.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.entry = try encoder.message(
            self.entry, as: Pulseboard__Diary__V1__DiaryEntry.self, field: "entry")
        message.pointee.update_mask = try encoder.message(
            self.updateMask, as: Google__Protobuf__FieldMask.self, field: "update_mask")
        (message.pointee.n_bases, message.pointee.bases) = try encoder.messages(
            self.bases, as: Pulseboard__Diary__V1__DiaryFieldStamp.self, field: "bases")
        (message.pointee.n_covers, message.pointee.covers) = try encoder.messages(
            self.covers, as: Pulseboard__Diary__V1__DiaryFieldStamp.self, field: "covers")
    }
}

/// A removal.
public struct PBDiaryDelete: Message {
    /// The stamp of each field that was seen; of `images` only when there ever were any. Edits that were not seen are kept as conflicts.
    public var seen: [PBDiaryFieldStamp] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(seen: [PBDiaryFieldStamp] = []) {
        self.seen = seen
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryDelete.self,
        initializedBy: pulseboard__diary__v1__diary_delete__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryDelete.self)
        self.seen = MessageReader.messages(message.pointee.n_seen, message.pointee.seen)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryDelete.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_seen, message.pointee.seen) = try encoder.messages(
            self.seen, as: Pulseboard__Diary__V1__DiaryFieldStamp.self, field: "seen")
    }
}

/// A dismissal of conflicts.
public struct PBDiaryDismiss: Message {
    /// Which, at most 36.
    public var covers: [PBDiaryFieldStamp] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(covers: [PBDiaryFieldStamp] = []) {
        self.covers = covers
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryDismiss.self,
        initializedBy: pulseboard__diary__v1__diary_dismiss__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryDismiss.self)
        self.covers = MessageReader.messages(message.pointee.n_covers, message.pointee.covers)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryDismiss.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_covers, message.pointee.covers) = try encoder.messages(
            self.covers, as: Pulseboard__Diary__V1__DiaryFieldStamp.self, field: "covers")
    }
}

/// A device's mutations.
public struct PBPushDiaryMutationsRequest: Message {
    /// The device: lower-case UUID text.
    public var deviceID: String = ""
    /// In their order without a gap, at most 100 and 1 MiB.
    public var mutations: [PBDiaryMutation] = []
    /// The device has the results up to this number; the server forgets them. A negative number counts as 0, one above the last mutation as that one.
    public var confirmed: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        deviceID: String = "",
        mutations: [PBDiaryMutation] = [],
        confirmed: Int64 = 0
    ) {
        self.deviceID = deviceID
        self.mutations = mutations
        self.confirmed = confirmed
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__PushDiaryMutationsRequest.self,
        initializedBy: pulseboard__diary__v1__push_diary_mutations_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__PushDiaryMutationsRequest.self)
        self.deviceID = MessageReader.string(message.pointee.device_id)
        self.mutations = MessageReader.messages(message.pointee.n_mutations, message.pointee.mutations)
        self.confirmed = message.pointee.confirmed
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__PushDiaryMutationsRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.deviceID.isEmpty {
            message.pointee.device_id = try encoder.string(self.deviceID, field: "device_id")
        }
        (message.pointee.n_mutations, message.pointee.mutations) = try encoder.messages(
            self.mutations, as: Pulseboard__Diary__V1__DiaryMutation.self, field: "mutations")
        message.pointee.confirmed = self.confirmed
    }
}

/// What became of the mutations.
public struct PBPushDiaryMutationsResponse: Message {
    /// The number of the device's last mutation that is done.
    public var lastMutation: Int64 = 0
    /// One for each mutation, in their order.
    public var results: [PBMutationResult] = []
    /// The cursor of a device that had read everything before these mutations. If the device has the same, it can apply the mutations that are not
    /// rejected to its own rows and go on from `next_cursor`: it need not read them back. Empty if a mutation was sent before, or if others may have
    /// changed the diary between these mutations; then the device reads.
    public var previousCursor: String = ""
    /// The cursor after these mutations. Empty with `previous_cursor`.
    public var nextCursor: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        lastMutation: Int64 = 0,
        results: [PBMutationResult] = [],
        previousCursor: String = "",
        nextCursor: String = ""
    ) {
        self.lastMutation = lastMutation
        self.results = results
        self.previousCursor = previousCursor
        self.nextCursor = nextCursor
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__PushDiaryMutationsResponse.self,
        initializedBy: pulseboard__diary__v1__push_diary_mutations_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__PushDiaryMutationsResponse.self)
        self.lastMutation = message.pointee.last_mutation
        self.results = MessageReader.messages(message.pointee.n_results, message.pointee.results)
        self.previousCursor = MessageReader.string(message.pointee.previous_cursor)
        self.nextCursor = MessageReader.string(message.pointee.next_cursor)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__PushDiaryMutationsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.last_mutation = self.lastMutation
        (message.pointee.n_results, message.pointee.results) = try encoder.messages(
            self.results, as: Pulseboard__Diary__V1__MutationResult.self, field: "results")
        if !self.previousCursor.isEmpty {
            message.pointee.previous_cursor = try encoder.string(self.previousCursor, field: "previous_cursor")
        }
        if !self.nextCursor.isEmpty {
            message.pointee.next_cursor = try encoder.string(self.nextCursor, field: "next_cursor")
        }
    }
}

/// What became of one mutation.
public struct PBMutationResult: Message {
    /// The mutation's.
    public var number: Int64 = 0
    /// What became of it.
    public var outcome: PBMutationResult.Outcome = .init()
    /// Why it was rejected, such as DIARY_FULL, or IMAGE_NOT_STAGED for a picture that was not uploaded.
    public var reason: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        number: Int64 = 0,
        outcome: PBMutationResult.Outcome = .init(),
        reason: String = ""
    ) {
        self.number = number
        self.outcome = outcome
        self.reason = reason
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__MutationResult.self,
        initializedBy: pulseboard__diary__v1__mutation_result__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__MutationResult.self)
        self.number = message.pointee.number
        self.outcome = MessageReader.enumeration(message.pointee.outcome)
        self.reason = MessageReader.string(message.pointee.reason)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__MutationResult.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.number = self.number
        message.pointee.outcome = encoder.enumeration(
            self.outcome, as: Pulseboard__Diary__V1__MutationResult__Outcome.self)
        if !self.reason.isEmpty {
            message.pointee.reason = try encoder.string(self.reason, field: "reason")
        }
    }

    /// The outcomes.
    public enum Outcome: ProtobufEnum {
        /// Never sent.
        case unspecified
        /// Done; also when nothing was there to do.
        case applied
        /// Done; a value that lost is kept as a conflict.
        case conflict
        /// It can never be applied.
        case rejected
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .applied
            case 2: .conflict
            case 3: .rejected
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .applied: 1
            case .conflict: 2
            case .rejected: 3
            case .unrecognized(let number): number
            }
        }
    }
}

/// From where to read changes.
public struct PBPullDiaryChangesRequest: Message {
    /// The device: lower-case UUID text.
    public var deviceID: String = ""
    /// `DiaryChanges.next_cursor` of the page before. Empty: from the first change.
    public var cursor: String = ""
    /// Most rows. 0: 500; at most 500. A page of more than 1 MiB ends earlier.
    public var pageSize: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        deviceID: String = "",
        cursor: String = "",
        pageSize: Int32 = 0
    ) {
        self.deviceID = deviceID
        self.cursor = cursor
        self.pageSize = pageSize
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__PullDiaryChangesRequest.self,
        initializedBy: pulseboard__diary__v1__pull_diary_changes_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__PullDiaryChangesRequest.self)
        self.deviceID = MessageReader.string(message.pointee.device_id)
        self.cursor = MessageReader.string(message.pointee.cursor)
        self.pageSize = message.pointee.page_size
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__PullDiaryChangesRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.deviceID.isEmpty {
            message.pointee.device_id = try encoder.string(self.deviceID, field: "device_id")
        }
        if !self.cursor.isEmpty {
            message.pointee.cursor = try encoder.string(self.cursor, field: "cursor")
        }
        message.pointee.page_size = self.pageSize
    }
}

/// From where to watch changes.
public struct PBWatchDiaryRequest: Message {
    /// The device: lower-case UUID text.
    public var deviceID: String = ""
    /// `DiaryChanges.next_cursor` of the last page. Empty: from the first change.
    public var cursor: String = ""
    /// As `PullDiaryChangesRequest.page_size`.
    public var pageSize: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        deviceID: String = "",
        cursor: String = "",
        pageSize: Int32 = 0
    ) {
        self.deviceID = deviceID
        self.cursor = cursor
        self.pageSize = pageSize
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__WatchDiaryRequest.self,
        initializedBy: pulseboard__diary__v1__watch_diary_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__WatchDiaryRequest.self)
        self.deviceID = MessageReader.string(message.pointee.device_id)
        self.cursor = MessageReader.string(message.pointee.cursor)
        self.pageSize = message.pointee.page_size
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__WatchDiaryRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.deviceID.isEmpty {
            message.pointee.device_id = try encoder.string(self.deviceID, field: "device_id")
        }
        if !self.cursor.isEmpty {
            message.pointee.cursor = try encoder.string(self.cursor, field: "cursor")
        }
        message.pointee.page_size = self.pageSize
    }
}

/// Rows that have changed, in the order of their changes.
public struct PBDiaryChanges: Message {
    /// Each in its present state; a row may come again in a later page.
    public var rows: [PBDiaryRow] = []
    /// Reads on from here. Opaque, and good for this diary alone.
    public var nextCursor: String = ""
    /// These were all: what was read up to here is the diary at one instant. Until then it is not.
    public var complete: Bool = false
    /// The number of the device's last mutation that is in the rows.
    public var lastMutation: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        rows: [PBDiaryRow] = [],
        nextCursor: String = "",
        complete: Bool = false,
        lastMutation: Int64 = 0
    ) {
        self.rows = rows
        self.nextCursor = nextCursor
        self.complete = complete
        self.lastMutation = lastMutation
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryChanges.self,
        initializedBy: pulseboard__diary__v1__diary_changes__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryChanges.self)
        self.rows = MessageReader.messages(message.pointee.n_rows, message.pointee.rows)
        self.nextCursor = MessageReader.string(message.pointee.next_cursor)
        self.complete = MessageReader.bool(message.pointee.complete)
        self.lastMutation = message.pointee.last_mutation
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryChanges.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_rows, message.pointee.rows) = try encoder.messages(
            self.rows, as: Pulseboard__Diary__V1__DiaryRow.self, field: "rows")
        if !self.nextCursor.isEmpty {
            message.pointee.next_cursor = try encoder.string(self.nextCursor, field: "next_cursor")
        }
        message.pointee.complete = self.complete ? 1 : 0
        message.pointee.last_mutation = self.lastMutation
    }
}

/// All that is known of an entry.
public struct PBDiaryRow: Message {
    /// The entry: lower-case UUID text.
    public var entryID: String = ""
    /// The values; only `entry_time`, `emotion`, `text` and `images`. Not set when the entry is deleted.
    public var entry: PBDiaryEntry?
    /// The stamp of each field; of `images` only when there ever were any. None for a deleted entry.
    public var stamps: [PBDiaryFieldStamp] = []
    /// The stamp's time of its creation, microseconds.
    public var createTime: Int64 = 0
    /// Edits that lost and that nobody has settled, at most 32. A deletion may add four.
    public var conflicts: [PBDiaryConflict] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        entryID: String = "",
        entry: PBDiaryEntry? = nil,
        stamps: [PBDiaryFieldStamp] = [],
        createTime: Int64 = 0,
        conflicts: [PBDiaryConflict] = []
    ) {
        self.entryID = entryID
        self.entry = entry
        self.stamps = stamps
        self.createTime = createTime
        self.conflicts = conflicts
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryRow.self,
        initializedBy: pulseboard__diary__v1__diary_row__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryRow.self)
        self.entryID = MessageReader.string(message.pointee.entry_id)
        self.entry = MessageReader.message(message.pointee.entry)
        self.stamps = MessageReader.messages(message.pointee.n_stamps, message.pointee.stamps)
        self.createTime = message.pointee.create_time
        self.conflicts = MessageReader.messages(message.pointee.n_conflicts, message.pointee.conflicts)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryRow.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.entryID.isEmpty {
            message.pointee.entry_id = try encoder.string(self.entryID, field: "entry_id")
        }
        message.pointee.entry = try encoder.message(
            self.entry, as: Pulseboard__Diary__V1__DiaryEntry.self, field: "entry")
        (message.pointee.n_stamps, message.pointee.stamps) = try encoder.messages(
            self.stamps, as: Pulseboard__Diary__V1__DiaryFieldStamp.self, field: "stamps")
        message.pointee.create_time = self.createTime
        (message.pointee.n_conflicts, message.pointee.conflicts) = try encoder.messages(
            self.conflicts, as: Pulseboard__Diary__V1__DiaryConflict.self, field: "conflicts")
    }
}

/// An edit that lost.
public struct PBDiaryConflict: Message {
    /// The field.
    public var field: String = ""
    /// Of the edit.
    public var stamp: PBDiaryStamp?
    /// The value of that field.
    public var value: PBDiaryEntry?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        field: String = "",
        stamp: PBDiaryStamp? = nil,
        value: PBDiaryEntry? = nil
    ) {
        self.field = field
        self.stamp = stamp
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Pulseboard__Diary__V1__DiaryConflict.self,
        initializedBy: pulseboard__diary__v1__diary_conflict__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Diary__V1__DiaryConflict.self)
        self.field = MessageReader.string(message.pointee.field)
        self.stamp = MessageReader.message(message.pointee.stamp)
        self.value = MessageReader.message(message.pointee.value)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Diary__V1__DiaryConflict.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.field.isEmpty {
            message.pointee.field = try encoder.string(self.field, field: "field")
        }
        message.pointee.stamp = try encoder.message(
            self.stamp, as: Pulseboard__Diary__V1__DiaryStamp.self, field: "stamp")
        message.pointee.value = try encoder.message(
            self.value, as: Pulseboard__Diary__V1__DiaryEntry.self, field: "value")
    }
}

/// `pulseboard/diary/v1/diary.proto` in protobuf's own terms, for server reflection.
public enum PBDiaryFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "pulseboard/diary/v1/diary.proto",
        dependencies: [
            Google_Protobuf_FieldMaskFile.descriptor,
            Google_Protobuf_TimestampFile.descriptor,
        ],
        serialized: """
            \n\u{1f}pulseboard/diary/v1/diary.proto\u{12}\u{13}pulseboard.diary.v1\u{1a} google/protobuf/field_\
            mask.proto\u{1a}\u{1f}google/protobuf/timestamp.proto\"\u{cc}\u{2}\n\nDiaryEntry\u{12}\u{e}\n\u{2}i\
            d\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}9\n\nentry_time\u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.Ti\
            mestampR\tentryTime\u{12}\u{18}\n\u{7}emotion\u{18}\u{3} \u{1}(\tR\u{7}emotion\u{12}\u{12}\n\u{4}te\
            xt\u{18}\u{4} \u{1}(\tR\u{4}text\u{12}7\n\u{6}images\u{18}\u{5} \u{3}(\u{b}2\u{1f}.pulseboard.diary\
            .v1.DiaryImageR\u{6}images\u{12};\n\u{b}create_time\u{18}\u{6} \u{1}(\u{b}2\u{1a}.google.protobuf.T\
            imestampR\ncreateTime\u{12};\n\u{b}update_time\u{18}\u{7} \u{1}(\u{b}2\u{1a}.google.protobuf.Timest\
            ampR\nupdateTime\u{12}\u{12}\n\u{4}etag\u{18}\u{8} \u{1}(\tR\u{4}etag\"f\n\nDiaryImage\u{12}\u{16}\
            \n\u{6}sha256\u{18}\u{1} \u{1}(\u{c}R\u{6}sha256\u{12}!\n\u{c}content_type\u{18}\u{2} \u{1}(\tR\
            \u{b}contentType\u{12}\u{1d}\n\nsize_bytes\u{18}\u{3} \u{1}(\u{3}R\tsizeBytes\"\u{80}\u{1}\n\u{17}U\
            ploadDiaryImageRequest\u{12}E\n\u{6}header\u{18}\u{1} \u{1}(\u{b}2+.pulseboard.diary.v1.UploadDiary\
            ImageHeaderH\0R\u{6}header\u{12}\u{16}\n\u{5}chunk\u{18}\u{2} \u{1}(\u{c}H\0R\u{5}chunkB\u{6}\n\
            \u{4}part\"O\n\u{16}UploadDiaryImageHeader\u{12}\u{1d}\n\nsize_bytes\u{18}\u{1} \u{1}(\u{3}R\tsizeB\
            ytes\u{12}\u{16}\n\u{6}sha256\u{18}\u{2} \u{1}(\u{c}R\u{6}sha256\"7\n\u{1d}FindMissingDiaryImagesRe\
            quest\u{12}\u{16}\n\u{6}sha256\u{18}\u{1} \u{3}(\u{c}R\u{6}sha256\"8\n\u{1e}FindMissingDiaryImagesR\
            esponse\u{12}\u{16}\n\u{6}sha256\u{18}\u{1} \u{3}(\u{c}R\u{6}sha256\"3\n\u{19}DownloadDiaryImageReq\
            uest\u{12}\u{16}\n\u{6}sha256\u{18}\u{1} \u{1}(\u{c}R\u{6}sha256\"2\n\u{1a}DownloadDiaryImageRespon\
            se\u{12}\u{14}\n\u{5}chunk\u{18}\u{1} \u{1}(\u{c}R\u{5}chunk\"P\n\u{17}CreateDiaryEntryRequest\
            \u{12}5\n\u{5}entry\u{18}\u{1} \u{1}(\u{b}2\u{1f}.pulseboard.diary.v1.DiaryEntryR\u{5}entry\"&\n\
            \u{14}GetDiaryEntryRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\"\u{f7}\u{1}\n\u{17}List\
            DiaryEntriesRequest\u{12}\u{1b}\n\tpage_size\u{18}\u{1} \u{1}(\u{5}R\u{8}pageSize\u{12}\u{1d}\n\npa\
            ge_token\u{18}\u{2} \u{1}(\tR\tpageToken\u{12}9\n\nstart_time\u{18}\u{3} \u{1}(\u{b}2\u{1a}.google.\
            protobuf.TimestampR\tstartTime\u{12}5\n\u{8}end_time\u{18}\u{4} \u{1}(\u{b}2\u{1a}.google.protobuf.\
            TimestampR\u{7}endTime\u{12}\u{18}\n\u{7}emotion\u{18}\u{5} \u{1}(\tR\u{7}emotion\u{12}\u{14}\n\
            \u{5}query\u{18}\u{6} \u{1}(\tR\u{5}query\"}\n\u{18}ListDiaryEntriesResponse\u{12}9\n\u{7}entries\
            \u{18}\u{1} \u{3}(\u{b}2\u{1f}.pulseboard.diary.v1.DiaryEntryR\u{7}entries\u{12}&\n\u{f}next_page_t\
            oken\u{18}\u{2} \u{1}(\tR\rnextPageToken\"\u{a1}\u{1}\n\u{17}UpdateDiaryEntryRequest\u{12}5\n\u{5}e\
            ntry\u{18}\u{1} \u{1}(\u{b}2\u{1f}.pulseboard.diary.v1.DiaryEntryR\u{5}entry\u{12};\n\u{b}update_ma\
            sk\u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.FieldMaskR\nupdateMask\u{12}\u{12}\n\u{4}etag\
            \u{18}\u{3} \u{1}(\tR\u{4}etag\")\n\u{17}DeleteDiaryEntryRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \
            \u{1}(\tR\u{2}id\"\u{1a}\n\u{18}DeleteDiaryEntryResponse\"\u{8f}\u{1}\n\u{b}DiaryDevice\u{12}\u{e}\
            \n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}\u{12}\n\u{4}name\u{18}\u{2} \u{1}(\tR\u{4}name\u{12}#\n\
            \rlast_mutation\u{18}\u{3} \u{1}(\u{3}R\u{c}lastMutation\u{12}7\n\tseen_time\u{18}\u{4} \u{1}(\u{b}\
            2\u{1a}.google.protobuf.TimestampR\u{8}seenTime\"M\n\u{1a}RegisterDiaryDeviceRequest\u{12}\u{1b}\n\
            \tdevice_id\u{18}\u{1} \u{1}(\tR\u{8}deviceId\u{12}\u{12}\n\u{4}name\u{18}\u{2} \u{1}(\tR\u{4}name\
            \"\u{19}\n\u{17}ListDiaryDevicesRequest\"V\n\u{18}ListDiaryDevicesResponse\u{12}:\n\u{7}devices\
            \u{18}\u{1} \u{3}(\u{b}2 .pulseboard.diary.v1.DiaryDeviceR\u{7}devices\"7\n\u{18}DeleteDiaryDeviceR\
            equest\u{12}\u{1b}\n\tdevice_id\u{18}\u{1} \u{1}(\tR\u{8}deviceId\"\u{1b}\n\u{19}DeleteDiaryDeviceR\
            esponse\"=\n\nDiaryStamp\u{12}\u{12}\n\u{4}time\u{18}\u{1} \u{1}(\u{3}R\u{4}time\u{12}\u{1b}\n\tdev\
            ice_id\u{18}\u{2} \u{1}(\tR\u{8}deviceId\"^\n\u{f}DiaryFieldStamp\u{12}\u{14}\n\u{5}field\u{18}\
            \u{1} \u{1}(\tR\u{5}field\u{12}5\n\u{5}stamp\u{18}\u{2} \u{1}(\u{b}2\u{1f}.pulseboard.diary.v1.Diar\
            yStampR\u{5}stamp\"\u{f2}\u{2}\n\rDiaryMutation\u{12}\u{16}\n\u{6}number\u{18}\u{1} \u{1}(\u{3}R\
            \u{6}number\u{12}\u{19}\n\u{8}entry_id\u{18}\u{2} \u{1}(\tR\u{7}entryId\u{12}5\n\u{5}stamp\u{18}\
            \u{3} \u{1}(\u{b}2\u{1f}.pulseboard.diary.v1.DiaryStampR\u{5}stamp\u{12}9\n\u{6}create\u{18}\u{4} \
            \u{1}(\u{b}2\u{1f}.pulseboard.diary.v1.DiaryEntryH\0R\u{6}create\u{12}7\n\u{5}patch\u{18}\u{5} \
            \u{1}(\u{b}2\u{1f}.pulseboard.diary.v1.DiaryPatchH\0R\u{5}patch\u{12}:\n\u{6}delete\u{18}\u{6} \
            \u{1}(\u{b}2 .pulseboard.diary.v1.DiaryDeleteH\0R\u{6}delete\u{12}=\n\u{7}dismiss\u{18}\u{7} \u{1}(\
            \u{b}2!.pulseboard.diary.v1.DiaryDismissH\0R\u{7}dismissB\u{8}\n\u{6}change\"\u{fa}\u{1}\n\nDiaryPa\
            tch\u{12}5\n\u{5}entry\u{18}\u{1} \u{1}(\u{b}2\u{1f}.pulseboard.diary.v1.DiaryEntryR\u{5}entry\
            \u{12};\n\u{b}update_mask\u{18}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.FieldMaskR\nupdateMask\
            \u{12}:\n\u{5}bases\u{18}\u{3} \u{3}(\u{b}2$.pulseboard.diary.v1.DiaryFieldStampR\u{5}bases\u{12}<\
            \n\u{6}covers\u{18}\u{4} \u{3}(\u{b}2$.pulseboard.diary.v1.DiaryFieldStampR\u{6}covers\"G\n\u{b}Dia\
            ryDelete\u{12}8\n\u{4}seen\u{18}\u{1} \u{3}(\u{b}2$.pulseboard.diary.v1.DiaryFieldStampR\u{4}seen\"\
            L\n\u{c}DiaryDismiss\u{12}<\n\u{6}covers\u{18}\u{1} \u{3}(\u{b}2$.pulseboard.diary.v1.DiaryFieldSta\
            mpR\u{6}covers\"\u{98}\u{1}\n\u{19}PushDiaryMutationsRequest\u{12}\u{1b}\n\tdevice_id\u{18}\u{1} \
            \u{1}(\tR\u{8}deviceId\u{12}@\n\tmutations\u{18}\u{2} \u{3}(\u{b}2\".pulseboard.diary.v1.DiaryMutat\
            ionR\tmutations\u{12}\u{1c}\n\tconfirmed\u{18}\u{3} \u{1}(\u{3}R\tconfirmed\"\u{ca}\u{1}\n\u{1a}Pus\
            hDiaryMutationsResponse\u{12}#\n\rlast_mutation\u{18}\u{1} \u{1}(\u{3}R\u{c}lastMutation\u{12}=\n\
            \u{7}results\u{18}\u{2} \u{3}(\u{b}2#.pulseboard.diary.v1.MutationResultR\u{7}results\u{12}'\n\u{f}\
            previous_cursor\u{18}\u{3} \u{1}(\tR\u{e}previousCursor\u{12}\u{1f}\n\u{b}next_cursor\u{18}\u{4} \
            \u{1}(\tR\nnextCursor\"\u{ec}\u{1}\n\u{e}MutationResult\u{12}\u{16}\n\u{6}number\u{18}\u{1} \u{1}(\
            \u{3}R\u{6}number\u{12}E\n\u{7}outcome\u{18}\u{2} \u{1}(\u{e}2+.pulseboard.diary.v1.MutationResult.\
            OutcomeR\u{7}outcome\u{12}\u{16}\n\u{6}reason\u{18}\u{3} \u{1}(\tR\u{6}reason\"c\n\u{7}Outcome\
            \u{12}\u{17}\n\u{13}OUTCOME_UNSPECIFIED\u{10}\0\u{12}\u{13}\n\u{f}OUTCOME_APPLIED\u{10}\u{1}\u{12}\
            \u{14}\n\u{10}OUTCOME_CONFLICT\u{10}\u{2}\u{12}\u{14}\n\u{10}OUTCOME_REJECTED\u{10}\u{3}\"k\n\u{17}\
            PullDiaryChangesRequest\u{12}\u{1b}\n\tdevice_id\u{18}\u{1} \u{1}(\tR\u{8}deviceId\u{12}\u{16}\n\
            \u{6}cursor\u{18}\u{2} \u{1}(\tR\u{6}cursor\u{12}\u{1b}\n\tpage_size\u{18}\u{3} \u{1}(\u{5}R\u{8}pa\
            geSize\"e\n\u{11}WatchDiaryRequest\u{12}\u{1b}\n\tdevice_id\u{18}\u{1} \u{1}(\tR\u{8}deviceId\u{12}\
            \u{16}\n\u{6}cursor\u{18}\u{2} \u{1}(\tR\u{6}cursor\u{12}\u{1b}\n\tpage_size\u{18}\u{3} \u{1}(\u{5}\
            R\u{8}pageSize\"\u{a3}\u{1}\n\u{c}DiaryChanges\u{12}1\n\u{4}rows\u{18}\u{1} \u{3}(\u{b}2\u{1d}.puls\
            eboard.diary.v1.DiaryRowR\u{4}rows\u{12}\u{1f}\n\u{b}next_cursor\u{18}\u{2} \u{1}(\tR\nnextCursor\
            \u{12}\u{1a}\n\u{8}complete\u{18}\u{3} \u{1}(\u{8}R\u{8}complete\u{12}#\n\rlast_mutation\u{18}\u{4}\
             \u{1}(\u{3}R\u{c}lastMutation\"\u{fd}\u{1}\n\u{8}DiaryRow\u{12}\u{19}\n\u{8}entry_id\u{18}\u{1} \
            \u{1}(\tR\u{7}entryId\u{12}5\n\u{5}entry\u{18}\u{2} \u{1}(\u{b}2\u{1f}.pulseboard.diary.v1.DiaryEnt\
            ryR\u{5}entry\u{12}<\n\u{6}stamps\u{18}\u{3} \u{3}(\u{b}2$.pulseboard.diary.v1.DiaryFieldStampR\
            \u{6}stamps\u{12}\u{1f}\n\u{b}create_time\u{18}\u{4} \u{1}(\u{3}R\ncreateTime\u{12}@\n\tconflicts\
            \u{18}\u{5} \u{3}(\u{b}2\".pulseboard.diary.v1.DiaryConflictR\tconflicts\"\u{93}\u{1}\n\rDiaryConfl\
            ict\u{12}\u{14}\n\u{5}field\u{18}\u{1} \u{1}(\tR\u{5}field\u{12}5\n\u{5}stamp\u{18}\u{2} \u{1}(\
            \u{b}2\u{1f}.pulseboard.diary.v1.DiaryStampR\u{5}stamp\u{12}5\n\u{5}value\u{18}\u{3} \u{1}(\u{b}2\
            \u{1f}.pulseboard.diary.v1.DiaryEntryR\u{5}value2\u{fb}\u{b}\n\u{c}DiaryService\u{12}a\n\u{10}Creat\
            eDiaryEntry\u{12},.pulseboard.diary.v1.CreateDiaryEntryRequest\u{1a}\u{1f}.pulseboard.diary.v1.Diar\
            yEntry\u{12}[\n\rGetDiaryEntry\u{12}).pulseboard.diary.v1.GetDiaryEntryRequest\u{1a}\u{1f}.pulseboa\
            rd.diary.v1.DiaryEntry\u{12}o\n\u{10}ListDiaryEntries\u{12},.pulseboard.diary.v1.ListDiaryEntriesRe\
            quest\u{1a}-.pulseboard.diary.v1.ListDiaryEntriesResponse\u{12}a\n\u{10}UpdateDiaryEntry\u{12},.pul\
            seboard.diary.v1.UpdateDiaryEntryRequest\u{1a}\u{1f}.pulseboard.diary.v1.DiaryEntry\u{12}o\n\u{10}D\
            eleteDiaryEntry\u{12},.pulseboard.diary.v1.DeleteDiaryEntryRequest\u{1a}-.pulseboard.diary.v1.Delet\
            eDiaryEntryResponse\u{12}h\n\u{13}RegisterDiaryDevice\u{12}/.pulseboard.diary.v1.RegisterDiaryDevic\
            eRequest\u{1a} .pulseboard.diary.v1.DiaryDevice\u{12}o\n\u{10}ListDiaryDevices\u{12},.pulseboard.di\
            ary.v1.ListDiaryDevicesRequest\u{1a}-.pulseboard.diary.v1.ListDiaryDevicesResponse\u{12}r\n\u{11}De\
            leteDiaryDevice\u{12}-.pulseboard.diary.v1.DeleteDiaryDeviceRequest\u{1a}..pulseboard.diary.v1.Dele\
            teDiaryDeviceResponse\u{12}u\n\u{12}PushDiaryMutations\u{12}..pulseboard.diary.v1.PushDiaryMutation\
            sRequest\u{1a}/.pulseboard.diary.v1.PushDiaryMutationsResponse\u{12}c\n\u{10}PullDiaryChanges\u{12}\
            ,.pulseboard.diary.v1.PullDiaryChangesRequest\u{1a}!.pulseboard.diary.v1.DiaryChanges\u{12}Y\n\nWat\
            chDiary\u{12}&.pulseboard.diary.v1.WatchDiaryRequest\u{1a}!.pulseboard.diary.v1.DiaryChanges0\u{1}\
            \u{12}c\n\u{10}UploadDiaryImage\u{12},.pulseboard.diary.v1.UploadDiaryImageRequest\u{1a}\u{1f}.puls\
            eboard.diary.v1.DiaryImage(\u{1}\u{12}\u{81}\u{1}\n\u{16}FindMissingDiaryImages\u{12}2.pulseboard.d\
            iary.v1.FindMissingDiaryImagesRequest\u{1a}3.pulseboard.diary.v1.FindMissingDiaryImagesResponse\
            \u{12}w\n\u{12}DownloadDiaryImage\u{12}..pulseboard.diary.v1.DownloadDiaryImageRequest\u{1a}/.pulse\
            board.diary.v1.DownloadDiaryImageResponse0\u{1}BH\n\u{16}io.pulseboard.diary.v1B\nDiaryProtoP\u{1}Z\
            \u{1b}pulseboard/diary/v1;diaryv1\u{ba}\u{2}\u{2}PBb\u{6}proto3
            """)
}
