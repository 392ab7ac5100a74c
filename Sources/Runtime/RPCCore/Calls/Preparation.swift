/// The interceptors of a method that know contexts alone: those of its list before the first that sees more.
@usableFromInline
final class Preparation: Sendable {
    /// The outermost first.
    private let interceptors: [any ContextInterceptor]

    /// - Parameter interceptors: the whole list, the outermost first. Nil if there are none of them.
    @usableFromInline
    init?(_ interceptors: [any ServerInterceptor]) {
        self.interceptors = interceptors.map { $0 as? any ContextInterceptor }.prefix { $0 != nil }.compactMap(\.self)
        if self.interceptors.isEmpty { return nil }
    }

    @usableFromInline var count: Int { interceptors.count }

    /// Prepares a context as far as that takes no waiting.
    /// - Returns: how many interceptors are left; the first of them has to wait.
    /// - Throws: what the caller is to be told.
    @usableFromInline
    func prepare(_ context: inout CallContext) throws -> Int {
        for index in interceptors.indices {
            do {
                guard try interceptors[index].prepare(&context) else { return interceptors.count - index }
            } catch {
                throw convert(error, context, from: index)
            }
        }
        return 0
    }

    /// Goes on where ``prepare(_:)`` has stopped.
    /// - Parameter unpreparedCount: what it has returned.
    @usableFromInline
    nonisolated(nonsending) func prepareRest(of context: inout CallContext, _ unpreparedCount: Int) async throws {
        let first = interceptors.count - unpreparedCount
        for index in first..<interceptors.count {
            do {
                // The first has said so already.
                if index > first, try interceptors[index].prepare(&context) { continue }
                try await interceptors[index].prepareWaiting(&context)
            } catch {
                throw convert(error, context, from: index)
            }
        }
    }

    /// What the caller is told of an error that comes from behind all of them.
    @usableFromInline
    func convert(_ error: any Error, _ context: CallContext) -> any Error { convert(error, context, from: interceptors.count - 1) }

    private func convert(_ error: any Error, _ context: CallContext, from index: Int) -> any Error {
        interceptors[...index].reversed().reduce(error) { error, interceptor in interceptor.convert(error, context) }
    }
}
