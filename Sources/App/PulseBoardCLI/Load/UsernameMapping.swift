import Foundation
import PulseBoardVocabulary

/// Gives each login name of a list its own username that keeps the rules of B18.
///
/// Logins that keep the rules stay as they are, the first one first. Then the others are shortened and stripped until they fit and are free. The
/// result depends only on the list and the permitted lengths, so a second run gives the same usernames. Usernames that differ only in case, or
/// look alike, count as the same, because the server permits only one of them (X15). Suffixes have no letters that look like others.
struct UsernameMapping: Sendable {
    /// The lengths that a server permits by default, in graphemes.
    static let defaultLengths = 2...9

    /// A username for each login, in the order of the logins.
    let usernames: [String]
    private let stems: [String]
    /// The skeletons of all usernames.
    private let taken: Set<String>
    private let lengths: ClosedRange<Int>

    /// - Parameter lengths: the lengths that the server permits, in graphemes. If all names that they permit are used up, a login gets one that
    ///   another has, and the server refuses it.
    init(logins: [String], lengths: ClosedRange<Int> = defaultLengths) {
        self.lengths = lengths
        var builder = UsernameMappingBuilder(count: logins.count, lengths: lengths)
        for (index, login) in logins.enumerated() { builder.keepIfLegal(login, at: index) }
        for (index, login) in logins.enumerated() { builder.fit(login, at: index) }
        usernames = builder.usernames
        stems = builder.stems
        taken = builder.taken
    }

    /// The next name to try after the server refused one, because it is reserved or belongs to somebody outside the list.
    ///
    /// `attempt` counts from 1. The name contains the position in the list, so alternatives of different logins differ. No alternative is the
    /// username of another login, so concurrent attempts never conflict.
    func alternative(at index: Int, attempt: Int) -> String? {
        var number = 0
        var found = 0
        while number < Self.alternativesTried {
            number += 1
            let head = number == 1 ? "_" : "_" + number.suffixDigits + "_"
            let digits = index.suffixDigits
            guard head.count + digits.count <= lengths.upperBound - 1 else { return nil }
            let stem = stems[index].prefix(lengths.upperBound - head.count - digits.count)
            let filling = max(0, lengths.lowerBound - stem.count - head.count - digits.count)
            let name = "\(stem)\(head)\(String(repeating: "0", count: filling))\(digits)"
            guard !taken.contains(name.lowercased().usernameSkeleton) else { continue }
            found += 1
            if found == attempt { return name }
        }
        return nil
    }

    /// The maximum number of alternatives for one login.
    private static let alternativesTried = 20

    /// Whether a character may stand in a username: `[a-zA-Z0-9가-힣_]`.
    static func allows(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return false }
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "가"..."힣": return true
        default: return false
        }
    }
}

/// Builds a ``UsernameMapping``.
private struct UsernameMappingBuilder {
    var usernames: [String]
    var stems: [String]
    /// The skeletons (`usernameSkeleton`) of usernames so far.
    var taken: Set<String> = []
    /// The next suffix to try for each shortened stem, so that many similar logins take linear time.
    private var nextSuffix: [String: Int] = [:]
    private let lengths: ClosedRange<Int>

    init(count: Int, lengths: ClosedRange<Int>) {
        self.lengths = lengths
        usernames = Array(repeating: "", count: count)
        stems = Array(repeating: "", count: count)
        taken.reserveCapacity(count)
    }

    /// First pass: a login that keeps the rules becomes its own username, unless an earlier login has it.
    mutating func keepIfLegal(_ login: String, at index: Int) {
        let composed = login.precomposedStringWithCanonicalMapping
        let stem = composed.filter(UsernameMapping.allows)
        stems[index] = stem.isEmpty ? "user" : String(stem.prefix(lengths.upperBound))
        guard stem == composed, lengths.contains(stem.count) else { return }
        if taken.insert(stem.lowercased().usernameSkeleton).inserted { usernames[index] = stem }
    }

    /// Second pass: a login without a username gets its stem, or the stem with the first free suffix.
    mutating func fit(_ login: String, at index: Int) {
        guard usernames[index].isEmpty else { return }
        let stem = stems[index]
        if lengths.contains(stem.count), taken.insert(stem.lowercased().usernameSkeleton).inserted {
            usernames[index] = stem
            return
        }
        usernames[index] = suffixed(stem)
    }

    /// The stem, shortened to make room, with the first suffix that makes it free. Suffixes of one length share a
    /// counter per shortened stem; when all of a length are used up, the next length follows.
    private mutating func suffixed(_ stem: String) -> String {
        let longest = lengths.upperBound
        // A short stem needs more digits.
        let fewestDigits = max(1, lengths.lowerBound - stem.count)
        for length in fewestDigits..<max(longest, fewestDigits) {
            // 29⁸ suffixes outnumber any list of logins that fits in memory.
            let limit = (0..<min(length, 8)).reduce(1) { limit, _ in limit * Int.suffixAlphabet.count }
            let base = stem.prefix(longest - length)
            let key = base.lowercased() + "/\(length)"
            var number = nextSuffix[key] ?? 0
            while number < limit {
                let digits = number.suffixDigits
                let name = base + String(repeating: "0", count: length - digits.count) + digits
                number += 1
                if taken.insert(name.lowercased().usernameSkeleton).inserted {
                    nextSuffix[key] = number
                    return String(name)
                }
            }
            nextSuffix[key] = number
        }
        return stem
    }
}

extension Int {
    /// Digits and letters of which no two, and no sequences, look alike.
    fileprivate static let suffixAlphabet = Array("0123456789abcdefghjknpqrtuvxyz")

    /// A non-negative number in these digits.
    fileprivate var suffixDigits: String {
        var rest = self
        var digits: [Character] = []
        repeat {
            digits.append(Self.suffixAlphabet[rest % Self.suffixAlphabet.count])
            rest /= Self.suffixAlphabet.count
        } while rest > 0
        return String(digits.reversed())
    }
}
