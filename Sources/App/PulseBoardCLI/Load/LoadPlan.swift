import Crypto
import Foundation
import PulseBoardDomain
import PulseBoardVocabulary

/// The people and follows to load. Both files are read and checked completely before the first call.
struct LoadPlan: Sendable {
    /// One person of the users file.
    struct Person: Sendable, Hashable {
        /// The real login name; becomes the display name.
        let login: String
        /// The account to sign in as: the same for the same login in every run.
        let account: String
    }

    /// In the order of the file.
    let people: [Person]
    /// For the lengths that a server permits by default, until ``fitUsernames(to:)``.
    private(set) var usernames: UsernameMapping
    /// Directed follows, each once, grouped by follower.
    let follows: [DirectedFollow]

    /// - Parameters:
    ///   - users: the bytes of a file with the columns `id` and `name`.
    ///   - follows: the bytes of a file with the columns `id_1` and `id_2`.
    ///   - isOneWay: whether a row means that `id_1` follows `id_2`. Otherwise both follow each other.
    /// - Throws: ``CSVError`` with file and line.
    init(
        users: LoadFile, follows: LoadFile?, accountPrefix: String, isOneWay: Bool
    ) throws(CSVError) {
        var indices: [String: UInt32] = [:]
        people = try Self.naming(users) { () throws(CSVError) in
            try Self.readPeople(users.bytes, accountPrefix: accountPrefix, indices: &indices)
        }
        usernames = UsernameMapping(logins: people.map(\.login))
        guard let follows else {
            self.follows = []
            return
        }
        self.follows = try Self.naming(follows) { () throws(CSVError) in
            try Self.readFollows(follows.bytes, indices: indices, isOneWay: isOneWay)
        }
    }

    /// Makes the usernames again, for the lengths that a server permits.
    mutating func fitUsernames(to lengths: ClosedRange<Int>) {
        guard lengths != UsernameMapping.defaultLengths else { return }
        usernames = UsernameMapping(logins: people.map(\.login), lengths: lengths)
    }

    /// Adds the file's name to an error from it.
    private static func naming<Value>(_ file: LoadFile, _ body: () throws(CSVError) -> Value) throws(CSVError) -> Value {
        do throws(CSVError) {
            return try body()
        } catch {
            var error = error
            error.file = file.name
            throw error
        }
    }

    private static func readPeople(
        _ bytes: [UInt8], accountPrefix: String, indices: inout [String: UInt32]
    ) throws(CSVError) -> [Person] {
        var columns = try CSVColumns(bytes, names: ["id", "name"])
        var people: [Person] = []
        var idLines: [String: Int] = [:]
        var accountLines: [String: Int] = [:]
        while let record = try columns.next() {
            let (id, login) = (record.fields[0], record.fields[1])
            if let first = idLines.updateValue(record.line, forKey: id) {
                throw CSVError(line: record.line, problem: .repeatedValue(name: "id", value: id, firstLine: first))
            }
            let account = accountName(prefix: accountPrefix, login: login)
            if let first = accountLines.updateValue(record.line, forKey: account) {
                throw CSVError(line: record.line, problem: .repeatedValue(name: "name", value: login, firstLine: first))
            }
            indices[id] = UInt32(people.count)
            people.append(Person(login: login, account: account))
        }
        return people
    }

    private static func readFollows(
        _ bytes: [UInt8], indices: [String: UInt32], isOneWay: Bool
    ) throws(CSVError) -> [DirectedFollow] {
        let names = ["id_1", "id_2"]
        var columns = try CSVColumns(bytes, names: names)
        var follows: [DirectedFollow] = []
        while let record = try columns.next() {
            guard let first = indices[record.fields[0]] else {
                throw CSVError(line: record.line, problem: .unknownID(name: names[0], value: record.fields[0]))
            }
            guard let second = indices[record.fields[1]] else {
                throw CSVError(line: record.line, problem: .unknownID(name: names[1], value: record.fields[1]))
            }
            follows.append(DirectedFollow(follower: first, followee: second))
            if !isOneWay { follows.append(DirectedFollow(follower: second, followee: first)) }
        }
        follows.sort()
        return follows.uniquedWhenSorted()
    }

    /// The account of a login: `PREFIX:LOGIN`, or `PREFIX:sha256=DIGEST` for a login that no account name can hold (``AccountID/named(_:)``). The
    /// digest is 32 hexadecimal digits. It depends on the login alone, so that files with other ids mean the same people.
    static func accountName(prefix: String, login: String) -> String {
        let name = prefix + ":" + login
        if !login.hasPrefix(digestMark), let account = try? AccountID.named(name), account.subject == name { return name }
        return prefix + ":" + digestMark + SHA256.hash(data: Data(login.utf8)).prefix(16).hexadecimal
    }

    private static let digestMark = "sha256="
}

/// A file to load.
struct LoadFile: Sendable {
    /// As given on the command line, for messages.
    let name: String
    let bytes: [UInt8]
}

/// One person following another, both by position in the users file. Eight bytes, so that millions fit in memory.
struct DirectedFollow: Sendable, Hashable, Comparable {
    let follower: UInt32
    let followee: UInt32

    static func < (left: DirectedFollow, right: DirectedFollow) -> Bool {
        (left.follower, left.followee) < (right.follower, right.followee)
    }
}

extension Array where Element: Equatable {
    /// The elements of a sorted array, each once.
    fileprivate func uniquedWhenSorted() -> [Element] {
        var result: [Element] = []
        result.reserveCapacity(count)
        for element in self where result.last != element { result.append(element) }
        return result
    }
}
