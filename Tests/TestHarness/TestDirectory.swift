import Glibc

/// A temporary directory with a short path (a socket's address has at most 107 bytes). It is removed with its last reference.
package final class TestDirectory: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/pbrpc-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A path for a socket in it.
    package var socketPath: String { path + "/s" }

    deinit {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { unlink("\(path)/\(name)") }
            }
            closedir(directory)
        }
        rmdir(path)
    }
}
