import ProtobufC
import RPCCore

/// An answer that was encoded outside of its event loop and waits for it. Any thread.
///
/// Its bytes count for the user, because a busy loop may take it much later, and other threads may make many answers until then.
enum WaitingAnswer: Sendable {
    case encoded([UInt8], UserAccount)
    /// The user has no memory left for it.
    case refused(RPCError)

    /// Encodes an answer, and counts its bytes. A large answer is refused if the user is at a limit of memory.
    static func encode(_ response: borrowing PackableMessage, _ account: UserAccount) -> WaitingAnswer {
        guard response.byteCount <= ServerConnection.unreadWhenFull || !account.isFull else { return .refused(account.refuseBytes()) }
        let bytes = response.bytes()
        account.hold(bytes.count)
        return .encoded(bytes, account)
    }

    /// Ends its call on the loop.
    /// - Parameter onLoop: runs work with the connection on its loop, soon.
    func end(_ call: ServerCall, _ onLoop: (@escaping @Sendable (ServerConnection) -> Void) -> Void) {
        onLoop { connection in
            switch self {
            case .encoded(let bytes, let account):
                // From here on the connection counts it.
                account.hold(-bytes.count)
                PackableMessage.withPacked(bytes) { connection.handlerEnded(call, with: $0) }
            case .refused(let error): connection.handlerEnded(call, throwing: error)
            }
        }
    }
}
