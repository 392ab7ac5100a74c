/// One `.proto` file, as far as the generator needs it.
struct FileSchema: Hashable, Sendable {
    /// Path as protoc was given it, such as `pulseboard/auth/v1/auth.proto`.
    var path: String
    /// Empty for a file without a package.
    var package: String
    /// `proto2` or `proto3`.
    var syntax: String
    /// `option swift_prefix`; nil when not set.
    var swiftPrefix: String?
    /// Paths of the files it imports.
    var dependencies: [String] = []
    var messages: [MessageSchema] = []
    var enums: [EnumSchema] = []
    var services: [ServiceSchema] = []
    /// The whole file as a `FileDescriptorProto` in wire form, without `source_code_info`.
    var serialized: [UInt8] = []
}
