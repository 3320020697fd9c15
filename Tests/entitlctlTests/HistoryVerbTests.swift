import JSON
import TestSupport
import Testing

/// A history whose beginning was pruned does not pass for the whole.
struct HistoryVerbTests {
    private static let oldest = "2026-03-01T00:00:00.000Z"
    private static let complaint =
        "entitlctl: the history begins at \(oldest): what was before is not kept\n"

    private static func event(_ seq: Int64) -> JSONValue {
        [
            "seq": .integer(seq), "at": "2026-03-02T10:00:00.000Z", "cause": "consumed",
            "before": ["state": "subscribed"], "after": ["state": "subscribed"],
        ]
    }

    /// Two pages and an empty one, or nothing at all; each says since when it knows.
    private func daemon(isQuiet: Bool = false, isPruned: Bool = true) throws -> FakeDaemon {
        try FakeDaemon { request, _ in
            let after = request.params["afterSeq"]?.int64 ?? 0
            let events = isQuiet || after >= 12 ? [] : [Self.event(max(after, 10) + 1)]
            var page: JSONObject = ["events": .array(events)]
            if isPruned { page["oldest"] = .string(Self.oldest) }
            return .result(.object(page))
        }
    }

    @Test func `history says once where it begins`() throws {
        let pruned = try daemon()
        let run = try Invocation(["history", "alice", "--socket", pruned.path])
        #expect(run.output.split(separator: "\n").count == 2)
        #expect(run.complaint == Self.complaint)
        #expect(run.code == 0)
        #expect(pruned.requests.count == 3)
        let whole = try daemon(isPruned: false)
        let other = try Invocation(["history", "alice", "--socket", whole.path])
        #expect(other.output == run.output)
        #expect(other.complaint.isEmpty)
    }

    @Test func `a timeline without an event says since when`() throws {
        let quiet = try daemon(isQuiet: true)
        let run = try Invocation(["timeline", "alice", "--socket", quiet.path])
        #expect(run.output == "nothing happened since \(Self.oldest)\n")
        #expect(run.complaint == Self.complaint)
        let fresh = try daemon(isQuiet: true, isPruned: false)
        let other = try Invocation(["timeline", "alice", "--socket", fresh.path])
        #expect(other.output == "nothing happened yet\n")
        #expect(other.complaint.isEmpty)
        let pruned = try daemon()
        let drawn = try Invocation(["timeline", "alice", "--socket", pruned.path])
        #expect(drawn.output.hasSuffix("\nsubscribed\n"))
        #expect(drawn.complaint == Self.complaint)
    }

    @Test func `the JSON of a timeline carries it`() throws {
        let pruned = try daemon()
        let run = try Invocation(["timeline", "alice", "--json", "--socket", pruned.path])
        let told = try JSONValue.parse(Array(run.output.utf8))
        #expect(told["oldest"]?.string == Self.oldest)
        #expect(told["events"]?.array?.count == 2)
        let whole = try daemon(isPruned: false)
        let other = try Invocation(["timeline", "alice", "--json", "--socket", whole.path])
        #expect(try JSONValue.parse(Array(other.output.utf8))["oldest"] == nil)
    }
}
