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
        let why = try daemon.call("explain", ["userId": "anna"])
        #expect(
            why["because"]?.string?.contains("google_play says SUBSCRIPTION_STATE_ACTIVE") == true,
            "\(why["because"] as Any)"
        )
        #expect(
            try eventually(within: 30) {
                try play.purchases(of: "anna").first?["acknowledged"] == true
            }
        )
        try play.act(["anna", "void"], to: daemon)
        #expect(try daemon.canRender("anna")["canRender"] == false)
    }

    @Test func `while Google is away messages are kept; a purchase is acknowledged once`() throws {
        let port = try StreamSocket.freePort()
        let daemon = try play.daemon(metrics: port)
        try daemon.start()
        func metric(_ name: String) throws -> String? {
            let page = try HTTPExchange.request("GET", "/metrics", [], port: port).text
            let line = page.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            return line?.split(separator: " ").last.map(String.init)
        }
        let account = try register("anna", daemon)
        // So that it has the keys of pushes.
        try play.serve()
        try play.act(["bert", "buy"], to: daemon)
        play.stop()
        let said = try play.act(["anna", "buy", "--account", account], to: daemon)
        #expect(said.last == "subscription 4 -> 200 accepted")
        #expect(try daemon.canRender("anna")["canRender"] == false)
        daemon.killAtOnce()
        try daemon.start()
        #expect(try eventually(within: 30) { try metric("entitld_notifications_waiting") == "1" })
        // Google answers questions, and refuses nothing but what it is told.
        try play.serve()
        #expect(try eventually(within: 60) { try daemon.canRender("anna")["canRender"] == true })
        func told() throws -> Int64? { try play.purchases(of: "anna").first?["told"]?.int64 }
        #expect(try eventually(within: 60) { try told() == 1 })
        // Google knows it before the daemon has it on disk; killed between the two, it would tell
        // it once more, which Google refuses.
        let awaited = "ACKNOWLEDGEMENT_STATE_PENDING"
        #expect(
            try eventually(within: 60) {
                let why = try daemon.call("explain", ["userId": "anna"])["because"]?.string
                return why?.contains(awaited) == false
            }
        )
        daemon.killAtOnce()
        try daemon.start()
        let unheard = #"entitld_unacknowledged_purchases{reason="untold"}"#
        // Several looks at what is still to be acknowledged.
        for _ in 0..<5 {
            #expect(try eventually(within: 30) { try metric(unheard) == "0" })
            sleep(1)
        }
        #expect(try told() == 1)
        #expect(try play.purchases(of: "anna").first?["acknowledged"] == true)
    }

    @Test func `what belongs to nobody is not acknowledged, and counted`() throws {
        try play.serve()
        let port = try StreamSocket.freePort()
        let daemon = try play.daemon(metrics: port)
        try daemon.start()
        func shows(_ line: String) throws -> Bool {
            let page = try HTTPExchange.request("GET", "/metrics", [], port: port).text
            return page.split(separator: "\n").contains { $0.hasPrefix(line) }
        }
        let token = try play.act(["anna", "buy"], to: daemon)[0]
        let unclaimed = #"entitld_unacknowledged_purchases{reason="unclaimed"}"#
        #expect(try eventually(within: 60) { try shows(unclaimed + " 1") })
        #expect(try !shows("entitld_unacknowledged_since_seconds 0"))
        #expect(try play.purchases(of: "anna").first?["told"] == 0)
        let purchase: JSONObject = ["userId": "anna", "purchaseToken": .string(String(token))]
        _ = try daemon.call("verifyPurchase", purchase)
        #expect(try eventually(within: 60) { try shows(unclaimed + " 0") })
        #expect(try play.purchases(of: "anna").first?["acknowledged"] == true)
        // A second one that renews is paid for twice.
        let account = try register("anna", daemon)
        let second = ["anna", "buy", "--product", "premium", "--account", account]
        try play.act(second, to: daemon)
        let status = try daemon.call("getStatus", ["userId": "anna"])
        #expect(status["duplicateSubscriptions"] == true && status["plan"] == "premium")
        #expect(try shows("entitld_duplicate_subscriptions_total 1"))
    }

    @Test func `an upgrade that is never paid takes nothing away`() throws {
        let daemon = try started()
        let account = try register("anna", daemon)
        try play.act(["anna", "buy", "--account", account], to: daemon)
        let words = ["--account", account, "--product", "premium"]
        for ending in ["cancel-pending", "complete"] {
            let token = try play.act(["anna", "upgrade-pending"] + words, to: daemon)[0]
            _ = try daemon.call(
                "verifyPurchase",
                ["userId": "anna", "purchaseToken": .string(String(token))]
            )
            #expect(try daemon.canRender("anna")["canRender"] == true)
            try play.act(["anna", ending], to: daemon)
            let status = try daemon.call("getStatus", ["userId": "anna"])
            #expect(status["subscription"]?["status"] == "subscribed")
            #expect(status["duplicateSubscriptions"] == false)
            #expect(status["plan"] == (ending == "complete" ? "premium" : "paid"))
        }
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

    @Test func `a push that is faster than what Google's servers know waits for them`() throws {
        let daemon = try started()
        let account = try register("anna", daemon)
        try play.serve("--not-found", "1")
        let said = try play.act(["anna", "buy", "--account", account], to: daemon)
        #expect(said.last == "subscription 4 -> 200 accepted")
        #expect(try daemon.canRender("anna")["canRender"] == false)
        try play.serve()
        #expect(try eventually(within: 60) { try daemon.canRender("anna")["canRender"] == true })
    }

    @Test func `a refund without revocation takes nothing away`() throws {
        let daemon = try started()
        let account = try register("anna", daemon)
        let words = ["--account", account, "--product", "credits_10", "--quantity", "2", "--lose"]
        let token = try play.act(["anna", "buy"] + words, to: daemon)[0]
        try play.act(["anna", "refund"], to: daemon)
        _ = try daemon.call(
            "verifyPurchase",
            ["userId": "anna", "purchaseToken": .string(String(token))]
        )
        #expect(try daemon.call("getStatus", ["userId": "anna"])["creditsRemaining"] == 20)
        #expect(
            try eventually(within: 30) {
                try play.purchases(of: "anna").first?["consumed"] == true
            }
        )
        try play.act(["anna", "void"], to: daemon)
        #expect(try daemon.call("getStatus", ["userId": "anna"])["creditsRemaining"] == 0)
    }

    @Test func `nothing happens where it could not be told, unless that is to be lost`() throws {
        #expect(try play.act(unaddressed: "anna", "buy") == .exited(2))
        #expect(try play.purchases().isEmpty)
        #expect(try play.act(unaddressed: "anna", "buy", "--lose") == .exited(0))
        #expect(try play.purchases().count == 1)
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

    @Test func `entitlctl waits for the test that the Play Console sends`() throws {
        let daemon = try started()
        func waiting(_ store: String, _ seconds: Int) throws -> ChildProcess {
            let words = ["test-notification", "--store", store, "--wait", "\(seconds)"]
            let socket = ["--socket", daemon.adminSocket]
            return try ChildProcess("entitlctl", words + socket, in: scratch)
        }
        #expect(try waiting("google", 1).wait(seconds: 60) == .exited(1))
        // Pressed again until it is heard: when the wait begins cannot be seen from here.
        let child = try waiting("google", 60)
        let url = "http://127.0.0.1:\(daemon.port)/webhooks/google"
        var ending = ChildProcess.Ending.stillRunning
        for _ in 0..<60 where ending == .stillRunning {
            let words = ["test", play.directory, "--url", url]
            let button = try ChildProcess("playstoresim", words, in: scratch)
            #expect(button.wait(seconds: 60) == .exited(0))
            ending = child.wait(seconds: 1)
        }
        #expect(ending == .exited(0), "\(child.log)")
        // Apple is not configured here.
        #expect(try waiting("apple", 1).wait(seconds: 60) == .exited(2))
        #expect(try waiting("stripe", 1).wait(seconds: 60) == .exited(2))
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
