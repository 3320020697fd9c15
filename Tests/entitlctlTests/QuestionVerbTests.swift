import JSON
import TestSupport
import Testing

/// What the verbs for questions print, to the letter.
struct QuestionVerbTests {
    private let status: JSONValue = [
        "userId": "alice", "state": "subscribed", "canRender": true, "isSubscriber": true,
        "hadSubscription": true, "creditsRemaining": 3, "plan": "premium", "tier": "paid",
        "limits": ["storageBytes": 107_374_182_400, "retentionDays": nil],
        "subscriptionMethod": "app_store_subscription",
        "expiresAt": "2026-03-15T10:00:00.000Z", "nextChangeAt": nil, "paywall": "none",
        "subscription": ["status": "subscribed", "isTrial": false], "seq": 42,
    ]

    private func answer(_ canRender: Bool) -> JSONValue {
        [
            "canRender": .bool(canRender), "via": canRender ? "subscription" : nil,
            "state": canRender ? "subscribed" : "free_no_credits",
            "reason": canRender ? nil : "expired",
            "nextChangeAt": canRender ? "2026-03-15T10:00:00.000Z" : nil, "seq": 42,
        ]
    }

    @Test func `can-render says yes and exits 0`() throws {
        let daemon = try FakeDaemon(["canRender": .result(answer(true))])
        let run = try Invocation(["can-render", "alice", "--socket", daemon.path])
        #expect(run.output == "yes, by subscription, next change 2026-03-15T10:00:00.000Z\n")
        #expect(run.complaint.isEmpty)
        #expect(run.code == 0)
        #expect(daemon.requests == [.init(method: "canRender", params: ["userId": "alice"])])
    }

    @Test func `can-render says no and exits 1`() throws {
        let daemon = try FakeDaemon(["canRender": .result(answer(false))])
        let run = try Invocation([
            "can-render", "alice", "--cost", "5", "--socket", daemon.path,
        ])
        #expect(run.output == "no, expired\n")
        #expect(run.complaint.isEmpty)
        #expect(run.code == 1)
        #expect(daemon.requests.map(\.params) == [["userId": "alice", "cost": 5]])
    }

    @Test func `can-render prints the answer as JSON with its members in order`() throws {
        let daemon = try FakeDaemon(["canRender": .result(answer(false))])
        let run = try Invocation(["--json", "can-render", "alice", "--socket", daemon.path])
        #expect(
            run.output == #"{"canRender":false,"via":null,"state":"free_no_credits","#
                + #""reason":"expired","nextChangeAt":null,"seq":42}"# + "\n"
        )
        #expect(run.code == 1)
    }

    @Test func `can asks about a feature, and its exit code is the answer`() throws {
        let yes: JSONValue = [
            "allowed": true, "via": "subscription", "state": "subscribed", "reason": nil,
            "nextChangeAt": nil, "seq": 42,
        ]
        let daemon = try FakeDaemon(["can": .result(yes)])
        let run = try Invocation(["can", "alice", "export", "--socket", daemon.path])
        #expect(run.output == "yes, by subscription\n")
        #expect(run.code == 0)
        let no: JSONValue = [
            "allowed": false, "via": nil, "state": "subscribed", "reason": "not_in_plan",
            "nextChangeAt": nil, "seq": 42,
        ]
        let other = try FakeDaemon(["can": .result(no)])
        let refused = try Invocation(["can", "alice", "export", "--socket", other.path])
        #expect(refused.output == "no, not_in_plan\n")
        #expect(refused.code == 1)
        #expect(other.requests.map(\.params) == [["userId": "alice", "feature": "export"]])
    }

    @Test func `status is a block of names and values`() throws {
        let daemon = try FakeDaemon(["getStatus": .result(status)])
        let run = try Invocation(["status", "alice", "--socket", daemon.path])
        #expect(
            run.output == """
                userId              alice
                state               subscribed
                canRender           yes
                isSubscriber        yes
                hadSubscription     yes
                creditsRemaining    3
                plan                premium
                tier                paid
                limits
                  storageBytes      107374182400
                  retentionDays     -
                subscriptionMethod  app_store_subscription
                expiresAt           2026-03-15T10:00:00.000Z
                nextChangeAt        -
                paywall             none
                subscription
                  status            subscribed
                  isTrial           no
                seq                 42

                """
        )
        #expect(run.code == 0)
        #expect(daemon.requests == [.init(method: "getStatus", params: ["userId": "alice"])])
    }

    @Test func `status as JSON is what the daemon said`() throws {
        let daemon = try FakeDaemon(["getStatus": .result(status)])
        let run = try Invocation(["status", "--json", "alice", "--socket", daemon.path])
        #expect(run.output == String(decoding: status.bytes, as: UTF8.self) + "\n")
    }

    @Test func `entitlement is a block of names and values`() throws {
        let daemon = try FakeDaemon([
            "getEntitlement": .result(["entitlement": ["isActive": true, "productId": "p"]])
        ])
        let run = try Invocation(["entitlement", "alice", "--socket", daemon.path])
        #expect(run.output == "isActive   yes\nproductId  p\n")
        #expect(run.code == 0)
        #expect(daemon.requests == [.init(method: "getEntitlement", params: ["userId": "alice"])])
    }

    @Test func `subscriptions are blocks, one below the other`() throws {
        let one: JSONValue = ["status": "subscribed", "offer": nil, "givesAccess": true]
        let other: JSONValue = ["status": "expired", "price": 9_990]
        let daemon = try FakeDaemon([
            "getSubscriptions": .result(["subscriptions": [one, other]])
        ])
        let run = try Invocation(["subscriptions", "alice", "--socket", daemon.path])
        #expect(
            run.output == """
                status       subscribed
                offer        -
                givesAccess  yes

                status  expired
                price   9990

                """
        )
        #expect(
            daemon.requests == [.init(method: "getSubscriptions", params: ["userId": "alice"])]
        )
        let none = try FakeDaemon(["getSubscriptions": .result(["subscriptions": []])])
        let nobody = try Invocation(["subscriptions", "bob", "--socket", none.path])
        #expect(nobody.output == "no subscription\n")
    }

    @Test func `management-url is the address alone, or a dash`() throws {
        let daemon = try FakeDaemon { request, _ in
            .result(["url": request.params["platform"] == "ios" ? "https://example.com/m" : nil])
        }
        let ios = ["management-url", "alice", "--platform", "ios", "--socket", daemon.path]
        #expect(try Invocation(ios).output == "https://example.com/m\n")
        let any = try Invocation(["management-url", "alice", "--socket", daemon.path])
        #expect(any.output == "-\n")
        #expect(any.code == 0)
        #expect(
            daemon.requests.map(\.params) == [
                ["userId": "alice", "platform": "ios"], ["userId": "alice"],
            ]
        )
    }

    @Test func `ping and version`() throws {
        let daemon = try FakeDaemon([
            "ping": .result([:]), "version": .result(["entitld": "0.1.0", "protocol": "1"]),
        ])
        #expect(try Invocation(["ping", "--socket", daemon.path]).output == "pong\n")
        #expect(try Invocation(["ping", "--json", "--socket", daemon.path]).output == "{}\n")
        let version = try Invocation(["version", "--socket", daemon.path])
        #expect(version.output == "entitld   0.1.0\nprotocol  1\n")
        #expect(try Invocation(["--version"]).output == "entitlctl 0.1.0\n")
    }

    @Test func `what a terminal would obey is shown and not sent`() throws {
        let daemon = try FakeDaemon([
            "getEntitlement": .result([
                "entitlement": ["productId": "\u{1B}[2J\u{9B}1m\u{202E}x\u{7F}\n"]
            ])
        ])
        let text = try Invocation(["entitlement", "alice", "--socket", daemon.path])
        #expect(
            text.output == #"productId  \u{1b}[2J\u{9b}1m\u{202e}x\u{7f}\u{a}"# + "\n"
        )
        let json = try Invocation(["entitlement", "alice", "--json", "--socket", daemon.path])
        #expect(
            json.output == #"{"entitlement":{"productId":"\u001b[2J\u009b1m\u202ex\u007f\n"}}"#
                + "\n"
        )
    }
}
