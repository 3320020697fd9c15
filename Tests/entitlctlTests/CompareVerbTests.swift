import JSON
import TestSupport
import Testing

/// How `compare` groups what differs.
struct CompareVerbTests {
    private static let end = "2026-12-01T10:00:00.000Z"

    /// Users without access, each with an end and credits of their own, and one with access.
    private static func status(_ user: String) -> JSONObject {
        var status: JSONObject = [
            "state": "free_no_credits", "canRender": false, "isSubscriber": false,
            "creditsRemaining": 0, "plan": "free", "tier": "free", "expiresAt": nil,
        ]
        switch user {
        case "rich":
            status["creditsRemaining"] = 12
            status["canRender"] = true
        case "gold":
            status["isSubscriber"] = true
            status["canRender"] = true
            status["plan"] = "gold"
            status["expiresAt"] = .string(end)
        default: break
        }
        return status
    }

    private func compare(_ lines: String, reason: String) throws -> (FakeDaemon, Invocation) {
        let daemon = try FakeDaemon { request, _ in
            request.method == "canRender"
                ? .result(["canRender": false, "reason": .string(reason)])
                : .result(.object(Self.status(request.params["userId"]?.string ?? "")))
        }
        return (daemon, try Invocation(["compare", "--socket", daemon.path], input: lines))
    }

    @Test func `amounts and moments of many users are one kind`() throws {
        let (daemon, run) = try compare(
            """
            {"userId":"a","creditsRemaining":1}
            {"userId":"b","creditsRemaining":2}
            {"userId":"rich","creditsRemaining":11}
            {"userId":"gold","expiresAt":"2026-12-01T10:00:00Z"}
            {"userId":"gold","expiresAt":"2026-11-01T10:00:00Z"}
            {"userId":"gold","expiresAt":"2026-12-02T10:00:00Z"}
            {"userId":"c","expiresAt":"2026-12-02T10:00:00Z"}
            {"userId":"d","expiresAt":"2026-12-03T10:00:00Z"}

            """,
            reason: "expired"
        )
        #expect(
            run.output == """
                7 of 8 users differ
                2  creditsRemaining: fewer here  a b
                2  expiresAt: a moment, here -  c d
                1  creditsRemaining: more here  rich
                1  expiresAt: earlier here  gold
                1  expiresAt: later here  gold

                """
        )
        #expect(run.code == 1)
        #expect(!daemon.requests.contains { $0.method == "canRender" })
    }

    @Test func `who has no access is told with the daemon's reason`() throws {
        let lines = """
            {"userId":"a","plan":"gold","canRender":true}
            {"userId":"rich","plan":"gold","isSubscriber":true}
            {"userId":"gold","plan":"free"}

            """
        let (daemon, run) = try compare(lines, reason: "unknown_product")
        #expect(
            run.output == """
                3 of 3 users differ
                2  plan: gold, here free (unknown_product)  a rich
                1  canRender: yes, here no (unknown_product)  a
                1  isSubscriber: yes, here no (unknown_product)  rich
                1  plan: free, here gold  gold

                """
        )
        // More than the credits cover, since they would hide the reason.
        let asked = daemon.requests.filter { $0.method == "canRender" }.map(\.params)
        #expect(asked == [["userId": "a", "cost": 1], ["userId": "rich", "cost": 13]])
        let spent = try compare(lines, reason: "credits_exhausted").1
        #expect(spent.output.contains("2  plan: gold, here free (never_subscribed)  a rich"))
        #expect(spent.output.contains("1  canRender: yes, here no (credits_exhausted)  a"))
    }
}
