import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices

extension PBAuthState.State {
    init(_ state: AuthState) {
        switch state {
        case .signedOut: self = .signedOut
        case .needsProfile: self = .needsProfile
        case .ready: self = .ready
        }
    }
}

extension PBAuthState {
    init(_ state: AuthState) {
        self.init(state: State(state), userID: state.userID?.description ?? "")
    }
}

extension PBSession {
    /// A session without its token, which is shown once, in the answer of `SignIn`.
    init(_ session: Session, state: AuthState, current: Bool) {
        self.init(
            id: session.id.description, userID: session.userID.description,
            createTime: Google_Protobuf_Timestamp(session.createTime), expireTime: Google_Protobuf_Timestamp(session.expireTime),
            state: PBAuthState.State(state), account: session.account.description, current: current)
    }
}
