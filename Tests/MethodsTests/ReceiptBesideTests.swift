import EntitlementsClient
import Fixtures
import Forgery
import JSON
import TestSupport
import Testing

/// A receipt of what a signed transaction has told already.
@Suite struct ReceiptBesideTests {
    /// A receipt does not say that a period was free, or knows it by a field that Apple does not
    /// document.
    @Test(arguments: [false, true])
    func `a receipt takes nothing of what a signed transaction says`(isFirst: Bool) throws {
        let authority = try ReceiptAuthority.ofThisYear()
        let service = try TestService.trusting(authority)
        let account = try service.call("registerAccount", ["userId": "alice"])
        var life = StoreLife(token: account["appAccountToken"]?.string)
        life.isTrial = true
        func show() throws {
            let content = ReceiptContent.content(of: life, created: StoreVoice.now + 2_000)
            let asked: JSONObject = [
                "userId": "alice", "receiptData": .string(try authority.receipt(content)),
            ]
            // Before it is told whose the purchase is, a receipt links it.
            _ = try service.call("verifyReceipt", asked)
        }
        let notification = try service.voice.notification("SUBSCRIBED", about: life)
        if isFirst { try show() }
        #expect(try service.deliver(notification) == (200, "applied"))
        try show()
        #expect(try service.status("alice")["state"] == "trial")
        #expect(try service.status("alice")["subscription"]?["isTrial"] == true)
        #expect(try service.isSoundOnceStopped())
    }

    /// The message of a refund was lost; the app shows the receipt that it has afterwards.
    @Test func `a receipt with a cancellation ends what a signed transaction gave`() throws {
        let authority = try ReceiptAuthority.ofThisYear()
        let service = try TestService.trusting(authority)
        let account = try service.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let notification = try service.voice.notification("SUBSCRIBED", about: life)
        #expect(try service.deliver(notification) == (200, "applied"))
        func isValid(created: Int64, isCancelled: Bool) throws -> Bool? {
            var content = ReceiptContent.content(of: life, created: StoreVoice.now + created)
            if isCancelled { content.purchases[0].cancelled = StoreVoice.now }
            let receipt = try authority.receipt(content)
            let asked: JSONObject = ["userId": "alice", "receiptData": .string(receipt)]
            return try service.call("verifyReceipt", asked)["isValid"]?.bool
        }
        // One of a time before the transaction was signed is no news.
        #expect(try isValid(created: -600_000, isCancelled: true) == true)
        #expect(try isValid(created: 2_000, isCancelled: true) == false)
        #expect(try service.status("alice")["subscription"]?["status"] == "revoked")
        #expect(try isValid(created: 1_000, isCancelled: false) == false)
        // The refund was reversed.
        #expect(try isValid(created: 4_000, isCancelled: false) == true)
        #expect(try service.isSoundOnceStopped())
    }
}
