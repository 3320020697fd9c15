import EntitlementsClient
import Foundation
import JSON
import TestSupport
import Testing

/// A daemon beside a simulated Stripe: events, and questions about what they are about.
@Suite struct StripeStoreTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func started(_ words: String...) throws -> (PlayedProgram, TestDaemon) {
        let stripe = try PlayedProgram.stripe(month: "30d", words, in: scratch)
        try stripe.serve()
        let daemon = try stripe.daemon()
        try daemon.start()
        return (stripe, daemon)
    }

    private func register(_ user: String, _ daemon: TestDaemon) throws {
        _ = try daemon.call("registerAccount", ["userId": .string(user)])
    }

    @Test(arguments: [[], ["--old-shapes"]])
    func `a subscription gives access until it is cancelled at once`(words: [String]) throws {
        let stripe = try PlayedProgram.stripe(month: "30d", words, in: scratch)
        try stripe.serve()
        let daemon = try stripe.daemon()
        try daemon.start()
        try register("anna", daemon)
        let said = try stripe.act(["anna", "subscribe"], to: daemon)
        #expect(said.dropFirst().allSatisfy { $0.contains(" -> 200 ") }, "\(said)")
        #expect(try daemon.canRender("anna")["canRender"] == true)
        var status = try daemon.call("getStatus", ["userId": "anna"])
        #expect(status["subscriptionMethod"] == "stripe" && status["plan"] == "paid")
        let page = try daemon.call("getManagementURL", ["userId": "anna", "platform": "web"])
        #expect(
            page["url"]?.string?.hasPrefix("https://billing.example.com/session/") == true,
            "\(page)"
        )
        let why = try daemon.call("explain", ["userId": "anna"])["because"]?.string ?? ""
        #expect(why.contains("stripe says active"), "\(why)")
        try stripe.act(["anna", "cancel-in-portal"], to: daemon)
        status = try daemon.call("getStatus", ["userId": "anna"])
        #expect(status["subscription"]?["status"] == "cancelled" && status["plan"] == "paid")
        try stripe.act(["anna", "keep"], to: daemon)
        try stripe.act(["anna", "change"], to: daemon)
        #expect(try daemon.call("getStatus", ["userId": "anna"])["plan"] == "premium")
        try stripe.act(["anna", "cancel-now"], to: daemon)
        #expect(try daemon.canRender("anna")["canRender"] == false)
    }

    @Test func `a failed payment is borne for a while, and a refund ends access`() throws {
        let (stripe, daemon) = try started()
        try register("anna", daemon)
        try stripe.act(["anna", "subscribe"], to: daemon)
        try stripe.act(["anna", "fail-to-renew"], to: daemon)
        #expect(try daemon.canRender("anna")["canRender"] == true)
        try stripe.act(["anna", "recover"], to: daemon)
        try stripe.act(["anna", "refund"], to: daemon)
        #expect(try daemon.canRender("anna")["canRender"] == false)
    }

    @Test func `a pack gives its credits once, and a refund takes them`() throws {
        let (stripe, daemon) = try started()
        try register("anna", daemon)
        func credits() throws -> JSONValue? {
            try daemon.call("getStatus", ["userId": "anna"])["creditsRemaining"]
        }
        try stripe.act(["anna", "buy", "--quantity", "2", "--twice"], to: daemon)
        #expect(try credits() == 20)
        try stripe.act(["anna", "refund"], to: daemon)
        #expect(try credits() == 0)
        try stripe.act(["anna", "buy-later"], to: daemon)
        #expect(try credits() == 0)
        try stripe.act(["anna", "pay"], to: daemon)
        #expect(try credits() == 10)
    }

    @Test func `while Stripe is away, events are kept, and asked about once it answers`() throws {
        let (stripe, daemon) = try started()
        try register("anna", daemon)
        stripe.stop()
        try stripe.act(["anna", "subscribe", "--lose"], to: daemon)
        try stripe.act(["anna", "cancel-in-portal"], to: daemon)
        #expect(try daemon.canRender("anna")["canRender"] == false)
        try stripe.serve()
        #expect(try eventually(within: 60) { try daemon.canRender("anna")["canRender"] == true })
    }

    @Test func `an event that is faster than what Stripe's servers know waits for them`() throws {
        let (stripe, daemon) = try started()
        try register("anna", daemon)
        try stripe.serve("--not-found", "1")
        let said = try stripe.act(["anna", "subscribe"], to: daemon)
        #expect(said.contains { $0.hasSuffix("-> 200 accepted") }, "\(said)")
        #expect(try daemon.canRender("anna")["canRender"] == false)
        try stripe.serve()
        #expect(try eventually(within: 60) { try daemon.canRender("anna")["canRender"] == true })
    }

    @Test func `nothing happens where it could not be told, unless that is to be lost`() throws {
        let stripe = try PlayedProgram.stripe(month: "30d", in: scratch)
        #expect(try stripe.act(unaddressed: "anna", "subscribe") == .exited(2))
        #expect(try stripe.purchases().isEmpty)
        #expect(try stripe.act(unaddressed: "anna", "subscribe", "--lose") == .exited(0))
        #expect(try stripe.purchases().count == 1)
    }

    @Test func `a subscription that the seller pauses gives no access, and goes on`() throws {
        let (stripe, daemon) = try started()
        try register("anna", daemon)
        try stripe.act(["anna", "subscribe"], to: daemon)
        try stripe.act(["anna", "pause-subscription"], to: daemon)
        let status = try daemon.call("getStatus", ["userId": "anna"])
        #expect(status["subscription"]?["status"] == "paused")
        #expect(status["subscription"]?["isTrial"] == false)
        try stripe.act(["anna", "resume"], to: daemon)
        #expect(try daemon.canRender("anna")["canRender"] == true)
    }

    @Test func `an event signed with another secret is refused`() throws {
        let (stripe, daemon) = try started()
        let other = try PlayedProgram.stripe(month: "30d", in: Scratch())
        #expect(throws: DaemonProblem.self) {
            try other.act(["anna", "subscribe"], to: daemon)
        }
        #expect(try daemon.canRender("anna")["canRender"] == false)
        stripe.stop()
    }
}
