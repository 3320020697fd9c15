import Entitlements
import JSON
import Ledger
import Signatures
import Wire

extension Call {
    /// `find`: whose something is that support has from a mail, a log or a receipt.
    ///
    /// First match wins: a user id; a token or an account id; what a store calls a purchase; a
    /// transaction or an order, for which all purchases are looked through.
    static let find = reading("find", for: .support) { (worker, params, _) throws(RPCFailure) in
        let text = try params.text("text", bytesMax: MethodLimits.foundTextBytesMax)
        let policy = try worker.awake().policy
        return .work(.rows) { (reader) throws(RPCFailure) in
            do throws(LedgerFailure) {
                let matches = try Finder(reader, policy).matches(text)
                return ["matches": .array(matches.map(\.object))]
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}

/// Something that is called as was asked.
private struct FoundName {
    /// What it is.
    enum Kind: String {
        case user
        case token
        case purchase
        case transaction
    }

    let kind: Kind
    var user: UserID?
    var store: Store?
    var originalID: String?

    var object: JSONValue {
        [
            "userId": user.map { .string($0.description) } ?? .null,
            "what": .string(kind.rawValue),
            "store": store.map { .string($0.name) } ?? .null,
            "originalTransactionId": originalID.map { .string($0) } ?? .null,
        ]
    }
}

/// Looks a name up in every place where one may stand.
private struct Finder {
    private let reader: LedgerReader
    private let policy: Policy

    init(_ reader: LedgerReader, _ policy: Policy) {
        self.reader = reader
        self.policy = policy
    }

    func matches(_ text: String) throws(LedgerFailure) -> [FoundName] {
        try reader.wake()
        var found = try users(text)
        if found.isEmpty { found = try tokens(text) }
        if found.isEmpty { found = try purchases(text) }
        return found.isEmpty ? try transactions(text) : found
    }

    private func users(_ text: String) throws(LedgerFailure) -> [FoundName] {
        guard let user = UserID(text)?.folded(under: policy) else { return [] }
        if try reader.account(of: user) != nil { return [FoundName(kind: .user, user: user)] }
        let merger = try reader.merger(of: user)
        return merger.map { [FoundName(kind: .user, user: $0.into)] } ?? []
    }

    private func tokens(_ text: String) throws(LedgerFailure) -> [FoundName] {
        let digest = Digest256(bytes: Digest.sha256(Array(text.utf8)))
        guard let token = Token(accountID: text, sha256: digest) else { return [] }
        if let user = try reader.user(of: token) { return [FoundName(kind: .token, user: user)] }
        var found: [FoundName] = []
        for key in try reader.purchases(waitingFor: token) {
            if let purchase = try reader.subscription(of: key) {
                found.append(name(purchase, .token))
            }
        }
        return found
    }

    /// By what the store calls the whole purchase; a long one is kept by its digest.
    private func purchases(_ text: String) throws(LedgerFailure) -> [FoundName] {
        let digest = Digest256(bytes: Digest.sha256(Array(text.utf8))).hex
        var found: [FoundName] = []
        for store in Store.allCases {
            for environment in [StoreEnvironment.production, .sandbox] {
                for id in [text, digest] where RowMembers.isName(id) {
                    let key = SubscriptionKey(
                        store: store,
                        environment: environment,
                        originalID: id
                    )
                    guard let purchase = try reader.subscription(of: key) else { continue }
                    found.append(name(purchase, .purchase))
                }
            }
        }
        return found
    }

    private func transactions(_ text: String) throws(LedgerFailure) -> [FoundName] {
        let most = MethodLimits.foundMax
        return try reader.purchases(called: text, limit: most).map { name($0, .transaction) }
    }

    private func name(_ purchase: Subscription, _ kind: FoundName.Kind) -> FoundName {
        FoundName(
            kind: kind,
            user: purchase.owner,
            store: purchase.key.store,
            originalID: purchase.shownID
        )
    }
}
