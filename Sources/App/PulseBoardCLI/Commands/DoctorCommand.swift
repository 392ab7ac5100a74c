import ArgumentParser
import CommandHelp
import Foundation
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard doctor`
struct DoctorCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor",
            abstract: Phrase("Find what is wrong with a server's set-up, and what to type next.", "서버 설정의 문제를 찾고, 다음에 무엇을 할지 알려 줍니다."),
            discussion: Phrase(
                """
                It looks at versions, configuration, socket, rights, store, archive, pictures, keys of ID tokens, data directory, database, disks, \
                clock, limits, the unit and its log, and changes nothing. A server that answers says itself where its data is. The exit code is 73 \
                when something is wrong.
                """,
                """
                버전, 설정, 소켓, 권한, 저장소, 보관, 사진, ID 토큰 키, 데이터 디렉터리, 데이터베이스, 디스크, 시계, 한도, 유닛과 로그를 살피며 아무것도 바꾸지 않습니다. \
                데이터 디렉터리는 응답하는 서버가 직접 알려 줍니다. 문제가 있으면 종료 코드가 73입니다.
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var place: DataDirectoryOptions

    func run() async throws {
        try await options.run { invocation in
            let server = await Self.server(invocation)
            let isOfMachine = Doctor.isOfMachine(invocation.socket, uid: invocation.environment.userID)
            let configuration = invocation.serverConfiguration()
            let data = dataDirectory(of: server, configuration, ofMachine: isOfMachine, in: invocation.environment)
            var doctor = Doctor(
                socket: invocation.socket, dataDirectory: data.path, knowsDataDirectory: data.isKnown, server: server,
                uid: invocation.environment.userID, now: Int64(Date().timeIntervalSince1970))
            doctor.placeOption = place.option
            doctor.socketOption = invocation.failureContext.socketOption
            doctor.configuration = { configuration }
            let unit = Doctor.systemUnit(ofMachine: isOfMachine)
            doctor.unit = { unit }
            doctor.loggedErrors = { unit == nil ? nil : Doctor.journalErrors(ofMachine: isOfMachine) }
            let limitOfServer = if case .answers(let info) = server { Doctor.descriptorLimit(of: Int64(info.pid)) } else { UInt64?.none }
            let limitOfUnit = unit == nil ? nil : Doctor.unitDescriptorLimit(ofMachine: isOfMachine)
            if let limit = limitOfServer ?? limitOfUnit { doctor.descriptorLimit = limit }
            let findings = doctor.findings()
            let document = findings.map {
                Line(topic: $0.topic, state: $0.state, words: $0.words.text(in: invocation.language), next: $0.next?.text(in: invocation.language))
            }
            try invocation.show(document: document) { Self.text(findings, invocation) }
            let faults = findings.count { $0.state == .fault }
            guard faults > 0 else { return }
            throw CommandFailure(
                code: .failedPrecondition, reason: "SETUP_FAULTY",
                message: invocation.text(faults.counted("fault", "faults") + ".", "문제가 있는 항목: \(faults)개."),
                nextCommand: findings.first { $0.state == .fault }?.next?.text(in: invocation.language))
        }
    }

    /// The server's data directory: from the option, else from the server, else from its configuration. A running server that tells this user
    /// nothing may have been started with another configuration.
    private func dataDirectory(
        of server: Doctor.Server, _ configuration: Doctor.ServerConfiguration?, ofMachine: Bool, in environment: CommandEnvironment
    ) -> (path: String, isKnown: Bool) {
        if let given = place.given(in: environment) { return (given, true) }
        if case .answers(let info) = server, !info.dataDirectory.isEmpty { return (info.dataDirectory, true) }
        // With a configuration that cannot be read, nobody knows where a stopped server has its data. Nor does an ordinary user of the machine's
        // server.
        let isOfAnotherUser = ofMachine && environment.userID != 0
        let isKnown = if case .isClosed = server { false } else { configuration?.isKnown != false && !isOfAnotherUser }
        return (place.path(in: environment, configuration), isKnown)
    }

    /// Asks the server. It may not answer.
    private static func server(_ invocation: Invocation) async -> Doctor.Server {
        do throws(RPCError) {
            return .answers(try await invocation.admin.getServerInfo(PBGetServerInfoRequest(), options: invocation.callOptions()).clamped)
        } catch {
            return error.code == .permissionDenied ? .isClosed : .isAway(error)
        }
    }

    private static func text(_ findings: [Doctor.Finding], _ invocation: Invocation) -> String {
        let style = invocation.style
        let width = findings.map(\.topic.displayWidth).max() ?? 0
        return findings.map { finding in
            let mark =
                switch finding.state {
                case .ok: style.dim(invocation.text("ok", "정상").paddedRight(to: 5))
                case .note: invocation.text("note", "참고").paddedRight(to: 5)
                case .fault: style.red(invocation.text(Phrase.Word.fault.heading).paddedRight(to: 5))
                }
            // What stands at the left of every line.
            let margin = width + 9
            let broken = { (words: String) in words.safeForTerminal.wrapped(to: style.columns ?? .max, indentedBy: margin).dropFirst(margin) }
            let next = finding.next.map { next in
                let label = Phrase.next.text(in: invocation.language)
                return "\n" + String(repeating: " ", count: margin) + label + style.bold(next.text(in: invocation.language).safeForTerminal)
            }
            return "\(mark)  \(finding.topic.paddedRight(to: width))  \(broken(finding.words.text(in: invocation.language)))\(next ?? "")\n"
        }.joined()
    }
}

/// A line of `doctor --json`.
private struct Line: Encodable {
    let topic: String
    let state: Doctor.Finding.State
    let words: String
    let next: String?
}
