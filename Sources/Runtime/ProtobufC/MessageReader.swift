import CProtobufC

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Copies fields out of an unpacked protobuf-c struct; for generated code, inside ``Message/init(unpacked:)``.
///
/// Every pointer comes from protobuf-c's unpacking of checked bytes, or from the JSON reader, which builds the same structs.
/// So strings are NUL-terminated UTF-8, and counts are correct.
public enum MessageReader {
    /// The string at `pointer`. A null pointer is the empty string.
    public static func string(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer, pointer.pointee != 0 else { return "" }
        let count = strlen(pointer)
        return pointer.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }

    /// The string at `pointer`. A null pointer is the empty string.
    public static func string(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
        string(UnsafePointer(pointer))
    }

    /// A `bytes` field.
    public static func bytes(_ data: ProtobufCBinaryData) -> [UInt8] {
        Array(UnsafeBufferPointer(start: data.data, count: data.data == nil ? 0 : data.len))
    }

    /// A repeated `string` field.
    public static func strings(
        _ count: Int, _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> [String] {
        UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count).map { string($0) }
    }

    /// A repeated `bytes` field.
    public static func bytesArray(_ count: Int, _ pointer: UnsafeMutablePointer<ProtobufCBinaryData>?) -> [[UInt8]] {
        UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count).map { bytes($0) }
    }

    /// A repeated number field.
    @inlinable
    public static func scalars<Scalar: BitwiseCopyable>(
        _ count: Int, _ pointer: UnsafeMutablePointer<Scalar>?
    ) -> [Scalar] {
        Array(UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count))
    }

    /// A `bool` field.
    public static func bool(_ value: protobuf_c_boolean) -> Bool { value != 0 }

    /// A repeated `bool` field.
    public static func bools(_ count: Int, _ pointer: UnsafeMutablePointer<protobuf_c_boolean>?) -> [Bool] {
        UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count).map { $0 != 0 }
    }

    /// An enum field, whose C type is a 4-byte integer in whatever form Swift imports it.
    @inlinable
    public static func enumeration<Enum: ProtobufEnum, CEnum: BitwiseCopyable>(_ value: CEnum) -> Enum {
        withUnsafeBytes(of: value) { Enum(number: $0.loadUnaligned(as: Int32.self)) }
    }

    /// A repeated enum field; C enums are 4-byte integers.
    @inlinable
    public static func enums<Enum: ProtobufEnum>(_ count: Int, _ pointer: UnsafeMutableRawPointer?) -> [Enum] {
        guard let pointer else { return [] }
        let numbers = UnsafeRawBufferPointer(start: pointer, count: count * MemoryLayout<Int32>.stride)
        return (0..<count).map { Enum(number: numbers.load(fromByteOffset: $0 * 4, as: Int32.self)) }
    }

    /// A submessage, or `nil` when it is absent.
    @inlinable
    public static func message<Submessage: Message>(_ pointer: UnsafeRawPointer?) -> Submessage? {
        pointer.map { Submessage(unpacked: UnpackedStruct($0)) }
    }

    /// A repeated message field; `pointer` points at an array of pointers to C structs.
    @inlinable
    public static func messages<Submessage: Message>(
        _ count: Int, _ pointer: UnsafeMutableRawPointer?
    ) -> [Submessage] {
        guard let pointer, count > 0 else { return [] }
        let elements = UnsafeRawBufferPointer(start: pointer, count: count * MemoryLayout<UnsafeRawPointer>.stride)
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                let offset = index * MemoryLayout<UnsafeRawPointer>.stride
                buffer.initializeElement(
                    at: index, to: Submessage(unpacked: UnpackedStruct(elements.load(fromByteOffset: offset, as: UnsafeRawPointer.self))))
                initialized = index + 1
            }
        }
    }

    /// Fields that are not in the schema. `base` is the struct's first member.
    @inlinable
    public static func unknownFields(_ base: UnsafePointer<ProtobufCMessage>) -> UnknownFields {
        base.pointee.n_unknown_fields > 0 ? records(of: base) : UnknownFields()
    }

    /// The same if there are such fields.
    @usableFromInline
    static func records(of base: UnsafePointer<ProtobufCMessage>) -> UnknownFields {
        let fields = UnsafeBufferPointer(start: base.pointee.unknown_fields, count: Int(base.pointee.n_unknown_fields))
        var wireBytes: [UInt8] = []
        wireBytes.reserveCapacity(fields.reduce(0) { $0 + $1.len + 5 })
        for field in fields {
            wireBytes.appendVarint(UInt64(field.tag) << 3 | UInt64(field.wire_type.rawValue))
            wireBytes.append(contentsOf: UnsafeBufferPointer(start: field.data, count: field.len))
        }
        return UnknownFields(checkedWireBytes: wireBytes)
    }
}
