import PulseBoardMessages
import PulseBoardServices
import RPCCore

extension Services {
    /// Offers all of PulseBoard's services on a router, to be served behind ``interceptors(publicMethods:localMethods:)``. Watches end when the server's shutdown begins.
    public func register(on router: inout Router) {
        AuthHandler(auth: auth).register(on: &router)
        let profileHandler = ProfileHandler(profiles: profiles, auth: auth, takesImages: images != nil)
        profileHandler.register(on: &router)
        profileHandler.answerFromMemory(on: &router)
        FollowHandler(follows: follows).register(on: &router)
        AccountHandler(auth: auth, identities: identities, withdrawals: withdrawals, exports: exports).register(on: &router)
        DiaryHandler(diaries: diaries, images: diaryImages).register(on: &router)
        if let images { ProfileImageHandler(images: images).register(on: &router) }
        // A watch has no end of its own.
        router.onShutdown { finishWatches() }
        // Who cannot sign in can do nothing at all.
        router.keepPlaces(for: [PBAuthService.Methods.signIn.path, PBAuthService.Methods.createSignInNonce.path])
    }

    /// What stands before the handlers, the outermost first: without these no handler knows its caller, and callers are told
    /// `INTERNAL` whatever the domain refuses.
    ///
    /// - Parameters:
    ///   - publicMethods: methods (`service/method`) of other services on the same server that need no session.
    ///   - localMethods: those of them that are not there for who calls through a gateway.
    public func interceptors(publicMethods: [String] = [], localMethods: [String] = []) -> [any ServerInterceptor] {
        [DomainInterceptor(auth: auth, publicMethods: publicMethods, localMethods: localMethods)]
    }
}
