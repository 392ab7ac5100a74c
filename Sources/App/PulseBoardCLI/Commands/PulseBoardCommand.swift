import ArgumentParser
import CommandHelp
import PulseBoardVocabulary

/// `pulseboard`, the root of all commands.
struct PulseBoardCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "pulseboard",
            abstract: Phrase("Profiles, follows and diaries on a PulseBoard server on this machine.", "이 컴퓨터의 PulseBoard 서버에서 프로필, 팔로우, 일기를 씁니다."),
            discussion: Phrase(
                """
                First steps:
                  pulseboard auth login                        sign in as your Unix user
                  pulseboard profile create --username NAME    make your profile
                  pulseboard follow add @friend                follow somebody
                  pulseboard follow following                  see whom you follow

                A USER is @username, a plain username or a user id.
                Answers go to standard output and remarks to standard error; --json makes every answer one JSON document, except watches and \
                exports, which write one a line.
                The exit code is 0, or 64 + the gRPC code of the failure (69: not found, 78: no server, 80: not signed in).
                Messages are Korean or English, as LC_ALL, LC_MESSAGES or LANG say.
                """,
                """
                처음에는 이렇게 하세요:
                  pulseboard auth login                        유닉스 사용자로 로그인
                  pulseboard profile create --username 이름    프로필 만들기
                  pulseboard follow add @friend                친구 팔로우
                  pulseboard follow following                  팔로우하는 사람 보기

                사용자는 @사용자 이름, 사용자 이름, 사용자 ID 가운데 하나로 적습니다.
                답은 표준 출력에, 안내는 표준 오류에 나옵니다. --json을 쓰면 모든 답이 JSON 문서 하나입니다. 변경 알림과 내보내기는 한 줄에 \
                하나씩 씁니다.
                종료 코드는 0이거나, 실패의 gRPC 코드에 64를 더한 값입니다(69: 찾을 수 없음, 78: 서버 없음, 80: 로그인 필요).
                글은 LC_ALL, LC_MESSAGES, LANG에 따라 한국어 또는 영어입니다.
                """),
            version: pulseBoardVersion,
            groupedSubcommands: [
                CommandGroup(
                    name: Phrase("People", "사용자"),
                    subcommands: [
                        OnboardCommand.self, AuthCommand.self, AccountCommand.self, ProfileCommand.self, FollowCommand.self, DiaryCommand.self,
                    ]),
                CommandGroup(
                    name: Phrase("Servers", "서버"),
                    subcommands: [PingCommand.self, DoctorCommand.self, AdminCommand.self, LoadCommand.self, RPCCommand.self, ShellCommand.self])
            ])
    }
}

/// `pulseboard auth …`
struct AuthCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "auth",
            abstract: Phrase("Sign in and out, and see your sessions.", "로그인하고 로그아웃하며, 세션을 확인합니다."),
            subcommands: [
                AuthLogin.self, AuthNonce.self, AuthLogout.self, AuthStatus.self, AuthSessions.self, AuthWatch.self, AuthList.self, AuthSwitch.self,
                AuthToken.self,
            ])
    }
}

/// `pulseboard account …`
struct AccountCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "account",
            abstract: Phrase("Change what signs you in, take your data along, and leave.", "로그인 수단을 바꾸고, 데이터를 내보내고, 탈퇴합니다."),
            subcommands: [
                AccountIdentities.self, AccountLink.self, AccountUnlink.self, AccountExport.self, AccountWithdraw.self, AccountRestore.self,
            ])
    }
}

/// `pulseboard profile …`
struct ProfileCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "profile",
            abstract: Phrase("Show, make, change, delete and find profiles.", "프로필을 보고, 만들고, 바꾸고, 지우고, 찾습니다."),
            subcommands: [
                ProfileShow.self, ProfileCreate.self, ProfileEdit.self, ProfileDelete.self, ProfileCheckUsername.self, ProfileReserve.self,
                ProfileSearch.self, ProfileWatch.self, ProfileImageCommand.self,
            ])
    }
}

/// `pulseboard follow …`
struct FollowCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "follow",
            abstract: Phrase("Follow people, and see who follows whom.", "사람을 팔로우하고, 누가 누구를 팔로우하는지 봅니다."),
            subcommands: [
                FollowAdd.self, FollowRemove.self, FollowStatus.self, FollowFollowers.self, FollowFollowing.self,
                FollowCounts.self, FollowRemoveFollower.self, FollowWatch.self,
            ])
    }
}

/// `pulseboard admin …`
struct AdminCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "admin",
            abstract: Phrase(
                "See how the server is, back it up, and end it in good order.", "서버의 상태를 보고, 백업하고, 안전하게 종료합니다."),
            discussion: Phrase(
                "For root, the server's own user and users whom its configuration trusts. No sign-in is needed.",
                "root, 서버의 사용자, 서버 설정이 신뢰하는 사용자만 쓸 수 있습니다. 로그인은 필요 없습니다."),
            subcommands: [
                AdminStatus.self, AdminMonitor.self, AdminTop.self, AdminDrain.self, AdminBackup.self, AdminRestore.self, AdminCheck.self,
                AdminRepair.self, AdminMigrate.self, AdminMetrics.self,
                AdminSet.self, AdminCheckJWKS.self,
            ])
    }
}

/// `pulseboard rpc …`
struct RPCCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rpc",
            abstract: Phrase("List, describe and call the services of any server on a Unix socket.", "유닉스 소켓에 있는 어떤 서버든 서비스를 나열하고, 설명하고, 호출합니다."),
            discussion: Phrase(
                """
                The server describes itself, by gRPC's server reflection: this program need not know its services. Servers that \
                speak only gRPC take --protocol grpc; pulseboardd speaks both protocols.

                Examples:
                  pulseboard rpc list
                  pulseboard rpc describe pulseboard.follow.v1.FollowService
                  pulseboard rpc call pulseboard.auth.v1.AuthService/GetAuthState
                  pulseboard rpc list --socket /run/other.sock --protocol grpc
                """,
                """
                서버가 gRPC 서버 리플렉션으로 자신을 설명하므로, 이 프로그램이 서비스를 미리 알 필요가 없습니다. \
                gRPC만 지원하는 서버에는 --protocol grpc를 쓰세요. pulseboardd는 두 프로토콜을 모두 지원합니다.

                예:
                  pulseboard rpc list
                  pulseboard rpc describe pulseboard.follow.v1.FollowService
                  pulseboard rpc call pulseboard.auth.v1.AuthService/GetAuthState
                  pulseboard rpc list --socket /run/other.sock --protocol grpc
                """),
            subcommands: [RPCList.self, RPCDescribe.self, RPCCall.self])
    }
}
