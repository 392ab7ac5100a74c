/// Why something was refused: the machine-readable names of docs/api.md, each with its text in Korean and English.
///
/// The raw value is the name on the wire (`google.rpc.ErrorInfo.reason`) and does not change once published.
public enum Reason: String, Sendable, Hashable, CaseIterable {
    // States and refusals of a whole call.
    case notAuthenticated = "NOT_AUTHENTICATED"
    case accountNotPermitted = "ACCOUNT_NOT_PERMITTED"
    case identityNotProven = "IDENTITY_NOT_PROVEN"
    case userNotFound = "USER_NOT_FOUND"
    case sessionNotFound = "SESSION_NOT_FOUND"
    case usernameDuplicated = "USERNAME_DUPLICATED"
    case profileExists = "PROFILE_EXISTS"
    case etagMismatch = "ETAG_MISMATCH"
    case selfFollow = "SELF_FOLLOW"
    case notOwner = "NOT_OWNER"
    case notTrusted = "NOT_TRUSTED"
    case requestIDReused = "REQUEST_ID_REUSED"
    case invalidPageToken = "PAGE_TOKEN_INVALID"
    case invalidResumeToken = "RESUME_TOKEN_INVALID"
    case resumeTokenExpired = "RESUME_TOKEN_EXPIRED"
    case dataLoss = "DATA_LOSS"
    case storeFull = "STORE_FULL"
    case storeCorrupt = "STORE_CORRUPT"
    case storeInputOutput = "STORE_IO_ERROR"
    case storeReadOnly = "STORE_READ_ONLY"
    case storeGone = "STORE_GONE"
    case unavailable = "UNAVAILABLE"

    // Violated fields.
    case usernameEmpty = "USERNAME_EMPTY"
    case usernameTooShort = "USERNAME_TOO_SHORT"
    case usernameTooLong = "USERNAME_TOO_LONG"
    case usernameInvalidCharacters = "USERNAME_INVALID_CHARACTERS"
    case usernameReserved = "USERNAME_RESERVED"
    case displayNameTooLong = "DISPLAY_NAME_TOO_LONG"
    case displayNameInvalidCharacters = "DISPLAY_NAME_INVALID_CHARACTERS"
    case statusMessageTooLong = "STATUS_MESSAGE_TOO_LONG"
    case statusMessageInvalidCharacters = "STATUS_MESSAGE_INVALID_CHARACTERS"
    case accountNameInvalid = "ACCOUNT_NAME_INVALID"
    case requestIDInvalid = "REQUEST_ID_INVALID"
    case identifierInvalid = "IDENTIFIER_INVALID"
    case fieldMissing = "FIELD_MISSING"
    case fieldUnknown = "FIELD_UNKNOWN"
    case fieldReadOnly = "FIELD_READ_ONLY"
    case tooManyItems = "TOO_MANY_ITEMS"
    case pageSizeNegative = "PAGE_SIZE_NEGATIVE"
    case prefixInvalid = "PREFIX_INVALID"
    case gracePeriodInvalid = "GRACE_PERIOD_INVALID"
}

extension Reason {
    /// The text for people. `limit` is the bound that was crossed, where the reason has one.
    public func text(limit: Int? = nil) -> LocalizedText {
        if let text = fieldText(limit: limit.map(String.init) ?? "?") ?? storeText { return text }
        switch self {
        case .notAuthenticated:
            return LocalizedText(korean: "로그인이 필요합니다.", english: "Sign in first.")
        case .accountNotPermitted:
            return LocalizedText(
                korean: "이 계정으로 로그인할 권한이 없습니다.", english: "You may not sign in to this account.")
        case .identityNotProven:
            return LocalizedText(
                korean: "이 연결로는 사용자를 확인할 수 없습니다.", english: "This connection does not prove who you are.")
        case .userNotFound:
            return LocalizedText(korean: "프로필이 없습니다.", english: "There is no such profile.")
        case .sessionNotFound:
            return LocalizedText(korean: "세션이 없습니다.", english: "There is no such session.")
        case .usernameDuplicated:
            return LocalizedText(korean: "이미 사용 중인 이름입니다.", english: "This username is taken.")
        case .profileExists:
            return LocalizedText(korean: "프로필이 이미 있습니다.", english: "You already have a profile.")
        case .etagMismatch:
            return LocalizedText(
                korean: "그사이 내용이 바뀌었습니다. 다시 불러온 뒤 시도해 주세요.",
                english: "It has changed since you read it. Read it again, then retry.")
        case .selfFollow:
            return LocalizedText(korean: "자신을 팔로우할 수 없습니다.", english: "You cannot follow yourself.")
        case .notOwner:
            return LocalizedText(
                korean: "다른 사람의 정보는 바꿀 수 없습니다.", english: "You cannot change somebody else's data.")
        case .notTrusted:
            return LocalizedText(
                korean: "서버가 신뢰하는 사용자만 할 수 있습니다.", english: "Only users whom the server trusts may do this.")
        case .requestIDReused:
            return LocalizedText(
                korean: "요청 번호가 다른 요청에 이미 쓰였습니다.",
                english: "This request id has already been used for a different request.")
        case .invalidPageToken:
            return LocalizedText(
                korean: "이 목록의 페이지 토큰이 아닙니다.", english: "This is not a page token of this list.")
        case .invalidResumeToken:
            return LocalizedText(
                korean: "이 계정의 이어받기 토큰이 아닙니다.", english: "This is not a resume token of this account.")
        case .resumeTokenExpired:
            return LocalizedText(
                korean: "이어받기에는 너무 오래되었습니다. 목록을 새로 불러온 뒤 처음부터 다시 시작해 주세요.",
                english: "It is too long ago to resume. Read the lists anew, then watch from now on.")
        case .dataLoss:
            return LocalizedText(
                korean: "저장된 데이터를 읽을 수 없습니다.", english: "Stored data could not be read.")
        default:
            return LocalizedText(
                korean: "지금은 처리할 수 없습니다. 잠시 후 다시 시도해 주세요.",
                english: "This cannot be done right now. Try again shortly.")
        }
    }

    /// The texts of what keeps the store from its work; `nil` for everything else.
    private var storeText: LocalizedText? {
        switch self {
        case .storeFull:
            LocalizedText(
                korean: "서버의 저장 공간이 가득 찼습니다. 공간이 확보되면 다시 시도해 주세요.",
                english: "The server's disk is full. Try again once there is room.")
        case .storeCorrupt:
            LocalizedText(
                korean: "서버의 데이터베이스가 손상되었습니다. 관리자에게 알려 주세요.",
                english: "The server's database is damaged. Tell its administrator.")
        case .storeInputOutput:
            LocalizedText(
                korean: "서버의 디스크에서 읽기나 쓰기에 실패했습니다. 잠시 후 다시 시도해 주세요.",
                english: "The server's disk fails to read or write. Try again shortly.")
        case .storeReadOnly:
            LocalizedText(
                korean: "서버의 데이터베이스에 쓸 수 없습니다. 관리자에게 알려 주세요.",
                english: "The server may not write its database. Tell its administrator.")
        case .storeGone:
            LocalizedText(
                korean: "서버의 데이터베이스 파일이 삭제되었거나 바뀌었습니다. 관리자에게 알려 주세요.",
                english: "The server's database file was deleted or replaced. Tell its administrator.")
        default: nil
        }
    }

    /// The texts of violated fields; `nil` for the reasons that concern a whole call.
    private func fieldText(limit: String) -> LocalizedText? {
        switch self {
        case .usernameEmpty:
            LocalizedText(korean: "이름을 입력해 주세요.", english: "Enter a username.")
        case .usernameTooShort:
            LocalizedText(
                korean: "이름은 \(limit)자 이상이어야 합니다.", english: "A username has at least \(limit) characters.")
        case .usernameTooLong:
            LocalizedText(
                korean: "이름은 \(limit)자 이하여야 합니다.", english: "A username has at most \(limit) characters.")
        case .usernameInvalidCharacters:
            LocalizedText(
                korean: "한글, 영문, 숫자, 밑줄(_)만 쓸 수 있습니다.",
                english: "A username is made of Hangul, Latin letters, digits and underscores.")
        case .usernameReserved:
            LocalizedText(korean: "사용할 수 없는 이름입니다.", english: "This username is reserved.")
        case .displayNameTooLong:
            LocalizedText(
                korean: "표시 이름은 \(limit)자 이하여야 합니다.",
                english: "A display name has at most \(limit) characters.")
        case .displayNameInvalidCharacters:
            LocalizedText(
                korean: "표시 이름에 제어 문자를 쓸 수 없습니다.",
                english: "A display name has no control characters.")
        case .statusMessageTooLong:
            LocalizedText(
                korean: "상태 메시지는 \(limit)자 이하여야 합니다.",
                english: "A status message has at most \(limit) characters.")
        case .statusMessageInvalidCharacters:
            LocalizedText(
                korean: "상태 메시지에 제어 문자를 쓸 수 없습니다.",
                english: "A status message has no control characters but line breaks.")
        case .accountNameInvalid:
            LocalizedText(
                korean: "계정 이름은 공백 없이 1~\(limit)바이트여야 합니다.",
                english: "An account name is 1 to \(limit) bytes without white space.")
        default: requestText(limit: limit)
        }
    }

    /// The texts of fields that belong to the request and not to a profile.
    private func requestText(limit: String) -> LocalizedText? {
        switch self {
        case .requestIDInvalid:
            LocalizedText(
                korean: "요청 번호는 \(limit)바이트 이하의 출력 가능한 ASCII여야 합니다.",
                english: "A request id is at most \(limit) bytes of printable ASCII.")
        case .identifierInvalid:
            LocalizedText(korean: "올바른 식별자가 아닙니다.", english: "This is not a valid identifier.")
        case .fieldUnknown:
            LocalizedText(korean: "없는 필드입니다.", english: "There is no such field.")
        case .fieldReadOnly:
            LocalizedText(korean: "바꿀 수 없는 필드입니다.", english: "This field cannot be changed.")
        case .tooManyItems:
            LocalizedText(
                korean: "한 번에 \(limit)개까지 보낼 수 있습니다.", english: "At most \(limit) items at once.")
        case .pageSizeNegative:
            LocalizedText(
                korean: "페이지 크기는 음수일 수 없습니다.", english: "A page size cannot be negative.")
        case .fieldMissing:
            LocalizedText(korean: "필수 항목이 빠졌습니다.", english: "A required field is missing.")
        case .prefixInvalid:
            LocalizedText(
                korean: "검색어는 1~\(limit)자여야 합니다.", english: "A search prefix has 1 to \(limit) characters.")
        case .gracePeriodInvalid:
            LocalizedText(
                korean: "유예 시간은 0~\(limit)초여야 합니다.", english: "A grace period is 0 to \(limit) seconds.")
        default: nil
        }
    }
}

extension Reason {
    /// The reason of a call that the store could not do.
    public init(_ failure: StoreFailure) {
        self =
            switch failure {
            case .full: .storeFull
            case .corrupt: .storeCorrupt
            case .inputOutput: .storeInputOutput
            case .readOnly: .storeReadOnly
            case .gone: .storeGone
            case .other: .unavailable
            }
    }
}
