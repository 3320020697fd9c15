import AppStore
import Entitlements
import Forgery
import JSON
import Signatures

/// A storefront that trusts an own chain of receipts, and good receipts to begin with.
struct ReceiptStage {
    /// 2026-02-01T00:00:00Z.
    static let now: Int64 = 1_769_904_000_000
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour
    static let bundleID = "com.example.app"

    /// Keys of RSA take long to make; all tests of this room share these.
    static let shared: Result<ReceiptAuthority, any Error> = Result {
        try ReceiptAuthority(validFrom: now - 400 * day, validUntil: now + 400 * day)
    }

    let authority: ReceiptAuthority
    let receipts: AppStoreReceipts

    init(environments: Set<StoreEnvironment> = [.production, .sandbox]) throws {
        authority = try Self.shared.get()
        receipts = AppStoreReceipts(
            verifier: try ReceiptVerifier(roots: [try authority.rootDER()]),
            identity: AppStoreIdentity(
                bundleID: Self.bundleID,
                appAppleID: nil,
                environments: environments
            )
        )
    }

    /// A month that began ten days ago.
    static var month: ReceiptContent.Purchase {
        ReceiptContent.Purchase(
            productID: "com.example.monthly",
            transactionID: "340001237736590",
            originalID: "340001196262039",
            purchased: now - 10 * day,
            expires: now + 20 * day
        )
    }

    /// Made an hour ago, with that month in it.
    static var good: ReceiptContent {
        ReceiptContent(
            bundleID: bundleID,
            environment: "Production",
            created: now - hour,
            purchases: [month]
        )
    }

    func verdict(onText text: String) -> ReceiptVerdict {
        receipts.verdict(on: Array(text.utf8), at: Moment(Self.now))
    }

    func verdict(on content: ReceiptContent) throws -> ReceiptVerdict {
        verdict(onText: try authority.receipt(content))
    }

    /// The verdict on a content of any bytes, signed well.
    func verdict(onContent bytes: [UInt8]) throws -> ReceiptVerdict {
        let envelope = try authority.envelope(bytes)
        return verdict(onText: Base64.text(try envelope.der(signedBy: authority.leafKey)))
    }

    func facts(_ purchases: ReceiptContent.Purchase...) throws -> [Fact]? {
        var content = Self.good
        content.purchases = purchases
        return try verdict(on: content).receipt?.facts
    }
}

extension ReceiptVerdict {
    var receipt: VerifiedReceipt? { if case .genuine(let receipt) = self { receipt } else { nil } }
    var fault: ReceiptFault? { if case .refused(let fault, _) = self { fault } else { nil } }
}

extension AppStoreReceipts {
    /// The verdict on `base64`, as a value that was verified or the reason why there is none.
    func receipt(_ base64: String, at now: Moment) -> Result<VerifiedReceipt, ReceiptFault> {
        switch verdict(on: Array(base64.utf8), at: now) {
        case .genuine(let receipt): .success(receipt)
        case .refused(let fault, _): .failure(fault)
        }
    }
}
