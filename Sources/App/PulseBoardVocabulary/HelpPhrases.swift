extension Phrase {
    /// Headings and notes on pages of help and in usage errors. The texts of commands and options are defined beside them.
    public enum Help {
        /// Before what a command is for.
        public static let overview = Phrase("OVERVIEW: ", "개요: ")
        /// Before how a command is written, on a page of help.
        public static let usage = Phrase("USAGE: ", "사용법: ")
        /// Before how a command is written, below an error.
        public static let usageOfError = Phrase("Usage: ", "사용법: ")
        /// Before the option that an error is about.
        public static let help = Phrase("Help:  ", "도움말:  ")
        /// Above the arguments without a name.
        public static let arguments = Phrase("ARGUMENTS:", "인자:")
        /// Above the options.
        public static let options = Phrase("OPTIONS:", "옵션:")
        /// Above the commands below a command.
        public static let subcommands = Phrase("SUBCOMMANDS:", "하위 명령:")
        /// Stands for the options of a command that has too many to list.
        public static let anyOptions = Phrase("options", "옵션")
        /// What `--version` does.
        public static let showsVersion = Phrase("Show the version.", "버전을 보여 줍니다.")
        /// What `--help` does.
        public static let showsHelp = Phrase("Show help information.", "도움말을 보여 줍니다.")

        /// Above a group of commands with a name.
        public static func group(_ name: String) -> Phrase { Phrase(name.uppercased() + " SUBCOMMANDS:", name + " 명령:") }

        /// An option's default value.
        public static func `default`(_ value: String) -> Phrase { Phrase("(default: \(value))", "(기본값: \(value))") }

        /// The values that an option may have.
        public static func values(_ values: String) -> Phrase { Phrase("(values: \(values))", "(값: \(values))") }

        /// The values that an option may have, and its default value.
        public static func values(_ values: String, default value: String) -> Phrase {
            Phrase("(values: \(values); default: \(value))", "(값: \(values), 기본값: \(value))")
        }

        /// Words of which one is meant, such as `a, b or c`.
        public static func oneOf(_ words: [String]) -> Phrase {
            let all = words.joined(separator: ", ")
            guard let last = words.last, words.count > 1 else { return Phrase(all, all) }
            return Phrase(words.dropLast().joined(separator: ", ") + " or " + last, all)
        }

        /// Where the help of a command's commands is.
        public static func ofSubcommands(_ command: String) -> Phrase {
            Phrase("See '\(command) <subcommand>' for detailed help.", "자세한 도움말은 '\(command) <하위 명령>'을 보세요.")
        }

        /// Where the help of a command is.
        public static func ofCommand(_ command: String) -> Phrase {
            Phrase("See '\(command) --help' for more information.", "자세한 내용은 '\(command) --help'를 보세요.")
        }

        /// The name of an option's value in usage texts, such as `file` in `--picture <file>`. A name without a translation stays as it is; a test
        /// finds such names.
        public static func valueName(_ name: String) -> Phrase { Phrase(name, koreanValueNames[name] ?? name) }

        private static let koreanValueNames = [
            "address": "주소", "count": "수", "day": "날짜", "days": "일수", "directory": "디렉터리", "emotion": "감정", "etag": "etag 값", "file": "파일",
            "format": "형식", "id": "ID 값", "issuer": "발급자", "json": "JSON 글",
            "level": "수준", "mebibytes": "메비바이트", "method": "메서드", "mode": "권한", "month": "달", "name": "이름", "name: value": "이름: 값",
            "edit": "수정", "name=value": "이름=값", "number": "번호",
            "path": "경로", "port-or-path": "포트나 경로", "prefix": "앞부분", "protocol": "프로토콜", "query": "찾을 말", "seconds": "초", "service": "서비스",
            "shortest-longest": "최소-최대",
            "store": "저장소",
            "size": "크기", "step": "단계", "subcommand": "하위 명령", "subject": "식별자", "symbol": "전체 이름", "text": "글", "time": "시각", "token": "토큰",
            "uid": "사용자 번호", "user": "사용자",
        ]
    }
}
