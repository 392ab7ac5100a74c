import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

extension Services {
    /// Registers all of PulseBoard's services on a router, except `AdminService`, which belongs to the daemon. The server also needs
    /// ``interceptors(publicMethods:localMethods:)``. Watches end when the server's shutdown begins.
    public func register(on router: inout Router) {
        AuthHandler(auth: auth).register(on: &router)
        let profileHandler = ProfileHandler(profiles: profiles, auth: auth, takesImages: images != nil)
        profileHandler.register(on: &router)
        profileHandler.answerFromMemory(on: &router)
        FollowHandler(follows: follows).register(on: &router)
        AccountHandler(auth: auth, identities: identities, withdrawals: withdrawals, exports: exports).register(on: &router)
        DiaryHandler(diaries: diaries, images: diaryImages).register(on: &router)
        if let images { ProfileImageHandler(images: images).register(on: &router) }
        handleLongAnswersApart(on: &router)
        // A watch does not end by itself.
        router.onShutdown { finishWatches() }
        // Without signing in, a client can do nothing at all.
        router.reserveCalls(for: [PBAuthService.Methods.signIn.path, PBAuthService.Methods.createSignInNonce.path])
    }

    /// Keeps answers that take long to make and to encode off the event loop, and requests with many ids. For pages of the default size, the changes
    /// of thread would cost more.
    private func handleLongAnswersApart(on router: inout Router) {
        let most = PageRequest.defaultSize
        router.handleApart(PBAuthService.Methods.listSessions) { $0.pageSize > most }
        // An id has 36 bytes, its tag and its length two.
        let longBatch = (most + 1) * 38
        router.handleApart(PBProfileService.Methods.batchGetProfiles, ofAtLeast: longBatch)
        router.handleApart(PBFollowService.Methods.batchGetRelationships, ofAtLeast: longBatch)
        router.handleApart(PBProfileService.Methods.searchProfiles) { $0.pageSize > most }
        router.handleApart(PBFollowService.Methods.listFollowers) { $0.pageSize > most }
        router.handleApart(PBFollowService.Methods.listFollowing) { $0.pageSize > most }
        // A page of entries may have a MiB, and a page of changes thousands of conflicts too.
        router.handleApart(PBDiaryService.Methods.listDiaryEntries)
        router.handleApart(PBDiaryService.Methods.pullDiaryChanges)
    }

    /// The services that ``register(on:)`` registers: their names on the wire, and the files that describe them.
    public static var registered: [(name: String, file: FileDescriptor)] {
        [
            (PBAuthService.fullName, PBAuthService.file), (PBAccountService.fullName, PBAccountService.file),
            (PBProfileService.fullName, PBProfileService.file), (PBProfileImageService.fullName, PBProfileImageService.file),
            (PBFollowService.fullName, PBFollowService.file), (PBDiaryService.fullName, PBDiaryService.file),
        ]
    }

    /// The files of the types in errors. No service names them: the status with its details, and the reasons.
    public static var errorFiles: [FileDescriptor] {
        [Google_Rpc_StatusFile.descriptor, Google_Rpc_ErrorDetailsFile.descriptor, PBErrorReasonFile.descriptor]
    }

    /// The interceptors for the handlers, outermost first. Without them no handler knows its caller, and every error of the
    /// domain becomes `INTERNAL`.
    ///
    /// - Parameters:
    ///   - publicMethods: methods (`service/method`) of other services on the same server that need no session.
    ///   - localMethods: those of them that a gateway's callers cannot call.
    public func interceptors(publicMethods: [String] = [], localMethods: [String] = []) -> [any ServerInterceptor] {
        [DomainInterceptor(auth: auth, publicMethods: publicMethods, localMethods: localMethods)]
    }
}
