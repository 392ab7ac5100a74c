import Testing

/// Onboarding with the built programs: sign-in, the state "no profile", refused names, the first profile.
@Suite("Onboarding, end to end", .serialized, .timeLimit(.minutes(2)))
struct OnboardingTests {
    @Test("B8, B15, B16: signed out, without profile and ready are states, each with the command that leads on")
    func states() async throws {
        try await Household.withServer { house, _ in
            #expect(try await house.answer("auth", "status")["state"] == "STATE_SIGNED_OUT")
            let stranger = try await house.pulseboard("profile", "show")
            #expect(stranger.exit == .unauthenticated)
            #expect(stranger.errors.contains("pulseboard auth login"))
            #expect(stranger.output.isEmpty)

            #expect(try await house.answer("auth", "login")["state"] == "STATE_NEEDS_PROFILE")
            #expect(try await house.answer("auth", "status")["state"] == "STATE_NEEDS_PROFILE")
            let newcomer = try await house.pulseboard("profile", "show")
            #expect(newcomer.exit == .notFound)
            #expect(newcomer.errors.contains("pulseboard profile create"))
            #expect(!newcomer.errors.contains("Error"), "a state is not called an error")
            #expect(newcomer.output.isEmpty)
            #expect(try await house.pulseboard("profile", "show", "--json").failure()["reason"] == "USER_NOT_FOUND")

            _ = try await house.answer("profile", "create", "--username", "minji")
            #expect(try await house.answer("auth", "status")["state"] == "STATE_READY")
            #expect(try await house.answer("auth", "login")["state"] == "STATE_READY")
        }
    }

    @Test(
        "B18, X15: a name that breaks the rule is refused with its reason",
        arguments: [
            ("", "USERNAME_EMPTY"), ("가", "USERNAME_TOO_SHORT"), ("열글자가넘는긴이름입니다", "USERNAME_TOO_LONG"),
            ("a b", "USERNAME_INVALID_CHARACTERS"), ("민지!", "USERNAME_INVALID_CHARACTERS"),
        ])
    func refusedNames(name: String, reason: String) async throws {
        try await Household.withServer { house, _ in
            _ = try await house.answer("auth", "login")
            let refused = try await house.pulseboard("profile", "create", "--username", name, "--json")
            #expect(refused.exit == .invalidArgument)
            let failure = try refused.failure()
            #expect(failure["reason"].text == reason)
            #expect(failure["violations"].elements.map { $0["field"] } == ["username"])

            let checked = try await house.answer("profile", "check-username", name)
            #expect(checked["available"] == false)
            #expect(checked["violations"].elements.first?["reason"].text == reason)

            // No profile was created.
            #expect(try await house.pulseboard("profile", "show").exit == .notFound)
        }
    }

    @Test("B18: the reason is told in the language of LANG, Korean or English")
    func languages() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.answer("auth", "login")
            let create = ["profile", "create", "--username", "가"]
            let korean = try await house.run(
                Programs.commandLine, create, ["PULSEBOARD_SOCKET": house.socket, "LANG": "ko_KR.UTF-8"])
            let english = try await house.run(
                Programs.commandLine, create, ["PULSEBOARD_SOCKET": house.socket, "LANG": "en_US.UTF-8"])
            #expect(korean.exit == .invalidArgument)
            #expect(english.exit == .invalidArgument)
            let hangul: ClosedRange<Unicode.Scalar> = "가"..."힣"
            #expect(korean.errors.unicodeScalars.contains { hangul.contains($0) })
            #expect(!english.errors.unicodeScalars.contains { hangul.contains($0) })
            #expect(!english.errors.isEmpty)
        }
    }

    @Test("X15: decomposed Hangul is composed, and is the same name")
    func decomposedName() async throws {
        try await Household.withServer { house, _ in
            let composed = "하늘"
            let decomposed = composed.decomposedStringWithCanonicalMapping
            #expect(Array(decomposed.unicodeScalars) != Array(composed.unicodeScalars))
            let made = try await house.enter(as: "one", username: decomposed)
            #expect(Array((made["username"].text ?? "").unicodeScalars) == Array(composed.unicodeScalars))
            _ = try await house.answer("auth", "login", as: "two")
            let second = try await house.pulseboard("profile", "create", "--username", composed, "--json", as: "two")
            #expect(second.exit == .alreadyExists)
            #expect(try second.failure()["reason"] == "USERNAME_DUPLICATED")
        }
    }

    @Test("X11, X15: a name taken in another letter case is taken, also for a check before")
    func takenName() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "one", username: "Minji")
            _ = try await house.answer("auth", "login", as: "two")
            let checked = try await house.answer("profile", "check-username", "mINJI", as: "two")
            #expect(checked["available"] == false)
            #expect(checked["violations"].elements.map { $0["reason"] } == ["USERNAME_DUPLICATED"])
            let refused = try await house.pulseboard("profile", "create", "--username", "MINJI", "--json", as: "two")
            #expect(refused.exit == .alreadyExists)
            #expect(try refused.failure()["reason"] == "USERNAME_DUPLICATED")
        }
    }

    @Test("C11, C13: a reserved name is its user's; others are told so, and so are those who want one that looks like it")
    func reservedName() async throws {
        try await Household.withServer { house, _ in
            for account in ["one", "two"] { _ = try await house.answer("auth", "login", as: account) }
            let lease = try await house.answer("profile", "reserve", "Minji1", as: "one")
            #expect(lease["username"] == "Minji1")
            #expect(lease["expireTime"].text?.isEmpty == false)
            for (name, reason) in [("minji1", "USERNAME_DUPLICATED"), ("minjil", "USERNAME_CONFUSABLE")] {
                let refused = try await house.pulseboard("profile", "create", "--username", name, "--json", as: "two")
                #expect(refused.exit == .alreadyExists)
                #expect(try refused.failure()["reason"].text == reason)
            }
            #expect(try await house.answer("profile", "create", "--username", "minji1", as: "one")["username"] == "minji1")
            let own = try await house.pulseboard("profile", "reserve", "minji1", as: "one")
            #expect(own.output == "@minji1 is your username.\n")
            // After too many calls, the error says how long to wait.
            for number in 1...20 { _ = try await house.answer("profile", "reserve", "name_\(number)", as: "two") }
            let tooOften = try await house.pulseboard("profile", "reserve", "name_21", as: "two")
            #expect(tooOften.exit == .status(72))
            #expect(tooOften.errors.contains("Try again in "))
        }
    }

    @Test("B37: names are found by initial consonants and while Hangul is being composed")
    func hangulSearch() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "one", username: "민지")
            for text in ["ㅁㅈ", "미", "민ㅈ", "민"] {
                let found = try await house.answer("profile", "search", text, as: "one")
                #expect(found["users"].elements.map { $0["username"] } == ["민지"])
            }
        }
    }

    @Test("X11: ten sign-ups race for one name, exactly one wins")
    func racedName() async throws {
        try await Household.withServer { house, _ in
            let accounts = (0..<10).map { "racer\($0)" }
            for account in accounts { _ = try await house.answer("auth", "login", as: account) }
            let exits = try await withThrowingTaskGroup(of: Exit.self) { group in
                for account in accounts {
                    group.addTask { try await house.pulseboard("profile", "create", "--username", "winner", as: account).exit }
                }
                return try await group.reduce(into: [Exit]()) { $0.append($1) }
            }
            #expect(exits.filter { $0 == .success }.count == 1)
            #expect(exits.filter { $0 == .alreadyExists }.count == 9)
        }
    }
}
