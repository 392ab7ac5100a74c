import Foundation
import PulseBoardMessages
import RPCClient
import RPCCore
import Synchronization

/// A load of calls without pauses over several channels, and its outcome.
final class CallLoad: Sendable {
    struct Outcome: Sendable {
        fileprivate(set) var succeeded = 0
        /// The error of each failed call.
        fileprivate(set) var failures: [String] = []
    }

    let outcome = Observed(Outcome())
    private let channels: [Channel]
    private let isOver = Atomic<Bool>(false)
    private let work = Mutex<Task<Void, Never>?>(nil)

    /// Signs in a user for each channel, then makes calls from `tasksPerChannel` tasks on each.
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

    /// Waits until `count` more calls have succeeded. Returns false if one has failed, or the test was cancelled,
    /// before that.
    func continues(for count: Int) async -> Bool {
        let target = outcome.current.succeeded + count
        return await outcome.first { outcome in
            outcome.failures.isEmpty ? (outcome.succeeded >= target ? true : nil) : false
        } ?? false
    }

    /// Ends the load, each task after its present call, and returns the outcome.
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

/// A user with a session and a profile, and their calls.
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

    /// Makes a read from memory, or sometimes a write to the disk. Calls are not retried.
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
