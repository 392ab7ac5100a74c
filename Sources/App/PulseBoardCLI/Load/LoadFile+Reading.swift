import Foundation

extension LoadFile {
    /// Reads a whole file.
    ///
    /// - Throws: ``LoadFileError`` when it cannot be opened or read.
    static func read(_ path: String) throws(LoadFileError) -> LoadFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LoadFileError(path: path, number: errno) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw LoadFileError(path: path, number: errno) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, Int(information.st_size)))
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &chunk, chunk.count)
            if count == 0 { return LoadFile(name: path, bytes: bytes) }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno != EINTR {
                throw LoadFileError(path: path, number: errno)
            }
        }
    }
}

/// A file to load that could not be read.
struct LoadFileError: Error, Sendable, Hashable {
    let path: String
    /// `errno`.
    let number: Int32
}
