import Foundation
import PulseBoardMessages
import RPCClient
import RPCCore
import Synchronization

/// People who call a server without a pause, over several channels, and what comes of their calls.
final class CallLoad: Sendable {
    struct Outcome: Sendable {
        fileprivate(set) var succeeded = 0
        /// What each failed call failed with.
        fileprivate(set) var failures: [String] = []
    }

    let outcome = Observed(Outcome())
    private let channels: [Channel]
    private let isOver = Atomic<Bool>(false)
    private let work = Mutex<Task<Void, Never>?>(nil)

    /// Signs somebody in for each channel, then calls from `tasksPerChannel` tasks on each.
    init(_ socket: String, channelCount: Int, tasksPerChannel: Int) async throws {
        channels = try (0..<channelCount).map { _ in try Channel(socketPath: socket) }
        var people: [Person] = []
        for (number, channel) in channels.enumerated() { people.append(try await Person("load\(number)", channel)) }
        let callers = people
        let task = Task { [self] in
            await withTaskGroup { group in
                for person in callers {
                    for _ in 0..<tasksPerChannel { group.addTask { await self.call(as: person) } }
                }
            }
        }
        work.withLock { $0 = task }
    }

    /// Waits until so many more calls have succeeded; false when one has failed, or the test was cancelled, before.
    func continues(for count: Int) async -> Bool {
        let target = outcome.current.succeeded + count
        return await outcome.first { outcome in
            outcome.failures.isEmpty ? (outcome.succeeded >= target ? true : nil) : false
        } ?? false
    }

    /// Ends the calling, each task after its present call, and gives the outcome.
    func end() async -> Outcome {
        isOver.store(true, ordering: .relaxed)
        await work.withLock { $0 }?.value
        for channel in channels { await channel.close() }
        return outcome.current
    }

    private func call(as person: Person) async {
        var number = 0
        while !isOver.load(ordering: .relaxed) {
            number += 1
            do throws(RPCError) {
                try await person.call(number)
                outcome.change { $0.succeeded += 1 }
            } catch {
                let failure = "call \(number): \(error)"
                outcome.change { $0.failures.append(failure) }
            }
        }
    }
}

/// Somebody with a session and a profile, and the calls they make.
private struct Person: Sendable {
    private let channel: Channel
    private let options: CallOptions

    init(_ account: String, _ channel: Channel) async throws(RPCError) {
        self.channel = channel
        var credential = PBPeerCredential()
        credential.account = account
        var signIn = PBSignInRequest()
        signIn.credential = .peer(credential)
        let session = try await PBAuthServiceClient(channel: channel).signIn(signIn)
        var metadata = Metadata()
        metadata.append("Bearer " + session.token, for: "authorization")
        options = CallOptions(metadata: metadata)
        var profile = PBCreateProfileRequest()
        profile.username = account
        _ = try await PBProfileServiceClient(channel: channel).createProfile(profile, options: options)
    }

    /// A read from memory, and now and then a write to the disk. No call is made a second time.
    func call(_ number: Int) async throws(RPCError) {
        let profiles = PBProfileServiceClient(channel: channel)
        guard number % 16 == 0 else {
            _ = try await profiles.getMyProfile(PBGetMyProfileRequest(), options: options)
            return
        }
        var update = PBUpdateProfileRequest()
        var profile = PBProfile()
        profile.statusMessage = "call \(number)"
        update.profile = profile
        update.updateMask = .init(paths: ["status_message"])
        _ = try await profiles.updateProfile(update, options: options)
    }
}
