import PulseBoardVocabulary

/// Cuts a line into words, as a shell does: at spaces, but not within quotation marks. `#` at the begin of a word makes the rest a remark.
enum ShellWords {
    /// Why a line has no words.
    enum Problem: Error, Hashable {
        case openQuote(Character)

        var phrase: Phrase {
            switch self {
            case .openQuote(let mark): Phrase("The quotation mark \(mark) has no end.", "따옴표 \(mark)가 닫히지 않았습니다.")
            }
        }
    }

    /// The words of a line. Within `"…"` a backslash takes the meaning of the character behind it, and within `'…'` nothing has one.
    static func split(_ line: String) throws(Problem) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                // A command of the shell itself begins with a backslash.
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
