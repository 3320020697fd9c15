import ArgumentParser
import EntitlementsClient
import Foundation
import JSON

/// `compare FILE`: what another system says of users beside what entitld says.
struct CompareVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare what another system says of users with what this one says.",
        discussion: """
            Each line is a JSON object: userId, and members of a status as `entitlctl status` \
            prints it, such as plan, isSubscriber or creditsRemaining. Only those are compared; \
            moments within a second are the same. Of users without access the reason is named. \
            Exit 1 where something differs.
            """
    )

    static let door = Door.admin

    @Argument(help: "The file; - or nothing reads standard input.")
    var file = "-"

    @Option(help: "How many users are named of each difference.")
    var examples = 5

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var lines = try LineReader(file)
        var list = DifferenceList(examples: examples)
        while let text = try lines.next() {
            let parsed = try? JSONValue.parse(text)
            guard let told = parsed?.object, let user = told["userId"]?.string else {
                throw lines.damaged("line \(lines.line) is no object with a userId")
            }
            let status = try session.call("getStatus", ["userId": .string(user)])
            let differences = try Self.differences(told, status, lines)
            let isExplained = differences.contains { Self.lacksAccess($0.member, status) }
            let reason = isExplained ? try Self.reason(of: user, status, &session) : nil
            list.add(
                user,
                differences.map { member, words in
                    let isOfAccess = Self.lacksAccess(member, status)
                    return "\(member): \(words)" + (isOfAccess ? Self.suffix(reason, member) : "")
                }
            )
            if list.users % 100 == 0 {
                Terminal.progress("\(list.users) users, \(list.differing) differ")
            }
        }
        Terminal.progress("")
        try session.show(list.json) { _ in list.text("differ") }
        if list.differing > 0 { throw ExitCode.negative }
    }

    /// Whether a member is as it is because the user lacks access, for which there is a reason.
    private static func lacksAccess(_ member: String, _ status: JSONObject) -> Bool {
        switch member {
        case "canRender": status["canRender"]?.bool == false
        case "plan", "tier", "isSubscriber", "state": status["isSubscriber"]?.bool == false
        default: false
        }
    }

    /// Why a user has no access, in the daemon's word.
    private static func reason(
        of user: String,
        _ status: JSONObject,
        _ session: inout Session
    ) throws -> String? {
        // Credits that cover the cost would hide what became of the subscription.
        let cost = min((status["creditsRemaining"]?.int64 ?? 0) + 1, costMax)
        let order: JSONObject = ["userId": .string(user), "cost": .integer(max(cost, 1))]
        return try session.call("canRender", order)["reason"]?.string
    }

    private static let costMax: Int64 = 1_000_000_000

    private static func suffix(_ reason: String?, _ member: String) -> String {
        guard let reason else { return "" }
        // Said where there is no subscription; no credits bring a plan.
        let isOfCredits = reason == "credits_exhausted" && member != "canRender"
        return " (\(isOfCredits ? "never_subscribed" : reason))"
    }

    private static func differences(
        _ told: JSONObject,
        _ status: JSONObject,
        _ lines: borrowing LineReader
    ) throws -> [(member: String, words: String)] {
        var differences: [(member: String, words: String)] = []
        for member in told.members where member.key != "userId" {
            guard let own = status[member.key] else {
                throw lines.damaged(
                    "line \(lines.line) has \(member.key), which no status has"
                )
            }
            if let words = words(member.value, own) { differences.append((member.key, words)) }
        }
        return differences
    }

    /// How two values differ; nil where they are the same.
    ///
    /// Amounts and moments of users differ each in their own way: only the direction is told, so
    /// that many users make one kind.
    private static func words(_ told: JSONValue, _ own: JSONValue) -> String? {
        if told == own { return nil }
        if let told = told.double, let own = own.double {
            return told == own ? nil : own > told ? "more here" : "fewer here"
        }
        if let told = moment(told), let own = moment(own) {
            let seconds = own.timeIntervalSince(told)
            return abs(seconds) < 1 ? nil : seconds > 0 ? "later here" : "earlier here"
        }
        return "\(kind(told)), here \(kind(own))"
    }

    private static func kind(_ value: JSONValue) -> String {
        if value.double != nil { return "a number" }
        return moment(value) == nil ? TextBlock.word(value) : "a moment"
    }

    /// The moment that a text names, with a fraction of a second or without.
    private static func moment(_ value: JSONValue) -> Date? {
        guard let text = value.string else { return nil }
        return try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
            .parse(text)
    }
}
