import Foundation
import JSON
import Signatures
import TestSupport
import Testing

/// Stripe's webhook of a whole daemon that asks Stripe nothing.
@Suite struct StripeWebhookTests {
    private static let live = "whsec_live"
    private static let test = "whsec_test"

    private func daemon(
        _ extra: String = "",
        _ change: (inout TestDaemon.Setup) -> Void = { _ in }
    ) throws -> TestDaemon {
        let scratch = try Scratch()
        try scratch.write(Self.live + "\n", to: "live", mode: 0o600)
        try scratch.write(Self.test + "\n", to: "test", mode: 0o600)
        var setup = TestDaemon.Setup()
        setup.catalog = """
            plans:
              paid: { products: ["stripe:prod_1"], unlimited: [render] }
            """
        setup.extra = """
            stripe:
              webhookSecretFiles: [\(scratch.file("live"))]
              testWebhookSecretFiles: [\(scratch.file("test"))]
              \(extra)
            """
        change(&setup)
        let daemon = try TestDaemon(setup, scratch: scratch)
        try daemon.start()
        return daemon
    }

    private func post(
        _ body: JSONValue,
        to daemon: TestDaemon,
        secret: String = live,
        path: String = "/webhooks/stripe",
        age: Int64 = 0
    ) throws -> HTTPExchange {
        let time = String(Int64(Date().timeIntervalSince1970) - age)
        let code = MessageAuthentication.sha256(
            of: Array("\(time).".utf8) + body.bytes,
            key: Array(secret.utf8)
        )
        let digits = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return try HTTPExchange.request(
            "POST",
            path,
            body.bytes,
            port: daemon.port,
            type: "application/json; charset=utf-8",
            field: "Stripe-Signature: t=\(time),v1=\(digits)"
        )
    }

    private func event(
        _ id: String,
        status: String = "active",
        isLive: Bool = true,
        created: Int64 = 0
    ) -> JSONValue {
        let now = Int64(Date().timeIntervalSince1970)
        return [
            "id": .string(id), "object": "event", "type": "customer.subscription.updated",
            "created": .integer(now + created), "livemode": .bool(isLive),
            "data": [
                "object": [
                    "id": "sub_1", "object": "subscription", "livemode": .bool(isLive),
                    "status": .string(status), "customer": "cus_1", "created": .integer(now - 60),
                    "ended_at": status == "canceled" ? .integer(now) : .null,
                    "latest_invoice": "in_1", "metadata": ["user_id": "alice"],
                    "items": [
                        "object": "list",
                        "data": [
                            [
                                "id": "si_1", "quantity": 1,
                                "current_period_start": .integer(now - 60),
                                "current_period_end": .integer(now + 86_400),
                                "price": ["id": "price_1", "product": "prod_1"],
                            ]
                        ],
                    ],
                ]
            ],
        ]
    }

    @Test func `an event gives access, a second time it is a duplicate, and the end takes it`()
        throws
    {
        let daemon = try daemon()
        let told = event("evt_1")
        let first = try post(told, to: daemon)
        #expect(first.status == 200)
        #expect(first.text == #"{"success":true,"received":true,"result":"applied"}"#)
        let status = try daemon.status("alice")
        #expect(status["canRender"]?.bool == true)
        #expect(status["subscriptionMethod"]?.string == "stripe")
        #expect(status["subscription"]?["originalTransactionId"]?.string == "sub_1")
        #expect(status["subscription"]?["transactionId"]?.string == "in_1")
        let again = try post(told, to: daemon, path: "/api/billing/webhooks/stripe")
        #expect(again.json?["result"]?.string == "duplicate")
        let end = try post(event("evt_2", status: "canceled", created: 1), to: daemon)
        #expect(end.json?["result"]?.string == "applied")
        #expect(try daemon.canRender("alice")["canRender"]?.bool == false)
    }

    @Test func `a store whose section is gone after a reload is open to no more senders`() throws {
        let daemon = try daemon("allowedSources: [10.9.8.7/32]")
        var section = ""
        for isGone in [false, true] {
            if isGone {
                try daemon.configure { setup in
                    section = setup.extra
                    setup.extra = ""
                }
                try daemon.reload()
            }
            #expect(throws: DaemonProblem.self) { try post(event("evt_1"), to: daemon) }
        }
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        // Where the section says nothing of sources, those of the webhook hold.
        try daemon.configure {
            $0.extra = section.replacing("allowedSources: [10.9.8.7/32]", with: "")
        }
        try daemon.reload()
        #expect(try post(event("evt_1"), to: daemon).status == 200)
    }

    @Test func `what Stripe did not sign, or not now, is answered 401 and leaves nothing`() throws {
        let daemon = try daemon()
        for reply in [
            try post(event("evt_1"), to: daemon, secret: "whsec_other"),
            try post(event("evt_1"), to: daemon, secret: Self.test),
            try post(event("evt_1"), to: daemon, age: 301),
            try post(event("evt_1"), to: daemon, age: -310),
            try HTTPExchange.post(
                event("evt_1").bytes,
                port: daemon.port,
                path: "/webhooks/stripe"
            ),
        ] {
            #expect(reply.status == 401)
            #expect(reply.text == #"{"error":"unauthorized"}"#)
            #expect(reply.headers["www-authenticate"]?.isEmpty == false)
        }
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        #expect(try post(["object": "customer"], to: daemon).status == 400)
    }

    @Test(arguments: [("all", "none", false), ("none", "all", true)])
    func `test mode is the sandbox, and lets in whom this store's rule admits`(
        ofApple: String,
        ofStripe: String,
        isLetIn: Bool
    ) throws {
        let daemon = try daemon("testAccess: \(ofStripe)") {
            $0.environments = "[Production, Sandbox]"
            $0.sandbox = ofApple
        }
        let reply = try post(event("evt_1", isLive: false), to: daemon, secret: Self.test)
        #expect(reply.json?["result"]?.string == "applied")
        let status = try daemon.status("alice")
        #expect(status["subscription"]?["environment"]?.string == "Sandbox")
        #expect(status["canRender"]?.bool == isLetIn)
    }

    @Test func `without a section stripe its path answers 503`() throws {
        let daemon = try TestDaemon.started()
        #expect(try post(event("evt_1"), to: daemon).status == 503)
    }
}
