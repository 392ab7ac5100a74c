/// Why a request was refused. docs/api.md lists the reasons. Each has a text in English and Korean.
///
/// The raw value is sent to clients (`google.rpc.ErrorInfo.reason`). It never changes.
public enum Reason: String, Sendable, Hashable, CaseIterable {
    // States and refusals of a whole call.
    case notAuthenticated = "NOT_AUTHENTICATED"
    case accountNotPermitted = "ACCOUNT_NOT_PERMITTED"
    case identityNotProven = "IDENTITY_NOT_PROVEN"
    case userNotFound = "USER_NOT_FOUND"
    case profileRequired = "PROFILE_REQUIRED"
    case withdrawing = "WITHDRAWING"
    case notWithdrawing = "NOT_WITHDRAWING"
    case sessionNotFound = "SESSION_NOT_FOUND"
    case usernameDuplicated = "USERNAME_DUPLICATED"
    case usernameConfusable = "USERNAME_CONFUSABLE"
    case usernameChangedRecently = "USERNAME_CHANGED_RECENTLY"
    case profileExists = "PROFILE_EXISTS"
    case etagMismatch = "ETAG_MISMATCH"
    case selfFollow = "SELF_FOLLOW"
    case notOwner = "NOT_OWNER"
    case notTrusted = "NOT_TRUSTED"
    case requestIDReused = "REQUEST_ID_REUSED"
    case invalidPageToken = "PAGE_TOKEN_INVALID"
    case invalidResumeToken = "RESUME_TOKEN_INVALID"
    case consistencyInvalid = "CONSISTENCY_INVALID"
    case dataLoss = "DATA_LOSS"
    case storeFull = "STORE_FULL"
    case storeCorrupt = "STORE_CORRUPT"
    case storeInputOutput = "STORE_IO_ERROR"
    case storeReadOnly = "STORE_READ_ONLY"
    case storeGone = "STORE_GONE"
    case storeUnreachable = "STORE_UNREACHABLE"
    case storeOutdated = "STORE_OUTDATED"
    case unavailable = "UNAVAILABLE"

    // ID tokens and identities.
    case idTokenMalformed = "ID_TOKEN_MALFORMED"
    case idTokenIssuerUnknown = "ID_TOKEN_ISSUER_UNKNOWN"
    case idTokenAlgorithm = "ID_TOKEN_ALGORITHM"
    case idTokenKeyUnknown = "ID_TOKEN_KEY_UNKNOWN"
    case idTokenSignature = "ID_TOKEN_SIGNATURE"
    case idTokenAudience = "ID_TOKEN_AUDIENCE"
    case idTokenExpired = "ID_TOKEN_EXPIRED"
    case idTokenNotYetValid = "ID_TOKEN_NOT_YET_VALID"
    case idTokenNonce = "ID_TOKEN_NONCE"
    case idTokenReplayed = "ID_TOKEN_REPLAYED"
    case signInTooOld = "SIGN_IN_TOO_OLD"
    case identityInUse = "IDENTITY_IN_USE"
    case identityNotFound = "IDENTITY_NOT_FOUND"
    case identityLast = "IDENTITY_LAST"
    case identityLimit = "IDENTITY_LIMIT"
    case rateLimited = "RATE_LIMITED"
    case watchLimit = "WATCH_LIMIT"

    // Pictures.
    case imageTooLarge = "IMAGE_TOO_LARGE"
    case imageDimensions = "IMAGE_DIMENSIONS"
    case imageFormatUnsupported = "IMAGE_FORMAT_UNSUPPORTED"
    case imageInvalid = "IMAGE_INVALID"
    case imageHashMismatch = "IMAGE_HASH_MISMATCH"
    case imageNotStaged = "IMAGE_NOT_STAGED"
    case imageNotFound = "IMAGE_NOT_FOUND"
    case imageBusy = "IMAGE_BUSY"
    case imageTooSlow = "IMAGE_TOO_SLOW"
    case imageSizeUnknown = "IMAGE_SIZE_UNKNOWN"
    case imageEmpty = "IMAGE_EMPTY"

    // Diaries.
    case diaryEntryNotFound = "DIARY_ENTRY_NOT_FOUND"
    case diaryEntryExists = "DIARY_ENTRY_EXISTS"
    case diaryFull = "DIARY_FULL"
    case diaryTooManyConflicts = "DIARY_TOO_MANY_CONFLICTS"
    case diaryTooManyDevices = "DIARY_TOO_MANY_DEVICES"
    case diaryDeviceUnknown = "DIARY_DEVICE_UNKNOWN"
    case diaryDeviceCloned = "DIARY_DEVICE_CLONED"
    case diaryMutationGap = "DIARY_MUTATION_GAP"
    case diaryClockSkewed = "DIARY_CLOCK_SKEWED"
    case diaryResyncRequired = "DIARY_RESYNC_REQUIRED"
    case diaryLocked = "DIARY_LOCKED"
    case diaryImageDiffers = "DIARY_IMAGE_DIFFERS"
    case diaryTextTooLong = "DIARY_TEXT_TOO_LONG"
    case diaryTextInvalidCharacters = "DIARY_TEXT_INVALID_CHARACTERS"
    case emotionInvalid = "EMOTION_INVALID"
    case entryTimeInvalid = "ENTRY_TIME_INVALID"
    case deviceNameInvalid = "DEVICE_NAME_INVALID"
    case diaryNumberInvalid = "DIARY_NUMBER_INVALID"

    // Violated fields.
    case usernameEmpty = "USERNAME_EMPTY"
    case usernameTooShort = "USERNAME_TOO_SHORT"
    case usernameTooLong = "USERNAME_TOO_LONG"
    case usernameInvalidCharacters = "USERNAME_INVALID_CHARACTERS"
    case usernameReserved = "USERNAME_RESERVED"
    case displayNameTooLong = "DISPLAY_NAME_TOO_LONG"
    case displayNameTooManyBytes = "DISPLAY_NAME_TOO_MANY_BYTES"
    case displayNameInvalidCharacters = "DISPLAY_NAME_INVALID_CHARACTERS"
    case displayNameInvisible = "DISPLAY_NAME_INVISIBLE"
    case displayNameReserved = "DISPLAY_NAME_RESERVED"
    case statusMessageTooLong = "STATUS_MESSAGE_TOO_LONG"
    case statusMessageTooManyBytes = "STATUS_MESSAGE_TOO_MANY_BYTES"
    case statusMessageInvalidCharacters = "STATUS_MESSAGE_INVALID_CHARACTERS"
    case textTooLong = "TEXT_TOO_LONG"
    case textTooManyBytes = "TEXT_TOO_MANY_BYTES"
    case textInvalidCharacters = "TEXT_INVALID_CHARACTERS"
    case accountNameInvalid = "ACCOUNT_NAME_INVALID"
    case deviceInvalid = "DEVICE_INVALID"
    case requestIDInvalid = "REQUEST_ID_INVALID"
    case identifierInvalid = "IDENTIFIER_INVALID"
    case fieldMissing = "FIELD_MISSING"
    case fieldUnknown = "FIELD_UNKNOWN"
    case fieldReadOnly = "FIELD_READ_ONLY"
    case tooManyItems = "TOO_MANY_ITEMS"
    case itemDuplicated = "ITEM_DUPLICATED"
    case pageSizeNegative = "PAGE_SIZE_NEGATIVE"
    case queryInvalid = "QUERY_INVALID"
    case gracePeriodInvalid = "GRACE_PERIOD_INVALID"
    case backupRateInvalid = "BACKUP_RATE_INVALID"
    case logLevelInvalid = "LOG_LEVEL_INVALID"
}

extension Reason {
    /// The text for people.
    /// - Parameters:
    ///   - limit: the limit that was exceeded. If it is `nil`, the text does not name it.
    ///   - field: the field of a profile that the text is about, for reasons that fields share.
    public func text(limit: Int? = nil, of field: ProfileTextField? = nil) -> Phrase {
        switch self {
        case .notAuthenticated: Phrase("Sign in first.", "로그인이 필요합니다.")
        case .accountNotPermitted: Phrase("You may not sign in to this account.", "이 계정으로 로그인할 권한이 없습니다.")
        case .identityNotProven: Phrase("This connection does not prove who you are.", "이 연결로는 사용자를 확인할 수 없습니다.")
        case .userNotFound: Phrase("There is no such profile.", "프로필이 없습니다.")
        case .profileRequired: Phrase("Make your profile first.", "먼저 프로필을 만들어 주세요.")
        case .withdrawing:
            Phrase("You have asked to leave. Take it back first.", "탈퇴를 신청한 상태입니다. 먼저 탈퇴를 취소해 주세요.")
        case .notWithdrawing: Phrase("You have not asked to leave.", "탈퇴를 신청하지 않았습니다.")
        case .sessionNotFound: Phrase("There is no such session.", "세션이 없습니다.")
        case .usernameDuplicated: Phrase("This username is taken.", "이미 사용 중인 \(Self.username)입니다.")
        case .usernameConfusable:
            Phrase("This username looks like somebody else's.", "다른 사람의 \(Self.username)과 구별하기 어렵습니다.")
        case .usernameChangedRecently:
            Phrase("You have changed your username too recently.", "\(Self.username)을 바꾼 지 얼마 되지 않아 아직 바꿀 수 없습니다.")
        case .profileExists: Phrase("You already have a profile.", "프로필이 이미 있습니다.")
        case .etagMismatch:
            Phrase(
                "It has changed since you read it. Read it again, then retry.",
                "그사이 내용이 바뀌었습니다. 다시 불러온 뒤 시도해 주세요.")
        case .selfFollow: Phrase("You cannot follow yourself.", "자신을 팔로우할 수 없습니다.")
        case .notOwner: Phrase("You cannot change somebody else's data.", "다른 사람의 정보는 바꿀 수 없습니다.")
        case .notTrusted: Phrase("Only users whom the server trusts may do this.", "서버가 신뢰하는 사용자만 할 수 있습니다.")
        case .requestIDReused:
            Phrase("This request id has already been used for a different request.", "요청 번호가 다른 요청에 이미 쓰였습니다.")
        case .invalidPageToken: Phrase("This is not a page token of this list.", "이 목록의 페이지 토큰이 아닙니다.")
        case .invalidResumeToken: Phrase("This is not a resume token of this account.", "이 계정의 이어받기 토큰이 아닙니다.")
        case .consistencyInvalid:
            Phrase("This is neither `latest` nor a consistency token.", "`latest`도 일관성 토큰도 아닙니다.")
        case .dataLoss: Phrase("Stored data could not be read.", "저장된 데이터를 읽을 수 없습니다.")
        case .unavailable:
            Phrase("This cannot be done right now. Try again shortly.", "지금은 처리할 수 없습니다. 잠시 후 다시 시도해 주세요.")

        // Failures of the store.
        case .storeFull:
            Phrase("The server's disk is full. Try again once there is room.", "서버의 저장 공간이 가득 찼습니다. 공간이 확보되면 다시 시도해 주세요.")
        case .storeCorrupt:
            Phrase("The server's database is damaged. Tell its administrator.", "서버의 데이터베이스가 손상되었습니다. 관리자에게 알려 주세요.")
        case .storeInputOutput:
            Phrase(
                "The server's disk fails to read or write. Try again shortly.",
                "서버의 디스크에서 읽기나 쓰기에 실패했습니다. 잠시 후 다시 시도해 주세요.")
        case .storeReadOnly:
            Phrase(
                "The server may not write its database. Tell its administrator.",
                "서버의 데이터베이스에 쓸 수 없습니다. 관리자에게 알려 주세요.")
        case .storeGone:
            Phrase(
                "The server's database file was deleted or replaced. Tell its administrator.",
                "서버의 데이터베이스 파일이 삭제되었거나 바뀌었습니다. 관리자에게 알려 주세요.")
        case .storeUnreachable:
            Phrase(
                "The server cannot reach its database. Try again in a moment.",
                "서버가 데이터베이스에 연결할 수 없습니다. 잠시 후 다시 시도해 주세요.")
        case .storeOutdated:
            Phrase(
                "The server's database lacks the newest changes. Try again later.",
                "서버의 데이터베이스에 최신 변경 내용이 없습니다. 나중에 다시 시도해 주세요.")

        // ID tokens and identities.
        case .idTokenMalformed: Phrase("This is not an ID token.", "ID 토큰의 형식이 올바르지 않습니다.")
        case .idTokenIssuerUnknown:
            Phrase("Nobody signs in here with this identity provider.", "여기서는 이 인증 기관으로 로그인할 수 없습니다.")
        case .idTokenAlgorithm:
            Phrase("The ID token is signed in a way that is not accepted.", "허용되지 않는 방식으로 서명된 ID 토큰입니다.")
        case .idTokenKeyUnknown:
            Phrase(
                "The key of the ID token is not known here. Try again shortly.", "ID 토큰의 서명 키를 알 수 없습니다. 잠시 후 다시 시도해 주세요.")
        case .idTokenSignature: Phrase("The signature of the ID token is wrong.", "ID 토큰의 서명이 올바르지 않습니다.")
        case .idTokenAudience: Phrase("The ID token was made for another app.", "다른 앱을 위해 발급된 ID 토큰입니다.")
        case .idTokenExpired: Phrase("The ID token is too old. Sign in again.", "ID 토큰이 만료되었습니다. 다시 로그인해 주세요.")
        case .idTokenNotYetValid: Phrase("The ID token is not valid yet.", "아직 유효하지 않은 ID 토큰입니다.")
        case .idTokenNonce:
            Phrase("The ID token is not the answer to this sign-in. Sign in again.", "이 로그인 요청에 대한 ID 토큰이 아닙니다. 다시 로그인해 주세요.")
        case .idTokenReplayed:
            Phrase("This ID token has been used already. Sign in again.", "이미 사용한 ID 토큰입니다. 다시 로그인해 주세요.")
        case .signInTooOld: Phrase("Sign in once more to do this.", "이 작업을 하려면 다시 로그인해 주세요.")
        case .identityInUse: Phrase("This identity belongs to another account.", "다른 계정에 연결된 로그인 수단입니다.")
        case .identityNotFound: Phrase("You have no such identity.", "연결되지 않은 로그인 수단입니다.")
        case .identityLast: Phrase("You cannot remove your only identity.", "하나뿐인 로그인 수단은 연결을 끊을 수 없습니다.")
        case .identityLimit:
            limit.map { Phrase("You can have at most \($0) identities.", "로그인 수단은 \($0)개까지 연결할 수 있습니다.") }
                ?? Phrase("You cannot have more identities.", "로그인 수단을 더 연결할 수 없습니다.")
        case .watchLimit:
            limit.map {
                Phrase(
                    "You can have at most \($0) watches and downloads at once. End one first.", "변경 알림과 내려받기는 동시에 \($0)개까지 쓸 수 있습니다. 먼저 하나를 끝내 주세요.")
            } ?? Phrase("You cannot have more watches and downloads at once. End one first.", "변경 알림과 내려받기를 더 쓸 수 없습니다. 먼저 하나를 끝내 주세요.")
        case .rateLimited: Phrase("Too many attempts. Try again later.", "시도 횟수가 너무 많습니다. 나중에 다시 시도해 주세요.")

        // Pictures.
        case .imageTooLarge:
            // The default is the limit of profile pictures; others pass their own.
            Phrase("A picture has at most \(Self.size(limit ?? 8 << 20)).", "사진은 \(Self.size(limit ?? 8 << 20)) 이하여야 합니다.")
        case .imageDimensions: Phrase("A picture has at most 32 million pixels.", "사진은 3,200만 픽셀 이하여야 합니다.")
        case .imageFormatUnsupported:
            Phrase("Send a picture as JPEG, PNG or WebP.", "JPEG, PNG, WebP 형식의 사진만 올릴 수 있습니다.")
        case .imageInvalid: Phrase("The picture is damaged.", "사진이 손상되었습니다.")
        case .imageHashMismatch:
            Phrase("The picture did not arrive as it was sent. Send it again.", "사진이 전송 중에 손상되었습니다. 다시 올려 주세요.")
        case .imageNotStaged:
            Phrase("The uploaded picture is not there any more. Upload it again.", "올린 사진이 더 이상 없습니다. 다시 올려 주세요.")
        case .imageNotFound: Phrase("There is no such picture.", "사진이 없습니다.")
        case .imageBusy:
            Phrase("Too many pictures are being uploaded. Try again shortly.", "사진이 한꺼번에 많이 올라오고 있습니다. 잠시 후 다시 시도해 주세요.")
        case .imageTooSlow:
            Phrase("The picture arrives too slowly. Try again on a faster connection.", "사진이 너무 느리게 올라오고 있습니다. 더 빠른 연결에서 다시 시도해 주세요.")
        case .imageSizeUnknown: Phrase("There is no such picture size.", "그런 사진 크기는 없습니다.")
        case .imageEmpty: Phrase("A picture has at least one byte.", "빈 사진은 올릴 수 없습니다.")

        // Diaries.
        case .diaryEntryNotFound: Phrase("There is no such diary entry.", "일기가 없습니다.")
        case .diaryEntryExists: Phrase("There is another diary entry of this id.", "같은 번호의 다른 일기가 이미 있습니다.")
        case .diaryFull: Phrase("The diary is full. Delete entries first.", "일기장이 가득 찼습니다. 일기를 먼저 지워 주세요.")
        case .diaryTooManyConflicts:
            Phrase("The entry has too many unsettled conflicts. Settle some first.", "정리하지 않은 충돌이 너무 많습니다. 먼저 정리해 주세요.")
        case .diaryTooManyDevices:
            Phrase("The diary is on too many devices. Remove one first.", "일기장을 쓰는 기기가 너무 많습니다. 기기를 먼저 지워 주세요.")
        case .diaryDeviceUnknown: Phrase("The diary does not know this device.", "일기장에 등록되지 않은 기기입니다.")
        case .diaryDeviceCloned:
            Phrase("Two copies of one device write the diary. This one needs a new name.", "한 기기의 복사본 둘이 일기를 쓰고 있습니다. 새 기기로 등록해야 합니다.")
        case .diaryMutationGap: Phrase("Changes of this device are missing.", "이 기기의 변경 사항이 빠져 있습니다.")
        case .diaryClockSkewed:
            Phrase("The clock of this device is more than a day ahead.", "이 기기의 시계가 하루 넘게 앞서 있습니다.")
        case .diaryResyncRequired: Phrase("Read the whole diary again.", "일기장을 처음부터 다시 불러와야 합니다.")
        case .diaryLocked:
            Phrase(
                "The server cannot open the diaries: their key is missing. Nothing is lost. Tell its administrator.",
                "서버에 일기장의 키가 없어 일기를 열 수 없습니다. 일기는 사라지지 않았습니다. 관리자에게 알려 주세요.")
        case .diaryImageDiffers:
            Phrase("The picture has another type or size than the entry says.", "사진의 형식이나 크기가 일기에 적힌 것과 다릅니다.")
        case .diaryTextTooLong:
            limit.map { Phrase("A diary entry has at most \($0) characters.", "일기는 \($0)자 이하여야 합니다.") }
                ?? Phrase("The diary entry is too long.", "일기가 너무 깁니다.")
        case .diaryTextInvalidCharacters:
            Phrase("A diary entry has no control characters but line breaks and tabs.", "일기에 줄바꿈과 탭 외의 제어 문자를 쓸 수 없습니다.")
        case .emotionInvalid:
            limit.map { Phrase("An emotion is at most \($0) letters a to z and underscores.", "감정은 영문 소문자와 밑줄(_) \($0)자 이하여야 합니다.") }
                ?? Phrase("An emotion is made of letters a to z and underscores.", "감정은 영문 소문자와 밑줄(_)로 써야 합니다.")
        case .entryTimeInvalid: Phrase("The time is out of its range.", "시각이 허용 범위를 벗어났습니다.")
        case .deviceNameInvalid:
            limit.map { Phrase("A device name has at most \($0) bytes without control characters.", "기기 이름은 제어 문자 없이 \($0)바이트 이하여야 합니다.") }
                ?? Phrase("The device name is malformed.", "기기 이름의 형식이 올바르지 않습니다.")
        case .diaryNumberInvalid:
            Phrase("The changes of a device have the numbers 1, 2, 3 and so on, in this order.", "기기의 변경 번호는 1부터 빠짐없이 차례대로여야 합니다.")

        // Violated fields of a profile.
        case .usernameEmpty: Phrase("Enter a username.", "\(Self.username)을 입력해 주세요.")
        case .usernameTooShort:
            limit.map { Phrase("A username has at least \($0) characters.", "\(Self.username)은 \($0)자 이상이어야 합니다.") }
                ?? Phrase("The username is too short.", "\(Self.username)이 너무 짧습니다.")
        case .usernameTooLong:
            limit.map { Phrase("A username has at most \($0) characters.", "\(Self.username)은 \($0)자 이하여야 합니다.") }
                ?? Phrase("The username is too long.", "\(Self.username)이 너무 깁니다.")
        case .usernameInvalidCharacters:
            Phrase(
                "A username is made of Hangul, Latin letters, digits and underscores.", "한글, 영문, 숫자, 밑줄(_)만 쓸 수 있습니다.")
        case .usernameReserved: Phrase("This username is reserved.", "사용할 수 없는 \(Self.username)입니다.")
        case .displayNameTooLong:
            limit.map { Phrase("A display name has at most \($0) characters.", "표시 이름은 \($0)자 이하여야 합니다.") }
                ?? Phrase("The display name is too long.", "표시 이름이 너무 깁니다.")
        case .displayNameTooManyBytes: Self.tooManyBytes(Phrase("A display name", "표시 이름은"), limit)
        case .displayNameInvisible:
            Phrase("A display name has something to see, or is empty.", "표시 이름에는 보이는 글자가 있어야 합니다.")
        case .displayNameReserved: Phrase("This display name is reserved.", "사용할 수 없는 표시 이름입니다.")
        case .displayNameInvalidCharacters:
            Phrase("A display name has no control characters.", "표시 이름에 제어 문자를 쓸 수 없습니다.")
        case .statusMessageTooLong:
            limit.map { Phrase("A status message has at most \($0) characters.", "상태 메시지는 \($0)자 이하여야 합니다.") }
                ?? Phrase("The status message is too long.", "상태 메시지가 너무 깁니다.")
        case .statusMessageTooManyBytes: Self.tooManyBytes(Phrase("A status message", "상태 메시지는"), limit)
        case .statusMessageInvalidCharacters:
            Phrase("A status message has no control characters but line breaks.", "상태 메시지에 제어 문자를 쓸 수 없습니다.")
        case .textTooLong:
            limit.map { Phrase("\(Self.english(field)): at most \($0) characters.", "\(Self.korean(field)): \($0)자 이하여야 합니다.") }
                ?? Phrase("\(Self.english(field)): too long.", "\(Self.korean(field)): 너무 깁니다.")
        case .textTooManyBytes: Self.tooManyBytes(Phrase("\(Self.english(field)): it", "\(Self.korean(field)):"), limit)
        case .textInvalidCharacters:
            Phrase("\(Self.english(field)): no control characters.", "\(Self.korean(field)): 제어 문자를 쓸 수 없습니다.")

        // Violated fields of a request.
        case .accountNameInvalid:
            limit.map {
                Phrase("An account name is 1 to \($0) bytes without white space.", "계정 이름은 공백 없이 1~\($0)바이트여야 합니다.")
            } ?? Phrase("The account name is malformed.", "계정 이름의 형식이 올바르지 않습니다.")
        case .deviceInvalid:
            limit.map { Phrase(
                    "Empty, too long, or with characters that are not allowed: at most \($0).", "비었거나 너무 길거나 쓸 수 없는 문자가 있습니다: 최대 \($0).") }
                ?? Phrase("The description of the device is malformed.", "기기 정보의 형식이 올바르지 않습니다.")
        case .requestIDInvalid:
            limit.map {
                Phrase("A request id is at most \($0) bytes of printable ASCII.", "요청 번호는 \($0)바이트 이하의 출력 가능한 ASCII여야 합니다.")
            } ?? Phrase("The request id is malformed.", "요청 번호의 형식이 올바르지 않습니다.")
        case .identifierInvalid: Phrase("This is not a valid identifier.", "올바른 식별자가 아닙니다.")
        case .fieldMissing: Phrase("A required field is missing.", "필수 항목이 빠졌습니다.")
        case .fieldUnknown: Phrase("There is no such field.", "없는 필드입니다.")
        case .fieldReadOnly: Phrase("This field cannot be changed.", "바꿀 수 없는 필드입니다.")
        case .tooManyItems:
            limit.map { Phrase("At most \($0) items at once.", "한 번에 \($0)개까지 보낼 수 있습니다.") }
                ?? Phrase("These are too many for one request.", "한 번에 보낼 수 있는 수를 넘었습니다.")
        case .itemDuplicated: Phrase("The same item is there twice.", "같은 항목이 두 번 들어 있습니다.")
        case .pageSizeNegative: Phrase("A page size cannot be negative.", "페이지 크기는 음수일 수 없습니다.")
        case .queryInvalid:
            limit.map { Phrase("A search has 1 to \($0) characters.", "검색어는 1~\($0)자여야 합니다.") }
                ?? Phrase("The search is too short or too long.", "검색어가 너무 짧거나 깁니다.")
        case .logLevelInvalid:
            Phrase(
                "The log level is trace, debug, info, notice, warning, error or critical.",
                "로그 수준은 trace, debug, info, notice, warning, error, critical 중 하나여야 합니다.")
        case .backupRateInvalid:
            Phrase(
                "A backup reads at least 1 MiB and at most 4 GiB a second.", "백업 속도는 초당 1MiB 이상 4GiB 이하여야 합니다.")
        case .gracePeriodInvalid:
            limit.map { Phrase("A grace period is 0 to \($0) seconds.", "유예 시간은 0~\($0)초여야 합니다.") }
                ?? Phrase("The grace period is out of its range.", "유예 시간이 허용 범위를 벗어났습니다.")
        }
    }

    /// People count characters, so the text explains that few characters can have too many bytes.
    private static func tooManyBytes(_ text: Phrase, _ limit: Int?) -> Phrase {
        limit.map {
            Phrase(
                "\(text.english) has at most \($0) bytes; some characters, such as emoji, have many.",
                "\(text.korean) \($0)바이트 이하여야 합니다. 이모지처럼 한 글자가 여러 바이트인 문자도 있습니다.")
        } ?? Phrase("\(text.english) has too many bytes.", "\(text.korean) 바이트 수가 너무 많습니다.")
    }

    private static let username = Phrase.Word.username.korean

    private static func english(_ field: ProfileTextField?) -> String { field?.facts.label.english ?? "text" }
    private static func korean(_ field: ProfileTextField?) -> String { field?.facts.label.korean ?? "텍스트" }

    /// A number of bytes, written in MiB if it is a whole number of MiB.
    private static func size(_ byteCount: Int) -> String { byteCount % (1 << 20) == 0 ? "\(byteCount >> 20) MiB" : "\(byteCount) B" }
}
