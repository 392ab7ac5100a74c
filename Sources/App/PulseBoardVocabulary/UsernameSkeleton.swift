extension StringProtocol {
    /// What a folded username looks like. People confuse two usernames that have the same skeleton.
    ///
    /// Within the alphabet of usernames these are hard to tell apart: `0`/`o`, `1`/`i`/`l`, `5`/`s`, `rn`/`m`, `vv`/`w`. Hangul syllables stay as
    /// they are: 국가 and 구까 are different names. Underscores stay as well, because real names differ by them.
    ///
    /// It is stored, and decides who may take a name. A change of this function needs a migration.
    package var usernameSkeleton: String {
        // By scalars, because comparing characters composes them.
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "0": result.append("o")
            case "1", "i": result.append("l")
            case "5": result.append("s")
            case "n" where result.last == "r": result.replaceLast(with: "m")
            case "v" where result.last == "v": result.replaceLast(with: "w")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

extension String.UnicodeScalarView {
    fileprivate mutating func replaceLast(with scalar: Unicode.Scalar) {
        removeLast()
        append(scalar)
    }
}
