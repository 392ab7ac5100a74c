import Foundation
import Testing

/// nginx in front of a household's server, with the configuration from docs/behind-a-gateway.md.
struct Gateway {
    /// Whether to run the tests with nginx. In CI they always run, so that a missing peer fails them.
    static let isExpected = PythonPeer.isExpected
        && (ProcessInfo.processInfo.environment["CI"] != nil || FileManager.default.isExecutableFile(atPath: program))

    /// Why they do not run, for the test report.
    static let absence: Comment = "nginx and the Python gRPC clients are not installed: run `make test`"

    private static let program = "/usr/sbin/nginx"

    /// The Unix socket for clients, so that no TCP port is needed.
    let socket: String
    let process: ChildProcess

    /// Starts nginx in front of the remote socket of a server and waits until it serves.
    /// - Parameters:
    ///   - patience: replaces the 60 s for which an answer may be silent.
    ///   - location: replaces the location for all paths by another one of the page.
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
        // The settings of Debian's own configuration around the site, as far as a test can use them.
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
            // nginx writes this when it listens.
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

    /// The page's configuration with replacements for the test. Each replaced text must occur in it.
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
