import ArgumentParser
import RPCCore

/// The options of every command that lists.
struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Show at most this many.", valueName: "number"))
    var limit = 50

    @Flag(help: "Show all, however many.")
    var all = false

    @Option(help: ArgumentHelp("Go on after a former page, with its token.", valueName: "token"))
    var pageToken = ""

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
    }
}

/// A list collected from pages.
struct CollectedPages<Item: Sendable>: Sendable {
    var items: [Item] = []
    /// Fetches what follows; empty when nothing does.
    var nextPageToken = ""
}

extension ListOptions {
    /// The most items that the services give in one page.
    private static let largestPage = 200

    /// Fetches pages until enough items are there or the list ends.
    func collect<Item: Sendable>(
        _ page: (_ size: Int32, _ token: String) async throws(CommandFailure) -> (items: [Item], nextPageToken: String)
    ) async throws(CommandFailure) -> CollectedPages<Item> {
        var collected = CollectedPages<Item>(nextPageToken: pageToken)
        repeat {
            let wanted = all ? Self.largestPage : min(Self.largestPage, limit - collected.items.count)
            let answer = try await page(Int32(wanted), collected.nextPageToken)
            collected.items += answer.items
            collected.nextPageToken = answer.nextPageToken
        } while !collected.nextPageToken.isEmpty && (all || collected.items.count < limit)
        return collected
    }
}

extension Invocation {
    /// Says that a list has more entries, and how to see them.
    func remarkIfMore(_ pageToken: String) {
        guard !pageToken.isEmpty, !usesJSON else { return }
        remark(
            "There are more: use --all, or --page-token \(pageToken)", "더 있습니다: --all 또는 --page-token \(pageToken) 옵션을 쓰세요.")
    }
}
