extension Phrase {
    /// The system's words for an error of a file or socket (`strerror`), or the client's words for a lost connection. Words without a Korean form
    /// stay as they are.
    public static func systemError(_ words: String) -> Phrase { Phrase(words, koreanSystemErrors[words] ?? words) }

    private static let koreanSystemErrors = [
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
