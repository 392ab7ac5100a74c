import ArgumentParser
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore

/// `pulseboard profile edit`
struct ProfileEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change your profile. What you do not name stays as it is.",
        discussion: """
            Examples:
              pulseboard profile edit --status "on holiday"
              pulseboard profile edit --status ""              clear the status message
              pulseboard profile edit --username bob --etag "$(pulseboard profile show --json | jq -r .etag)"
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("A new unique name.", valueName: "name"))
    var username: String?

    @Option(help: ArgumentHelp("A new free name; empty clears it.", valueName: "text"))
    var displayName: String?

    @Option(help: ArgumentHelp("A new status message; empty clears it.", valueName: "text"))
    var status: String?

    @Option(help: ArgumentHelp("Change only if the profile still has this etag.", valueName: "etag"))
    var etag: String?

    func validate() throws {
        guard username != nil || displayName != nil || status != nil else {
            throw ValidationError("Nothing to change: give --username, --display-name or --status.")
        }
    }

    func run() async throws {
        try await options.run { invocation in
            let profile = try await invocation.write(about: .ownProfile) { (requestID, options) async throws(RPCError) in
                try await invocation.profiles.updateProfile(request(id: requestID), options: options)
            }
            try invocation.show(profile) { invocation.card(profile) }
        }
    }

    private func request(id: String) -> PBUpdateProfileRequest {
        var profile = PBProfile()
        var mask = Google_Protobuf_FieldMask()
        if let username {
            profile.username = username
            mask.paths.append("username")
        }
        if let displayName {
            profile.displayName = displayName
            mask.paths.append("display_name")
        }
        if let status {
            profile.statusMessage = status
            mask.paths.append("status_message")
        }
        profile.etag = etag ?? ""
        var request = PBUpdateProfileRequest()
        request.profile = profile
        request.updateMask = mask
        request.requestID = id
        return request
    }
}
