/// The context interceptors of a method: those of its list before the first interceptor that sees more than the context.
@usableFromInline
final class Preparation: Sendable {
    /// The outermost first.
    private let interceptors: [any ContextInterceptor]

    /// - Parameter interceptors: the whole list, the outermost first. The result is nil if the list does not begin with a context interceptor.
    @usableFromInline
    init?(_ interceptors: [any ServerInterceptor]) {
        self.interceptors = interceptors.map { $0 as? any ContextInterceptor }.prefix { $0 != nil }.compactMap(\.self)
        if self.interceptors.isEmpty { return nil }
    }

    @usableFromInline var count: Int { interceptors.count }

    /// Prepares a context, until an interceptor has to wait.
    /// - Returns: how many interceptors are left; the first of them has to wait.
    /// - Throws: the error for the caller.
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

    /// Continues where ``prepare(_:)`` has stopped.
    /// - Parameter unpreparedCount: the result of ``prepare(_:)``.
    @usableFromInline
    nonisolated(nonsending) func prepareRest(of context: inout CallContext, _ unpreparedCount: Int) async throws {
        let first = interceptors.count - unpreparedCount
        for index in first..<interceptors.count {
            do {
                // The first one has already said that it must wait.
                if index > first, try interceptors[index].prepare(&context) { continue }
                try await interceptors[index].prepareWaiting(&context)
            } catch {
                throw convert(error, context, from: index)
            }
        }
    }

    /// Converts an error from behind all interceptors into the error for the caller.
    @usableFromInline
    func convert(_ error: any Error, _ context: CallContext) -> any Error { convert(error, context, from: interceptors.count - 1) }

    private func convert(_ error: any Error, _ context: CallContext, from index: Int) -> any Error {
        interceptors[...index].reversed().reduce(error) { error, interceptor in interceptor.convert(error, context) }
    }
}
