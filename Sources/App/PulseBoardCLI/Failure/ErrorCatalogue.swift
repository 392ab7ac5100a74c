import RPCCore

/// What each cause means, in both languages, for servers that send no text in the user's language.
enum ErrorCatalogue {
    /// The text for a reason of `google.rpc.ErrorInfo`; nil for one that this program does not know.
    static func phrase(forReason reason: String) -> Phrase? { reasons[reason] }

    /// The text for a status that came without a known reason.
    static func phrase(for code: StatusCode) -> Phrase {
        switch code {
        case .ok: Phrase("The call succeeded.", "호출이 성공했습니다.")
        case .cancelled: Phrase("The call was cancelled.", "호출이 취소되었습니다.")
        case .unknown: Phrase("The server failed for an unknown cause.", "서버에서 알 수 없는 오류가 발생했습니다.")
        case .invalidArgument: Phrase("The server does not accept the input.", "서버가 입력값을 받아들이지 않았습니다.")
        case .deadlineExceeded: Phrase("The server did not answer in time.", "서버가 제한 시간 안에 응답하지 않았습니다.")
        case .notFound: Phrase("There is no such thing.", "요청한 대상을 찾을 수 없습니다.")
        case .alreadyExists: Phrase("It exists already.", "이미 존재합니다.")
        case .permissionDenied: Phrase("You may not do this.", "이 작업을 할 권한이 없습니다.")
        case .resourceExhausted: Phrase("The server is at a limit.", "서버의 처리 한도에 이르렀습니다.")
        case .failedPrecondition: Phrase("This cannot be done in the present state.", "현재 상태에서는 할 수 없는 작업입니다.")
        case .aborted: Phrase("Something else changed at the same time.", "동시에 다른 변경이 있어 중단되었습니다.")
        case .outOfRange: Phrase("The value is out of range.", "값이 허용 범위를 벗어났습니다.")
        case .unimplemented: Phrase("This server cannot do that.", "이 서버가 지원하지 않는 기능입니다.")
        case .internal: Phrase("The server failed.", "서버 내부 오류가 발생했습니다.")
        case .unavailable: Phrase("The server cannot be reached.", "서버에 연결할 수 없습니다.")
        case .dataLoss: Phrase("The server's data is damaged.", "서버의 데이터가 손상되었습니다.")
        case .unauthenticated: Phrase("You are not signed in.", "로그인되어 있지 않습니다.")
        }
    }

    /// Every reason that the services' API names.
    static let reasons: [String: Phrase] = [
        "NOT_AUTHENTICATED": Phrase("You are not signed in.", "로그인되어 있지 않습니다."),
        "ACCOUNT_NOT_PERMITTED": Phrase("You may not sign in to this account.", "이 계정으로 로그인할 권한이 없습니다."),
        "IDENTITY_NOT_PROVEN": Phrase(
            "This connection does not prove to the server who you are.", "이 연결로는 서버가 사용자를 확인할 수 없습니다."),
        "ACCOUNT_NAME_INVALID": Phrase("The account name is malformed.", "계정 이름의 형식이 올바르지 않습니다."),
        "SESSION_NOT_FOUND": Phrase("There is no such open session.", "해당하는 열린 세션이 없습니다."),
        "NOT_OWNER": Phrase("This belongs to somebody else.", "다른 사람의 데이터에는 접근할 수 없습니다."),
        "NOT_TRUSTED": Phrase("Only users whom the server trusts may do this.", "서버가 신뢰하는 사용자만 할 수 있습니다."),
        "USER_NOT_FOUND": Phrase("There is no such user.", "해당 사용자를 찾을 수 없습니다."),
        "PROFILE_EXISTS": Phrase("You already have a profile.", "이미 프로필이 있습니다."),
        "ETAG_MISMATCH": Phrase("The profile was changed in the meantime.", "그 사이에 프로필이 변경되었습니다."),
        "USERNAME_EMPTY": Phrase("The username is empty.", "사용자 이름을 입력해 주세요."),
        "USERNAME_TOO_SHORT": Phrase("The username is too short.", "사용자 이름이 너무 짧습니다."),
        "USERNAME_TOO_LONG": Phrase("The username is too long.", "사용자 이름이 너무 깁니다."),
        "USERNAME_INVALID_CHARACTERS": Phrase(
            "A username holds only English letters, digits, Hangul syllables and _.",
            "사용자 이름에는 영문, 숫자, 한글, 밑줄(_)만 쓸 수 있습니다."),
        "USERNAME_DUPLICATED": Phrase("This username is taken.", "이미 사용 중인 사용자 이름입니다."),
        "USERNAME_RESERVED": Phrase("This username is reserved.", "사용할 수 없도록 예약된 사용자 이름입니다."),
        "DISPLAY_NAME_TOO_LONG": Phrase("The display name is too long.", "표시 이름이 너무 깁니다."),
        "DISPLAY_NAME_INVALID_CHARACTERS": Phrase(
            "The display name holds control characters.", "표시 이름에 제어 문자를 쓸 수 없습니다."),
        "STATUS_MESSAGE_TOO_LONG": Phrase("The status message is too long.", "상태 메시지가 너무 깁니다."),
        "STATUS_MESSAGE_INVALID_CHARACTERS": Phrase(
            "The status message holds control characters.", "상태 메시지에 제어 문자를 쓸 수 없습니다."),
        "SELF_FOLLOW": Phrase("You cannot follow yourself.", "자기 자신을 팔로우할 수 없습니다."),
        "IDENTIFIER_INVALID": Phrase("This is not an id.", "올바른 ID가 아닙니다."),
        "FIELD_MISSING": Phrase("A required field is missing.", "필수 항목이 빠졌습니다."),
        "FIELD_UNKNOWN": Phrase("There is no such field.", "없는 항목입니다."),
        "FIELD_READ_ONLY": Phrase("This field cannot be changed.", "바꿀 수 없는 항목입니다."),
        "TOO_MANY_ITEMS": Phrase("These are too many for one request.", "한 번에 요청할 수 있는 수를 넘었습니다."),
        "PAGE_SIZE_NEGATIVE": Phrase("The page size is negative.", "페이지 크기는 음수일 수 없습니다."),
        "PAGE_TOKEN_INVALID": Phrase("The page token does not belong to this list.", "이 목록의 페이지 토큰이 아닙니다."),
        "RESUME_TOKEN_INVALID": Phrase(
            "The resume token does not belong to this account.", "이 계정의 이어받기 토큰이 아닙니다."),
        "RESUME_TOKEN_EXPIRED": Phrase(
            "It is too long ago to resume: what happened since has been forgotten.",
            "이어받기에는 너무 오래되어 그 이후의 기록이 남아 있지 않습니다."),
        "PREFIX_INVALID": Phrase("A search needs 1 to 50 characters.", "검색어는 1~50자여야 합니다."),
        "REQUEST_ID_INVALID": Phrase("The request id is malformed.", "요청 ID의 형식이 올바르지 않습니다."),
        "REQUEST_ID_REUSED": Phrase(
            "The request id was used for another request.", "요청 ID가 다른 요청에 이미 쓰였습니다."),
        "GRACE_PERIOD_INVALID": Phrase(
            "The grace period is out of its range.", "유예 시간이 허용 범위를 벗어났습니다."),
        "DATA_LOSS": Phrase("Stored data could not be read.", "저장된 데이터를 읽을 수 없습니다."),
        "STORE_FULL": Phrase(
            "The server's disk is full. Try again once there is room.", "서버의 저장 공간이 가득 찼습니다. 공간이 확보되면 다시 시도해 주세요."),
        "STORE_CORRUPT": Phrase(
            "The server's database is damaged. Tell its administrator.", "서버의 데이터베이스가 손상되었습니다. 관리자에게 알려 주세요."),
        "STORE_IO_ERROR": Phrase(
            "The server's disk fails to read or write. Try again shortly.",
            "서버의 디스크에서 읽기나 쓰기에 실패했습니다. 잠시 후 다시 시도해 주세요."),
        "STORE_READ_ONLY": Phrase(
            "The server may not write its database. Tell its administrator.",
            "서버의 데이터베이스에 쓸 수 없습니다. 관리자에게 알려 주세요."),
        "STORE_GONE": Phrase(
            "The server's database file was deleted or replaced. Tell its administrator.",
            "서버의 데이터베이스 파일이 삭제되었거나 바뀌었습니다. 관리자에게 알려 주세요."),
        "UNAVAILABLE": Phrase(
            "The server cannot do this right now. Try again shortly.", "서버가 지금은 처리할 수 없습니다. 잠시 후 다시 시도해 주세요."),
    ]
}
