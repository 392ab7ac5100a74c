import ProtobufC
import ProtobufSchema
import RPCCore
import Synchronization

/// One call of a method that is known only by reflection: JSON in, JSON out.
struct DynamicCall: Sendable {
    private let method: MethodDescriptor<OpaqueMessage, OpaqueMessage>
    private let request: MessageDescriptor
    private let response: MessageDescriptor
    private let types: SchemaTypes
    private let schema: Schema
    private let invocation: Invocation
    private let options: CallOptions
    private let emitsDefaults: Bool

    /// - Throws: if the server's description of the types is invalid.
    init(
        _ name: WrittenMethodName, _ declaration: SchemaMethod, _ schema: Schema, invocation: Invocation, options: CallOptions,
        emitsDefaults: Bool
    ) throws(CommandFailure) {
        let types: SchemaTypes
        do throws(SchemaFault) {
            types = try SchemaTypes(schema)
            guard let request = types[declaration.request] else {
                throw .missingType(field: name.method, type: declaration.request)
            }
            guard let response = types[declaration.response] else {
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
        self.schema = schema
        self.invocation = invocation
        self.options = options
        self.emitsDefaults = emitsDefaults
    }

    /// Makes the call and shows every answer.
    func run(_ documents: RequestDocuments) async throws {
        var documents = documents
        do {
            switch method.shape {
            case .unary:
                try show(try await invocation.channel.unary(method, try onlyRequest(&documents), options: options))
            case .serverStreaming:
                invocation.environment.endOnInterrupt()
                let answers = invocation.channel.serverStream(method, try onlyRequest(&documents), options: options)
                for try await answer in answers { try show(answer) }
            case .clientStreaming: try await sendAll(documents)
            case .bidirectionalStreaming: try await converse(documents)
            }
        } catch let error as RPCError {
            throw CommandFailure(error, types: types, in: invocation.failureContext)
        }
    }

    /// The request of a method that takes one; an empty message if none was given.
    private func onlyRequest(_ documents: inout RequestDocuments) throws(CommandFailure) -> OpaqueMessage {
        let message = try message(try documents.next() ?? "{}")
        if try documents.next() != nil {
            throw CommandFailure(
                code: .invalidArgument, reason: "JSON_INVALID",
                message: invocation.text("The method takes one request, not several.", "이 메서드는 요청을 하나만 받습니다."))
        }
        return message
    }

    private func sendAll(_ documents: RequestDocuments) async throws {
        var documents = documents
        let call = invocation.channel.clientStream(method, options: options)
        while let document = try documents.next() {
            let request = try message(document)
            // If the server has ended the call, reading its answer gives the reason.
            do throws(RPCError) { try await call.write(request) } catch { break }
        }
        try show(try await call.finish())
    }

    /// Sends and receives concurrently. Reading standard input blocks a thread. If the server ends the call first, the command ends without waiting
    /// for that thread.
    private func converse(_ documents: RequestDocuments) async throws {
        invocation.environment.endOnInterrupt()
        let call = invocation.channel.bidirectionalStream(method, options: options)
        let badInput = BadInput()
        let writing = Task.detached {
            var documents = documents
            do {
                while let document = try documents.next() { try await call.write(try message(document)) }
                call.finishWriting()
            } catch {
                badInput.note(error)
                call.cancel()
            }
        }
        defer { writing.cancel() }
        do {
            for try await answer in call.responses { try show(answer) }
        } catch let error as RPCError {
            if let failure = badInput.failure { throw failure }
            throw error
        }
        if let failure = badInput.failure { throw failure }
    }

    /// Why the input ended early.
    private final class BadInput: Sendable {
        private let noted = Mutex<CommandFailure?>(nil)
        var failure: CommandFailure? { noted.withLock { $0 } }

        /// The reader reports an error of the call.
        func note(_ error: any Error) {
            if let failure = error as? CommandFailure { noted.withLock { $0 = failure } }
        }
    }

    private func message(_ document: String) throws(CommandFailure) -> OpaqueMessage {
        do throws(JSONDecodingError) {
            return OpaqueMessage(
                try DynamicMessage(
                    jsonUTF8Bytes: Array(document.utf8), as: request, options: JSONDecodingOptions(typeRegistry: types.registry)))
        } catch {
            throw CommandFailure.badInput(request.fullName, error, in: invocation.failureContext)
        }
    }

    /// Writes one answer: on several lines if there is only one, else each on one line.
    private func show(_ answer: OpaqueMessage) throws {
        var format = JSONEncodingOptions(typeRegistry: types.registry)
        format.alwaysPrintDefaults = emitsDefaults
        format.prettyPrinted = method.shape == .unary || method.shape == .clientStreaming
        let json: [UInt8]
        do {
            json = try DynamicMessage(serializedBytes: answer.wireBytes, as: response).jsonUTF8Bytes(options: format)
        } catch {
            throw RPCError(.internal, "the server's answer is no \(response.fullName): \(error)")
        }
        try invocation.writeJSON(String(decoding: json, as: UTF8.self) + "\n") { schema.canHave($0[...], in: response.fullName) }
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
