import Foundation
import ProtobufC
import ProtobufSchema
import PulseBoardVocabulary
import RPCCore

extension CommandFailure {
    /// A failed call of any service: the code, the server's message, and every detail that can be decoded. It assumes nothing about the service.
    init(_ error: RPCError, types: SchemaTypes?, in context: FailureContext) {
        self.init(error, about: .nothing, in: context)
        if code == .unavailable {
            // The server was reachable a moment ago.
            message = Phrase(statusCode: code.rawValue).text(in: context.language) + " (" + error.message + ")"
        }
        message = "\(code.name): \(message)"
        nextCommand = nil
        details = error.details.map { Self.json(of: $0, types) }
    }

    /// The failure of the first call by reflection. If a server listens but does not answer in ttrpc, the text advises gRPC.
    init(unanswered error: RPCError, in invocation: Invocation) {
        let context = invocation.failureContext
        guard error.code == .unavailable else {
            self.init(error, types: nil, in: context)
            return
        }
        self.init(error, about: .nothing, in: context)
        if FileManager.default.fileExists(atPath: context.socket) {
            nextCommand = invocation.wireProtocol == .ttrpc ? "pulseboard rpc list --protocol grpc" + context.socketOption : nil
        }
    }

    /// A detail as JSON: by its type, or as type name and bytes if the type is unknown.
    private static func json(of detail: StatusDetail, _ types: SchemaTypes?) -> String {
        let name = String(detail.typeURL.split(separator: "/").last ?? "")
        let registry = types?.added(to: WellKnownFiles.registry) ?? WellKnownFiles.registry
        guard let descriptor = WellKnownFiles.errorDetails[name] ?? registry[name],
            let message = try? DynamicMessage(serializedBytes: detail.value, as: descriptor),
            let json = try? message.jsonUTF8Bytes(options: JSONEncodingOptions(typeRegistry: registry))
        else {
            return "{\(quoted("@type")):\(quoted(detail.typeURL)),\(quoted("value")):\(quoted(Data(detail.value).base64EncodedString()))}"
        }
        let value = String(decoding: json, as: UTF8.self)
        let type = "{\(quoted("@type")):\(quoted(detail.typeURL))"
        // The JSON of durations, wrappers and similar types is not an object, so the type cannot be one of its members.
        guard value.hasPrefix("{") else { return type + ",\(quoted("value")):\(value)}" }
        let members = value.dropFirst()
        return type + (members == "}" ? "" : ",") + members
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..."\u{1F}": quoted += "\u{FFFD}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// A symbol or method that the server does not describe.
    static func unknownSymbol(_ name: String, in context: FailureContext) -> CommandFailure {
        CommandFailure(
            code: .notFound, reason: "SYMBOL_NOT_FOUND",
            message: Phrase("The server describes nothing called \(name).", "서버에 \(name)(이)라는 이름이 없습니다.")
                .text(in: context.language),
            nextCommand: context.command("rpc list"))
    }

    /// A server that does not describe itself.
    static func noReflection(in context: FailureContext) -> CommandFailure {
        CommandFailure(
            code: .unimplemented, reason: "NO_REFLECTION",
            message: Phrase(
                "The server at \(context.socket) does not describe itself: it offers no gRPC reflection.",
                "\(context.socket)의 서버는 gRPC reflection을 제공하지 않아 서비스를 알아낼 수 없습니다."
            ).text(in: context.language))
    }

    /// Input that is not a message of the method.
    static func badInput(_ type: String, _ error: JSONDecodingError, in context: FailureContext) -> CommandFailure {
        CommandFailure(
            code: .invalidArgument, reason: "JSON_INVALID",
            message: Phrase("The input is not a \(type): \(error).", "입력이 \(type) 형식이 아닙니다: \(error.korean)").text(in: context.language),
            nextCommand: context.command("rpc describe " + type))
    }
}

extension JSONDecodingError {
    /// The description in Korean.
    fileprivate var korean: String {
        let message = { (field: String) in field.isEmpty ? "메시지" : field }
        return switch self {
        case .syntax(let offset, _): "\(offset)번째 바이트부터 올바른 JSON이 아닙니다"
        case .nestingTooDeep(let limit): "JSON의 깊이가 \(limit)단계를 넘습니다"
        case .unknownField(let field): "\(field): 없는 필드입니다"
        case .duplicateField(let field): "\(field): 두 번 나왔습니다"
        case .duplicateOneof(let field): "\(field): 함께 쓸 수 없는 다른 필드가 있습니다"
        case .invalidValue(let field, _): "\(message(field)): 쓸 수 없는 값입니다"
        case .nulInString(let field): "\(field): 문자열에 NUL이 있습니다"
        case .unknownType(let field, let typeURL): "\(message(field)): 알 수 없는 형식입니다: \(typeURL)"
        case .missingRequiredField(let field): "\(field): 필요한 필드가 없습니다"
        case .overBudget(let limit): "메시지가 \(limit)바이트를 넘습니다"
        case .outOfMemory: "메모리가 부족합니다"
        }
    }
}
