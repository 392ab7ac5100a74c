import Crypto
import Foundation
import PulseBoardMessages
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
        /// The id of the account whose session it is. `nil` before the sign-in, and in the draft of an earlier version.
        var userID: String?
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

/// The account that a guided flow is for, and what it has answered so far.
struct OnboardingPerson: Sendable {
    /// The run with this account.
    let invocation: Invocation
    let place: DraftPlace
    let draft: OnboardingDraft
    /// The draft of somebody who signed in with another ID token.
    var former: OnboardingDraft?
    /// Whether only an ID token can open another session of the account.
    let needsIDToken: Bool

    /// Finds out whose run it is: the ID token's, that of the session which the environment gives, or the chosen or current account's.
    init(_ invocation: Invocation, _ idToken: PBIdTokenCredential?) {
        let new = OnboardingDraft(requestID: invocation.environment.makeRequestID())
        let saved = try? invocation.sessions.sessions(forSocket: invocation.socket)
        if let idToken {
            needsIDToken = true
            place = .idToken(invocation.account, at: invocation.socket)
            let token = SHA256.hash(data: Data(idToken.token.utf8)).hexadecimal
            var draft = place.draft(in: invocation.sessions) ?? new
            if draft.signIn?.token != token {
                // The saved answers belong to another account, unless the sign-in shows that it is the same.
                if draft.signIn != nil { former = draft }
                draft = new
                draft.signIn = .init(token: token, requestID: invocation.environment.makeRequestID())
            }
            let userID = draft.signIn?.userID
            let session = saved?.sessions.first { $0.userID == userID }
            // Without its session, the token has to sign in again, and the server says whether it may.
            if session == nil { draft.signIn?.isDone = false }
            self.draft = draft
            self.invocation = session.map { invocation.acting(as: $0.account) } ?? invocation
        } else if let token = invocation.givenToken {
            needsIDToken = false
            place = .token(token, at: invocation.socket)
            draft = place.draft(in: invocation.sessions) ?? new
            self.invocation = invocation
        } else {
            let account = invocation.account ?? saved?.currentAccount ?? ""
            let session = saved?.session(for: account)
            needsIDToken = session?.isFromIDToken ?? false
            self.invocation = invocation.acting(as: account)
            // A run with an ID token may have begun the profile of this account.
            let begun = [account, nil].lazy.map { DraftPlace.idToken($0, at: invocation.socket) }.first { place in
                session != nil && place.draft(in: invocation.sessions)?.signIn?.userID == session?.userID
            }
            place = begun ?? .account(account, at: invocation.socket)
            let saved = place.draft(in: invocation.sessions) ?? new
            // Earlier versions saved the drafts of ID tokens here too.
            draft = begun == nil && saved.signIn != nil ? new : saved
        }
    }
}

/// The place of a draft. Each account at a socket has its own, so that no account gets the answers of another. Those whom ID tokens prove share one,
/// and the draft says whose it is.
struct DraftPlace: Sendable, Hashable {
    private let name: String

    /// The place for a saved account: the name of its session.
    static func account(_ account: String, at socket: String) -> DraftPlace { DraftPlace(name: socket + "\n" + account) }

    /// The place for accounts that ID tokens prove. The draft says which one.
    static func idToken(_ account: String?, at socket: String) -> DraftPlace { DraftPlace(name: socket + "\n" + (account ?? "") + "\nid-token") }

    /// The place for the account of a session token that the environment gives.
    static func token(_ token: String, at socket: String) -> DraftPlace {
        DraftPlace(name: socket + "\n\n" + SHA256.hash(data: Data(token.utf8)).hexadecimal)
    }

    /// The draft of an interrupted run. A file that cannot be read counts as none.
    func draft(in sessions: SessionStore) -> OnboardingDraft? {
        guard let bytes = try? sessions.draft(forSocket: name) else { return nil }
        return try? JSONDecoder().decode(OnboardingDraft.self, from: Data(bytes))
    }

    /// Saves the answers; `nil` removes them. If they cannot be saved, the run goes on.
    func save(_ draft: OnboardingDraft?, in sessions: SessionStore) {
        try? sessions.keepDraft(draft.flatMap { try? JSONEncoder().encode($0) }.map { [UInt8]($0) }, forSocket: name)
    }
}
