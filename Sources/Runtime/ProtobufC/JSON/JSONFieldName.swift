import CProtobufC

/// Names of fields in JSON: lowerCamelCase made from the `.proto` name, by protoc's rule.
///
/// `protoc-c`'s tables do not keep the `json_name` option, so a generated field ignores it. Tables that the program makes at run time keep it in
/// `reserved2` of the field, where `protoc-c` writes a null pointer.
enum JSONFieldName {
    /// `user_id` → `userId`: underscores are removed, and the next letter becomes a capital.
    static func lowerCamelCase(_ name: String) -> String {
        camelCase(name, capitalFirst: false)
    }

    /// The short name of the entry type of the map field `name`: `counts_by_id` → `CountsByIdEntry`.
    static func mapEntryName(_ name: String) -> String {
        camelCase(name, capitalFirst: true) + "Entry"
    }

    private static func camelCase(_ name: String, capitalFirst: Bool) -> String {
        var capital = capitalFirst
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if byte == UInt8(ascii: "_") {
                capital = true
            } else {
                let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                bytes.append(capital && isLower ? byte - 32 : byte)
                capital = false
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name to write a field under.
    static func name(of field: FieldDescriptor) -> String {
        chosenName(field.pointee).map { String(cString: $0) } ?? lowerCamelCase(field.name)
    }

    private static func chosenName(_ field: ProtobufCFieldDescriptor) -> UnsafePointer<CChar>? {
        field.reserved2.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
    }

    /// Whether `name` is the field's name in JSON.
    private static func isJSONName(_ name: String.UTF8View, _ field: ProtobufCFieldDescriptor) -> Bool {
        guard let chosen = chosenName(field) else { return isLowerCamelCase(name, field.name) }
        return isProtoName(name, chosen)
    }

    /// The field that `name` means, in either form.
    static func field(named name: String, in descriptor: DescriptorPointer) -> FieldDescriptor? {
        guard let fields = descriptor.pointee.fields else { return nil }
        for index in 0..<Int(descriptor.pointee.n_fields)
        where isProtoName(name.utf8, fields[index].name) || isJSONName(name.utf8, fields[index]) {
            return fields + index
        }
        return nil
    }

    /// Whether `name` has the bytes of the C string `protoName`. (For Swift's `==`, canonically equivalent strings are
    /// equal.)
    private static func isProtoName(_ name: String.UTF8View, _ protoName: UnsafePointer<CChar>) -> Bool {
        var at = protoName
        for byte in name {
            guard at.pointee != 0, UInt8(bitPattern: at.pointee) == byte else { return false }
            at += 1
        }
        return at.pointee == 0
    }

    /// Whether `name` equals ``lowerCamelCase(_:)`` of the C string `protoName`. It makes no new string.
    private static func isLowerCamelCase(_ name: String.UTF8View, _ protoName: UnsafePointer<CChar>) -> Bool {
        let underscore = CChar(bitPattern: UInt8(ascii: "_"))
        var at = protoName
        for byte in name {
            var capital = false
            while at.pointee == underscore {
                capital = true
                at += 1
            }
            let expected = UInt8(bitPattern: at.pointee)
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(expected)
            guard expected != 0, byte == (capital && isLower ? expected - 32 : expected) else { return false }
            at += 1
        }
        while at.pointee == underscore { at += 1 }
        return at.pointee == 0
    }
}
