import ArgumentParser
import PulseBoardMessages
import RPCCore

/// A user on the command line: `@username`, a plain username, or a user id.
enum UserReference: Sendable, Hashable, ExpressibleByArgument {
    /// Lower-case UUID text.
    case userID(String)
    /// Without the `@`.
    case username(String)

    /// Only text in the form of a UUID (8-4-4-4-12 hexadecimal digits) is an id. It cannot be a username, because usernames
    /// have no `-`.
    init?(argument: String) {
        if argument.hasPrefix("@") {
            self = .username(String(argument.dropFirst()))
        } else if Self.isUUID(argument) {
            self = .userID(argument.lowercased())
        } else {
            self = .username(argument)
        }
        if case .username("") = self { return nil }
    }

    static var defaultCompletionKind: CompletionKind { ServerCompletion.users }

    /// The reference as text for people.
    var text: String {
        switch self {
        case .userID(let id): id
        case .username(let name): "@" + name
        }
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

extension Invocation {
    /// The profile of a user.
    func profile(of user: UserReference) async throws(CommandFailure) -> PBProfile {
        try await call(about: .user(user.text)) { (options) async throws(RPCError) in
            var request = PBGetProfileRequest()
            switch user {
            case .userID(let id): request.key = .userID(id)
            case .username(let name): request.key = .username(name)
            }
            return try await profiles.getProfile(request, options: options)
        }
    }

    /// The id of a user; a username is looked up.
    func userID(of user: UserReference) async throws(CommandFailure) -> String {
        switch user {
        case .userID(let id): id
        case .username: try await profile(of: user).userID
        }
    }

    /// The id of a user, or an empty text, which means the caller.
    func userID(of user: UserReference?) async throws(CommandFailure) -> String {
        guard let user else { return "" }
        return try await userID(of: user)
    }
}
