import Foundation
import Testing

/// nginx in front of a household's server, with the configuration that docs/behind-a-gateway.md shows.
struct Gateway {
    /// Whether to run the tests with it. In CI they always run: there, an absent peer is a failure and not a reason to skip.
    static let isExpected = PythonPeer.isExpected
        && (ProcessInfo.processInfo.environment["CI"] != nil || FileManager.default.isExecutableFile(atPath: program))

    /// Why they do not run, for whoever reads the test report.
    static let absence: Comment = "nginx and the Python gRPC clients are not installed: run `make test`"

    private static let program = "/usr/sbin/nginx"

    /// Where clients reach it. A Unix socket, so that no port has to be free.
    let socket: String
    let process: ChildProcess

    /// Starts nginx in front of the remote socket of a server and waits until it serves.
    /// - Parameters:
    ///   - patience: what takes the place of the 60 s for which an answer may be silent.
    ///   - location: what takes the place of all paths; the page has it to choose from.
    init(_ house: Household, in front: String, patience: String = "60s", location: String? = nil) async throws {
        let directory = house.root + "/nginx-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        socket = directory + "/gateway.sock"
        var replacements = [
            "/run/pulseboard-remote/pulseboard.sock": front,
            "listen 443 ssl http2": "listen unix:\(socket) ssl http2",
            "/etc/ssl/certs/board.example.org.pem": Self.certificate(house),
            "/etc/ssl/private/board.example.org.key": Self.key(house),
            "grpc_read_timeout 60s": "grpc_read_timeout \(patience)",
        ]
        if let location { replacements["location / {"] = "location \(location) {" }
        let site = try Self.documented(replacements, mentioning: location ?? "")
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(directory)/\($0);" }
        // What Debian's own file around the site says, as far as a test that is not a service can.
        let configuration = """
            daemon off;
            # One process, which dies as one.
            master_process off;
            pid \(directory)/pid;
            error_log stderr notice;
            events { worker_connections 768; }
            http {
            access_log off;
            \(paths.joined(separator: "\n"))
            \(site)
            }
            """
        try configuration.write(toFile: directory + "/nginx.conf", atomically: true, encoding: .utf8)
        let process = try house.start(Self.program, ["-p", directory, "-c", directory + "/nginx.conf", "-e", "stderr"])
        let serves = await process.progress.first { progress -> Bool? in
            // Said when it listens.
            if progress.errorText.contains("event method") { return true }
            return progress.exit == nil ? nil : false
        }
        try #require(serves == true, "\(process.progress.current.errorText)")
        self.process = process
    }

    static func certificate(_ house: Household) -> String { house.root + "/certificate.pem" }
    private static func key(_ house: Household) -> String { house.root + "/key.pem" }

    /// Makes the certificate that the documented configuration names.
    static func makeCertificate(_ house: Household) async throws {
        let run = try await house.run(
            "/usr/bin/openssl",
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=board.example.org", "-addext",
                "subjectAltName=DNS:board.example.org", "-out", certificate(house), "-keyout", key(house)])
        try #require(run.exit == .status(0), "\(run)")
    }

    /// The page's configuration, with what a test needs in place of what an installation has; each of these is there to be replaced.
    private static func documented(_ replacements: [String: String], mentioning: String) throws -> String {
        let page = try String(contentsOfFile: Programs.repository + "/docs/behind-a-gateway.md", encoding: .utf8)
        try #require(mentioning.isEmpty || page.contains(mentioning))
        let start = try #require(page.range(of: "```nginx\n")), end = try #require(page[start.upperBound...].range(of: "```"))
        var text = String(page[start.upperBound..<end.lowerBound])
        for (original, replacement) in replacements {
            try #require(text.contains(original), "the page does not say '\(original)'")
            text = text.replacingOccurrences(of: original, with: replacement)
        }
        return text
    }
}
