import Foundation
import JSON
import Testing

/// A signed notification changes what canRender answers.
@Suite struct NotificationTests {
    /// A daemon with one registered user.
    private func oneUser(_ setup: TestDaemon.Setup = .init()) throws -> (TestDaemon, String) {
        let daemon = try TestDaemon.started(setup)
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        return (daemon, try #require(account["appAccountToken"]?.string))
    }

    private func expect(
        _ daemon: TestDaemon,
        _ body: [UInt8],
        renders: Bool,
        via: String?,
        status: String,
        reason: String? = nil
    ) throws {
        let reply = try daemon.deliver(body)
        #expect(reply.status == 200)
        #expect(reply.result == "applied")
        let answer = try daemon.canRender("alice")
        #expect(answer["canRender"]?.bool == renders)
        #expect(answer["via"]?.string == via)
        #expect(answer["reason"]?.string == reason)
        let shown = try daemon.status("alice")
        #expect(shown["subscription"]?["status"]?.string == status)
        #expect(shown["canRender"]?.bool == renders)
    }

    @Test func `a life from the first purchase to the second changes what canRender answers`()
        throws
    {
        let (daemon, token) = try oneUser()
        let voice = daemon.voice
        #expect(try daemon.canRender("alice")["reason"]?.string == "never_subscribed")
        var life = StoreLife(token: token)
        try expect(
            daemon,
            voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life),
            renders: true,
            via: "subscription",
            status: "subscribed"
        )
        life.renew()
        try expect(
            daemon,
            voice.notification("DID_RENEW", about: life),
            renders: true,
            via: "subscription",
            status: "subscribed"
        )
        // A renewal is announced before it starts: the end moves, the current one stays.
        let renewed = try daemon.status("alice")
        #expect(renewed["expiresAt"]?.string == Self.text(life.expires))
        #expect(renewed["subscription"]?["transactionId"]?.string == life.originalID)
        life.autoRenew = false
        let cancelled = voice.signingTime()
        try expect(
            daemon,
            voice.notification(
                "DID_CHANGE_RENEWAL_STATUS",
                "AUTO_RENEW_DISABLED",
                about: life,
                signed: cancelled
            ),
            renders: true,
            via: "subscription",
            status: "cancelled"
        )
        let shown = try daemon.status("alice")["subscription"]
        #expect(shown?["cancelledAt"]?.string == Self.text(cancelled))
        #expect(shown?["autoRenew"]?.bool == false)
    }

    @Test func `an unpaid subscription lives through grace and no further`() throws {
        let (daemon, token) = try oneUser()
        let voice = daemon.voice
        var life = StoreLife(token: token, expiresIn: -1)
        life.status = 4
        life.isRetrying = true
        life.graceUntil = StoreVoice.now + 3 * StoreLife.day
        try expect(
            daemon,
            voice.notification("DID_FAIL_TO_RENEW", "GRACE_PERIOD", about: life),
            renders: true,
            via: "grace",
            status: "grace_period"
        )
        #expect(try daemon.status("alice")["paywall"]?.string == "none")
        life.status = 3
        life.graceUntil = nil
        try expect(
            daemon,
            voice.notification("GRACE_PERIOD_EXPIRED", about: life),
            renders: false,
            via: nil,
            status: "billing_retry",
            reason: "billing_retry"
        )
        life.status = 2
        life.isRetrying = false
        life.intent = 2
        try expect(
            daemon,
            voice.notification("EXPIRED", "BILLING_RETRY", about: life),
            renders: false,
            via: nil,
            status: "expired",
            reason: "expired"
        )
        let lapsed = try daemon.status("alice")
        #expect(lapsed["paywall"]?.string == "resubscribe")
        #expect(lapsed["hadSubscription"]?.bool == true)
    }

    @Test func `a refund ends access and a new purchase brings it back`() throws {
        let (daemon, token) = try oneUser()
        let voice = daemon.voice
        var life = StoreLife(token: token)
        _ = try daemon.deliver(voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life))
        life.status = 5
        life.revoked = StoreVoice.now
        try expect(
            daemon,
            voice.notification("REFUND", about: life),
            renders: false,
            via: nil,
            status: "revoked",
            reason: "revoked"
        )
        var again = StoreLife(token: token)
        again.originalID = life.originalID
        again.purchased = StoreVoice.now - 60_000
        again.product = "com.example.premium"
        try expect(
            daemon,
            voice.notification("SUBSCRIBED", "RESUBSCRIBE", about: again),
            renders: true,
            via: "subscription",
            status: "subscribed"
        )
        #expect(try daemon.status("alice")["plan"]?.string == "premium")
    }

    @Test func `a period that ends, ends access by the clock alone`() throws {
        let (daemon, token) = try oneUser()
        var life = StoreLife(token: token)
        life.expires = StoreVoice.now + 1_500
        _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life))
        let before = try daemon.canRender("alice")
        #expect(before["canRender"]?.bool == true)
        #expect(before["nextChangeAt"]?.string == Self.text(life.expires))
        #expect(try eventually { try daemon.canRender("alice")["canRender"]?.bool == false })
        #expect(StoreVoice.now >= life.expires)
        #expect(try daemon.canRender("alice")["reason"]?.string == "expired")
    }

    @Test func `the result words are applied, duplicate, stale and ignored`() throws {
        let (daemon, token) = try oneUser()
        let voice = daemon.voice
        let life = StoreLife(token: token)
        let signed = voice.signingTime()
        let first = try voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life, signed: signed)
        #expect(try daemon.deliver(first) == (200, "applied"))
        #expect(try daemon.deliver(first) == (200, "duplicate"))
        // A new UUID around documents that are all older than what is kept.
        let later = try voice.notification("DID_CHANGE_RENEWAL_STATUS", about: life)
        #expect(try daemon.deliver(later) == (200, "applied"))
        let old = try voice.notification("SUBSCRIBED", about: life, signed: signed)
        #expect(try daemon.deliver(old) == (200, "stale"))
        let test = try voice.body(
            "TEST",
            saying: [
                "bundleId": .string(TestDaemon.bundleID),
                "appAppleId": .integer(TestDaemon.appAppleID), "environment": "Production",
            ]
        )
        #expect(try daemon.deliver(test) == (200, "ignored"))
        let unknown = try voice.notification("A_TYPE_OF_2030", "AND_SUBTYPE", about: life)
        #expect(try daemon.deliver(unknown) == (200, "applied"))
    }

    @Test func `a sandbox notification is ignored where sandbox is not configured`() throws {
        let (daemon, token) = try oneUser()
        var life = StoreLife(token: token)
        life.environment = "Sandbox"
        let body = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try daemon.deliver(body) == (200, "ignored"))
        #expect(try daemon.canRender("alice")["canRender"]?.bool == false)
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        var xcode = StoreLife(token: token)
        xcode.environment = "Xcode"
        let other = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: xcode)
        #expect(try daemon.deliver(other).status == 401)
    }

    @Test func `what nobody owns is kept, and claimed when its token is registered`() throws {
        let daemon = try TestDaemon.started()
        let token = UUID().uuidString.lowercased()
        let life = StoreLife(token: token)
        let body = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try daemon.deliver(body) == (200, "applied"))
        #expect(try daemon.rows(of: "unclaimed").count == 1)
        #expect(try daemon.canRender("bob")["reason"]?.string == "no_account")
        try daemon.restart()
        let account = try daemon.call(
            "registerAccount",
            ["userId": "bob", "appAccountToken": .string(token)]
        )
        #expect(account["appAccountToken"]?.string == token)
        #expect(try daemon.canRender("bob")["via"]?.string == "subscription")
        #expect(try daemon.rows(of: "unclaimed").isEmpty)
    }

    @Test func `a user whose id is the token begins with the first notification`() throws {
        var setup = TestDaemon.Setup()
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        let daemon = try TestDaemon.started(setup)
        let user = UUID().uuidString
        let life = StoreLife(token: user.lowercased())
        _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
        #expect(try daemon.canRender(user)["canRender"]?.bool == true)
        #expect(try daemon.status(user)["userId"]?.string == user.lowercased())
    }

    @Test func `who may use the sandbox is named in any case where user ids are tokens`() throws {
        let user = UUID().uuidString
        var setup = TestDaemon.Setup()
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        setup.environments = "[Sandbox]"
        setup.sandbox = "listed\n  sandboxUsers: [\(user)]"
        let daemon = try TestDaemon.started(setup)
        for (id, isLetIn) in [(user, true), (UUID().uuidString, false)] {
            var life = StoreLife(token: id.lowercased())
            life.environment = "Sandbox"
            _ = try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
            // In either case of the letters, and as often as it is asked.
            for asked in [id, id.lowercased(), id] {
                let answer = try daemon.canRender(asked)
                #expect(answer["canRender"]?.bool == isLetIn)
                #expect(answer["reason"]?.string == (isLetIn ? nil : "sandbox_not_admitted"))
            }
            #expect(try daemon.status(id)["canRender"]?.bool == isLetIn)
        }
    }

    /// The time as results write it, made by another implementation.
    static func text(_ milliseconds: Int64) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime]
        let date = Date(timeIntervalSince1970: Double(milliseconds / 1_000))
        let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        return formatter.string(from: date).dropLast() + ".\(fraction)Z"
    }
}
