import PulseBoardDomain
import PulseBoardVocabulary

extension ContractCase {
    static let images = [
        ContractCase("X14: a staged picture is in the profile that is created with it, and is no longer staged") { store, clock in
            try await stage(1, of: user(1), store)
            let created = try await store.createProfile(
                try draft("name").showing(image(1)), for: user(1), at: at(1), idempotency: nil)
            try expectEqual(created.image, image(1))
            try expectEqual(try await store.profile(of: user(1)).image, image(1))
            clock.pass(to: at(1_000_000))
            try expectEqual(try await store.discardedImages(at: at(1_000_000), limit: 10), [])
            // Nobody can attach it again, not even its owner.
            try await expectError(.imageNotStaged) { () async throws(RepositoryError) in
                try await store.updateProfile(
                    of: user(1), ProfileChange(image: .attach(image(2))), ifMatches: nil, at: at(2), idempotency: nil)
            }
        },
        ContractCase("C20: a profile that cannot be created leaves the staged picture usable") { store in
            _ = try await store.createProfile(try draft("taken"), for: user(2), at: at(1), idempotency: nil)
            try await stage(1, of: user(1), store)
            let refused = try draft("taken").showing(image(1)), good = try draft("free").showing(image(1))
            try await expectError(.usernameDuplicated) { () async throws(RepositoryError) in
                try await store.createProfile(refused, for: user(1), at: at(2), idempotency: nil)
            }
            let created = try await store.createProfile(good, for: user(1), at: at(3), idempotency: nil)
            try expectEqual(created.image, image(1))
        },
        ContractCase("a picture of somebody else, one that is not staged, and one that has expired are refused, and nothing is written") { store in
            try await stage(1, of: user(2), store)
            try await store.beginImage(image(2), of: user(1), expiring: at(500))
            try await stage(3, of: user(1), store, expiring: at(5))
            for (number, time) in [(1, 1), (2, 1), (3, 5), (4, 1)] as [(UInt64, Int64)] {
                let draft = try draft("name").showing(image(number))
                try await expectError(.imageNotStaged) { () async throws(RepositoryError) in
                    try await store.createProfile(draft, for: user(1), at: at(time), idempotency: nil)
                }
            }
            try expectEqual(try await store.owner(ofKey: "name"), nil)
        },
        ContractCase("a new picture discards the one before; clearing discards; other changes keep it") { store in
            try await stage(1, of: user(1), store)
            _ = try await store.createProfile(try draft("name").showing(image(1)), for: user(1), at: at(1), idempotency: nil)
            let renamed = try await store.updateProfile(
                of: user(1), ProfileChange(texts: [.displayName: "N"]), ifMatches: nil, at: at(2), idempotency: nil)
            try expectEqual(renamed.image, image(1))
            try await stage(2, of: user(1), store)
            let changed = try await store.updateProfile(
                of: user(1), ProfileChange(image: .attach(image(2))), ifMatches: nil, at: at(3), idempotency: nil)
            try expectEqual(changed.image, image(2))
            try expectEqual(try await store.discardedImages(at: at(3), limit: 10), [DiscardedImage(id: image(1), owner: user(1))])
            try await store.forgetImage(DiscardedImage(id: image(1), owner: user(1)))
            try expectEqual(try await store.discardedImages(at: at(3), limit: 10), [])
            let cleared = try await store.updateProfile(
                of: user(1), ProfileChange(image: .clear), ifMatches: nil, at: at(4), idempotency: nil)
            try expectEqual(cleared.image, nil)
            try expectEqual(try await store.discardedImages(at: at(4), limit: 10), [DiscardedImage(id: image(2), owner: user(1))])
        },
        ContractCase("a user has one staged picture; what is not used expires; an attached picture never does") { store in
            try await stage(1, of: user(1), store, expiring: at(3_600))
            try await stage(2, of: user(1), store, expiring: at(3_600))
            try expectEqual(try await store.discardedImages(at: at(1), limit: 10), [DiscardedImage(id: image(1), owner: user(1))])
            try await store.forgetImage(DiscardedImage(id: image(1), owner: user(1)))
            try expectEqual(try await store.discardedImages(at: at(3_599), limit: 10), [])
            try expectEqual(try await store.discardedImages(at: at(3_600), limit: 10), [DiscardedImage(id: image(2), owner: user(1))])
            // From here on no profile can attach it before it is removed.
            let late = try draft("name").showing(image(2))
            try await expectError(.imageNotStaged) { () async throws(RepositoryError) in
                try await store.createProfile(late, for: user(1), at: at(10), idempotency: nil)
            }
        },
        ContractCase("C18: a picture whose writing never ended is discarded, and cannot be staged afterwards") { store in
            try await store.beginImage(image(1), of: user(1), expiring: at(600))
            try expectEqual(try await store.discardedImages(at: at(599), limit: 10), [])
            try expectEqual(try await store.discardedImages(at: at(600), limit: 10), [DiscardedImage(id: image(1), owner: user(1))])
            try await expectError(.imageNotStaged) { () async throws(RepositoryError) in
                try await store.stageImage(image(1), of: user(1), at: at(600), expiring: at(4_000))
            }
        },
        ContractCase("X7: who withdraws leaves no picture behind, staged or shown") { store in
            try await stage(1, of: user(1), store)
            _ = try await store.createProfile(try draft("name").showing(image(1)), for: user(1), at: at(1), idempotency: nil)
            try await stage(2, of: user(1), store)
            try await store.deleteProfile(of: user(1), at: at(2), idempotency: nil)
            let discarded = try await store.discardedImages(at: at(2), limit: 10)
            try expectEqual(Set(discarded.map(\.id)), [image(1), image(2)])
        },
        ContractCase("X13: the retry of a write with a picture gets the first result") { store in
            try await stage(1, of: user(1), store)
            let draft = try draft("name").showing(image(1))
            let first = try await store.createProfile(draft, for: user(1), at: at(1), idempotency: key("a"))
            let second = try await store.createProfile(draft, for: user(1), at: at(2), idempotency: key("a"))
            try expectEqual(first, second)
            try expectEqual(second.image, image(1))
        },
    ]
}

private func image(_ number: UInt64) -> ImageID {
    ImageID(bits: UUIDBits(high: 0xAAAA_0000_0000_4000, low: 0x8000_0000_0000_0000 | number))
}

private func stage(_ number: UInt64, of owner: UserID, _ store: any PulseBoardStore, expiring time: Timestamp = at(100_000)) async throws {
    try await store.beginImage(image(number), of: owner, expiring: at(600))
    try await store.stageImage(image(number), of: owner, at: at(0), expiring: time)
}

extension ProfileDraft {
    fileprivate func showing(_ image: ImageID) -> ProfileDraft { ProfileDraft(username: username, texts: texts, image: image) }
}
