/// How a catalog writes the name of a product.
enum ProductSpelling {
    /// A product may have its store before it; Google's, a base plan behind it.
    static func check(_ name: String, key: String) throws(ConfigurationFailure) {
        guard let colon = name.firstIndex(of: ":") else { return }
        let (store, rest) = (name[..<colon], name[name.index(after: colon)...])
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        let problem: String
        switch store {
        case "app_store":
            if parts.count == 1, !rest.isEmpty { return }
            problem = "must name a product of the App Store as app_store:ID"
        case "google_play":
            if parts.count <= 2, !parts.contains("") { return }
            problem =
                "must name a product of Google Play as google_play:ID or google_play:ID:BASEPLAN"
        case "stripe":
            if !rest.isEmpty { return }
            problem = "must name a product, a price or a lookup key of Stripe as stripe:ID"
        default:
            problem = "must have app_store, google_play or stripe before the colon, not \(store)"
        }
        throw .wrong(key, problem)
    }
}
