import PulseBoardVocabulary

/// Splits a line into words, as a shell does: at spaces, but not within quotation marks. `#` at the beginning of a word begins a comment.
enum ShellWords {
    /// Why a line cannot be split.
    enum Problem: Error, Hashable {
        case openQuote(Character)

        var phrase: Phrase {
            switch self {
            case .openQuote(let mark): Phrase("The quotation mark \(mark) has no end.", "따옴표 \(mark)가 닫히지 않았습니다.")
            }
        }
    }

    /// The words of a line. Within `"…"` a backslash escapes the next character. Within `'…'` no character is special.
    static func split(_ line: String) throws(Problem) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                // Commands of the shell itself begin with a backslash.
                word = (word ?? (words.isEmpty && character.isLetter || character == "?" ? "\\" : "")) + String(character)
                isEscaped = false
            } else if let mark = quote {
                if character == mark {
                    quote = nil
                } else if character == "\\", mark == "\"" {
                    isEscaped = true
                } else {
                    word = (word ?? "") + String(character)
                }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character == "\\" {
                isEscaped = true
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else if character == "#", word == nil {
                break
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote { throw .openQuote(quote) }
        if let word { words.append(word) }
        return words
    }
}
