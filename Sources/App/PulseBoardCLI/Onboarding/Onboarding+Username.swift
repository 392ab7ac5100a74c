import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

extension Onboarding {
    /// The state of the check of the typed name.
    private enum Verdict {
        case unknown
        case checking
        case available
        case unavailable(String)
        /// The server could not check it, or cannot be reached.
        case failed(String)

        func remark(_ invocation: Invocation) -> String {
            switch self {
            case .unknown: ""
            case .checking: invocation.text("checking…", "확인 중…")
            case .available: invocation.text("free; Enter takes it", "사용할 수 있습니다. Enter를 누르세요")
            case .unavailable(let reason), .failed(let reason): reason
            }
        }
    }

    /// A stream of checks. It ends with its last reference.
    private final class Check {
        private let stream: BidirectionalStream<PBCheckUsernamesRequest, PBCheckUsernamesResponse>
        private let reading: Task<Void, Never>

        init(_ number: Int, _ onboarding: Onboarding) {
            var options = onboarding.callOptions()
            options.timeout = nil
            let stream = onboarding.invocation.profiles.checkUsernames(options: options)
            self.stream = stream
            let post = onboarding.post
            reading = Task {
                do throws(RPCError) {
                    var answers = stream.responses.makeAsyncIterator()
                    while let answer = try await answers.next() { post.yield(.answer(answer, stream: number)) }
                    post.yield(.ended(nil, stream: number))
                } catch {
                    post.yield(.ended(error, stream: number))
                }
            }
        }

        /// Asks for a text. If the stream has failed, its end comes as a message.
        func ask(_ text: String) async { try? await stream.write(PBCheckUsernamesRequest(username: text)) }

        deinit {
            reading.cancel()
            stream.cancel()
        }
    }

    /// Asks for a username, and checks it while it is typed. Enter accepts a free name as soon as the check is done. Then the name is
    /// reserved.
    mutating func askUsername(_ problem: String?) async throws -> String {
        if let problem { say(problem) }
        var line = TypedLine(question: invocation.text("Username", Phrase.Word.username.korean))
        var verdict = Verdict.unknown
        var wantsName = false
        var number = 0
        var check: Check? = Check(number, self)
        while true {
            if wantsName, case .available = verdict {
                wantsName = false
                guard let refusal = try await reserve(line.text) else {
                    line.leave(invocation)
                    return line.text
                }
                verdict = .unavailable(refusal)
            }
            line.show(verdict.remark(invocation), invocation)
            switch try await next() {
            case .key(.enter):
                wantsName = !line.text.isEmpty
                if case .unavailable = verdict { wantsName = false }
                // It could not be checked, so it is sent again.
                guard wantsName, case .failed = verdict, let check else { continue }
                verdict = .checking
                await check.ask(line.text)
            case .key(let key):
                let before = line.text
                line.take(key)
                guard line.text != before else { continue }
                wantsName = false
                verdict = .checking
                await check?.ask(line.text)
            case .answer(let answer, let stream):
                // An answer for another text is out of date (B30).
                guard stream == number, answer.username == line.text else { continue }
                verdict = judge(answer)
            case .ended(let error, let stream):
                guard stream == number else { continue }
                check = nil
                let failure = CommandFailure(error ?? RPCError(.unavailable, ""), about: .nothing, in: invocation.failureContext)
                guard failure.code == .unavailable else { throw failure }
                verdict = .failed(invocation.text("the server is away; trying again", "서버와 연결이 끊겨 다시 시도합니다"))
                let (post, wait) = (post, invocation.environment.wait)
                Task {
                    try? await wait(.milliseconds(500))
                    post.yield(.again(stream: stream))
                }
            case .again(let stream):
                guard stream == number, check == nil else { continue }
                number += 1
                check = Check(number, self)
                if !line.text.isEmpty { await check?.ask(line.text) }
            }
        }
    }

    private func judge(_ answer: PBCheckUsernamesResponse) -> Verdict {
        switch answer.state {
        case .available: .available
        case .unavailable: .unavailable(answer.violations.first?.message?.message ?? Reason.usernameDuplicated.text().text(in: invocation.language))
        case .failed:
            .failed(
                (Reason(rawValue: answer.reason) ?? .unavailable).text().text(in: invocation.language))
        case .checking, .unspecified, .unrecognized: .checking
        }
    }

    /// Reserves the name while the rest is asked.
    /// - Returns: why it is not available; `nil` if it is, or if that is unknown.
    private func reserve(_ name: String) async throws -> String? {
        do throws(RPCError) {
            _ = try await invocation.profiles.reserveUsername(PBReserveUsernameRequest(username: name), options: callOptions())
            return nil
        } catch {
            let failure = CommandFailure(error, about: .nothing, in: invocation.failureContext)
            if failure.reason == Reason.notAuthenticated.rawValue { throw failure }
            // If the server cannot be reached, or too many names were reserved, creating the profile decides.
            return failure.reason?.hasPrefix("USERNAME_") == true ? failure.message : nil
        }
    }
}
