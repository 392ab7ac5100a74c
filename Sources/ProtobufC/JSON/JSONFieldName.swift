import CProtobufC

/// Names of fields in JSON: lowerCamelCase made from the `.proto` name, by protoc's rule.
///
/// protobuf-c's tables do not keep the `json_name` option, so a field that sets one has this name all the same.
enum JSONFieldName {
    /// `user_id` → `userId`: underscores go, the letter after one becomes a capital.
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

    /// The field that `name` means, in either form.
    static func field(named name: String, in descriptor: DescriptorPointer) -> FieldDescriptor? {
        // By bytes: Swift's strings are equal when only canonically equivalent.
        guard let fields = descriptor.pointee.fields else { return nil }
        return (0..<Int(descriptor.pointee.n_fields)).lazy.map { fields + $0 }.first { field in
            let protoName = field.name
            return name.utf8.elementsEqual(protoName.utf8)
                || name.utf8.elementsEqual(lowerCamelCase(protoName).utf8)
        }
    }
}
