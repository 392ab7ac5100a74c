import ProtobufC
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Profiles that are in memory are sent from there, in the bytes that the answer before them had.
extension ProfileHandler {
    /// Offers the caller's own profile, and any by its user id; a username is looked up in the store. After `register(on:)`.
    func answerFromMemory(on router: inout Router) {
        router.answerFromMemory(PBProfileService.Methods.getMyProfile) { _, context in
            let caller = try context.caller
            return cached(caller.userID, caller)
        }
        router.answerFromMemory(PBProfileService.Methods.getProfile) { request, context in
            let caller = try context.caller
            guard case .userID(let text)? = request.key else { return nil }
            return cached(try identifier(text, field: "user_id"), caller)
        }
    }

    private func cached(_ id: UserID, _ caller: Caller) -> PackedMessage<PBProfile>? {
        guard let profile = profiles.cachedProfile(of: id, caller) else { return nil }
        // One that cannot be encoded is the handler's, which says so.
        let bytes = try? profile.encoded { (profile) throws(EncodingError) in try PBProfile(profile).serializedBytes() }
        return bytes.map { PackedMessage(bytes: $0) }
    }
}
