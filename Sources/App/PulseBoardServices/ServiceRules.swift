import PulseBoardDomain
import Synchronization

/// Rules of the services that an operator can change while they serve: ``Services/setRules(usernames:withdrawalGrace:)``.
final class ServiceRules: Sendable {
    private struct Values {
        var usernames: UsernameRules
        var withdrawalGrace: Timestamp.Interval
    }

    private let values: Mutex<Values>

    init(usernames: UsernameRules, withdrawalGrace: Timestamp.Interval) {
        values = Mutex(Values(usernames: usernames, withdrawalGrace: withdrawalGrace))
    }

    /// The rules for new usernames.
    var usernames: UsernameRules { values.withLock { $0.usernames } }

    /// How long users who ask to leave may come back.
    var withdrawalGrace: Timestamp.Interval { values.withLock { $0.withdrawalGrace } }

    func replace(usernames: UsernameRules, withdrawalGrace: Timestamp.Interval) {
        values.withLock { $0 = Values(usernames: usernames, withdrawalGrace: withdrawalGrace) }
    }
}
