import PulseBoardServices
import RPCCore

extension Services {
    /// Offers all of PulseBoard's services on a router.
    public func register(on router: inout Router) {
        AuthHandler(auth: auth).register(on: &router)
        ProfileHandler(auth: auth, profiles: profiles).register(on: &router)
        FollowHandler(auth: auth, follows: follows).register(on: &router)
    }
}
