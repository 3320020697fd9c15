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
            moments within a second are the same. Exit 1 where something differs.
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
            list.add(user, try Self.differences(told, status, lines))
            if list.users % 100 == 0 {
                Terminal.progress("\(list.users) users, \(list.differing) differ")
            }
        }
        Terminal.progress("")
        session.show(list.json) { _ in list.text("differ") }
        if list.differing > 0 { throw ExitCode.negative }
    }

    private static func differences(
        _ told: JSONObject,
        _ status: JSONObject,
        _ lines: borrowing LineReader
    ) throws -> [String] {
        var differences: [String] = []
        for member in told.members where member.key != "userId" {
            guard let own = status[member.key] else {
                throw lines.damaged(
                    "line \(lines.line) has \(member.key), which no status has"
                )
            }
            guard !isSame(member.value, own) else { continue }
            differences.append("\(member.key): \(kind(member.value)), here \(kind(own))")
        }
        return differences
    }

    /// Moments of users differ each in their own way: they are one kind of difference.
    private static func kind(_ value: JSONValue) -> String {
        moment(value) == nil ? TextBlock.word(value) : "another moment"
    }

    /// The moment that a text names, with a fraction of a second or without.
    private static func moment(_ value: JSONValue) -> Date? {
        guard let text = value.string else { return nil }
        return try? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
            .parse(text)
    }

    private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if one == other { return true }
        guard let one = moment(one), let other = moment(other) else { return false }
        return abs(one.timeIntervalSince(other)) < 1
    }
}
