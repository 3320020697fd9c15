/// How products are called in accounts, policies and catalogs.
///
/// Accounts call a product of the App Store by its id, as ever; one of another store by
/// `google_play:ID[:BASEPLAN]` or `stripe:PRODUCT[:PRICE[:LOOKUPKEY]]`. A catalog may call either
/// by less: see `spellings`.
package enum ProductName {
    /// How a store tells one product from another.
    enum Naming {
        /// By its id.
        case id
        /// By its id and a variant, as Google's base plans are.
        case variant
        /// By its id, a variant, as Stripe's prices are, and the variant's lookup key.
        case variantAndKey
    }

    /// How accounts call the product of this id that was bought in `store` under these terms.
    static func of(_ id: String, _ terms: TransactionTerms, in store: Store) -> String {
        let key: String?
        switch store.naming {
        case .id: return id
        case .variant: key = nil
        case .variantAndKey: key = terms.lookupKey
        }
        let variant = terms.variant ?? (key == nil ? nil : "")
        return [store.name, id, variant, key].compactMap { $0 }.joined(separator: ":")
    }

    /// What a catalog may call the product that accounts call `name`, the narrowest first: the
    /// first one that it names decides.
    ///
    /// A Google product by its base plan or its id; one of Stripe by its price, its lookup key or
    /// its product. Each with the store before it, or without, for any store.
    package static func spellings(of name: String) -> [String] {
        guard let (store, rest) = parts(of: name) else {
            return [Store.appStore.name + ":" + name, name]
        }
        let narrow: [String]
        switch store.naming {
        case .id: narrow = [rest]
        case .variant:
            let parts = rest.split(separator: ":", maxSplits: 1)
            narrow = parts.count > 1 ? [rest, String(parts[0])] : [rest]
        case .variantAndKey:
            let parts = rest.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                .map(String.init)
            narrow = (parts.dropFirst() + parts.prefix(1)).filter { !$0.isEmpty }
        }
        return narrow.map { store.name + ":" + $0 } + narrow
    }

    /// The store and what is behind it; nil where no store stands before the first colon.
    package static func parts(of name: String) -> (store: Store, rest: String)? {
        guard let colon = name.firstIndex(of: ":"), let store = Store(name: name[..<colon]) else {
            return nil
        }
        return (store, String(name[name.index(after: colon)...]))
    }
}

extension TransactionFact {
    /// How accounts call what was bought, in the store of `key`.
    package func productName(in key: SubscriptionKey) -> String {
        ProductName.of(productID, terms, in: key.store)
    }
}
