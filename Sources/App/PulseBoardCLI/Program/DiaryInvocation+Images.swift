import Foundation
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardVocabulary

extension DiaryInvocation {
    /// Adds the pictures of files for an entry.
    func addImages(_ paths: [String]) async throws(CommandFailure) -> [DiaryImage] {
        var images: [DiaryImage] = []
        for path in paths {
            let bytes = try invocation.picture(at: path, limit: DiaryLimits.maximumImageBytes)
            images.append(try await translating { () throws(DiaryError) in try await diary.addImage(bytes) })
        }
        return images
    }

    /// An entry's pictures after adding some and removing some by their numbers from 1.
    func pictures(
        of entry: DiaryEntry, adding paths: [String], removing numbers: [Int]
    ) async throws(CommandFailure) -> [DiaryImage] {
        let present = entry.content.images
        if let wrong = numbers.first(where: { !(1...max(present.count, 1)).contains($0) || present.isEmpty }) {
            throw CommandFailure(
                code: .notFound, reason: Reason.imageNotFound.rawValue,
                message: invocation.text("The entry has no picture \(wrong).", "일기에 \(wrong)번 사진이 없습니다."))
        }
        let kept = present.enumerated().filter { !numbers.contains($0.offset + 1) }.map(\.element)
        let added = try await addImages(paths).filter { !kept.contains($0) }
        return kept + added
    }

    /// Changes an entry. A value that is `nil` stays.
    /// - Parameter seen: the entry as its owner saw it, and the field whose new value was made from that; `nil` if none was. If the field has changed
    ///   since, nothing is written, because the merge would take the new value for an answer to the unseen one.
    func change(
        _ id: DiaryEntryID, _ time: Timestamp? = nil, _ emotion: String? = nil, _ text: String? = nil, _ images: [DiaryImage]? = nil,
        seen: (entry: DiaryEntry, field: DiaryField)? = nil
    ) async throws(CommandFailure) -> DiaryEntry {
        try await translating { () throws(DiaryError) in
            let change: DiaryChange
            do throws(PulseBoardDomain.ValidationError) {
                change = try DiaryChange(entryTime: time, emotion: emotion, text: text, images: images)
            } catch { throw .invalid(error) }
            guard let seen else { return try await diary.update(id, change, ifMatches: nil) }
            var etag = seen.entry.etag
            while true {
                do throws(DiaryError) { return try await diary.update(id, change, ifMatches: etag) } catch {
                    guard case .etagMismatch = error else { throw error }
                    let present = try await diary.entry(id)
                    // Another field may have changed.
                    guard present.content[seen.field] == seen.entry.content[seen.field], present.etag != etag else { throw error }
                    etag = present.etag
                }
            }
        }
    }

    /// Drawings of an entry's pictures for the terminal, one below another. Empty if the terminal cannot draw, and for JSON output. A picture that is
    /// not on this device yet is only listed.
    func drawings(of entry: DiaryEntry, by way: TerminalPicture?) async -> String {
        guard !invocation.usesJSON else { return "" }
        var drawings = ""
        for image in entry.content.images {
            guard let bytes = try? await diary.image(image) else { continue }
            drawings += await invocation.drawing(of: bytes, by: way)
        }
        return drawings
    }

    /// Writes an entry's pictures as files, each with the beginning of the entry's id and its number.
    func saveImages(of entry: DiaryEntry, in directory: String) async throws(CommandFailure) {
        for (index, image) in entry.content.images.enumerated() {
            let ending = image.contentType.split(separator: "/").last.map(String.init) ?? "image"
            let name = "\(entry.id.description.prefix(8))-\(index + 1).\(ending == "jpeg" ? "jpg" : ending)"
            try await save(image, to: directory + "/" + name)
            if !invocation.usesJSON { invocation.remark("\(directory)/\(name)".safeForTerminal, "\(directory)/\(name)".safeForTerminal) }
        }
    }

    /// Writes a file that nobody else can open at any time.
    private static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // An existing file may have been open to others.
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        try file.write(contentsOf: bytes)
        try file.close()
    }

    /// Writes one picture as a file. Makes the directory if it is missing. Both are accessible to the owner only.
    func save(_ image: DiaryImage, to path: String) async throws(CommandFailure) {
        let bytes: [UInt8]
        do throws(DiaryError) {
            bytes = try await diary.image(image)
        } catch .diary(.imageNotFound) {
            throw CommandFailure(
                code: .notFound, reason: Reason.imageNotFound.rawValue,
                message: invocation.text("A picture is not on this device yet.", "사진이 아직 이 기기에 없습니다."),
                nextCommand: invocation.failureContext.command("diary sync"))
        } catch {
            throw CommandFailure(error, in: invocation.failureContext)
        }
        let url = URL(filePath: path, relativeTo: URL(filePath: invocation.environment.workingDirectory, directoryHint: .isDirectory))
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Self.write(bytes, to: url.path)
        } catch {
            throw CommandFailure(
                code: .invalidArgument, reason: "FILE_UNUSABLE",
                message: invocation.text("\(path.safeForTerminal) cannot be written.", "\(path.safeForTerminal)에 쓸 수 없습니다."))
        }
    }
}
