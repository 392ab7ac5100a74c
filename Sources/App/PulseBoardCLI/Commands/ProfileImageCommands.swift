import ArgumentParser
import CommandHelp
import Foundation
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard profile image …`
struct ProfileImageCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "image",
            abstract: Phrase("Set, fetch and remove the picture of your profile.", "프로필 사진을 올리고, 받고, 지웁니다."),
            subcommands: [ProfileImageSet.self, ProfileImageGet.self, ProfileImageClear.self])
    }
}

/// `pulseboard profile image set`
struct ProfileImageSet: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set",
            abstract: Phrase("Upload a picture and show it in your profile.", "사진을 올려 프로필 사진으로 설정합니다."),
            discussion: Phrase(
                """
                JPEG, PNG or WebP, at most 8 MiB and 32 million pixels. The middle square is shown. Place, camera and everything else that the \
                file tells besides the picture is removed.

                Example: pulseboard profile image set photo.jpg
                """,
                """
                JPEG, PNG, WebP, 최대 8 MiB와 3,200만 픽셀. 가운데 정사각형이 보입니다. 촬영 장소와 카메라 정보 등 사진 외의 \
                정보는 모두 지워집니다.

                예: pulseboard profile image set photo.jpg
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("The picture.", "사진.")), completion: .file(extensions: ["jpg", "jpeg", "png", "webp"]))
    var file: String

    func run() async throws {
        try await options.run { invocation in
            let bytes = try invocation.picture(at: file)
            let staged = try await invocation.upload(bytes)
            let profile = try await invocation.changeImage(to: staged.imageID)
            try invocation.show(profile) { invocation.card(profile) }
        }
    }
}

/// `pulseboard profile image clear`
struct ProfileImageClear: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "clear",
            abstract: Phrase("Remove the picture from your profile.", "프로필에서 사진을 지웁니다."),
            discussion: Phrase("Example: pulseboard profile image clear", "예: pulseboard profile image clear"))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let profile = try await invocation.changeImage(to: "")
            try invocation.show(profile) { invocation.card(profile) }
        }
    }
}

/// `pulseboard profile image get`
struct ProfileImageGet: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "get",
            abstract: Phrase("Save your picture or somebody else's to a file.", "내 사진이나 다른 사람의 사진을 파일로 저장합니다."),
            discussion: Phrase(
                """
                The file is a WebP. A user without a picture is a state: the exit code is 69.

                Examples:
                  pulseboard profile image get --output me.webp
                  pulseboard profile image get @alice --size small --output alice.webp
                """,
                """
                파일은 WebP입니다. 사진이 없는 것은 오류가 아닙니다. 종료 코드는 69입니다.

                예:
                  pulseboard profile image get --output me.webp
                  pulseboard profile image get @alice --size small --output alice.webp
                """))
    }

    /// The sizes by name.
    enum Size: String, CaseIterable, ExpressibleByArgument {
        case small, medium, large

        var message: PBGetProfileImageRequest.Size {
            switch self {
            case .small: .small
            case .medium: .medium
            case .large: .large
            }
        }
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("Whose picture: @username or user id. Without it, your own.", "누구의 사진인지: @사용자 이름 또는 사용자 ID. 생략하면 내 것입니다.")))
    var user: UserReference?

    @Option(help: ArgumentHelp(Phrase("small is 96 pixels wide, medium 400, large 1,024.", "크기. small은 96픽셀, medium은 400픽셀, large는 1,024픽셀입니다.")))
    var size = Size.medium

    @Option(name: .shortAndLong, help: ArgumentHelp(Phrase("The file to write.", "쓸 파일."), valueName: "file"))
    var output: String

    func validate() throws {
        guard output == "-" else { return }
        throw ValidationError(Phrase("--output takes a file, not standard output.", "--output에는 표준 출력이 아니라 파일을 지정해야 합니다."))
    }

    func run() async throws {
        try await options.run { invocation in
            let userID = try await invocation.userID(of: user)
            let answer = try await invocation.call(about: user.map { .user($0.text) } ?? .ownProfile) { (options) async throws(RPCError) in
                var request = PBGetProfileImageRequest()
                request.userID = userID
                request.size = size.message
                return try await invocation.images.getProfileImage(request, options: options)
            }
            try invocation.save(answer.data, to: output)
            let document = SavedImageDocument(bytes: answer.data.count, file: output, path: answer.image?.path ?? "")
            try invocation.show(document: document) {
                invocation.text(
                    "\(output.safeForTerminal): \(answer.data.count.grouped) bytes", "\(output.safeForTerminal): \(answer.data.count.grouped)바이트")
                    + "\n"
            }
        }
    }
}

/// The JSON answer of `profile image get`.
private struct SavedImageDocument: Encodable, Sendable, Hashable {
    let bytes: Int
    let file: String
    let path: String
}

extension Invocation {
    var images: PBProfileImageServiceClient { PBProfileImageServiceClient(channel: channel) }

    /// Bytes of one message of an upload.
    private static let chunkBytes = 64 << 10
    /// How long an upload may take.
    private static let uploadTimeout = Duration.seconds(120)
    /// Progress is shown only if an upload takes longer.
    private static let quietTime = Duration.milliseconds(500)

    /// The bytes of a file.
    /// - Parameter limit: the server's limit of bytes. A larger file is not read.
    func picture(at path: String, limit: Int = ImageLimits.maximumUploadBytes) throws(CommandFailure) -> [UInt8] {
        let url = URL(filePath: path, relativeTo: URL(filePath: environment.workingDirectory, directoryHint: .isDirectory))
        do {
            // Foundation's errors do not always have the cause.
            guard access(url.path, R_OK) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            // One byte more shows that it is too large. A pipe has no size to ask for.
            let bytes = try file.read(upToCount: limit + 1) ?? Data()
            guard bytes.count <= limit else {
                throw CommandFailure(
                    code: .invalidArgument, reason: Reason.imageTooLarge.rawValue,
                    message: Reason.imageTooLarge.text(limit: limit).text(in: language))
            }
            return [UInt8](bytes)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw unusable(path, "cannot be read", "을(를) 읽을 수 없습니다", error)
        }
    }

    /// Writes a picture to a file.
    fileprivate func save(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let url = URL(filePath: path, relativeTo: URL(filePath: environment.workingDirectory, directoryHint: .isDirectory))
        do {
            try Data(bytes).write(to: url)
        } catch {
            throw unusable(path, "cannot be written", "을(를) 쓸 수 없습니다", error)
        }
    }

    private func unusable(_ path: String, _ english: String, _ korean: String, _ error: any Error) -> CommandFailure {
        let path = path.safeForTerminal, cause = error.systemCause.map { ": " + Phrase.systemError($0).text(in: language) } ?? ""
        return CommandFailure(
            code: .invalidArgument, reason: "FILE_UNUSABLE", message: text("\(path) \(english)", "\(path)\(korean)") + cause + ".")
    }

    /// Sends a picture in chunks. The server answers when it has decoded the picture.
    func upload(_ bytes: [UInt8]) async throws(CommandFailure) -> PBStagedImage {
        try await call(about: .ownProfile) { (options) async throws(RPCError) in
            let options = longer(options, Self.uploadTimeout)
            let stream = images.uploadProfileImage(options: options)
            do throws(RPCError) {
                var isShown = false
                defer { if isShown { environment.write("\n", .standardError) } }
                var header = PBUploadProfileImageHeader()
                header.sizeBytes = Int64(bytes.count)
                try await stream.write(PBUploadProfileImageRequest(part: .header(header)))
                let bar = ProgressBar(label: text("upload", "올리기"), total: bytes.count, columns: environment.columns)
                let start = ContinuousClock.now
                for first in stride(from: 0, to: bytes.count, by: Self.chunkBytes) {
                    let end = min(first + Self.chunkBytes, bytes.count)
                    try await stream.write(PBUploadProfileImageRequest(part: .chunk(Array(bytes[first..<end]))))
                    let elapsed = start.duration(to: .now)
                    if environment.errorIsTerminal, !isQuiet, elapsed > Self.quietTime {
                        environment.write("\r" + bar.line(done: end, elapsed: elapsed), .standardError)
                        isShown = true
                    }
                }
            } catch {
                // The server has answered before everything was sent. Its answer says why.
                do throws(RPCError) { _ = try await stream.finish() } catch let answer { throw answer }
                throw error
            }
            // An upload takes long mostly because the server decodes only a few pictures at a time.
            let remark = remarkOfDecoding()
            let answer: Result<PBStagedImage, RPCError>
            do throws(RPCError) { answer = .success(try await stream.finish()) } catch { answer = .failure(error) }
            remark.cancel()
            if await remark.value { environment.write("\r\u{1B}[K", .standardError) }
            return try answer.get()
        }
    }

    /// Writes to a terminal what the upload waits for, if it takes long.
    /// - Returns: whether it was written.
    private func remarkOfDecoding() -> Task<Bool, Never> {
        Task { [environment] in
            guard environment.errorIsTerminal, !isQuiet, (try? await environment.wait(Self.quietTime)) != nil else { return false }
            environment.write(text("The server prepares the picture…", "서버가 사진을 준비하고 있습니다…"), .standardError)
            return true
        }
    }

    /// A profile's small picture: its length, and its drawing for the terminal. `nil` if there is none, and for JSON output.
    /// - Parameter way: how to draw it; `nil` for what the terminal supports.
    func picture(of profile: PBProfile, drawnBy way: TerminalPicture?) async -> (byteCount: Int, drawn: String)? {
        guard !usesJSON, profile.image != nil else { return nil }
        var request = PBGetProfileImageRequest()
        request.userID = profile.userID
        request.size = .small
        // The picture is optional: without it the profile is still shown.
        guard let token = try? requiredToken(),
            let bytes = try? await images.getProfileImage(request, options: callOptions(token: token)).data
        else { return nil }
        return (bytes.count, await drawing(of: bytes, by: way))
    }

    /// A drawing of a picture for the terminal; empty if the terminal cannot draw.
    /// - Parameter way: how to draw it; `nil` for what the terminal supports, or nothing if the output is not a terminal.
    func drawing(of bytes: [UInt8], by way: TerminalPicture?) async -> String {
        let variables = environment.variables
        let way = way ?? (environment.outputIsTerminal
            ? TerminalPicture(variables: variables) { TerminalPicture.terminfo($0, variables: variables) } : .none)
        guard way != .none, let pixels = await environment.decodePicture(bytes) else { return "" }
        return way.text(of: pixels)
    }

    /// Puts a staged picture into the caller's profile; an empty id removes the picture.
    fileprivate func changeImage(to imageID: String) async throws(CommandFailure) -> PBProfile {
        try await write(about: .ownProfile) { (requestID, options) async throws(RPCError) in
            var request = PBUpdateProfileRequest()
            var mask = Google_Protobuf_FieldMask()
            mask.paths = ["image"]
            request.updateMask = mask
            request.imageID = imageID
            request.requestID = requestID
            return try await profiles.updateProfile(request, options: options)
        }
    }
}
