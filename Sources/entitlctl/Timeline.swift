import JSON

/// Draws the events of a history under each other, the days as headings.
///
///     2026-02-15
///     10:00:00 ● registered      no_account → free_with_credits
///              │                 plan - → free, creditsRemaining 0 → 3
///              │                 by app, uid 1000: amount 3
///     2026-03-15
///     10:00:00 ○ clock           subscribed → free_no_credits
///              │                 plan premium → free
///     free_no_credits
struct Timeline {
    /// What is shown beside the state, where it changed.
    private static let members = [
        "plan", "creditsRemaining", "expiresAt", "canRender", "paywall", "subscription.status",
        "subscription.productId", "subscription.autoRenew",
    ]

    private static let causeWidth = 16

    private var day = ""
    private var state: String?

    /// The lines of the next event.
    mutating func lines(of event: JSONValue) -> [String] {
        let at = Terminal.safe(event["at"]?.string ?? "")
        // 2026-02-15T10:00:00.000Z
        let isTime = at.utf8.count == 24
        let (date, time) = isTime ? (at.prefix(10), at.dropFirst(11).prefix(8)) : (at[...], "")
        var lines: [String] = []
        if date != day {
            day = String(date)
            lines.append(day)
        }
        let cause = Terminal.safe(event["cause"]?.string ?? "")
        let mark = cause == "clock" ? "○" : "●"
        let clock = time + String(repeating: " ", count: 8 - time.count)
        let gap = String(repeating: " ", count: max(1, Self.causeWidth - cause.count))
        lines.append("\(clock) \(mark) \(cause)\(gap)\(headline(event))")
        let details = Self.members.compactMap { Self.change($0, event) }
        for text in [details.joined(separator: ", "), Self.deed(event)] where !text.isEmpty {
            let margin = String(repeating: " ", count: 9)
            let indent = String(repeating: " ", count: Self.causeWidth + 1)
            lines.append("\(margin)│\(indent)\(text)")
        }
        return lines
    }

    /// `by app, uid 1000: amount 3`: who did it, and what was done, as far as it is told.
    private static func deed(_ event: JSONValue) -> String {
        func words(_ value: JSONValue?) -> [String] {
            (value?.object?.members ?? [])
                .map { "\(Terminal.safe($0.key)) \(TextBlock.word($0.value))" }
        }
        var by = words(event["by"])
        if let role = event["by"]?["role"]?.string { by[0] = "by " + Terminal.safe(role) }
        let detail = words(event["detail"]).joined(separator: ", ")
        return [by.joined(separator: ", "), detail].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    /// The line after the last event of a history that is kept since `oldest`.
    func end(since oldest: String?) -> String {
        if let state { return state }
        guard let oldest else { return "nothing happened yet" }
        return "nothing happened since " + Terminal.safe(oldest)
    }

    /// `no_account → free_with_credits`, or the state alone where it stayed.
    private mutating func headline(_ event: JSONValue) -> String {
        let before = TextBlock.word(event["before"]?["state"] ?? .null)
        let after = TextBlock.word(event["after"]?["state"] ?? .null)
        state = after
        return before == after ? after : "\(before) → \(after)"
    }

    /// `plan - → free`; nil where it stayed.
    private static func change(_ path: String, _ event: JSONValue) -> String? {
        let before = value(path, event["before"])
        let after = value(path, event["after"])
        guard before != after else { return nil }
        return "\(path) \(TextBlock.word(before)) → \(TextBlock.word(after))"
    }

    private static func value(_ path: String, _ status: JSONValue?) -> JSONValue {
        path.split(separator: ".").reduce(status ?? .null) { $0[String($1)] ?? .null }
    }
}
