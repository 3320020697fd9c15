import Foundation
import JSON
import TestSupport
import Testing

/// Nothing reaches a terminal that it would obey: whatever is stored, answered or typed.
struct TerminalTests {
    /// Clears the screen in two ways, turns the direction, ends a line, and rings.
    private static let hostile = "\u{1B}[2J\u{9B}2J\u{202E}\u{2066}\u{2028}\u{85}\r\n\u{7}\u{7F}x"

    private static let rowKey: JSONValue = .string(hostile)

    /// The whole of what a verb may be told, with the hostile text as every name and every value.
    private static let answer: JSONValue = {
        let text = JSONValue.string(hostile)
        var members: JSONObject = [
            "cursor": nil, "entries": [["table": text, "key": text, "value": [hostile: text]]],
            "events": [], "buckets": [["amount": 1, "source": text, "expiresAt": text]],
            "value": [hostile: text], "canRender": false, "reason": text, "url": text,
            "entitlement": [hostile: text], "status": [hostile: text], "grant": text,
            "results": [["originalTransactionId": text, "outcome": text]], "message": text,
            "outcome": text, "facts": [[hostile: text]], "grants": [[hostile: text]],
        ]
        members[hostile] = text
        return .object(members)
    }()

    /// Whether `output` has nothing in it but what is shown, and line breaks of its own.
    private func isClean(_ output: String) -> Bool {
        output.unicodeScalars.allSatisfy { $0 == "\n" || !VisibleText.isCommand($0) }
    }

    @Test(
        arguments: [
            ["can-render", "alice"], ["status", "alice"], ["entitlement", "alice"],
            ["credits", "alice"], ["management-url", "alice"], ["explain", "alice"],
            ["register", "alice"], ["consume", "alice"], ["reserve", "alice"], ["commit", "r1"],
            ["grant", "alice", "--plan", "p"], ["revoke", "alice", "g1"],
            ["grant-credits", "alice", "1"], ["dump"], ["get", "accounts", "alice"], ["list"],
            ["stats"], ["version"], ["erase", "alice", "--yes"], ["log-level", "info"],
        ],
        [[], ["--json"]]
    )
    func `what a daemon answers is shown and not obeyed`(verb: [String], more: [String]) throws {
        let daemon = try FakeDaemon { _, _ in .result(Self.answer) }
        let run = try Invocation(verb + more + ["--socket", daemon.path])
        #expect(!run.output.isEmpty || !run.complaint.isEmpty)
        #expect(isClean(run.output), "\(run.output)")
        #expect(isClean(run.complaint), "\(run.complaint)")
        guard more == ["--json"] else { return }
        for line in run.output.split(separator: "\n") {
            #expect(throws: Never.self) { try JSONValue.parse(Array(line.utf8)) }
        }
    }

    @Test(arguments: [[], ["--json"]])
    func `what a daemon refuses with is shown and not obeyed`(more: [String]) throws {
        let daemon = try FakeDaemon { _, _ in
            .error([
                "code": -32_602, "message": .string(Self.hostile),
                "data": ["code": .string(Self.hostile), "retryable": false],
            ])
        }
        let run = try Invocation(["status", "alice", "--socket", daemon.path] + more)
        #expect(run.complaint.contains("[2J"))
        #expect(isClean(run.complaint), "\(run.complaint)")
        #expect(run.complaint.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        [hostile], ["status", "alice", hostile], ["ping", "--\(hostile)"],
        ["can-render", "alice", "--cost", hostile], ["ping", "--socket", "/nowhere/\(hostile)"],
        ["load", "/nowhere/\(hostile)"], ["help", hostile], ["verify", "alice", "--jws", hostile],
        ["management-url", "alice", "--platform", hostile],
    ])
    func `what is typed is shown and not obeyed`(arguments: [String]) throws {
        for more in [[], ["--json"]] {
            let run = try Invocation(arguments + more)
            // Help is given whatever is asked about.
            #expect((run.code == 0) == (arguments[0] == "help"))
            #expect(!(run.complaint + run.output).isEmpty)
            #expect(isClean(run.output), "\(run.output)")
            #expect(isClean(run.complaint), "\(run.complaint)")
            // A line break in a word begins no line: what follows could pass for a message.
            #expect(!run.complaint.contains("\nx"), "\(run.complaint)")
        }
    }
}
