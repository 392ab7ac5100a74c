import ProtobufC
import ProtobufSchema
import RPCCore
import Synchronization

/// One call of a method that is known only by reflection: JSON in, JSON out.
struct DynamicCall: Sendable {
    private let method: MethodDescriptor<OpaqueMessage, OpaqueMessage>
    private let request: MessageDescriptor
    private let response: MessageDescriptor
    /// The types at the start of the call.
    private let types: CallTypes
    private let invocation: Invocation
    private let options: CallOptions
    private let emitsDefaults: Bool

    /// - Parameter reflection: options of calls to reflection.
    /// - Throws: if the server's description of the types is invalid.
    init(
        _ name: WrittenMethodName, _ declaration: SchemaMethod, _ schema: Schema, invocation: Invocation, options: CallOptions,
        reflection: CallOptions, emitsDefaults: Bool
    ) throws(CommandFailure) {
        let types: CallTypes
        do throws(SchemaFault) {
            types = try CallTypes(schema, channel: invocation.channel, options: reflection)
            guard let request = types.described[declaration.request] else {
                throw .missingType(field: name.method, type: declaration.request)
            }
            guard let response = types.described[declaration.response] else {
                throw .missingType(field: name.method, type: declaration.response)
            }
            self.request = request
            self.response = response
        } catch {
            throw CommandFailure(
                RPCError(.internal, "the server's description makes no sense: \(error)"), types: nil,
                in: invocation.failureContext)
        }
        let shape: CallShape =
            switch (declaration.streamsRequests, declaration.streamsResponses) {
            case (false, false): .unary
            case (true, false): .clientStreaming
            case (false, true): .serverStreaming
            case (true, true): .bidirectionalStreaming
            }
        method = MethodDescriptor(service: name.service, method: name.method, shape: shape)
        self.types = types
        self.invocation = invocation
        self.options = options
        self.emitsDefaults = emitsDefaults
    }

    /// Makes the call and shows every answer.
    func run(_ documents: RequestDocuments) async throws {
        var documents = documents
        var types = types
        do {
            switch method.shape {
            case .unary:
                let message = try await onlyRequest(&documents, &types)
                try await show(try await invocation.channel.unary(method, message, options: options), &types)
            case .serverStreaming:
                invocation.environment.endOnInterrupt()
                let message = try await onlyRequest(&documents, &types)
                for try await answer in invocation.channel.serverStream(method, message, options: options) {
                    try await show(answer, &types)
                }
            // Ctrl-C is a failure here, because the server has not taken the requests.
            case .clientStreaming: try await converse(documents)
            case .bidirectionalStreaming:
                invocation.environment.endOnInterrupt()
                try await converse(documents)
            }
        } catch let error as RPCError {
            throw CommandFailure(error, types: types.described, in: invocation.failureContext)
        }
    }

    /// The request of a method that takes one; an empty message if none was given.
    private func onlyRequest(_ documents: inout RequestDocuments, _ types: inout CallTypes) async throws -> OpaqueMessage {
        let message = try await message(try await documents.next() ?? "{}", &types)
        if try await documents.next() != nil {
            throw CommandFailure(
                code: .invalidArgument, reason: "JSON_INVALID",
                message: invocation.text("The method takes one request, not several.", "이 메서드는 요청을 하나만 받습니다."))
        }
        return message
    }

    /// Sends and receives concurrently. If the server ends the call first, nobody waits for more input. An input that fails cancels the call, because
    /// the server must not take the requests before for all of them.
    private func converse(_ documents: RequestDocuments) async throws {
        let call = invocation.channel.bidirectionalStream(method, options: options)
        let fault = InputFault()
        let writing = Task.detached {
            var documents = documents
            var types = types
            do {
                while let document = try await documents.next() { try await call.write(try await message(document, &types)) }
                call.finishWriting()
            } catch {
                fault.note(error)
                call.cancel()
            }
        }
        var failure: (any Error)?
        do {
            var types = types
            for try await answer in call.responses { try await show(answer, &types) }
        } catch {
            failure = error
        }
        failure = fault.error ?? failure
        // The next command of a shell reads the same input, so nobody may wait for it any more.
        writing.cancel()
        await writing.value
        if let failure { throw failure }
    }

    /// Why the requests ended early.
    private final class InputFault: Sendable {
        private let noted = Mutex<(any Error)?>(nil)
        var error: (any Error)? { noted.withLock { $0 } }

        /// The answers end with the server's error, so that is not noted.
        func note(_ error: any Error) {
            if let error = error as? RPCError, error.origin == .peer { return }
            noted.withLock { $0 = error }
        }
    }

    private func message(_ document: String, _ types: inout CallTypes) async throws(CommandFailure) -> OpaqueMessage {
        while true {
            let format = JSONDecodingOptions(typeRegistry: types.registry)
            do throws(JSONDecodingError) {
                return OpaqueMessage(try DynamicMessage(jsonUTF8Bytes: Array(document.utf8), as: request, options: format))
            } catch {
                if case .unknownType(_, let typeURL) = error, await types.learn(typeURL) { continue }
                throw CommandFailure.badInput(request.fullName, error, in: invocation.failureContext)
            }
        }
    }

    /// Writes one answer: on several lines if there is only one, else each on one line.
    private func show(_ answer: OpaqueMessage, _ types: inout CallTypes) async throws {
        let text = try await text(of: answer, &types) + "\n"
        let schema = types.schema
        try invocation.writeJSON(text) { schema.canHave($0[...], in: response.fullName) }
    }

    private func text(of answer: OpaqueMessage, _ types: inout CallTypes) async throws -> String {
        let isOnlyOne = method.shape == .unary || method.shape == .clientStreaming
        let format = JSONEncodingOptions(alwaysPrintDefaults: emitsDefaults, prettyPrinted: isOnlyOne)
        do {
            return String(decoding: try await types.json(of: answer.wireBytes, as: response, format), as: UTF8.self)
        } catch {
            throw RPCError(.internal, "the server's answer is no \(response.fullName): \(error)")
        }
    }
}

/// A method as people write it: `pkg.Service/Method`, or with a dot instead of the slash.
struct WrittenMethodName: Sendable, Hashable {
    /// Full name of the service.
    let service: String
    let method: String

    /// `nil` for a text that is not a method's name.
    init?(_ text: String) {
        var text = Substring(text)
        if text.first == "/" { text = text.dropFirst() }
        guard let separator = text.lastIndex(of: "/") ?? text.lastIndex(of: ".") else { return nil }
        service = String(text[..<separator])
        method = String(text[text.index(after: separator)...])
        guard !service.isEmpty, !method.isEmpty, !service.contains("/") else { return nil }
    }
}

extension Schema {
    /// Whether the JSON of a message can have keys, one inside another.
    fileprivate func canHave(_ keys: ArraySlice<String>, in name: String) -> Bool {
        guard let key = keys.first else { return true }
        // Messages of Google's package may have a JSON form of their own.
        guard !name.hasPrefix("google.protobuf."), case .message(let message)? = self[name] else { return true }
        let field = message.fields.first { ($0.chosenJSONName ?? MessageDescriptor.jsonName(ofField: $0.name)) == key }
        // The keys of a map may be any.
        guard let field else { return message.isMapEntry }
        guard case .message(let inner) = field.type else { return keys.count == 1 }
        return canHave(keys.dropFirst(), in: inner)
    }
}
