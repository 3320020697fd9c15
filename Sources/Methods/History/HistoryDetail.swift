import Entitlements
import JSON
import Ledger
import Wire

/// What happened at one step of a history, for people: the members that apply, under the names of
/// proto/openrpc.json.
struct HistoryDetail {
    private var members: JSONObject = [:]

    /// What `step` says of `user`; `views` are what was true before it and after it, if that is
    /// known.
    init(
        _ step: HistoryStep,
        of user: UserID,
        between views: (before: StatusView, after: StatusView)? = nil
    ) {
        let fact = Self.fact(of: step)
        var amount = step.isInVain(for: user) ? nil : step.order.amount
        // What a refund takes behind a charge that is put back is not of that charge.
        let isReversal = step.events.contains { if case .reversed = $0 { true } else { false } }
        var plan = ""
        // Of what came from several sources at once, none is told.
        var (sources, changes) = (Set<String>(), PackChanges())
        // What a hold or a charge returns may have paid; what begun periods have is `spent`.
        var (grant, paid): (UInt64?, Int64) = (nil, 0)
        for event in step.events {
            switch event {
            case .granted(user, let name, let given):
                plan = name
                grant = given.id
            case .grantRevoked(user, let id): grant = id
            case .registered(user, let credits), .appTransactionUsed(_, user, let credits):
                if credits > 0 { amount = amount ?? credits }
            case .packCredited(let key, let pack):
                guard pack.user == user else { continue }
                changes.add(pack.amount, key, from: pack.source)
            // What a refund of a period that is reversed had taken of other credits.
            case .credited(user, let bucket) where fact != nil && !isReversal:
                amount = (amount ?? 0) + bucket.amount
            case .packRefunded(let key, user, let parts, let owed),
                .packPartRefunded(let key, user, let parts, let owed, _):
                if isReversal { continue }
                changes.add(-parts.total - owed, key, from: parts.first?.source)
            case .holdEnded(user, let id, let ending, let returned):
                defer { paid = 0 }
                guard ending.kind == .committed, amount == nil else { continue }
                let hold = views?.before.account?.purse.holds.first { $0.id == id }
                amount = hold.map { $0.parts.total - returned.total - paid }
            case .debtPaid(user, let parts): paid += parts.total
            case .spent(user, _): paid = 0
            case .linked(let key, _, _), .shared(let key, _):
                guard fact == nil else { continue }
                members["store"] = .string(key.store.name)
                let one = (views?.after.lookup(key) ?? views?.before.lookup(key))?.transactions.last
                put("productId", one?.productID ?? "")
                put("transactionId", one?.id ?? "")
            // Of one charge alone, which may have been made before the accounts were merged.
            case .reversed(_, let parts): amount = amount ?? parts.total + paid
            case .accountOpened, .appTransactionAwaited, .tokenClaimed, .merged,
                .succeeded, .dated, .granted, .grantRevoked, .settled, .noticed,
                .announced,
                .registered, .appTransactionUsed, .credited, .spent, .held, .holdEnded,
                .debtPaid, .packRefunded, .packPartRefunded, .periodMoved, .refundForgiven, .passed,
                .catalogInstalled, .loaded, .accountsMerged, .erased:
                continue
            }
        }
        put(fact, of: step)
        let told = changes.told
        let changed = told.values.reduce(0) { $0 + abs($1.amount) }
        if changed > 0 { amount = changed + (amount ?? 0) }
        for change in told.values { sources.formUnion(change.sources) }
        // A period is what its transaction is of.
        let packs = told.keys.filter { $0.purchase == nil }
        if let pack = packs.first, packs.count == 1 { put("transactionId", pack.transactionID) }
        members["amount"] = amount.map { .integer($0) }
        put("plan", plan)
        members["grant"] = grant.map { .string(GrantName.text($0)) }
        if sources.count < 2 { put("source", sources.first ?? step.order.source) }
    }

    /// As JSON, in the order of proto/openrpc.json.
    var value: JSONValue {
        var ordered: JSONObject = [:]
        for name in Self.names { ordered[name] = members[name] }
        return .object(ordered)
    }

    private static let names = [
        "store", "type", "subtype", "productId", "transactionId", "price", "currency", "amount",
        "plan", "grant", "reason", "source",
    ]

    /// What the store said, and why.
    private mutating func put(_ fact: Fact?, of step: HistoryStep) {
        if let store = fact?.key.store ?? step.order.store { put("store", store.name) }
        put("type", step.order.type)
        put("subtype", step.order.subtype)
        put("reason", step.order.reason)
        guard let transaction = fact?.transaction else { return }
        put("productId", transaction.productID)
        put("transactionId", transaction.id)
        members["price"] = transaction.terms.price.map { .integer($0) }
        put("currency", transaction.terms.currency ?? "")
    }

    private mutating func put(_ name: String, _ text: String) {
        if !text.isEmpty { members[name] = .string(text) }
    }

    /// The fact that tells most: one with a transaction, the newest where there are several.
    private static func fact(of step: HistoryStep) -> Fact? {
        var found: Fact?
        for case .merged(let fact) in step.events {
            guard let transaction = fact.transaction else { continue }
            let isNewer = found?.transaction.map { $0.isKeptBefore(transaction) } ?? true
            if isNewer { found = fact }
        }
        return found
    }
}

/// What one step makes of packs and paid periods.
private struct PackChanges {
    /// What came less what went, and where it came from or went to.
    struct Change {
        var amount: Int64 = 0
        var sources: Set<String> = []
    }

    private var changes: [PackKey: Change] = [:]

    mutating func add(_ amount: Int64, _ key: PackKey, from source: String?) {
        changes[key, default: Change()].amount += amount
        if let source { changes[key]?.sources.insert(source) }
    }

    /// What was given; where nothing was, what was taken.
    ///
    /// An upgrade takes what is left of the period that it ends.
    var told: [PackKey: Change] {
        let given = changes.filter { $0.value.amount > 0 }
        return given.isEmpty ? changes : given
    }
}

extension HistoryStep {
    /// Whether it opened the account for a charge or a hold that was refused: nothing was spent.
    fileprivate func isInVain(for user: UserID) -> Bool {
        var isOpened = false
        for event in events {
            switch event {
            case .accountOpened(user): isOpened = true
            case .spent, .held, .credited, .registered, .granted, .packCredited: return false
            default: break
            }
        }
        return isOpened && [.consumed, .reserved, .creditsAdjusted].contains(cause)
    }
}

extension Author {
    /// As JSON.
    var value: JSONValue {
        var object: JSONObject = ["role": .string(role.name)]
        switch name {
        case .uid(let uid): object["uid"] = .integer(Int64(uid))
        case .token(let name): object["token"] = .string(name)
        }
        return .object(object)
    }

    /// Whoever is at the other end of a connection.
    init?(_ caller: Caller) {
        guard let role = Role.allCases.first(where: { $0.name == caller.role.name }) else {
            return nil
        }
        self.init(role, caller.token.map { .token($0) } ?? .uid(caller.uid))
    }
}
