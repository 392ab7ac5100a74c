import PulseBoardMessages
import PulseBoardVocabulary

extension PBAuthState.State {
    /// The name in proto3 JSON.
    var jsonName: String {
        switch self {
        case .unspecified: "STATE_UNSPECIFIED"
        case .signedOut: "STATE_SIGNED_OUT"
        case .needsProfile: "STATE_NEEDS_PROFILE"
        case .ready: "STATE_READY"
        case .withdrawing: "STATE_WITHDRAWING"
        case .unrecognized(let number): String(number)
        }
    }

    /// The state for a person.
    var phrase: Phrase {
        switch self {
        case .signedOut: Phrase("signed out", "로그아웃됨")
        case .needsProfile: Phrase("signed in, without a profile", "로그인됨, 프로필 없음")
        case .ready: Phrase("signed in", "로그인됨")
        case .withdrawing: Phrase("signed in, about to leave", "로그인됨, 탈퇴 예정")
        case .unspecified, .unrecognized: Phrase("unknown", "알 수 없음")
        }
    }
}

extension Invocation {
    /// A line with the next command for an account in this state; empty if there is none.
    func nextStep(for state: PBAuthState.State) -> String {
        let command: String
        switch state {
        case .signedOut: command = failureContext.command("auth login")
        case .needsProfile: command = failureContext.command("profile create --username \(failureContext.wordForName)")
        case .withdrawing: command = failureContext.command("account restore")
        case .ready, .unspecified, .unrecognized: return ""
        }
        return Phrase.next.text(in: language) + style.bold(command) + "\n"
    }
}
