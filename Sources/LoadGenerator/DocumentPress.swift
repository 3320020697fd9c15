import CertificateAuthority
import Glibc
import Randomness

/// Signs purchases and notifications as a store would, by a chain of our own.
///
/// A daemon trusts them only where its configuration names the press's root certificate.
package struct DocumentPress: Sendable {
    private let authority: SigningAuthority
    private let bundleID: String
    private let appAppleID: Int64
    private let environment: String
    private let now: Int64

    /// A press with the chain in `directory`, which is made where it is missing.
    package init(
        directory: String,
        bundleID: String = "com.example.app",
        appAppleID: Int64 = 1_234_567_890,
        environment: String = "Production"
    ) throws(LoadFailure) {
        self.environment = environment
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        now = Int64(time(nil)) * 1_000
        do {
            if access(directory + "/leaf-key.pem", F_OK) == 0 {
                authority = try SigningAuthority.load(from: directory)
            } else {
                mkdir(directory, 0o700)
                authority = try SigningAuthority.mint(
                    validFrom: now - 86_400_000,
                    validUntil: now + 3_650 * 86_400_000
                )
                try authority.save(to: directory)
            }
        } catch {
            throw LoadFailure("no chain in \(directory): \(error)")
        }
    }

    /// The first transaction of an account's subscription, signed.
    package func purchase(of account: Int) -> String {
        let original = AccountNames.originalTransaction(account)
        return sign(
            transaction(account, original, purchased: now - 60_000, signed: now - 60_000)
        )
    }

    /// A notification that the subscription has been renewed: three documents, each signed.
    ///
    /// - Parameters:
    ///   - account: whose subscription.
    ///   - run: a number that no earlier run had: later ones renew later periods.
    /// - Returns: the outer document.
    package func renewal(of account: Int, run: UInt64) -> String {
        let original = AccountNames.originalTransaction(account)
        let signed = Int64(time(nil)) * 1_000
        let id = original + String(run % 1_000_000)
        let transaction = transaction(account, id, purchased: signed, signed: signed)
        let outer = """
            {"notificationType":"DID_RENEW","notificationUUID":"\(uuid(account, run))",\
            "data":{"appAppleId":\(appAppleID),"bundleId":"\(bundleID)","bundleVersion":"1",\
            "environment":"\(environment)","signedTransactionInfo":"\(sign(transaction))",\
            "signedRenewalInfo":"\(sign(renewalInfo(account, signed)))","status":1},\
            "version":"2.0","signedDate":\(signed)}
            """
        return sign(outer)
    }

    private func transaction(
        _ account: Int,
        _ id: String,
        purchased: Int64,
        signed: Int64
    ) -> String {
        let original = AccountNames.originalTransaction(account)
        return """
            {"transactionId":"\(id)","originalTransactionId":"\(original)",\
            "webOrderLineItemId":"\(id)","bundleId":"\(bundleID)",\
            "productId":"\(bundleID).paid.yearly","subscriptionGroupIdentifier":"21000000",\
            "purchaseDate":\(purchased),"originalPurchaseDate":\(now - 60_000),\
            "expiresDate":\(purchased + 365 * 86_400_000),"quantity":1,\
            "type":"Auto-Renewable Subscription",\
            "appAccountToken":"\(AccountNames.token(account))",\
            "inAppOwnershipType":"PURCHASED","signedDate":\(signed),\
            "environment":"\(environment)","transactionReason":"PURCHASE","storefront":"USA",\
            "storefrontId":"143441","price":49990,"currency":"USD"}
            """
    }

    private func renewalInfo(_ account: Int, _ signed: Int64) -> String {
        """
        {"originalTransactionId":"\(AccountNames.originalTransaction(account))",\
        "autoRenewProductId":"\(bundleID).paid.yearly","productId":"\(bundleID).paid.yearly",\
        "autoRenewStatus":1,"signedDate":\(signed),"environment":"\(environment)",\
        "recentSubscriptionStartDate":\(now - 60_000),\
        "renewalDate":\(signed + 365 * 86_400_000),"renewalPrice":49990,"currency":"USD"}
        """
    }

    private func uuid(_ account: Int, _ run: UInt64) -> String {
        let high = SplitMix64.mixed(run) & ~0xf000 | 0x4000
        let low = SplitMix64.mixed(run &+ UInt64(account)) & ~(0b11 << 62) | 0b10 << 62
        return AccountNames.uuid(high, low)
    }

    private func sign(_ payload: String) -> String {
        guard let document = try? authority.sign(Array(payload.utf8)) else {
            preconditionFailure("a key that was made or loaded signs")
        }
        return document
    }
}
