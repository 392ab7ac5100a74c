import Foundation

/// What a newcomer has answered so far. It is kept beside the sessions until the profile is there, so that an interrupted `pulseboard onboard` goes on
/// where it stopped. A name is kept on the server, too, for ten minutes.
struct OnboardingDraft: Codable, Sendable, Hashable {
    /// A sign-in with an ID token. A token signs in once, so a run that goes on must know that it did.
    struct SignIn: Codable, Sendable, Hashable {
        /// Which token it was: the SHA-256 of it, hexadecimal.
        var token: String
        /// Names the sign-in for its retries.
        var requestID: String
        /// Whether its session was kept.
        var isDone = false
    }

    var signIn: SignIn?
    var username: String?
    var displayName: String?
    var status: String?
    /// The file of the picture, empty for none, and its upload. An upload waits for an hour.
    var picture: String?
    var imageID: String?
    /// Names the creation of the profile for its retries.
    var requestID: String

    init(requestID: String) { self.requestID = requestID }
}

extension Invocation {
    /// What an interrupted run has kept; a file that cannot be read counts as none.
    func savedDraft() -> OnboardingDraft? {
        guard let bytes = try? sessions.draft(forSocket: draftName) else { return nil }
        return try? JSONDecoder().decode(OnboardingDraft.self, from: Data(bytes))
    }

    /// Keeps the answers; `nil` forgets them. Where they cannot be kept, the run goes on without.
    func save(_ draft: OnboardingDraft?) {
        try? sessions.keepDraft(draft.flatMap { try? JSONEncoder().encode($0) }.map { [UInt8]($0) }, forSocket: draftName)
    }

    /// Accounts at one socket have drafts of their own.
    private var draftName: String { socket + "\n" + (account ?? "") }
}
