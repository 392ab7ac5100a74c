import ProtobufC

/// A request, and how much memory it takes.
@usableFromInline
struct DecodedRequest<Request: Message>: Sendable {
    @usableFromInline let request: Request
    /// How many bytes more than on the wire it takes, at most. Two wire bytes may become a hundred.
    @usableFromInline let growthByteCount: Int

    @inlinable @inline(__always)
    init(_ payload: RawSpan, as type: MessageDescriptor) throws(RPCError) {
        var byteCount = 0
        do throws(DecodingError) { request = try Request(serializedBytes: payload, as: type, unpackedByteCount: &byteCount) } catch {
            throw .undecodable(type, error)
        }
        // The texts are as long as on the wire. The rest is structs, and Swift's may be four times as large as C's.
        growthByteCount = 4 * max(0, byteCount - payload.byteCount)
    }
}

/// A unary call whose handler is to run, with its decoded request. Inlinable, so that it is compiled for the message types.
@usableFromInline
final class UnaryCall<Request: Message, Response: Message>: ServerCall, @unchecked Sendable {
    // Sendable: as the superclass; it adds only constants of Sendable type.
    @usableFromInline typealias Handler = UnaryHandling<Request, Response>.Handler

    @usableFromInline let request: Request
    /// The steps of its method.
    @usableFromInline let handler: Handler
    @usableFromInline let preparation: Preparation?
    /// The number of context interceptors that have not prepared its context yet. The first of them has to wait.
    @usableFromInline let unpreparedCount: Int

    @inlinable
    init(
        _ id: CallID, _ decoded: consuming DecodedRequest<Request>, _ handler: @escaping Handler, _ preparation: Preparation?, _ unpreparedCount: Int,
        _ context: consuming CallContext
    ) {
        let growthByteCount = decoded.growthByteCount
        request = decoded.request
        self.handler = handler
        self.preparation = preparation
        self.unpreparedCount = unpreparedCount
        super.init(id, context, nil, isLarge: false, growthByteCount: growthByteCount, UnaryCall<Request, Response>.run)
    }

    /// Runs the handlers of calls with these message types, one after another, in one loop, and waits here for more calls. Leaving and entering the
    /// function for each call would double the cost.
    @inlinable
    static nonisolated(nonsending) func run(_ first: consuming ServerCall, _ queue: any CallQueue) async -> ServerCall? {
        var next: ServerCall? = consume first
        let responseType = Response.descriptor
        repeat {
            while let call = next.take() {
                guard let unary = call as? UnaryCall<Request, Response> else { return call }
                if unary.unpreparedCount == 0 {
                    await answer(unary, responseType, queue, converting: { unary.preparation?.convert($0, unary.context) ?? $0 }) {
                        try await unary.context.deadline.asCurrent { try await unary.handler(unary.request, unary.context) }
                    }
                } else {
                    await prepareAndAnswer(unary, unary.handler, unary.preparation, unary.unpreparedCount, queue) { _ in unary.request }
                }
                next = queue.next()
            }
            next = await withUnsafeContinuation { queue.waitForNext($0) }
        } while next != nil
        return nil
    }

    /// A call whose request is decoded on the thread of its handler, after its context is prepared. So a caller who is refused by an interceptor
    /// costs no decoding, and neither does a call that has ended before its turn.
    @inlinable
    static func large(
        _ id: CallID, _ payload: [UInt8], _ handler: @escaping Handler, _ preparation: Preparation?, _ unpreparedCount: Int,
        _ context: consuming CallContext
    ) -> ServerCall {
        outsideOfLoop(id, 0, handler, preparation, unpreparedCount, context) { queue in
            let decoded = try DecodedRequest<Request>(payload.span.bytes, as: Request.descriptor)
            try queue.hold(growthByteCount: decoded.growthByteCount)
            return decoded.request
        }
    }

    /// A call whose request is decoded already, and whose handler runs outside of the event loop.
    @inlinable
    static func apart(
        _ id: CallID, _ decoded: DecodedRequest<Request>, _ handler: @escaping Handler, _ preparation: Preparation?, _ unpreparedCount: Int,
        _ context: consuming CallContext
    ) -> ServerCall {
        outsideOfLoop(id, decoded.growthByteCount, handler, preparation, unpreparedCount, context) { _ in decoded.request }
    }

    /// A call whose handler runs outside of the event loop. It is not begun if it has ended before its turn.
    /// - Parameter request: gives the request, after the context is prepared.
    @inlinable
    static func outsideOfLoop(
        _ id: CallID, _ growthByteCount: Int, _ handler: @escaping Handler, _ preparation: Preparation?, _ unpreparedCount: Int,
        _ context: consuming CallContext, _ request: @escaping @Sendable (any CallQueue) throws -> Request
    ) -> ServerCall {
        ServerCall(id, context, nil, isLarge: true, growthByteCount: growthByteCount) { (call: consuming ServerCall, queue) in
            // Its client may have gone while it waited for its turn.
            guard !Task.isCancelled else {
                queue.ended(call, throwing: CancellationError())
                return nil
            }
            await prepareAndAnswer(call, handler, preparation, unpreparedCount, queue) { queue in
                // Or while its context was prepared.
                try Task.checkCancellation()
                return try request(queue)
            }
            return nil
        }
    }

    /// Continues the preparation of a call's context with the interceptor that had to wait, and answers the call.
    /// - Parameter request: gives the request, after the preparation.
    @inlinable @inline(never)
    static nonisolated(nonsending) func prepareAndAnswer(
        _ call: ServerCall, _ handler: Handler, _ preparation: Preparation?, _ unpreparedCount: Int, _ queue: any CallQueue,
        _ request: (any CallQueue) throws -> Request
    ) async {
        var context = call.context
        let decoded: Request
        do {
            let deadline = context.deadline
            if unpreparedCount > 0 { try await deadline.asCurrent { try await preparation?.prepareRest(of: &context, unpreparedCount) } }
            decoded = try request(queue)
        } catch {
            return queue.ended(call, throwing: error)
        }
        let prepared = context
        await answer(call, Response.descriptor, queue, converting: { preparation?.convert($0, prepared) ?? $0 }) {
            try await prepared.deadline.asCurrent { try await handler(decoded, prepared) }
        }
    }

    @inlinable @inline(__always)
    static nonisolated(nonsending) func answer(
        _ call: ServerCall, _ responseType: MessageDescriptor, _ queue: any CallQueue, converting convert: (any Error) -> any Error,
        _ handle: nonisolated(nonsending) () async throws -> Response
    ) async {
        do {
            let response = try await handle()
            do throws(EncodingError) {
                try response.withPackable(as: responseType) { queue.ended(call, with: $0) }
            } catch {
                queue.ended(call, throwing: RPCError.unencodableAnswer)
            }
        } catch {
            queue.ended(call, throwing: convert(error))
        }
    }
}
