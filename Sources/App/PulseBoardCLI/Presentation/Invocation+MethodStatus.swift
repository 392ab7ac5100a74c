import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore

extension Invocation {
    /// Adds the calls of a method to the server's card: their number, failures, durations and bytes.
    func append(_ method: PBMethodStatus, to card: inout Card) {
        let count = method.ended.reduce(0) { $0 + $1.count }
        var parts = [text(count == 1 ? "1 call" : "\(Int(count).grouped) calls", "호출 \(Int(count).grouped)건")]
        if method.running > 0 { parts.append(text("\(Int(method.running).grouped) running", "실행 중 \(Int(method.running).grouped)건")) }
        for failed in method.ended where failed.code != StatusCode.ok.rawValue {
            parts.append("\(StatusCode(wireValue: failed.code).name) \(Int(failed.count).grouped)")
        }
        if count > 0 {
            parts.append("p50 \(latency(0.5, of: method)), p99 \(latency(0.99, of: method))")
            parts.append(text(
                "\(Self.size(method.requestBytes)) in, \(Self.size(method.responseBytes)) out",
                "수신 \(Self.size(method.requestBytes)), 송신 \(Self.size(method.responseBytes))"))
        }
        // The package is left out, because the services' own names differ.
        let name = method.method.split(separator: ".").last.map(String.init) ?? method.method
        card.append(name, parts.joined(separator: ", "))
    }

    /// The longest duration of a fraction of the calls, to a quarter of it, such as `≤ 1.3 ms`.
    private func latency(_ part: Double, of method: PBMethodStatus) -> String {
        let count = method.latencies.reduce(0) { $0 + $1.count }
        var left = Int64((Double(count) * part).rounded(.up))
        for bucket in method.latencies {
            left -= bucket.count
            guard left <= 0 else { continue }
            guard let bound = bucket.upperBound.flatMap({ Duration($0) }) else { return text("> 2 min", "2분 초과") }
            return "≤ " + Self.latency(bound)
        }
        return "–"
    }

    private static func latency(_ duration: Duration) -> String {
        let microseconds = duration.inSeconds * 1e6
        if microseconds < 1_000 { return microseconds.oneDecimal + " µs" }
        return microseconds < 1e6 ? (microseconds / 1e3).oneDecimal + " ms" : (microseconds / 1e6).oneDecimal + " s"
    }
}
