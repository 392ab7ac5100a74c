import CommandHelp
import PulseBoardDiary
import PulseBoardDomain

/// A month of a diary as JSON.
private struct DiaryMonthDocument: Encodable {
    struct Day: Encodable {
        let day: String
        let entries: Int
        /// The emotions of the day in order, each once.
        let emotions: [String]
    }

    let month: String
    /// Days with entries, in their order.
    let days: [Day]
    /// Ids of stored entries that cannot be read.
    let damaged: [String]
}

/// A month as a grid of days with their emotions. Weeks run from Monday to Sunday.
struct DiaryMonth {
    /// A day's entries and emotions.
    struct Day {
        var entries = 0
        var emotions: [String] = []
    }

    let title: String
    /// Monday to Sunday.
    let weekdays: [String]
    /// The weekday of the first day, 1 for Monday to 7 for Sunday.
    let firstWeekday: Int
    let dayCount: Int
    var days: [Int: Day] = [:]

    mutating func add(_ emotion: String, on day: Int) {
        days[day, default: Day()].entries += 1
        if !emotion.isEmpty, days[day]?.emotions.contains(emotion) == false { days[day]?.emotions.append(emotion) }
    }

    /// The lines of the grid, at most `columns` wide.
    func rendered(columns: Int, _ style: TextStyle) -> String {
        let width = min(11, max(6, columns / 7))
        func line(_ cells: [String]) -> String {
            var text = cells.map { $0.paddedRight(to: width) }.joined()
            while text.last == " " { text.removeLast() }
            return text + "\n"
        }
        var text = style.bold(title) + "\n" + style.dim(line(weekdays))
        for week in stride(from: 2 - firstWeekday, through: dayCount, by: 7) {
            let numbers = (week..<week + 7).map { (1...dayCount).contains($0) ? $0 : nil }
            text += line(numbers.map { number in
                guard let number else { return "" }
                let count = days[number]?.entries ?? 0
                let day = String(number).paddedLeft(to: 2), wide = day + " (\(count))"
                guard count > 0 else { return day }
                return wide.count < width ? wide : (day + "×\(count)").cut(to: width - 1)
            })
            let felt = numbers.map { number in
                (number.flatMap { days[$0]?.emotions } ?? []).joined(separator: " ").safeForTerminal.cut(to: width - 1)
            }
            if felt.contains(where: { !$0.isEmpty }) { text += line(felt) }
        }
        return text
    }
}

extension DiaryInvocation {
    /// Shows a month with its emotions.
    /// - Parameter text: the month as `2026-11`; `nil` for the present one.
    func showMonth(_ text: String?) async throws {
        let name = text ?? String(local(SystemWallClock().now()).prefix(7))
        let days = try daysOfMonth(name), times = range(days)
        var grid = DiaryMonth(
            title: name, weekdays: invocation.text("Mon Tue Wed Thu Fri Sat Sun", "월 화 수 목 금 토 일").split(separator: " ").map(String.init),
            // 1970-01-01 was a Thursday.
            firstWeekday: ((days.lowerBound + 3) % 7 + 7) % 7 + 1, dayCount: days.count)
        var token = ""
        var entries: [DiaryEntry] = []
        var damaged: [DiaryEntryID] = []
        repeat {
            let page = try await translating { () throws(DiaryError) in
                let request: PageRequest
                do throws(PulseBoardDomain.ValidationError) {
                    request = try PageRequest(size: PageRequest.maximumSize, token: token)
                } catch { throw .invalid(error) }
                return try await diary.entries(DiaryFilter(times: times), request)
            }
            entries += page.entries
            damaged += page.damaged
            token = page.nextToken?.text ?? ""
        } while !token.isEmpty
        for entry in entries.reversed() {
            grid.add(entry.content.emotion, on: localTime.local(entry.content.entryTime.wholeSeconds).days - days.lowerBound + 1)
        }
        let document = DiaryMonthDocument(
            month: name,
            days: grid.days.sorted { $0.key < $1.key }.map { day, felt in
                .init(day: name + (day < 10 ? "-0" : "-") + String(day), entries: felt.entries, emotions: felt.emotions)
            }, damaged: damaged.map(\.description))
        try invocation.show(document: document) { grid.rendered(columns: invocation.environment.columns, invocation.style) }
        remark(damaged)
        try await remarkPending()
    }
}
