import CommandHelp

/// One line that shows the progress of a long job.
struct ProgressBar: Sendable {
    let label: String
    let total: Int
    /// Maximum terminal columns of the line.
    let columns: Int

    /// The line for `done` of ``total`` steps after `elapsed`, without a newline: label, bar, counts, pace, time left.
    func line(done: Int, elapsed: Duration) -> String {
        let seconds = elapsed.inSeconds
        let pace = seconds > 0 ? Double(done) / seconds : 0
        let left = pace > 0 ? Double(total - done) / pace : 0
        let percent = total > 0 ? done * 100 / total : 100
        let numbers = " \(percent.formattedPadded(3)) %  \(done.grouped)/\(total.grouped)  \(Int(pace).grouped)/s  "
            + (pace > 0 ? Self.clock(Int(left.rounded(.up))) : "--:--")
        let width = min(40, columns - label.displayWidth - numbers.displayWidth - 4)
        guard width >= 5 else { return label + numbers }
        let filled = total > 0 ? width * done / total : width
        return label + " [" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "]" + numbers
    }

    /// Seconds as `m:ss` or `h:mm:ss`.
    private static func clock(_ seconds: Int) -> String {
        let minutes = seconds / 60 % 60
        let rest = (seconds % 60).zeroPadded
        return seconds >= 3600 ? "\(seconds / 3600):\(minutes.zeroPadded):\(rest)" : "\(minutes):\(rest)"
    }
}

extension Int {
    /// Decimal digits in groups of three: `577,996`.
    var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// The number with an English noun: `1 profile`, `2 profiles`.
    func counted(_ one: String, _ several: String) -> String { grouped + " " + (self == 1 ? one : several) }

    fileprivate var zeroPadded: String { self < 10 ? "0\(self)" : "\(self)" }
    fileprivate func formattedPadded(_ columns: Int) -> String { String(self).paddedLeft(to: columns) }
}

extension Duration {
    /// The duration as seconds with a fraction.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
