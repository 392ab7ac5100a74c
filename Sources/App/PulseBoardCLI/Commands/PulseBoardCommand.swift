import ArgumentParser
import PulseBoardVocabulary

/// `pulseboard`, the root of all commands.
struct PulseBoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulseboard",
        abstract: "Profiles, follows and diaries on a PulseBoard server on this machine.",
        discussion: """
            First steps:
              pulseboard auth login                        sign in as your Unix user
              pulseboard profile create --username NAME    make your profile
              pulseboard follow add @friend                follow somebody
              pulseboard follow following                  see whom you follow

            A USER is @username, a plain username or a user id.
            Answers go to standard output and remarks to standard error; --json makes every answer one JSON document.
            The exit code is 0, or 64 + the gRPC code of the failure (69: not found, 78: no server, 80: not signed in).
            Messages are Korean or English, as LC_ALL, LC_MESSAGES or LANG say.
            """,
        version: pulseBoardVersion,
        groupedSubcommands: [
            CommandGroup(
                name: "People",
                subcommands: [
                    OnboardCommand.self, AuthCommand.self, AccountCommand.self, ProfileCommand.self, FollowCommand.self, DiaryCommand.self,
                ]),
            CommandGroup(name: "Servers", subcommands: [PingCommand.self, AdminCommand.self, LoadCommand.self, RPCCommand.self]),
        ])
}

/// `pulseboard auth …`
struct AuthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth",
        abstract: "Sign in and out, and see your sessions.",
        subcommands: [AuthLogin.self, AuthNonce.self, AuthLogout.self, AuthStatus.self, AuthSessions.self, AuthWatch.self])
}

/// `pulseboard account …`
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Change what signs you in, take your data along, and leave.",
        subcommands: [
            AccountIdentities.self, AccountLink.self, AccountUnlink.self, AccountExport.self, AccountWithdraw.self, AccountRestore.self,
        ])
}

/// `pulseboard profile …`
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show, make, change, delete and find profiles.",
        subcommands: [
            ProfileShow.self, ProfileCreate.self, ProfileEdit.self, ProfileDelete.self, ProfileCheckUsername.self, ProfileReserve.self,
            ProfileSearch.self, ProfileWatch.self, ProfileImageCommand.self,
        ])
}

/// `pulseboard follow …`
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Follow people, and see who follows whom.",
        subcommands: [
            FollowAdd.self, FollowRemove.self, FollowStatus.self, FollowFollowers.self, FollowFollowing.self,
            FollowCounts.self, FollowRemoveFollower.self, FollowWatch.self,
        ])
}

/// `pulseboard admin …`
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "See how the server is, and end it in good order.",
        discussion: "For root, the server's own user and users whom its configuration trusts. No sign-in is needed.",
        subcommands: [AdminStatus.self, AdminDrain.self, AdminCheckJWKS.self])
}

/// `pulseboard rpc …`
struct RPCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rpc",
        abstract: "List, describe and call the services of any server on a Unix socket.",
        discussion: """
            The server describes itself, by gRPC's server reflection: this program need not know its services. Servers that \
            speak only gRPC take --protocol grpc; pulseboardd speaks both protocols.

            Examples:
              pulseboard rpc list
              pulseboard rpc describe pulseboard.follow.v1.FollowService
              pulseboard rpc call pulseboard.auth.v1.AuthService/GetAuthState
              pulseboard rpc list --socket /run/other.sock --protocol grpc
            """,
        subcommands: [RPCList.self, RPCDescribe.self, RPCCall.self])
}
