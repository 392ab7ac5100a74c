import CompilerPluginC

/// What protobuf-c's repeated message fields point at, copied out.
///
/// The unpacked request outlives every use: protobuf-c sets the count and fills as many non-null pointers.
func elements<Element>(
    _ count: Int, _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>?
) -> [Element] {
    UnsafeBufferPointer(start: pointers, count: pointers == nil ? 0 : count).compactMap { $0?.pointee }
}

extension String {
    /// The C string; empty for none.
    init(optional c: UnsafePointer<CChar>?) {
        self = c.map { String(cString: $0) } ?? ""
    }

    /// The C string; empty for none.
    init(optional c: UnsafeMutablePointer<CChar>?) {
        self.init(optional: UnsafePointer(c))
    }

    /// The name without the dot that protoc puts before full names.
    var withoutLeadingDot: String {
        hasPrefix(".") ? String(dropFirst()) : self
    }
}
