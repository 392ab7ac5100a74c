import Foundation
import PulseBoardVocabulary

/// The answers of a new user so far. They are saved beside the sessions until the profile exists, so that an interrupted `pulseboard onboard`
/// continues where it stopped. The server reserves the name for ten minutes.
struct OnboardingDraft: Codable, Sendable, Hashable {
    /// A sign-in with an ID token. A token can sign in only once, so the next run must know whether it did.
    struct SignIn: Codable, Sendable, Hashable {
        /// The SHA-256 of the token, in hexadecimal digits.
        var token: String
        /// The request id of the sign-in, for retries.
        var requestID: String
        /// Whether its session was saved.
        var isDone = false
    }

    var signIn: SignIn?
    var username: String?
    /// The texts of the profile by path; an empty one for none.
    private var texts: [String: String] = [:]
    /// The file of the picture, empty for none, and its upload. An upload waits for an hour.
    var picture: String?
    var imageID: String?
    /// The request id of creating the profile, for retries.
    var requestID: String

    init(requestID: String) { self.requestID = requestID }

    /// The answer for a text of the profile; `nil` if it is still to be asked for.
    subscript(field: ProfileTextField) -> String? {
        get { texts[field.facts.path] }
        set { texts[field.facts.path] = newValue }
    }
}

extension OnboardingDraft {
    /// The keys under which earlier versions saved two texts.
    private enum FormerKeys: String, CodingKey { case displayName, status }

    init(from decoder: any Decoder) throws {
        let answers = try decoder.container(keyedBy: CodingKeys.self)
        signIn = try answers.decodeIfPresent(SignIn.self, forKey: .signIn)
        username = try answers.decodeIfPresent(String.self, forKey: .username)
        picture = try answers.decodeIfPresent(String.self, forKey: .picture)
        imageID = try answers.decodeIfPresent(String.self, forKey: .imageID)
        requestID = try answers.decode(String.self, forKey: .requestID)
        guard answers.contains(.texts) else {
            let former = try decoder.container(keyedBy: FormerKeys.self)
            self[.displayName] = try former.decodeIfPresent(String.self, forKey: .displayName)
            self[.statusMessage] = try former.decodeIfPresent(String.self, forKey: .status)
            return
        }
        texts = try answers.decode([String: String].self, forKey: .texts)
    }
}

extension Invocation {
    /// The draft of an interrupted run. A file that cannot be read counts as none.
    func savedDraft() -> OnboardingDraft? {
        guard let bytes = try? sessions.draft(forSocket: draftName) else { return nil }
        return try? JSONDecoder().decode(OnboardingDraft.self, from: Data(bytes))
    }

    /// Saves the answers; `nil` removes them. If they cannot be saved, the run goes on.
    func save(_ draft: OnboardingDraft?) {
        try? sessions.keepDraft(draft.flatMap { try? JSONEncoder().encode($0) }.map { [UInt8]($0) }, forSocket: draftName)
    }

    /// Each account at a socket has its own draft.
    private var draftName: String { socket + "\n" + (account ?? "") }
}
