import Entitlements
import JSON

/// The Android Publisher API (v3) for one app: the requests, and the facts that the answers state.
package struct Publisher: Hashable, Sendable {
    /// The app.
    package let package: String
    private let host: StoreHost

    /// Google's own server.
    package static let google = StoreHost(named: "androidpublisher.googleapis.com")

    /// The budget of the list of voided purchases, which has a separate quota.
    package static let voided = StoreBudget("voided")

    /// Creates a publisher that asks `host` about the app of this package name.
    package init(package: String, host: StoreHost = Publisher.google) {
        self.package = package
        self.host = host
    }

    /// Half of what Google allows (its page "Quotas"): 3,000 a minute, and of the voided purchases
    /// 6,000 a day.
    package static let budgets: [StoreBudget: Int64] = [.ordinary: 25_000, voided: 34]

    func get(_ path: String) -> StoreRequest { StoreRequest(.get, host, self.path(path)) }

    /// `purchases.subscriptionsv2.get`.
    func subscription(_ token: PurchaseToken) -> StoreRequest {
        get("subscriptionsv2/tokens/\(StoreRequest.encoded(token.text))")
    }

    /// `purchases.productsv2.getproductpurchasev2`.
    func product(_ token: PurchaseToken) -> StoreRequest {
        get("productsv2/tokens/\(StoreRequest.encoded(token.text))")
    }

    /// `purchases.subscriptions.acknowledge`, `purchases.products.acknowledge` and
    /// `purchases.products.consume`: repeating them changes nothing.
    func tell(
        _ verb: String,
        _ collection: String,
        _ product: String,
        _ token: PurchaseToken
    ) -> StoreRequest {
        let id = StoreRequest.encoded(product)
        let tail = "\(collection)/\(id)/tokens/\(StoreRequest.encoded(token.text)):\(verb)"
        return StoreRequest(.post, host, path(tail), body: .json(Array("{}".utf8)))
    }

    /// `purchases.voidedpurchases.list`, subscriptions too, up to now.
    ///
    /// Without `endTime`, which may not be in the future by Google's clock.
    func voided(in window: Range<Moment>, page: String?) -> StoreRequest {
        var query: [(name: String, value: String)] = [
            ("startTime", "\(window.lowerBound.milliseconds)"),
            ("maxResults", "\(PlayLimits.voidedPageMax)"),
            ("type", "1"),
            ("includeQuantityBasedPartialRefund", "true"),
        ]
        if let page { query.append(("token", page)) }
        return StoreRequest(
            .get,
            host,
            path("voidedpurchases"),
            query: query,
            budget: Self.voided
        )
    }

    private func path(_ tail: String) -> String {
        "/androidpublisher/v3/applications/\(StoreRequest.encoded(package))/purchases/\(tail)"
    }
}
