import Foundation
import JSON
import TestSupport

/// Simulated Apple, Google and Stripe, whose customers may live in two of them.
final class ThreeStores {
    static let catalog = """
        freeCredits: 0
        creditPacks:
          com.example.app.credits.10: 10
          google_play:credits_10: 10
          "stripe:prod_credits_10": 10
        plans:
          paid: { rank: 1, tier: paid, unlimited: [render],
                  products: [com.example.app.paid.monthly, com.example.app.paid.yearly,
                             google_play:paid, google_play:paid_prepaid, "stripe:prod_paid"] }
          premium: { rank: 2, tier: paid, unlimited: [render],
                     products: [com.example.app.premium.monthly, google_play:premium,
                                "stripe:prod_premium"] }
        """

    let apple: PlayedStore
    let google: PlayedProgram
    let stripe: PlayedProgram
    private let scratch: Scratch

    /// New stores; a month of Apple's customers takes as long as is said, one of the others an
    /// hour.
    init(appleMonth: String, in scratch: Scratch) throws {
        self.scratch = scratch
        apple = try PlayedStore(month: appleMonth, in: scratch)
        google = try .googlePlay(month: "1h", ["--remember-days", "100000"], in: scratch)
        stripe = try .stripe(month: "1h", in: scratch)
    }

    /// Begins to serve the three APIs, in the weather that `words` make.
    ///
    /// Apple forgets nothing: its months take less than a second, and nobody asks for years.
    func serve(_ words: String...) throws {
        try apple.serve(words + ["--remember-days", "100000"])
        try google.serve(words)
        try stripe.serve(words)
    }

    /// A daemon of all three; it asks of its own accord as `reconcile` says.
    func daemon(
        reconcile: String,
        _ change: (inout TestDaemon.Setup) -> Void = { _ in }
    ) throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.apple = false
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        setup.catalog = Self.catalog
        setup.logLevel = "warning"
        setup.extra = """
            \(apple.configuration)
            \(google.configuration)
            \(stripe.configuration)
              pastDueGraceHours: 1
            reconcile: \(reconcile)

            """
        change(&setup)
        return try TestDaemon(setup)
    }
}

/// What the stores say of a moment, worked out from their own books alone.
struct StoreVerdicts {
    /// A purchase that gives access.
    struct Access: Hashable {
        let store: String
        let product: String
        let expires: Int64

        var rank: Int { product.contains("premium") ? 2 : 1 }
    }

    private(set) var access: [String: Set<Access>] = [:]
    private(set) var credits: [String: Int64] = [:]
    /// Purchases of Google that give something, and whether each was acknowledged or consumed.
    private(set) var isTold: [String: Bool] = [:]

    /// What holds at `now`, in ms since 1970.
    init(_ google: [JSONValue], _ stripe: [JSONValue], at now: Int64) {
        for line in google { read(play: line, at: now) }
        for line in stripe { read(stripe: line, at: now) }
    }

    private mutating func read(play line: JSONValue, at now: Int64) {
        let customer = line["customer"]?.string ?? ""
        let state = line["state"]?.string ?? ""
        let (product, token) = (line["product"]?.string ?? "", line["token"]?.string ?? "")
        let isPaid = (line["payments"]?.int64 ?? 0) > 0
        if product == "credits_10" {
            guard isPaid, state == "ACTIVE" else { return }
            let left = (line["quantity"]?.int64 ?? 0) - (line["refunded"]?.int64 ?? 0)
            credits[customer, default: 0] += 10 * left
            if left > 0 { isTold[token] = line["consumed"]?.bool }
            return
        }
        guard isPaid, ["ACTIVE", "IN_GRACE_PERIOD", "CANCELED"].contains(state),
            let end = line["expiresAt"]?.int64, end > now, line["presentVoided"]?.bool == false
        else { return }
        isTold[token] = line["acknowledged"]?.bool
        for name in [product, line["added"]?.string].compactMap({ $0 }) {
            let access = Access(store: "google_play", product: name, expires: end)
            self.access[customer, default: []].insert(access)
        }
    }

    private mutating func read(stripe line: JSONValue, at now: Int64) {
        let customer = line["customer"]?.string ?? ""
        let (status, price) = (line["status"]?.string ?? "", line["price"]?.string ?? "")
        if price == "credits_10" {
            guard status == "paid", let amount = line["amount"]?.int64 else { return }
            let size = 10 * (line["quantity"]?.int64 ?? 0)
            credits[customer, default: 0] += size - size * (line["withdrawn"]?.int64 ?? 0) / amount
            return
        }
        guard line["withdrawn"]?.bool == false, line["pause"]?.string != "void",
            let start = line["currentPeriodStart"]?.int64,
            let paid = line["currentPeriodEnd"]?.int64
        else { return }
        // An unpaid period is borne for the hour that the configuration says.
        let ends = ["active": paid, "trialing": paid, "past_due": start + 3_600]
        guard let end = ends[status], end * 1_000 > now else { return }
        let access = Access(
            store: "stripe",
            product: price == "premium" ? "prod_premium" : "prod_paid",
            expires: (status == "past_due" ? start : end) * 1_000
        )
        self.access[customer, default: []].insert(access)
    }
}
