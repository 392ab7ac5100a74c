import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import SocketTransport
import Testing

@testable import PulseBoardCLI

@Suite("pulseboard doctor") struct DoctorTests {
    private let directory: TemporaryDirectory
    private static let now: Int64 = 1_795_258_141

    init() throws { directory = try TemporaryDirectory() }

    private var socket: String { directory.path + "/board.sock" }
    private var data: String { directory.path + "/data" }

    private static let info = PBServerInfo(
        version: pulseBoardVersion, pid: 1, startTime: Google_Protobuf_Timestamp(seconds: now - 10), uptime: Google_Protobuf_Duration(seconds: 10),
        store: "SQLite 3.40.1")

    /// A sound set-up: a socket, a directory, a database.
    private func makeSound() throws {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try #require(try withSocketAddress(socket) { bind(descriptor, $0, $1) } == 0)
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try Data("SQLite format 3\0".utf8).write(to: URL(filePath: data + "/pulseboard.sqlite"))
    }

    private func doctor(_ server: Doctor.Server = .answers(info)) -> Doctor {
        Doctor(
            socket: socket, dataDirectory: data, server: server, uid: 1_000, now: Self.now, freeBytes: { _ in 1 << 40 }, descriptorLimit: 65_536,
            unit: { nil })
    }

    private func faults(_ doctor: Doctor) -> [String] { doctor.findings().filter { $0.state != .ok }.map(\.topic) }

    @Test("a sound set-up has no faults, and nothing to type")
    func sound() throws {
        try makeSound()
        #expect(faults(doctor()) == [])
        #expect(doctor().findings().allSatisfy { $0.next == nil })
        #expect(doctor().findings().map(\.topic) == ["version", "socket", "rights", "store", "directory", "database", "disk", "clock", "limits"])
    }

    @Test("each broken set-up is named, with what to type next", arguments: [
        "version", "no socket", "no server", "a file for a socket", "no rights", "store", "no directory", "open directory", "no database",
        "log alone", "restore", "restore in place", "no sqlite", "owner", "disk", "clock", "other clock", "limits", "failed unit", "idle unit", "configuration",
        "archive", "keys", "logs", "postgresql", "another's server", "images", "disk of the pictures", "disk of the archive",
    ])
    func broken(_ fault: String) throws {
        try makeSound()
        var patient = doctor()
        var expected = [fault]
        var info = Self.info
        let database = data + "/pulseboard.sqlite"
        switch fault {
        case "version":
            info.version = "9.9.9"
            patient = doctor(.answers(info))
        case "no socket", "no server", "a file for a socket":
            if fault != "no server" { unlink(socket) }
            if fault == "a file for a socket" { try Data().write(to: URL(filePath: socket)) }
            patient = doctor(.isAway(RPCError(.unavailable, "connect \(socket): Connection refused")))
            expected = ["socket"]
        case "no rights":
            patient = doctor(.isClosed)
            expected = ["rights"]
            let next = patient.findings().first { $0.topic == "rights" }?.next?.text(in: .english)
            #expect(next == "sudo pulseboard doctor --socket \(socket)")
        case "store":
            info.storeStatus = PBStoreStatus(trouble: PBStoreTrouble(reason: "STORE_FULL", detail: "full"))
            patient = doctor(.answers(info))
        case "no directory":
            try FileManager.default.removeItem(atPath: data)
            expected = ["directory", "database"]
        case "open directory":
            chmod(data, 0o755)
            expected = ["directory"]
        case "no database", "log alone", "restore", "restore in place":
            if fault != "restore in place" { unlink(database) }
            if fault == "log alone" { try Data("log".utf8).write(to: URL(filePath: database + "-wal")) }
            if fault.hasPrefix("restore") {
                try FileManager.default.createDirectory(atPath: data + "/restore.swap", withIntermediateDirectories: false)
            }
            expected = ["database"]
        case "no sqlite":
            try Data("something else".utf8).write(to: URL(filePath: database))
            expected = ["database"]
        case "owner":
            // Only root can give a file away.
            guard geteuid() == 0 else { return }
            chown(database, 4_242, 4_242)
        case "disk": patient.freeBytes = { _ in 1 << 20 }
        case "images":
            info.imageDirectory = PBImageDirectoryStatus(path: data, trouble: PBStoreTrouble(reason: "STORE_FULL", detail: "full"))
            patient = doctor(.answers(info))
        case "disk of the pictures", "disk of the archive":
            let other = directory.path + "/other"
            info.imageDirectory = PBImageDirectoryStatus(path: fault == "disk of the pictures" ? other : data)
            info.storeStatus = PBStoreStatus(archiveDirectory: fault == "disk of the pictures" ? data : other)
            patient = doctor(.answers(info))
            patient.disk = { $0 == other ? 2 : 1 }
            patient.freeBytes = { $0 == other ? 1 << 20 : 1 << 40 }
            expected = ["disk"]
        case "clock":
            patient = Doctor(
                socket: socket, dataDirectory: data, server: .isClosed, uid: 1_000, now: 1_000, freeBytes: { _ in 1 << 40 }, descriptorLimit: 65_536,
                unit: { nil })
            expected = ["rights", "clock"]
        case "other clock":
            info.uptime = Google_Protobuf_Duration(seconds: 10_000)
            patient = doctor(.answers(info))
            expected = ["clock"]
        case "limits": patient.descriptorLimit = 256
        case "configuration": patient.configuration = { Doctor.ServerConfiguration(settings: [:], problem: "There is no setting 'color'.") }
        case "archive":
            info.storeStatus = PBStoreStatus(archiveDirectory: "/srv/wal", archiveProblem: "No space left on device")
            patient = doctor(.answers(info))
        case "keys":
            info.issuers = [PBIssuerStatus(name: "google", keys: 2), PBIssuerStatus(name: "kakao", keys: 0)]
            patient = doctor(.answers(info))
        case "logs": patient.loggedErrors = { 3 }
        case "postgresql":
            // Its database is not on this machine.
            try FileManager.default.removeItem(atPath: data)
            info.store = "PostgreSQL 15.14"
            patient = doctor(.answers(info))
            expected = []
        case "another's server":
            // The default directory of this user is not that server's, so nothing is said about it.
            try FileManager.default.removeItem(atPath: data)
            patient = doctor(.isClosed)
            patient.knowsDataDirectory = false
            expected = ["rights"]
            #expect(patient.findings().map(\.topic) == ["version", "socket", "rights", "clock", "limits"])
        case "failed unit":
            patient.unit = { ("failed", "exit-code") }
            expected = ["unit"]
        default:
            patient.unit = { ("inactive", "success") }
            expected = ["unit"]
        }
        #expect(faults(patient) == expected)
        for finding in patient.findings() where finding.state == .fault { #expect(finding.next != nil, "\(finding)") }
    }

    /// A server that is started by hand as root leaves files that the service cannot open. So the unit is named where there is one.
    @Test(
        "what to type next for a server that does not run",
        arguments: [
            (nil, "pulseboardd --socket "), (("inactive", "success"), "systemctl --user enable --now pulseboardd.socket pulseboardd.service"),
            (("masked", ""), "systemctl --user unmask pulseboardd.service"),
            (("failed", "exit-code"), "systemctl --user reset-failed pulseboardd.socket pulseboardd.service && systemctl --user start "),
        ] as [((String, String)?, String)])
    func start(unit: (state: String, result: String)?, next: String) throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        var patient = doctor(.isAway(RPCError(.unavailable, "connect: No such file or directory")))
        patient.unit = { unit }
        let finding = try #require(patient.findings().first { $0.topic == "socket" })
        #expect(finding.next?.english.hasPrefix(next) == true, "\(finding)")
    }

    @Test("of a server that stopped because of its files, the files come first")
    func order() throws {
        try makeSound()
        unlink(socket)
        #expect(chmod(data, 0o755) == 0)
        let patient = doctor(.isAway(RPCError(.unavailable, "connect: No such file or directory")))
        #expect(patient.findings().filter { $0.state == .fault }.map(\.topic) == ["directory", "socket"])
    }

    @Test("the unit has to permit an archive in another directory")
    func archiveOfUnit() throws {
        try makeSound()
        var info = Self.info
        info.storeStatus = PBStoreStatus(archiveDirectory: "/srv/wal", archiveProblem: "/srv/wal/1.wal: Read-only file system")
        var patient = doctor(.answers(info))
        patient.unit = { ("active", "success") }
        let finding = try #require(patient.findings().first { $0.topic == "archive" })
        #expect(finding.next?.english == "systemctl --user edit pulseboardd  # [Service] ReadWritePaths=/srv/wal")
    }

    @Test("a gap of the archive needs a new backup")
    func archiveWithGap() throws {
        try makeSound()
        var info = Self.info
        let problem = "/srv/wal: transactions are missing; only a new backup can be brought forward from here"
        info.storeStatus = PBStoreStatus(archiveDirectory: "/srv/wal", archiveProblem: problem)
        let finding = try #require(doctor(.answers(info)).findings().first { $0.topic == "archive" })
        #expect(finding.next?.english == "pulseboard admin backup FILE")
    }

    @Test("the machine's socket belongs to the system's unit, whoever asks")
    func unitOfMachine() {
        #expect(Doctor.isOfMachine("/run/pulseboard/pulseboard.sock", uid: 1_000))
        #expect(Doctor.isOfMachine("/tmp/board.sock", uid: 0))
        #expect(!Doctor.isOfMachine("/run/user/1000/pulseboard/pulseboard.sock", uid: 1_000))
    }

    @Test("the command says what is wrong in the user's language, and ends with 73")
    func command() async throws {
        let away: [String: StubChannel.Handler] = [
            "GetServerInfo": { (_, _) throws(RPCError) in throw RPCError(.unavailable, "connect: No such file or directory") }
        ]
        let program = try TestProgram(away, variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await program.run("doctor", "--data-directory", data) == 73)
        #expect(
            program.standardOutput.contains("서버가 실행 중이 아닙니다") && program.standardOutput.contains("다음 명령: pulseboardd"), "\(program.standardOutput)")
        #expect(program.standardError.contains("문제가 있는 항목"))
        let json = try TestProgram(away)
        #expect(try await json.run("doctor", "--json", "--data-directory", data) == 73)
        let lines = try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [[String: Any]]
        #expect(lines?.contains { $0["topic"] as? String == "socket" && $0["state"] as? String == "fault" } == true)
    }
}
