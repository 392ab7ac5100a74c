import PulseBoardDomain
import PulseBoardVocabulary

/// Creates, reads, changes, finds and deletes profiles.
///
///     _ = try await services.profiles.createProfile(username: "minji", texts: [.displayName: "Minji"], caller)
///     _ = try await services.profiles.updateProfile(ProfileUpdate(texts: [.statusMessage: "at the sea"]), caller)
///     for try await update in services.profiles.watchProfile(of: caller.userID, caller) { print(update) }
public struct ProfileService: Sendable {
    private let users: any ProfileRepository
    private let profiles: ProfileCache
    private let leaving: Leaving
    private let pageTokens: PageTokenSealer
    private let watches: WatchDependencies
    private let rules: ServiceRules
    private let configuration: ServicesConfiguration
    private let reservations: CallRateLimiter<UserID>

    init(
        users: any ProfileRepository, profiles: ProfileCache, leaving: Leaving, pageTokens: PageTokenSealer,
        watches: WatchDependencies, rules: ServiceRules, configuration: ServicesConfiguration
    ) {
        self.users = users
        self.profiles = profiles
        self.leaving = leaving
        self.pageTokens = pageTokens
        self.watches = watches
        self.rules = rules
        self.configuration = configuration
        reservations = CallRateLimiter(limit: UsernamePolicy.leasesPerHour, in: .hours(1), capacity: Self.reservingUsers)
    }

    /// Maximum users whose reservations are counted.
    private static let reservingUsers = 16_384

    // MARK: Reading

    /// The rules for usernames on this server.
    public var usernameRules: UsernameRules { rules.usernames }

    /// The caller's own profile (B4), from memory or from the store.
    /// - Throws: `userNotFound` as the state that starts onboarding (B8), `withdrawing`.
    public func fetchCurrentUser(_ caller: Caller) async throws(RepositoryError) -> Profile {
        try await profiles.profile(of: caller.userID, viewer: caller.userID, caller.consistency)
    }

    /// Anyone's profile if it is in memory. If it is `nil`, call ``profile(of:_:)``.
    public func cachedProfile(of id: UserID, _ caller: Caller) -> CachedProfile? { profiles.cached(of: id, caller.consistency) }

    /// The profile with a username, in any case and composed or not, if it is in memory. If it is `nil`, call ``profile(username:_:)``.
    public func cachedProfile(username: String) -> CachedProfile? {
        guard profiles.remembersUsernames else { return nil }
        return key(of: username).flatMap { profiles.cached(usernameKey: $0) }
    }

    /// Anyone's profile.
    /// - Throws: `userNotFound`; `withdrawing` for the caller's own.
    public func profile(of id: UserID, _ caller: Caller) async throws(RepositoryError) -> Profile {
        try await profiles.profile(of: id, viewer: caller.userID, caller.consistency)
    }

    /// The profile with a username, in any case and composed or not.
    /// - Throws: `userNotFound`.
    public func profile(username: String, _ caller: Caller) async throws(RepositoryError) -> Profile {
        guard let key = key(of: username) else { throw .userNotFound }
        return try await profiles.profile(usernameKey: key, viewer: caller.userID)
    }

    /// The key of a username; `nil` for a text that is longer than any name, because folding it is expensive.
    private func key(of username: String) -> String? {
        username.utf8.count <= rules.maximumUsernameBytes ? username.uniquenessKey : nil
    }

    /// Up to 100 profiles in the order of the request, and the ids that have none.
    /// - Throws: `invalid` (field `user_ids`) for more than 100.
    public func profiles(of ids: [UserID], _ caller: Caller) async throws(RepositoryError) -> ProfileBatch {
        try requireAtMost(BatchRequest.maximumSize, itemsIn: "user_ids", ids.count)
        let found = try await users.profiles(of: ids.distinct(), viewer: caller.userID)
        let (profiles, missing) = ids.divided(by: found)
        return ProfileBatch(profiles: profiles, missing: missing)
    }

    /// Checks a username while it is typed (B18, B19). The store is asked only about a well-formed name. A name that belongs to
    /// somebody else, or looks like such a name, is not available. While the caller may not change the username, only the present one
    /// is available.
    ///
    /// The answer contains the text that it is for (X12). It reserves nothing: `createProfile` checks again (X11).
    public func checkUsername(_ text: String, _ caller: Caller) async throws(RepositoryError) -> UsernameCheck {
        let verdict = rules.usernames.judge(text)
        var violations = verdict.violations
        if let username = verdict.username {
            do throws(RepositoryError) {
                try await users.checkUsername(username, for: caller.userID, at: configuration.clock.now())
            } catch {
                switch error {
                case .usernameDuplicated, .usernameConfusable: violations.append(FieldViolation(field: "username", reason: error.reason))
                case .usernameChangedRecently(let time):
                    violations.append(FieldViolation(field: "username", reason: error.reason, availableTime: time))
                default: throw error
                }
            }
        }
        return UsernameCheck(
            text: text, normalized: verdict.normalized, violations: violations, isAvailable: violations.isEmpty)
    }

    /// Reserves a name for the caller for ``UsernamePolicy/leaseLifetime``, so that nobody takes it while the rest of a form is filled in.
    ///
    /// A caller has one reserved name; the one before becomes free. The caller's present name needs no reservation and does not expire.
    /// - Throws: `invalid` (field `username`), `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`, `rateLimited` after
    ///   ``UsernamePolicy/leasesPerHour`` well-formed names in an hour.
    public func reserveUsername(_ text: String, _ caller: Caller) async throws(RepositoryError) -> UsernameLease {
        let verdict = rules.usernames.judge(text)
        guard let username = verdict.username else { throw .invalid(ValidationError(verdict.violations)) }
        let now = configuration.clock.now()
        try reservations.admit(caller.userID, at: now)
        return try await users.reserveUsername(username, for: caller.userID, in: caller.sessionID, at: now)
    }

    /// Longest search in characters.
    public static let maximumQueryCharacters = ProfileTextField.displayName.facts.maximumCharacters

    /// Longest search in bytes of UTF-8.
    public static let maximumQueryBytes = ProfileTextField.displayName.facts.maximumBytes

    /// Profiles whose username or display name begins with a text, in any case. Each comes once, in the order of the name that matched. For Hangul
    /// that is being composed, and for initial consonants, see ``NameSearch``. A page may have fewer profiles than asked for, even none, and still
    /// a next token.
    /// - Throws: `invalid` (field `query`) unless it has 1 to as many characters as a display name, `invalidPageToken`.
    public func search(
        _ query: String, _ page: PageRequest, _ caller: Caller
    ) async throws(RepositoryError) -> Page<Profile> {
        let invalid = ValidationError(field: "query", reason: .queryInvalid, limit: Self.maximumQueryCharacters)
        guard query.mayCompose(within: Self.maximumQueryBytes) else { throw .invalid(invalid) }
        // As it was typed: a folded text may be longer ("ß" is "ss").
        let typed = query.normalizedNFC
        // No name has NUL, and PostgreSQL stores none.
        guard !typed.isEmpty, typed.utf8.count <= Self.maximumQueryBytes, typed.count <= Self.maximumQueryCharacters, !typed.utf8.contains(0)
        else { throw .invalid(invalid) }
        let search = NameSearch(typed)
        let list = PageTokenSealer.List.search(foldedQuery: search.text, viewer: caller.userID)
        let cursor: SearchCursor? =
            if let token = page.token { try pageTokens.openSearchCursor(token, in: list) } else { nil }
        // Read one more than the page. It shows whether there is a next page.
        let found = try await users.searchProfiles(search, viewer: caller.userID, after: cursor, limit: page.size + 1)
        let items = found.matches.prefix(page.size)
        let place = found.matches.count > page.size ? items.last?.cursor : found.continuation
        let next = place.map { pageTokens.seal($0, in: list) }
        return Page(items: items.map(\.profile), nextToken: next)
    }

    /// Watches anyone's profile: its present state, then every change. Between them comes `heartbeat` every 25 s, unless a change comes at that
    /// moment. A slow reader gets only the newest state.
    ///
    /// It throws `userNotFound` if there is no such profile, `watchLimit` if the user has too many watches, `notAuthenticated` when the caller's
    /// session ends, and `shuttingDown` when the services shut down. It ends after `withdrawn`, and when the reading task is cancelled.
    public func watchProfile(
        of id: UserID, _ caller: Caller
    ) -> some AsyncSequence<WatchedProfile, RepositoryError> & Sendable {
        ProfileStates(id: id, caller: caller, profiles: profiles, dependencies: watches)
    }

    /// Checks a username while it is typed (B19, X12); see ``UsernameCheckProgress``.
    ///
    /// A text that equals the one before is skipped. A malformed text gets its verdict at once. A well-formed text gets `checking` at once, and its
    /// verdict after `typingPause` or when the texts end. A text that was replaced meanwhile gets no verdict. The sequence throws `watchLimit` if
    /// the user has too many watches, `notAuthenticated` when the caller's session ends, and `shuttingDown` when the services shut down. It ends
    /// after the last answer, when reading the texts fails, and when the reading task is cancelled.
    public func checkUsernames<Texts: AsyncSequence & Sendable>(
        _ texts: Texts, _ caller: Caller
    ) -> some AsyncSequence<UsernameCheckProgress, RepositoryError> & Sendable where Texts.Element == String {
        UsernameChecksOfSequence(texts: texts, caller: caller, profiles: self)
    }

    /// Texts to be typed, for ``checks(of:_:)``.
    package func typedTexts() -> TypedTexts { TypedTexts(rules: rules.usernames, pause: configuration.typingPause, timer: watches.timer) }

    /// The same as ``checkUsernames(_:_:)``, for a caller that types the texts itself. Only one sequence may read the answers to `texts`.
    package func checks(of texts: TypedTexts, _ caller: Caller) -> UsernameChecks {
        UsernameChecks(typed: texts, caller: caller, profiles: self, dependencies: watches)
    }

    // MARK: Writing

    /// Performs a write of a user's profile. Until it is acknowledged, memory gives no answers about the user. Then the watchers are woken.
    private func writing<Result>(
        _ id: UserID, _ write: () async throws(RepositoryError) -> Result
    ) async throws(RepositoryError) -> Result {
        profiles.beginWrite(of: id)
        defer {
            profiles.endWrite(of: id)
            watches.hub.announce(.profile(of: id)) { [profiles] in
                // If it fails, each watcher asks the store, and hears why.
                _ = try? await profiles.profile(of: id, viewer: id, .bounded)
            }
        }
        return try await write()
    }

    /// Creates the caller's profile (B20). It never overwrites a profile (X4), and checks the name again in any case
    /// (X12).
    /// - Throws: `invalid` with every violated field, `profileExists`, `withdrawing`, `usernameDuplicated`, `usernameConfusable`, `imageNotStaged`,
    ///   `requestIDReused`, `rateLimited`.
    public func createProfile(
        username: String, texts: ProfileTexts = ProfileTexts(), imageID: String = "", requestID: String = "", _ caller: Caller
    ) async throws(RepositoryError) -> Profile {
        let (draft, id) = try validated { () throws(ValidationError) -> (ProfileDraft, RequestID?) in
            var violations: [FieldViolation] = []
            let draft = violations.collecting { () throws(ValidationError) in
                try ProfileDraft(username: username, texts: texts, imageID: imageID, rules: rules.usernames)
            }
            let id = violations.collecting { () throws(ValidationError) in try RequestID.parse(requestID) }
            guard let draft, let id else { throw ValidationError(violations) }
            return (draft, id)
        }
        var fingerprint = RequestFingerprint(method: "CreateProfile")
        fingerprint.add(draft.username.text)
        fingerprint.add(draft.texts)
        if let image = draft.image { fingerprint.add(image.description) }
        let key = fingerprint.key(id)
        return try await writing(caller.userID) { () async throws(RepositoryError) in
            try await users.createProfile(
                draft, for: caller.userID, in: caller.sessionID, at: configuration.clock.now(), idempotency: key)
        }
    }

    /// Changes the fields of the caller's profile that the mask selects (B5); see `ProfileUpdate`.
    /// - Throws: `invalid` with every unknown path (X8) and violated field, `notOwner`, `profileRequired` (X5),
    ///   `withdrawing`, `etagMismatch` (X6), `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`, `imageNotStaged`,
    ///   `requestIDReused`, `rateLimited`.
    public func updateProfile(_ update: ProfileUpdate, _ caller: Caller) async throws(RepositoryError) -> Profile {
        if let owner = update.userID, owner != caller.userID { throw .notOwner }
        let (change, id) = try validated { () throws(ValidationError) -> (ProfileChange, RequestID?) in
            var violations: [FieldViolation] = []
            let change = violations.collecting { () throws(ValidationError) in
                try ProfileChange(
                    paths: update.paths, username: update.username, texts: update.texts, imageID: update.imageID,
                    rules: rules.usernames)
            }
            let id = violations.collecting { () throws(ValidationError) in try RequestID.parse(update.requestID) }
            guard let change, let id else { throw ValidationError(violations) }
            return (change, id)
        }
        guard update.etag.utf8.count <= Etag.maximumBytes else { throw .etagMismatch }
        return try await writing(caller.userID) { () async throws(RepositoryError) in
            try await users.updateProfile(
                of: caller.userID, change, ifMatches: update.etag.isEmpty ? nil : Etag(text: update.etag),
                in: caller.sessionID, at: configuration.clock.now(), idempotency: update.fingerprint.key(id))
        }
    }

    /// Deletes the caller's profile at once: in one transaction, the profile, its picture, the diary, the sessions and the follows are gone for
    /// everybody (B6, X7). The username is held for the user. To leave with time to come back, see ``WithdrawalService``.
    /// - Throws: `profileRequired`, `withdrawing`, `requestIDReused`, `rateLimited`, `invalid` (field `request_id`); `notAuthenticated` if the
    ///   session has ended meanwhile.
    public func deleteProfile(requestID: String = "", _ caller: Caller) async throws(RepositoryError) {
        let id = try validated { () throws(ValidationError) in try RequestID.parse(requestID) }
        try await leaving.hiding(caller.userID) { () async throws(RepositoryError) in
            try await users.deleteProfile(
                of: caller.userID, in: caller.sessionID, at: configuration.clock.now(),
                idempotency: RequestFingerprint(method: "DeleteMyProfile").key(id))
        }
    }
}

/// A request to change the caller's profile, before it is checked.
public struct ProfileUpdate: Hashable, Sendable {
    /// The user whose profile to change. `nil` means the caller; another user is refused with `notOwner`.
    public var userID: UserID?
    /// The update mask: `username`, the paths of ``ProfileTextField``, `image`. An empty mask selects the fields with a value, but never
    /// the picture.
    public var paths: [String]
    /// The new username, for the path `username`.
    public var username: String
    /// The new texts, for their paths.
    public var texts: ProfileTexts
    /// The staged picture for the path `image`. An empty text clears the picture.
    public var imageID: String
    /// If not empty, the change is made only if the profile has this etag (X6).
    public var etag: String
    /// If not empty, the request id, by which retries are recognised.
    public var requestID: String

    public init(
        userID: UserID? = nil, paths: [String] = [], username: String = "", texts: ProfileTexts = ProfileTexts(), imageID: String = "",
        etag: String = "", requestID: String = ""
    ) {
        self.userID = userID
        self.paths = paths
        self.username = username
        self.texts = texts
        self.imageID = imageID
        self.etag = etag
        self.requestID = requestID
    }

    /// The fingerprint of the request. The order and repetition of paths do not matter.
    var fingerprint: RequestFingerprint {
        var fingerprint = RequestFingerprint(method: "UpdateProfile")
        let selected = Set(paths).sorted()
        fingerprint.add(String(selected.count))
        for path in selected { fingerprint.add(path) }
        fingerprint.add(username)
        fingerprint.add(texts)
        fingerprint.add(etag)
        if !imageID.isEmpty { fingerprint.add(imageID) }
        return fingerprint
    }
}

/// The profiles of one batch request.
public struct ProfileBatch: Hashable, Sendable {
    /// In the order of the request.
    public let profiles: [Profile]
    /// The users without a profile, in the order of the request.
    public let missing: [UserID]
}

/// The ids of a batch request. An id may be repeated, and is answered each time.
extension [UserID] {
    /// Each id once, without `own`.
    func distinct(without own: UserID? = nil) -> [UserID] {
        var seen = Set<UserID>(minimumCapacity: count)
        var distinct: [UserID] = []
        distinct.reserveCapacity(count)
        for id in self where id != own {
            if seen.insert(id).inserted { distinct.append(id) }
        }
        return distinct
    }

    /// What was found for each id, and the ids for which nothing was found, both in the order of the ids.
    func divided<Found>(by found: [UserID: Found]) -> (found: [Found], missing: [UserID]) {
        if found.isEmpty { return ([], self) }
        var values: [Found] = [], missing: [UserID] = []
        values.reserveCapacity(count)
        missing.reserveCapacity(Swift.max(0, count - found.count))
        for id in self {
            if let value = found[id] { values.append(value) } else { missing.append(id) }
        }
        return (values, missing)
    }
}

/// The result of a check of a username.
public struct UsernameCheck: Hashable, Sendable {
    /// The text that this answer is for, as it was sent (X12).
    public let text: String
    /// The text in NFC, as it would be stored. Empty for a text with too many bytes.
    public let normalized: String
    /// Every broken rule, in the order of B18.
    public let violations: [FieldViolation]
    /// Whether the name is well-formed and free for the caller.
    public let isAvailable: Bool
}

/// The progress of the check of a text that is being typed.
public enum UsernameCheckProgress: Hashable, Sendable {
    /// The text is well-formed, and its verdict follows. `normalized` is what would be stored.
    case checking(text: String, normalized: String)
    case checked(UsernameCheck)
    /// The store could not say whether the name is free. Later texts are still checked.
    case failed(text: String, RepositoryError)
}

/// One element of a watch of a profile.
public enum WatchedProfile: Hashable, Sendable {
    /// The profile, at first and after every change.
    case profile(Profile)
    /// The profile is gone. This is the last element.
    case withdrawn(UserID)
    /// Comes every 25 s, unless there is a change to report at that moment.
    case heartbeat
}

/// The states of a profile: the present one, then every change. A slow reader gets only the newest state.
private struct ProfileStates: AsyncSequence, Sendable {
    let id: UserID
    let caller: Caller
    let profiles: ProfileCache
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(states: self) }

    struct Iterator: AsyncIteratorProtocol {
        let states: ProfileStates
        private var watch: Watch?
        private var last: Profile?
        private var isGone = false

        init(states: ProfileStates) { self.states = states }

        mutating func next(isolation: isolated (any Actor)? = #isolation) async throws(RepositoryError) -> WatchedProfile? {
            if isGone { return nil }
            let watch =
                if let watch { watch } else {
                    try Watch([.profile(of: states.id)], by: states.caller, states.dependencies)
                }
            self.watch = watch
            // A user who withdraws gets `withdrawn` for the own profile, although the session has ended with it.
            let isOwn = states.id == states.caller.userID
            while let reasons = try await watch.wait() {
                if !isOwn { try await watch.requireSession(reasons) }
                guard let profile = try await look() else { return withdrawn() }
                if isOwn { try await watch.requireSession(reasons) }
                guard let last else { return remember(profile) }
                // The user has withdrawn and created another profile since the last look. The watched one is gone.
                guard profile.createTime == last.createTime else { return withdrawn() }
                if profile.etag != last.etag { return remember(profile) }
                if reasons.contains(.heartbeat) { return .heartbeat }
            }
            return nil
        }

        /// The profile; `nil` if it is gone since the last look.
        /// - Throws: `userNotFound` at the first look.
        private func look() async throws(RepositoryError) -> Profile? {
            do throws(RepositoryError) {
                return try await states.profiles.profile(of: states.id, viewer: states.caller.userID, states.caller.consistency)
            } catch .userNotFound where last != nil {
                return nil
            } catch .withdrawing where last != nil {
                // The owner's own watch.
                return nil
            } catch {
                throw error
            }
        }

        private mutating func remember(_ profile: Profile) -> WatchedProfile {
            last = profile
            return .profile(profile)
        }

        private mutating func withdrawn() -> WatchedProfile {
            isGone = true
            return .withdrawn(states.id)
        }
    }
}
