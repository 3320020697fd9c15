import EntitlementsClient
import Foundation
import JSON
import TestSupport
import Testing

/// A daemon beside a simulated Google Play: pushes, questions, acknowledgements.
@Suite struct PlayStoreTests {
    private let scratch: Scratch
    private let play: PlayedProgram

    init() throws {
        scratch = try Scratch()
        play = try .googlePlay(month: "30d", in: scratch)
    }

    private func started() throws -> TestDaemon {
        try play.serve()
        let daemon = try play.daemon()
        try daemon.start()
        return daemon
    }

    /// An account, and the account id that its app gives to Google.
    private func register(_ user: String, _ daemon: TestDaemon) throws -> String {
        let answer = try daemon.call("registerAccount", ["userId": .string(user)])
        return answer["appAccountToken"]?.string ?? ""
    }

    @Test func `a purchase on a device gives access, and is acknowledged`() throws {
        let daemon = try started()
        let account = try register("anna", daemon)
        let said = try play.act(["anna", "buy", "--account", account], to: daemon)
        #expect(said.last == "subscription 4 -> 200 applied")
        #expect(try daemon.canRender("anna")["canRender"] == true)
        let status = try daemon.call("getStatus", ["userId": "anna"])
        #expect(status["subscriptionMethod"] == "google_play" && status["plan"] == "paid")
        #expect(
            try eventually(within: 30) {
                try play.purchases(of: "anna").first?["acknowledged"] == true
            }
        )
        try play.act(["anna", "void"], to: daemon)
        #expect(try daemon.canRender("anna")["canRender"] == false)
    }

    @Test func `a message that is lost is made good by verifyPurchase`() throws {
        let daemon = try started()
        let account = try register("anna", daemon)
        let token = try play.act(["anna", "buy", "--account", account, "--lose"], to: daemon)[0]
        #expect(try daemon.canRender("anna")["canRender"] == false)
        let answer = try daemon.call(
            "verifyPurchase",
            ["userId": "anna", "purchaseToken": .string(String(token))]
        )
        #expect(answer["applied"] == true)
        #expect(try daemon.canRender("anna")["canRender"] == true)
        #expect(throws: ClientError.self) {
            try daemon.call(
                "verifyPurchase",
                ["userId": "bert", "purchaseToken": .string(String(token))]
            )
        }
    }

    @Test func `a pack gives its credits once, and is consumed`() throws {
        let daemon = try started()
        let account = try register("anna", daemon)
        let words = ["--account", account, "--product", "credits_10", "--quantity", "2", "--twice"]
        try play.act(["anna", "buy"] + words, to: daemon)
        let credits = try daemon.call("getStatus", ["userId": "anna"])["creditsRemaining"]
        #expect(credits == 20)
        #expect(
            try eventually(within: 30) {
                try play.purchases(of: "anna").first?["consumed"] == true
            }
        )
    }

    @Test func `a push without a token of Google's is refused`() throws {
        let daemon = try started()
        let answer = try HTTPExchange.post(
            Array(#"{"message":{"data":"e30=","messageId":"1"}}"#.utf8),
            port: daemon.port,
            path: "/webhooks/google"
        )
        #expect(answer.status == 401)
    }
}
