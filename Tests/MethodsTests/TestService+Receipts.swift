import Fixtures
import Forgery
import Foundation
import TestSupport

extension ReceiptAuthority {
    /// An authority that is valid for a year before and behind now.
    static func ofThisYear() throws -> ReceiptAuthority {
        let year = 365 * StoreLife.day
        return try ReceiptAuthority(
            validFrom: StoreVoice.now - year,
            validUntil: StoreVoice.now + year
        )
    }
}

extension TestService {
    /// A service that trusts the receipts of `authority`, started.
    static func trusting(_ authority: ReceiptAuthority) throws -> TestService {
        let scratch = try Scratch()
        let root = scratch.file("receipts.der")
        try Data(authority.rootDER()).write(to: URL(fileURLWithPath: root))
        var setup = TestService.Setup()
        setup.apple = "receiptRootCertificateFiles: [\(root)]"
        let service = try TestService(setup, scratch: scratch)
        try service.start()
        return service
    }
}

extension ReceiptContent {
    /// A receipt of the present period of `life`.
    static func content(of life: StoreLife, created: Int64) -> ReceiptContent {
        ReceiptContent(
            bundleID: ApplePayloads.bundleID,
            environment: "Production",
            created: created,
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
    }
}
