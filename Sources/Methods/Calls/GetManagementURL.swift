import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `getManagementURL`: the page of a store where a customer manages subscriptions; of the store
    /// of what the account shows where no platform is named.
    ///
    /// A store that makes a page for each occasion is asked for one: it ends soon, and is never
    /// kept.
    static let getManagementURL = Call(
        "getManagementURL",
        for: .reader,
        .question { (worker, params) throws(RPCFailure) in
            let service = worker.service
            let user = try params.user(under: try worker.awake().policy)
            let platform = try params.optionalText("platform", bytesMax: 16)
            let named = try platform.map { (name) throws(RPCFailure) in
                try service.store(ofPlatform: name)
            }
            var question = AccountQuestion { (service, user, reader, found) throws(RPCFailure) in
                let managed = try service.managed(by: user, in: named, reader, knowing: found)
                return .url(service.commonPage(for: managed, in: named))
            }
            guard service.makesPages else { return question }
            question.late = .ask { () async throws(RPCFailure) in
                let managed = try await service.work(in: .questions, for: nil) {
                    (reader) throws(RPCFailure) in
                    try service.managed(by: user, in: named, reader, knowing: .longer)
                }
                return .url(try await service.page(for: managed, in: named))
            }
            return question
        }
    )
}

extension JSONObject {
    fileprivate static func url(_ url: String?) -> JSONObject {
        ["url": url.map { .string($0) } ?? .null]
    }
}

extension StatusView {
    /// The subscription that is managed: the one shown, or one of `store` where that is named.
    ///
    /// Of several the one that was bought last; what was bought once is nowhere managed.
    fileprivate func managed(in store: Store?) -> Subscription? {
        guard let store, store != self.store else {
            return account?.key(shownBy: decision).flatMap(lookup)
        }
        let all = (account?.subscriptions ?? []).filter { $0.store == store }.compactMap(lookup)
        // One that was heard of in a grace period alone names no end.
        return all.filter { $0.transactions.last?.expires != nil || $0.everEntitled }
            .max {
                ($0.transactions.last?.purchased ?? .distantPast)
                    < ($1.transactions.last?.purchased ?? .distantPast)
            }
    }
}

extension MethodService {
    /// Whether a store is asked that makes a page for each occasion.
    fileprivate var makesPages: Bool {
        profiles.contains { $0.errands.contains(.managementPages) && client(of: $0.store) != nil }
    }

    /// The subscription of `user` that is managed; see `StatusView.managed`.
    fileprivate func managed(
        by user: UserID,
        in named: Store?,
        _ reader: LedgerReader,
        knowing found: MeasuredAccount
    ) throws(RPCFailure) -> Subscription? {
        let view = try view(of: user, reader, knowing: found)
        let shown = view.store
        guard let named, named != shown else { return view.managed(in: nil) }
        guard view.account?.holds(purchaseIn: named) == true else { return nil }
        return try self.view(of: user, reader, whole: true).managed(in: named)
    }

    /// The page that is the same for everybody, or for everybody who has this product.
    fileprivate func commonPage(for managed: Subscription?, in named: Store?) -> String? {
        let store = managed?.key.store ?? named
        let product = managed?.transactions.last?.productID
        return store.flatMap { storefront(of: $0)?.managementURL(ofProduct: product) }
    }

    /// The page for a purchase; where there is none, that of the store that is named.
    fileprivate func page(
        for managed: Subscription?,
        in named: Store?
    ) async throws(RPCFailure) -> String? {
        if let page = commonPage(for: managed, in: named) { return page }
        guard let managed, let client = client(of: managed.key.store) else { return nil }
        do throws(StoreAPIFailure) {
            return try await client.managementPage(of: managed.key, nonce: .nonce())
        } catch {
            throw RPCFailure(error)
        }
    }

    /// The store of a platform.
    fileprivate func store(ofPlatform name: String) throws(RPCFailure) -> Store {
        guard let profile = profiles.first(where: { $0.platform == name }) else {
            let names = profiles.compactMap(\.platform)
            let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
            throw .invalid("platform", "is \(all)")
        }
        return profile.store
    }
}

extension Account {
    fileprivate func holds(purchaseIn store: Store) -> Bool {
        subscriptions.contains { $0.store == store }
    }
}
