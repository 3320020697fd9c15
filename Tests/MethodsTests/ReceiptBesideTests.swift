import EntitlementsClient
import Fixtures
import Forgery
import Foundation
import JSON
import TestSupport
import Testing

/// A receipt of what a signed transaction has told already.
@Suite struct ReceiptBesideTests {
    /// A receipt does not say that a period was free, or knows it by a field that Apple does not
    /// document.
    @Test(arguments: [false, true])
    func `a receipt takes nothing of what a signed transaction says`(isFirst: Bool) throws {
        let scratch = try Scratch()
        let year = 365 * StoreLife.day
        let authority = try ReceiptAuthority(
            validFrom: StoreVoice.now - year,
            validUntil: StoreVoice.now + year
        )
        let root = scratch.file("receipts.der")
        try Data(authority.rootDER()).write(to: URL(fileURLWithPath: root))
        var setup = TestService.Setup()
        setup.apple = "receiptRootCertificateFiles: [\(root)]"
        let service = try TestService(setup, scratch: scratch)
        try service.start()
        let account = try service.call("registerAccount", ["userId": "alice"])
        var life = StoreLife(token: account["appAccountToken"]?.string)
        life.isTrial = true
        func show() throws {
            let content = ReceiptContent(
                bundleID: ApplePayloads.bundleID,
                environment: "Production",
                created: StoreVoice.now + 2_000,
                purchases: [
                    ReceiptContent.Purchase(
                        productID: life.product,
                        transactionID: life.transactionID,
                        originalID: life.originalID,
                        purchased: life.purchased,
                        expires: life.expires
                    )
                ]
            )
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
}
