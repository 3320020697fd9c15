import AppStore
import CertificateAuthority
import Entitlements
import JSON
import Signatures

/// Signed documents as the store's, and a storefront that trusts their chain.
struct StoreVoice: Sendable {
    /// 2026-02-01T00:00:00Z.
    static let start = Moment(1_769_904_000_000)
    static let day: Int64 = 86_400_000
    static let bundleID = "com.example.app"

    let authority: SigningAuthority
    let storefront: AppStore
    private let verifier: DocumentVerifier

    init() throws {
        let start = Self.start.milliseconds
        authority = try SigningAuthority.mint(
            validFrom: start - 1_000 * Self.day,
            validUntil: start + 1_000 * Self.day
        )
        verifier = try DocumentVerifier(roots: [authority.rootDER])
        storefront = AppStore(
            verifier: verifier,
            identity: AppStoreIdentity(
                bundleID: Self.bundleID,
                appAppleID: nil,
                environments: [.production, .sandbox]
            )
        )
    }

    /// The same for more apps, or fewer environments.
    func storefront(others: [String], environments: [StoreEnvironment]) -> AppStore {
        AppStore(
            verifier: verifier,
            identity: AppStoreIdentity(
                apps: ([Self.bundleID] + others).map { .init(bundleID: $0, appAppleID: nil) },
                environments: Set(environments)
            )
        )
    }

    /// Half a day before the first periods end; their renewals are known to the store.
    static var lateInFirstPeriod: Moment { start.advanced(byMilliseconds: 30 * day - day / 2) }

    /// One period of one subscription.
    struct Period: Sendable {
        var original: String
        var id: String
        var from: Moment
        var until: Moment
        var signed: Moment
        var environment = StoreEnvironment.production
        var renews = true

        init(_ original: String, number: Int = 0, from: Moment = start, days: Int64 = 30) {
            self.original = original
            id = number == 0 ? original : "\(original)\(number)"
            self.from = from.advanced(byMilliseconds: Int64(number) * days * day)
            until = self.from.advanced(byMilliseconds: days * day)
            // A renewal is announced before the period begins.
            signed = number == 0 ? self.from : self.from.advanced(byMilliseconds: -day)
        }

        var key: SubscriptionKey {
            SubscriptionKey(store: .appStore, environment: environment, originalID: original)
        }
    }

    func transaction(_ period: Period) throws -> String {
        try sign([
            "originalTransactionId": .string(period.original),
            "transactionId": .string(period.id),
            "bundleId": .string(Self.bundleID),
            "productId": "monthly",
            "purchaseDate": .integer(period.from.milliseconds),
            "expiresDate": .integer(period.until.milliseconds),
            "type": "Auto-Renewable Subscription",
            "environment": .string(period.environment.name),
            "signedDate": .integer(period.signed.milliseconds),
        ])
    }

    func renewal(_ period: Period) throws -> String {
        try sign([
            "originalTransactionId": .string(period.original),
            "autoRenewProductId": "monthly",
            "productId": "monthly",
            "autoRenewStatus": .integer(period.renews ? 1 : 0),
            "environment": .string(period.environment.name),
            "signedDate": .integer(period.signed.milliseconds),
        ])
    }

    /// A `DID_RENEW` of this period.
    func notification(_ period: Period, number: Int) throws -> String {
        let digits = String(number + 1_000_000)
        return try sign([
            "notificationType": "DID_RENEW",
            "notificationUUID": .string("00000000-0000-4000-8000-00000\(digits)"),
            "version": "2.0",
            "signedDate": .integer(period.signed.milliseconds),
            "data": [
                "bundleId": .string(Self.bundleID),
                "environment": .string(period.environment.name),
                "signedTransactionInfo": .string(try transaction(period)),
                "signedRenewalInfo": .string(try renewal(period)),
            ],
        ])
    }

    /// The answer of Get All Subscription Statuses.
    func statuses(_ period: Period) throws -> JSONObject {
        let item: JSONObject = [
            "status": 1,
            "originalTransactionId": .string(period.original),
            "signedTransactionInfo": .string(try transaction(period)),
            "signedRenewalInfo": .string(try renewal(period)),
        ]
        return [
            "environment": .string(period.environment.name),
            "bundleId": .string(Self.bundleID),
            "data": [["lastTransactions": [.object(item)]]],
        ]
    }

    /// What the storefront makes of a period.
    func fact(_ period: Period) throws -> Fact {
        let verdict = storefront.verdict(
            onPurchase: Array(try transaction(period).utf8),
            renewal: Array(try renewal(period).utf8),
            at: period.signed
        )
        guard case .genuine(let fact) = verdict else { throw Broken() }
        return fact
    }

    struct Broken: Error {}

    private func sign(_ object: JSONObject) throws -> String {
        try authority.sign(JSONValue.object(object).bytes)
    }
}
