#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Phrase {
    /// The meaning of a gRPC status code, for a failed call without a reason.
    /// - Parameter code: its number, 0 to 16. Every other number means `UNKNOWN`.
    public init(statusCode code: Int32) {
        self =
            switch code {
            case 0: Phrase("The call succeeded.", "호출이 성공했습니다.")
            case 1: Phrase("The call was cancelled.", "호출이 취소되었습니다.")
            case 3: Phrase("The server does not accept the input.", "서버가 입력값을 받아들이지 않았습니다.")
            case 4: Phrase("The server did not answer in time.", "서버가 제한 시간 안에 응답하지 않았습니다.")
            case 5: Phrase("There is no such thing.", "요청한 대상을 찾을 수 없습니다.")
            case 6: Phrase("It exists already.", "이미 존재합니다.")
            case 7: Phrase("You may not do this.", "이 작업을 할 권한이 없습니다.")
            case 8: Phrase("The server is at a limit.", "서버의 처리 한도에 이르렀습니다.")
            case 9: Phrase("This cannot be done in the present state.", "현재 상태에서는 할 수 없는 작업입니다.")
            case 10: Phrase("Something else changed at the same time.", "동시에 다른 변경이 있어 중단되었습니다.")
            case 11: Phrase("The value is out of range.", "값이 허용 범위를 벗어났습니다.")
            case 12: Phrase("This server cannot do that.", "이 서버가 지원하지 않는 기능입니다.")
            case 13: Phrase("The server failed.", "서버 내부 오류가 발생했습니다.")
            case 14: Phrase("The server cannot be reached.", "서버에 연결할 수 없습니다.")
            case 15: Phrase("The server's data is damaged.", "서버의 데이터가 손상되었습니다.")
            case 16: Phrase("You are not signed in.", "로그인되어 있지 않습니다.")
            default: Phrase("The server failed for an unknown cause.", "서버에서 알 수 없는 오류가 발생했습니다.")
            }
    }
}

extension Phrase {
    /// Words that stand in several texts.
    public enum Word {
        /// The unique name of a profile. Its display name is a ``ProfileTextField``.
        public static let username = Phrase("username", "사용자 이름")
        /// A picture, of a profile or in a diary.
        public static let picture = Phrase("picture", "사진")
        /// What `admin check` and `doctor` find.
        public static let fault = Phrase("fault", "문제")
    }
}

extension Phrase {
    /// Before the command to type next.
    public static let next = Phrase("Next: ", "다음 명령: ")
    /// Before the cause of a failure.
    public static let error = Phrase("Error:", "오류:")
    /// The user has no profile. This state starts onboarding (B8).
    public static let noProfileYet = Phrase("You have no profile yet.", "아직 프로필이 없습니다.")
    /// A sign-in to a named account was refused.
    public static let namedAccountsNeedTrust = Phrase(
        "This server lets only trusted users sign in to a named account.", "이 서버에서는 신뢰된 사용자만 다른 계정 이름으로 로그인할 수 있습니다.")

    /// No server listens at a socket.
    public static func noServer(at socket: String) -> Phrase {
        Phrase("No server answers at \(socket).", "\(socket)에서 응답하는 서버가 없습니다.")
    }

    /// From when on a refused request is possible.
    public static func possible(from time: String) -> Phrase { Phrase("It is possible from \(time).", "\(time)부터 할 수 있습니다.") }

    /// A caller has called too often, and may try again in some minutes.
    public static func rateLimited(minutes: Int64) -> Phrase {
        Phrase("Too many attempts. Try again in \(minutes) min.", "시도 횟수가 너무 많습니다. \(minutes)분 뒤에 다시 시도할 수 있습니다.")
    }

    /// Stands in a command for the file that its reader chooses.
    public static let wordForFile = Phrase("FILE", "파일")
}

extension Phrase {
    /// The same words in every language: a path, or what a library says and the catalogue does not have.
    public init(untranslated words: String) { self.init(words, words) }

    /// The text after the place that it is about.
    public func after(_ place: String) -> Phrase { place.isEmpty ? self : Phrase("\(place): \(english)", "\(place): \(korean)") }

    /// The system's words for an error of a file or socket.
    /// - Parameter number: an `errno`.
    public static func systemError(_ number: CInt) -> Phrase { systemError(String(cString: strerror(number))) }

    /// The system's words for an error of a file or socket (`strerror`), or the client's words for a lost connection. Words without a Korean form
    /// stay as they are.
    public static func systemError(_ words: String) -> Phrase { Phrase(words, koreanSystemErrors[words] ?? words) }

    private static let koreanSystemErrors = [
        "Not valid UTF-8": "올바른 UTF-8이 아닙니다",
        "No such file or directory": "파일이나 디렉터리가 없습니다",
        "Permission denied": "권한이 없습니다",
        "Operation not permitted": "허용되지 않은 작업입니다",
        "Connection refused": "연결이 거부되었습니다",
        "Connection reset by peer": "상대가 연결을 끊었습니다",
        "Broken pipe": "연결이 끊겼습니다",
        "Connection timed out": "연결 시간이 초과되었습니다",
        "Is a directory": "디렉터리입니다",
        "Not a directory": "디렉터리가 아닙니다",
        "File exists": "이미 있는 파일입니다",
        "File name too long": "파일 이름이 너무 깁니다",
        "No space left on device": "저장 공간이 없습니다",
        "Read-only file system": "읽기 전용 파일 시스템입니다",
        "Input/output error": "입출력 오류입니다",
        "Too many open files": "열린 파일이 너무 많습니다",
        "Too many levels of symbolic links": "심볼릭 링크가 너무 많이 이어집니다",
        "Resource temporarily unavailable": "자원을 잠시 쓸 수 없습니다",
        "Socket operation on non-socket": "소켓이 아닙니다",
        "the connection was lost before the answer came": "응답이 오기 전에 연결이 끊겼습니다",
    ]
}
