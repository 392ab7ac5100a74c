import Foundation
import PulseBoardDomain

extension DiaryInvocation {
    /// The editor from VISUAL or EDITOR; only at a terminal.
    private var editor: String? {
        guard invocation.environment.inputIsTerminal, !invocation.usesJSON else { return nil }
        return ["VISUAL", "EDITOR"].lazy.compactMap { invocation.environment.variables[$0] }.first { !$0.isEmpty }
    }

    var hasEditor: Bool { editor != nil }

    /// Gets a text and passes it to `save`: the given text, else one from the editor, else standard input.
    ///
    /// The editor's draft is a file in the diary's directory. It is removed when it is saved, and when nothing was written into it. If the editor or
    /// saving fails, it stays, and a remark names its path.
    /// - Parameter present: the text with which the editor begins.
    func editing(
        _ given: String?, instead present: String, _ save: (String) async throws(CommandFailure) -> DiaryEntry
    ) async throws(CommandFailure) -> DiaryEntry {
        guard given == nil, let editor else { return try await save(try await text(given)) }
        let draft = file.directory + "/draft-\(UUID().uuidString.lowercased().prefix(8)).txt"
        // A program that writes behind the last line begins a line of its own.
        let lines = present.isEmpty ? "" : present + "\n"
        guard FileManager.default.createFile(atPath: draft, contents: Data(lines.utf8), attributes: [.posixPermissions: 0o600]) else {
            throw unusable(draft)
        }
        let hasSucceeded = invocation.environment.edit(draft, editor)
        let written = FileManager.default.contents(atPath: draft)
        guard hasSucceeded else {
            // Its text may be all that is left of an hour's work.
            if let written, !written.isEmpty, written != Data(lines.utf8) { remarkKept(draft) } else { remove(draft) }
            throw CommandFailure(
                code: .failedPrecondition, reason: "EDITOR_FAILED",
                message: invocation.text(
                    "The editor '\(editor.safeForTerminal)' failed. No entry was written.",
                    "편집기 '\(editor.safeForTerminal)'이(가) 실패했습니다. 일기를 쓰지 않았습니다."))
        }
        guard let written, var text = String(data: written, encoding: .utf8) else { throw unusable(draft) }
        text = text.replacing("\r\n", with: "\n")
        // The end of the last line is not part of the text. A text that ended with empty lines keeps them.
        if text.last?.isNewline == true { text.removeLast() }
        while present.last?.isNewline != true, text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty, text != present else {
            remove(draft)
            throw CommandFailure(
                code: .cancelled, reason: "NOTHING_WRITTEN",
                message: text.isEmpty
                    ? invocation.text("Nothing was written: the text is empty.", "내용이 비어 있어 아무것도 쓰지 않았습니다.")
                    : invocation.text("Nothing was changed.", "바뀐 내용이 없습니다."))
        }
        do throws(CommandFailure) {
            let entry = try await save(text)
            remove(draft)
            return entry
        } catch {
            remarkKept(draft)
            throw error
        }
    }

    private func remarkKept(_ draft: String) {
        invocation.remark("Your text is kept in \(draft.safeForTerminal)", "쓰신 글은 \(draft.safeForTerminal)에 남아 있습니다.")
    }

    private func remove(_ draft: String) { try? FileManager.default.removeItem(atPath: draft) }

    private func unusable(_ path: String) -> CommandFailure {
        CommandFailure(
            code: .failedPrecondition, reason: "FILE_UNUSABLE",
            message: invocation.text("\(path.safeForTerminal) cannot be used.", "\(path.safeForTerminal)을(를) 쓸 수 없습니다."))
    }
}
