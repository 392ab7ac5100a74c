import ConformanceMessages
import Glibc
import ProtobufC
import ProtobufSchema
import ProtobufWellKnownTypes
import Testing

private typealias Wide = ProtobufTestMessages_Proto3_TestAllTypesProto3

/// Deep messages of many fields on a small stack, as documented for ``DecodingOptions/maximumNestingDepth``.
@Suite struct StackTests {
    /// The stack size that the documentation says is enough.
    private static let statedStack = 256 << 10

    /// The work of a thread.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(body: @Sendable @escaping () -> Void) { self.body = body }
    }

    /// Runs `body` on a thread with a stack of that size.
    private static func onThread(stack: Int, _ body: @Sendable @escaping () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        #expect(pthread_attr_setstacksize(&attributes, stack) == 0)
        let work = Unmanaged.passRetained(Work(body: body))
        var thread = pthread_t()
        let made = pthread_create(
            &thread, &attributes,
            {
                // The pointer that is passed below.
                Unmanaged<Work>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        #expect(made == 0)
        pthread_join(thread, nil)
    }

    /// The ways in which a message can contain another, by the number of the field.
    enum Nesting: UInt8, CaseIterable, Sendable {
        case singular = 27, repeated = 48
    }

    @Test("A message of 150 fields is read and written at every depth that may be asked for, in the stated stack",
        arguments: Nesting.allCases, [1, 7, 15, 16, 26, 32, 100])
    func generated(_ nesting: Nesting, _ levels: Int) {
        Self.onThread(stack: Self.statedStack) {
            let options = DecodingOptions(maxNestingDepth: levels)
            do {
                let bytes = Bytes.nested(levels, nesting)
                let message = try Wide(serializedBytes: bytes, options: options)
                let written = try message.serializedBytes()
                #expect(written == bytes)
                let json = try message.jsonUTF8Bytes()
                let read = try Wide(jsonUTF8Bytes: json, options: JSONDecodingOptions(maxNestingDepth: levels))
                #expect(try read.serializedBytes() == bytes)
            } catch {
                Issue.record("\(levels) levels: \(error)")
            }
        }
    }

    @Test("So is one whose type was made at run time", arguments: Nesting.allCases, [32, 100])
    func dynamic(_ nesting: Nesting, _ levels: Int) throws {
        var schema = Schema()
        for file in ProtobufTestMessages_Proto3_TestMessagesProto3File.descriptor.withAllDependencies {
            schema.add(try SchemaFile(serializedBytes: file.serializedBytes))
        }
        let type = try #require(try SchemaTypes(schema)[Wide.descriptor.fullName])
        Self.onThread(stack: Self.statedStack) {
            do {
                let bytes = Bytes.nested(levels, nesting)
                let message = try DynamicMessage(serializedBytes: bytes, as: type, options: DecodingOptions(maxNestingDepth: levels))
                let json = try message.jsonUTF8Bytes()
                let read = try DynamicMessage(jsonUTF8Bytes: json, as: type, options: JSONDecodingOptions(maxNestingDepth: levels))
                #expect(read.serializedBytes == bytes)
            } catch {
                Issue.record("\(levels) levels: \(error)")
            }
        }
    }

    @Test("Any JSON inside any JSON, fifty deep", arguments: ["[", "{\"a\":"])
    func values(_ opening: String) {
        let levels = opening == "[" ? 50 : 33
        Self.onThread(stack: Self.statedStack) {
            do {
                let text = String(repeating: opening, count: levels) + (opening == "[" ? "" : "1")
                    + String(repeating: opening == "[" ? "]" : "}", count: levels)
                let value = try Google_Protobuf_Value(jsonString: text, options: JSONDecodingOptions(maxNestingDepth: 100))
                #expect(try value.jsonString() == text)
                let bytes = try value.serializedBytes()
                let read = try Google_Protobuf_Value(serializedBytes: bytes, options: DecodingOptions(maxNestingDepth: 100))
                #expect(try read.serializedBytes() == bytes)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test("A message that is repaired before it is read, at every depth", arguments: [32, 100])
    func repaired(_ levels: Int) {
        Self.onThread(stack: Self.statedStack) {
            do {
                // `optional_int32` as a fixed32, and each level twice.
                var bytes: [UInt8] = [0x0D, 1, 0, 0, 0]
                for _ in 0..<levels { bytes = Bytes.record(27, bytes) + Bytes.record(27, []) }
                let message = try Wide(serializedBytes: bytes, options: DecodingOptions(maxNestingDepth: levels))
                var expected: [UInt8] = [0x0D, 1, 0, 0, 0]
                for _ in 0..<levels { expected = Bytes.record(27, expected) }
                #expect(try message.serializedBytes() == expected)
            } catch {
                Issue.record("\(levels) levels: \(error)")
            }
        }
    }
}

/// Wire bytes written by hand.
private enum Bytes {
    static func varint(_ value: Int) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
    }

    static func record(_ number: Int, _ content: [UInt8]) -> [UInt8] { varint(number << 3 | 2) + varint(content.count) + content }

    /// A message with another in each level.
    static func nested(_ levels: Int, _ nesting: StackTests.Nesting) -> [UInt8] {
        var bytes: [UInt8] = [8, 7]
        for _ in 0..<(nesting == .singular ? levels : levels / 2) {
            switch nesting {
            case .singular: bytes = [8, 9] + record(27, bytes)
            case .repeated: bytes = [8, 9] + record(48, [8, 1] + record(2, bytes))
            }
        }
        return bytes
    }
}
