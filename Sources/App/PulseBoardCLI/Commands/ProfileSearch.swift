import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard profile search`
struct ProfileSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find profiles whose username or display name starts with a text.",
        discussion: """
            Examples:
              pulseboard profile search ali
              pulseboard profile search 김 --limit 10
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var list: ListOptions

    @Argument(help: "How the name starts; upper and lower case are alike.")
    var prefix: String

    func run() async throws {
        try await options.run { invocation in
            let pages = try await list.collect { (size, token) async throws(CommandFailure) in
                let answer = try await invocation.call(about: .nothing) { (options) async throws(RPCError) in
                    var request = PBSearchProfilesRequest()
                    request.prefix = prefix
                    request.pageSize = size
                    request.pageToken = token
                    return try await invocation.profiles.searchProfiles(request, options: options)
                }
                return (answer.profiles, answer.nextPageToken)
            }
            var answer = PBSearchProfilesResponse()
            answer.profiles = pages.items
            answer.nextPageToken = pages.nextPageToken
            try invocation.show(answer) { invocation.table(pages.items) }
            invocation.remarkIfMore(pages.nextPageToken)
        }
    }
}
