import ArgumentParser
import CommandHelp
import ProtobufC
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// The options of every command that lists.
struct ListOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp(Phrase("Show at most this many.", "최대 이만큼 보여 줍니다."), valueName: "count"))
    var limit = 50

    @Flag(help: ArgumentHelp(Phrase("Show all, however many.", "몇 개든 모두 보여 줍니다.")))
    var all = false

    @Option(help: ArgumentHelp(Phrase("Go on after a former page, with its token.", "이전 페이지의 토큰을 주면 그다음부터 이어서 보여 줍니다."), valueName: "token"))
    var pageToken = ""

    /// Maximum items of the whole list; `nil` for all.
    var count: Int? { all ? nil : limit }

    func validate() throws {
        guard limit > 0 else { throw ValidationError(Phrase("--limit must be at least 1, not \(limit).", "--limit은 1 이상이어야 합니다: \(limit)")) }
    }
}

/// A list collected from pages.
struct CollectedPages<Item: Sendable>: Sendable {
    var items: [Item] = []
    /// The token of the next page; empty at the end.
    var nextPageToken = ""
}

extension Invocation {
    /// Maximum items of a page of the services.
    private static let largestPage = 200

    /// Reads pages until there are enough items or the list ends.
    /// - Parameters:
    ///   - limit: maximum items; `nil` for all.
    ///   - token: where to begin; empty for the beginning.
    ///   - page: asks the server for one page.
    /// - Throws: `PAGE_REPEATED` for a page that names itself or an earlier one as the next one, because such a list never ends.
    func collect<Item: Sendable>(
        limit: Int? = nil, from token: String = "",
        _ page: (_ size: Int32, _ token: String) async throws(CommandFailure) -> (items: [Item], nextPageToken: String)
    ) async throws(CommandFailure) -> CollectedPages<Item> {
        var collected = CollectedPages<Item>(nextPageToken: token)
        // By bytes: a server may send any text, and hashing a row of combining marks takes long.
        var seen: Set<[UInt8]> = []
        repeat {
            let wanted = min(Self.largestPage, limit.map { $0 - collected.items.count } ?? .max)
            let token = collected.nextPageToken
            let answer = try await page(Int32(wanted), token)
            collected.items += answer.items
            collected.nextPageToken = answer.nextPageToken
            seen.insert(Array(token.utf8))
            guard answer.nextPageToken.isEmpty || !seen.contains(Array(answer.nextPageToken.utf8)) else {
                throw CommandFailure(
                    code: .internal, reason: "PAGE_REPEATED",
                    message: text("The server gives the same page of the list again and again.", "서버가 목록의 같은 페이지를 되풀이해서 보냅니다."))
            }
        } while !collected.nextPageToken.isEmpty && collected.items.count < limit ?? .max
        return collected
    }
}

/// A request for one page of a list of people.
protocol PeopleRequest: Message {
    var pageSize: Int32 { get set }
    var pageToken: String { get set }
}

/// One page of a list of people.
protocol PeopleResponse: Message {
    associatedtype Person: Sendable
    var users: [Person] { get set }
    var nextPageToken: String { get set }
}

extension PBListFollowersRequest: PeopleRequest {}
extension PBListFollowersResponse: PeopleResponse {}
extension PBListFollowingRequest: PeopleRequest {}
extension PBListFollowingResponse: PeopleResponse {}
extension PBSearchProfilesRequest: PeopleRequest {}
extension PBSearchProfilesResponse: PeopleResponse {}

extension Invocation {
    /// Shows people as one list, however many pages the server gives them in.
    /// - Parameters:
    ///   - request: asks for the list; its page is filled in.
    ///   - method: asks the server for one page.
    ///   - text: the list for a person.
    func show<Request: PeopleRequest, Response: PeopleResponse>(
        _ list: ListOptions, of request: Request, about subject: CallSubject,
        from method: (Request, CallOptions) async throws(RPCError) -> Response, as text: ([Response.Person]) -> String
    ) async throws {
        let pages = try await collect(limit: list.count, from: list.pageToken) { (size, token) async throws(CommandFailure) in
            var request = request
            request.pageSize = size
            request.pageToken = token
            let page = try await call(about: subject) { (options) async throws(RPCError) in try await method(request, options) }
            return (page.users, page.nextPageToken)
        }
        var answer = Response()
        answer.users = pages.items
        answer.nextPageToken = pages.nextPageToken
        try show(answer) { text(pages.items) }
        remarkIfMore(pages.nextPageToken)
    }

    /// Remarks that a list has more entries, and how to see them.
    func remarkIfMore(_ pageToken: String) {
        guard !pageToken.isEmpty, !usesJSON else { return }
        let token = pageToken.safeForTerminal.shellQuoted
        remark("There are more: use --all, or --page-token \(token)", "더 있습니다: --all 또는 --page-token \(token) 옵션을 쓰세요.")
    }
}
