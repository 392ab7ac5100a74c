import Logging
import PulseBoardServices
import RPCCore

extension Services {
    /// Offers all of PulseBoard's services on a router. `logger` is told what callers are not: a store that fails, a corrupt row.
    public func register(on router: inout Router, logger: Logger) {
        let gate = CallGate(auth: auth, logger: logger)
        AuthHandler(auth: auth, gate: gate).register(on: &router)
        ProfileHandler(gate: gate, profiles: profiles).register(on: &router)
        FollowHandler(gate: gate, follows: follows).register(on: &router)
    }
}
