#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The configuration file of the machine's service.
package enum MachineConfiguration {
    private static let standard = "/etc/pulseboard/pulseboardd.toml"

    /// The path for a server's program: `PREFIX/etc/pulseboard/pulseboardd.toml` for `PREFIX/bin/pulseboardd`, as `make install` places both, if that
    /// file exists. Else, and for the prefix `/usr`, it is `/etc/pulseboard/pulseboardd.toml`.
    /// - Parameter program: the absolute path of `pulseboardd`.
    package static func path(ofProgram program: String) -> String {
        let end = "/bin/pulseboardd"
        guard program.hasSuffix(end) else { return standard }
        let prefix = program.dropLast(end.count)
        let path = prefix + standard
        return prefix != "/usr" && access(String(path), F_OK) == 0 ? String(path) : standard
    }
}
