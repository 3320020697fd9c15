import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// A signed notification changes what canRender answers.
@Suite struct NotificationTests {
    /// A service with one registered user.
    private func oneUser(_ setup: TestService.Setup = .init()) throws -> (TestService, String) {
        let service = try TestService.started(setup)
        let account = try service.call("registerAccount", ["userId": "alice"])
        return (service, try #require(account["appAccountToken"]?.string))
    }

    private func expect(
        _ service: TestService,
        _ body: [UInt8],
        renders: Bool,
        via: String?,
        status: String,
        reason: String? = nil
    ) throws {
        let reply = try service.deliver(body)
        #expect(reply.status == 200)
        #expect(reply.result == "applied")
        let answer = try service.canRender("alice")
        #expect(answer["canRender"]?.bool == renders)
        #expect(answer["via"]?.string == via)
        #expect(answer["reason"]?.string == reason)
        let shown = try service.status("alice")
        #expect(shown["subscription"]?["status"]?.string == status)
        #expect(shown["canRender"]?.bool == renders)
    }

    @Test func `a life from the first purchase to the second changes what canRender answers`()
        throws
    {
        let (service, token) = try oneUser()
        let voice = service.voice
        #expect(try service.canRender("alice")["reason"]?.string == "never_subscribed")
        var life = StoreLife(token: token)
        try expect(
            service,
            voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life),
            renders: true,
            via: "subscription",
            status: "subscribed"
        )
        life.renew()
        try expect(
            service,
            voice.notification("DID_RENEW", about: life),
            renders: true,
            via: "subscription",
            status: "subscribed"
        )
        // A renewal is announced before it starts: the end moves, the current one stays.
        let renewed = try service.status("alice")
        #expect(renewed["expiresAt"]?.string == Self.text(life.expires))
        #expect(renewed["subscription"]?["transactionId"]?.string == life.originalID)
        life.autoRenew = false
        let cancelled = voice.signingTime()
        try expect(
            service,
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
        let shown = try service.status("alice")["subscription"]
        #expect(shown?["cancelledAt"]?.string == Self.text(cancelled))
        #expect(shown?["autoRenew"]?.bool == false)
    }

    @Test func `an unpaid subscription lives through grace and no further`() throws {
        let (service, token) = try oneUser()
        let voice = service.voice
        var life = StoreLife(token: token, expiresIn: -1)
        life.status = 4
        life.isRetrying = true
        life.graceUntil = StoreVoice.now + 3 * StoreLife.day
        try expect(
            service,
            voice.notification("DID_FAIL_TO_RENEW", "GRACE_PERIOD", about: life),
            renders: true,
            via: "grace",
            status: "grace_period"
        )
        #expect(try service.status("alice")["paywall"]?.string == "none")
        life.status = 3
        life.graceUntil = nil
        try expect(
            service,
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
            service,
            voice.notification("EXPIRED", "BILLING_RETRY", about: life),
            renders: false,
            via: nil,
            status: "expired",
            reason: "expired"
        )
        let lapsed = try service.status("alice")
        #expect(lapsed["paywall"]?.string == "resubscribe")
        #expect(lapsed["hadSubscription"]?.bool == true)
    }

    @Test func `a refund ends access and a new purchase brings it back`() throws {
        let (service, token) = try oneUser()
        let voice = service.voice
        var life = StoreLife(token: token)
        _ = try service.deliver(voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life))
        life.status = 5
        life.revoked = StoreVoice.now
        try expect(
            service,
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
            service,
            voice.notification("SUBSCRIBED", "RESUBSCRIBE", about: again),
            renders: true,
            via: "subscription",
            status: "subscribed"
        )
        #expect(try service.status("alice")["plan"]?.string == "premium")
    }

    @Test func `a period that ends, ends access by the clock alone`() throws {
        let (service, token) = try oneUser()
        var life = StoreLife(token: token)
        life.expires = StoreVoice.now + 1_500
        _ = try service.deliver(
            service.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        )
        let before = try service.canRender("alice")
        #expect(before["canRender"]?.bool == true)
        #expect(before["nextChangeAt"]?.string == Self.text(life.expires))
        #expect(try eventually { try service.canRender("alice")["canRender"]?.bool == false })
        #expect(StoreVoice.now >= life.expires)
        #expect(try service.canRender("alice")["reason"]?.string == "expired")
    }

    @Test func `the result words are applied, duplicate, stale and ignored`() throws {
        let (service, token) = try oneUser()
        let voice = service.voice
        let life = StoreLife(token: token)
        let signed = voice.signingTime()
        let first = try voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life, signed: signed)
        #expect(try service.deliver(first) == (200, "applied"))
        #expect(try service.deliver(first) == (200, "duplicate"))
        // A new UUID around documents that are all older than what is kept.
        let later = try voice.notification("DID_CHANGE_RENEWAL_STATUS", about: life)
        #expect(try service.deliver(later) == (200, "applied"))
        let old = try voice.notification("SUBSCRIBED", about: life, signed: signed)
        #expect(try service.deliver(old) == (200, "stale"))
        let test = try voice.body(
            "TEST",
            saying: [
                "bundleId": .string(ApplePayloads.bundleID),
                "appAppleId": .integer(ApplePayloads.appAppleID), "environment": "Production",
            ]
        )
        #expect(try service.deliver(test) == (200, "ignored"))
        let unknown = try voice.notification("A_TYPE_OF_2030", "AND_SUBTYPE", about: life)
        #expect(try service.deliver(unknown) == (200, "applied"))
    }

    @Test func `a sandbox notification is ignored where sandbox is not configured`() throws {
        let (service, token) = try oneUser()
        var life = StoreLife(token: token)
        life.environment = "Sandbox"
        let body = try service.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try service.deliver(body) == (200, "ignored"))
        #expect(try service.canRender("alice")["canRender"]?.bool == false)
        #expect(try service.rows(of: "subscriptions").isEmpty)
        var xcode = StoreLife(token: token)
        xcode.environment = "Xcode"
        let other = try service.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: xcode)
        #expect(try service.deliver(other).status == 401)
    }

    @Test func `what nobody owns is kept, and claimed when its token is registered`() throws {
        let service = try TestService.started()
        let token = UUID().uuidString.lowercased()
        let life = StoreLife(token: token)
        let body = try service.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try service.deliver(body) == (200, "applied"))
        #expect(try service.rows(of: "unclaimed").count == 1)
        #expect(try service.canRender("bob")["reason"]?.string == "no_account")
        try service.restart()
        let account = try service.call(
            "registerAccount",
            ["userId": "bob", "appAccountToken": .string(token)]
        )
        #expect(account["appAccountToken"]?.string == token)
        #expect(try service.canRender("bob")["via"]?.string == "subscription")
        #expect(try service.rows(of: "unclaimed").isEmpty)
    }

    @Test func `a user whose id is the token begins with the first notification`() throws {
        var setup = TestService.Setup()
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        let service = try TestService.started(setup)
        let user = UUID().uuidString
        let life = StoreLife(token: user.lowercased())
        _ = try service.deliver(service.voice.notification("SUBSCRIBED", about: life))
        #expect(try service.canRender(user)["canRender"]?.bool == true)
        #expect(try service.status(user)["userId"]?.string == user.lowercased())
    }

    @Test func `who may use the sandbox is named in any case where user ids are tokens`() throws {
        let user = UUID().uuidString
        var setup = TestService.Setup()
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        setup.environments = "[Sandbox]"
        setup.sandbox = "listed\n  sandboxUsers: [\(user)]"
        let service = try TestService.started(setup)
        for (id, isLetIn) in [(user, true), (UUID().uuidString, false)] {
            var life = StoreLife(token: id.lowercased())
            life.environment = "Sandbox"
            _ = try service.deliver(service.voice.notification("SUBSCRIBED", about: life))
            // In either case of the letters, and as often as it is asked.
            for asked in [id, id.lowercased(), id] {
                let answer = try service.canRender(asked)
                #expect(answer["canRender"]?.bool == isLetIn)
                #expect(answer["reason"]?.string == (isLetIn ? nil : "sandbox_not_admitted"))
            }
            #expect(try service.status(id)["canRender"]?.bool == isLetIn)
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
