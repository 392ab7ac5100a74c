/// What the generators of one file share.
struct GenerationContext {
    let file: FileSchema
    let parameters: GeneratorParameters
    let index: TypeIndex

    /// The access level of the file's declarations, as source.
    var access: String { parameters.visibility.rawValue }

    /// The C type as source.
    ///
    /// Without a package it may have the very name of the Swift type, so it is then told apart by its module.
    func cType(_ name: String) -> String {
        name.contains("__") ? name : parameters.cModule + "." + name
    }
}
