import CommandHelp
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardVocabulary
import RPCCore

/// Edits that lost, and edits that the server refused.
extension DiaryInvocation {
    // MARK: Conflicts

    /// Shows conflicts, each with its name.
    func showConflicts() async throws {
        let (torn, damaged) = try await translating { () throws(DiaryError) in try await file.conflictList() }
        remark(damaged)
        try invocation.show(document: torn.map(document)) {
            guard !torn.isEmpty else { return invocation.text("No conflicts.", "충돌이 없습니다.") + "\n" }
            var table = Table([
                .init("ID"), .init(invocation.text("EDIT", "수정")), .init(invocation.text("FIELD", "항목")), .init(invocation.text("LOST", "밀린 값")),
                .init(invocation.text("PRESENT", "현재 값")),
            ])
            for change in torn {
                let conflicts = change.row.orderedConflicts
                for conflict in conflicts {
                    let present = change.row[conflict.field].value.map(words) ?? invocation.text("(deleted)", "(삭제됨)")
                    table.append([
                        String(change.id.description.prefix(8)), conflict.shortName(among: conflicts), conflict.field.path,
                        words(conflict.value).firstLine(columns: 30), present.firstLine(columns: 30),
                    ])
                }
            }
            return table.rendered(invocation.style)
        }
    }

    /// The conflict of an entry whose name begins with a text. A name stays when other conflicts come or go.
    /// - Throws: a failure when none or several begin with it.
    func conflict(_ text: String, of id: DiaryEntryID) async throws(CommandFailure) -> DiaryConflict {
        let torn = try await translating { () throws(DiaryError) in try await file.conflicts() }
        let prefix = text.lowercased()
        let found = prefix.utf8.count < DiaryConflict.shortestName
            ? [] : torn.first { $0.id == id }?.row.orderedConflicts.filter { $0.name.hasPrefix(prefix) } ?? []
        guard found.count == 1 else {
            throw CommandFailure(
                code: found.isEmpty ? .notFound : .invalidArgument, reason: "DIARY_CONFLICT_NOT_FOUND",
                message: found.isEmpty
                    ? invocation.text("The entry has no such conflict.", "그런 충돌이 없습니다.")
                    : invocation.text("Several edits begin with \(prefix). Give more of the name.", "\(prefix)(으)로 시작하는 수정이 여러 개입니다. 더 길게 적어 주세요."),
                nextCommand: invocation.failureContext.command("diary conflicts"))
        }
        return found[0]
    }

    /// Remarks the id of an entry that was made of kept values.
    func remarkNew(_ id: DiaryEntryID) {
        guard !invocation.usesJSON else { return }
        invocation.remark("It is in the new entry \(id.description.prefix(8)).", "새 일기 \(id.description.prefix(8))에 들어 있습니다.")
    }

    // MARK: Rejected edits

    /// Shows edits that the server rejected for good, each with its number, the reason and all that was written.
    func showRejected() async throws {
        let rejected = try await translating { () throws(DiaryError) in try await file.rejected() }
        try invocation.show(document: rejected.map(RejectedDocument.init)) {
            guard !rejected.isEmpty else { return invocation.text("Nothing was rejected.", "거부된 변경이 없습니다.") + "\n" }
            return rejected.map { edit in
                var card = Card(title: String(edit.number))
                card.append(invocation.text("reason", "이유"), Reason(rawValue: edit.reason)?.text().text(in: invocation.language) ?? edit.reason)
                card.append(invocation.text("emotion", "감정"), edit.mutation.emotion ?? "")
                let label = invocation.text(Phrase.Word.picture)
                for image in edit.mutation.images { card.append(label, file.directory + "/" + image.path) }
                card.append("id", edit.mutation.entryID.description)
                let lines = (edit.mutation.text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map { String($0).safeForTerminal }
                return card.rendered(invocation.style) + "\n" + lines.joined(separator: "\n") + "\n"
            }.joined(separator: "\n")
        }
    }

    /// Makes a rejected edit again. One that was rejected because of its pictures loses them, unless it has nothing else.
    func restoreRejected(_ number: Int64) async throws(CommandFailure) -> DiaryEntryID {
        let rejected = try await translating { () throws(DiaryError) in try await file.rejected() }.first { $0.number == number }
        let isAboutPictures = rejected.map(\.isAboutPictures) ?? false
        let id = try await translating { () throws(DiaryError) in try await file.restoreRejected(number, withPictures: !isAboutPictures) }
        if isAboutPictures {
            let command = invocation.failureContext.command("diary rejected --forget \(number)")
            invocation.remark(
                "The pictures are left out. Their files stay until: \(command)", "사진은 뺐습니다. 다음 명령 전까지 파일은 남습니다: \(command)")
        }
        return id
    }
}

extension RejectedDiaryMutation {
    /// Whether the edit has more than pictures, and may be taken without them. A diary may be full of entries or of pictures.
    fileprivate var isAboutPictures: Bool {
        let reasons = [Reason.diaryFull, .diaryImageDiffers].map(\.rawValue)
        if case .patch(let patch) = mutation.kind, patch.values.keys.allSatisfy({ $0 == .images }) { return false }
        return !mutation.images.isEmpty && (reason.hasPrefix("IMAGE_") || reasons.contains(reason))
    }
}

/// A refused edit as JSON.
private struct RejectedDocument: Encodable {
    let number: Int64
    let id: String
    let reason: String
    let texts: [String]
    let images: [DiaryEntryDocument.Image]

    init(_ edit: RejectedDiaryMutation) {
        number = edit.number
        id = edit.mutation.entryID.description
        reason = edit.reason
        texts = [edit.mutation.emotion, edit.mutation.text].compactMap(\.self).filter { !$0.isEmpty }
        images = edit.mutation.images.map(\.document)
    }
}

extension DiaryMutation {
    /// The emotion that its author wrote, and the text.
    fileprivate var emotion: String? { value(.emotion) }
    fileprivate var text: String? { value(.text) }

    private func value(_ field: DiaryField) -> String? {
        switch kind {
        case .create(let content): content[field].writtenText
        case .patch(let patch): patch.values[field]?.writtenText
        case .delete, .dismiss: nil
        }
    }
}

extension DiaryConflict {
    /// Characters of the shortest name that is shown and taken.
    static let shortestName = 4

    /// The conflict's name: 16 digits of a hash of its stamp. It is the same on all devices.
    var name: String {
        let time = withUnsafeBytes(of: stamp.time.bigEndian) { [UInt8]($0) }
        let digits = String(FNV1aHash.value(of: stamp.device.bits.bytes + time + [field.rawValue]), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// As much of the name as distinguishes it from the entry's other conflicts.
    fileprivate func shortName(among conflicts: [DiaryConflict]) -> String {
        let others = conflicts.map(\.name).filter { $0 != name }
        let count = (Self.shortestName...16).first { count in !others.contains { $0.hasPrefix(name.prefix(count)) } }
        return String(name.prefix(count ?? 16))
    }
}
