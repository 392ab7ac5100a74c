/// One page of a list, and the start of the next one.
public struct Page<Element: Sendable>: Sendable {
    public let items: [Element]
    /// `nil` on the last page. A page with a token may have fewer items than were asked for, even none.
    public let nextToken: PageToken?

    public init(items: [Element], nextToken: PageToken?) {
        self.items = items
        self.nextToken = nextToken
    }
}

extension Page: Equatable where Element: Equatable {}

/// An opaque place in one list. The services refuse a token that was changed.
public struct PageToken: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public init(text: String) { self.text = text }
    public var description: String { text }
}

/// The page of a list that a caller asks for (AIP-158).
public struct PageRequest: Hashable, Sendable {
    /// Items per page when the caller does not say.
    public static let defaultSize = 50
    /// Maximum items per page. A larger size is lowered to it.
    public static let maximumSize = 200

    /// Items on the page, 1…200.
    public let size: Int
    /// The start of the page; `nil` for the first page.
    public let token: PageToken?

    /// - Parameters:
    ///   - size: 0 for the default, more than the maximum for the maximum.
    ///   - token: empty for the first page.
    /// - Throws: `ValidationError` for `page_size` when it is negative.
    public init(size: Int = 0, token: String = "") throws(ValidationError) {
        guard size >= 0 else { throw ValidationError(field: "page_size", reason: .pageSizeNegative) }
        self.size = size == 0 ? Self.defaultSize : min(size, Self.maximumSize)
        self.token = token.isEmpty ? nil : PageToken(text: token)
    }
}

/// A request for many users by their ids.
package enum BatchRequest {
    /// Maximum ids.
    package static let maximumSize = 100
}
