import ArgumentParser
import CommandHelp
import Foundation
import PulseBoardMessages
import RPCClient
import RPCCore

/// Completes a word with what a server has: users, services and methods. Also with the accounts that are signed in to it, for which it is not asked.
///
/// A call waits at most ``patience``. A failure completes nothing and prints nothing. A name that a shell could take for more than a word is left
/// out, because a shell's script may expand the names.
enum ServerCompletion {
    /// The longest wait for one call.
    static let patience = Duration.milliseconds(100)
    /// Maximum users in an answer.
    private static let mostUsers: Int32 = 20

    static var users: CompletionKind { .custom { words, _, word in await foundUsers(word, words) } }
    static var services: CompletionKind { .custom { words, _, _ in await foundSymbols(words) { names, _ in names } } }
    static var methods: CompletionKind { .custom { words, _, _ in await foundSymbols(words) { $1 } } }
    static var symbols: CompletionKind { .custom { words, _, _ in await foundSymbols(words) { $0 + $1 } } }
    static var accounts: CompletionKind { .custom { words, _, _ in savedAccounts(words) } }

    /// A completion script that keeps the `@` of usernames. Only bash's script changes; another text is returned as it is.
    ///
    /// For bash, `@` begins the name of a host: a word is broken there, and a completion is written as `\@name`.
    static func script(_ text: String) -> String {
        guard text.hasPrefix("#!/bin/bash") else { return text }
        let add = "        COMPREPLY+=(\"${completion}\")\n", register = "complete -o filenames -F"
        return text
            .replacing(add, with: add + "        [[ \"${1}${completion}\" = -W@* ]] && compopt +o filenames 2>/dev/null\n")
            .replacing(register, with: "COMP_WORDBREAKS=${COMP_WORDBREAKS//@/}\n" + register)
    }

    /// The users whose name begins with the word, with the `@` of the word. For an empty name, the users whom the caller follows.
    private static func foundUsers(_ word: String, _ words: [String]) async -> [String] {
        let name = word.hasPrefix("@") ? String(word.dropFirst()) : word
        let names = await asking(words) { invocation in
            try await invocation.call(about: .nothing) { (options) async throws(RPCError) -> [String] in
                guard name.isEmpty else {
                    let request = PBSearchProfilesRequest(query: name, pageSize: mostUsers)
                    return try await invocation.profiles.searchProfiles(request, options: options).users.map(\.username)
                }
                let request = PBListFollowingRequest(pageSize: mostUsers)
                return try await invocation.follows.listFollowing(request, options: options).users.compactMap { $0.user?.username }
            }
        }
        // A search also finds display names.
        return names.filter { $0.lowercased().hasPrefix(name.lowercased()) }.map { (word.isEmpty || word != name ? "@" : "") + $0 }
    }

    /// Names that the server's reflection describes.
    /// - Parameter choose: selects from the services and the methods.
    private static func foundSymbols(
        _ words: [String], _ choose: @escaping @Sendable (_ services: [String], _ methods: [String]) -> [String]
    ) async -> [String] {
        await asking(words) { invocation in
            var options = invocation.callOptions()
            // Only with the option may another server see the token.
            if words.contains("--auth"), let token = try invocation.token() { options = invocation.callOptions(token: token) }
            return try await invocation.reflecting(options) { (client) async throws(RPCError) -> [String] in
                let services = try await client.serviceNames()
                var methods: [String] = []
                for service in services {
                    try await client.load(service)
                    if case .service(let declaration)? = client.schema[service] { methods += declaration.methods.map { service + "/" + $0.name } }
                }
                return choose(services, methods)
            }
        }
    }

    /// The names of the accounts that are signed in.
    private static func savedAccounts(_ words: [String]) -> [String] {
        let environment = CommandEnvironment.current
        let sessions = SessionStore(variables: environment.variables, owner: environment.userID)
        guard let server = options(words)?.server,
            let saved = try? sessions.sessions(forSocket: server.socketPath(in: environment))
        else { return [] }
        return saved.sessions.map(\.account).filter(isPlainWord)
    }

    private static func asking(_ words: [String], _ body: @escaping @Sendable (Invocation) async throws -> [String]) async -> [String] {
        guard let options = options(words) else { return [] }
        let wireProtocol = value(of: "--protocol", in: words).flatMap { WireProtocol(argument: $0) } ?? .ttrpc
        var found: [String] = []
        try? await options.run(over: wireProtocol) { found = try await body($0) }
        return found.filter(isPlainWord)
    }

    /// Whether a name has only letters, digits and `. _ - / @`.
    private static func isPlainWord(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "._-/@".unicodeScalars.contains(scalar)
            }
    }

    /// The options that select the server and the account.
    private static func options(_ words: [String]) -> GlobalOptions? {
        let given = ["--socket", "--account"].flatMap { name in value(of: name, in: words).map { [name, $0] } ?? [] }
        guard var options = try? GlobalOptions.parse(given) else { return nil }
        options.answer.timeout = patience.inSeconds
        return options
    }

    private static func value(of option: String, in words: [String]) -> String? {
        if let index = words.firstIndex(of: option), index + 1 < words.count { return words[index + 1] }
        return words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    }
}
