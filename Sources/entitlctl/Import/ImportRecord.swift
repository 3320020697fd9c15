import JSON

/// One user as an import file has them: what the system before entitld knew.
struct ImportRecord: Sendable {
    /// Why a line is no such record.
    struct Fault: Error {
        let sentence: String
    }

    let user: String
    /// The accounts' tokens, the first one first.
    let tokens: [String]
    let purchases: [JSONObject]
    let grants: [JSONObject]
    /// Whether the free credits of a new account were given there, so that none are given here.
    let hadFreeCredits: Bool
    /// The credits that there are, each with its end and source; nil: those that the catalog gives
    /// to a new account.
    let credits: [JSONObject]?

    /// What stands for the taking of what the account had, before the balance is given.
    static let zeroKey = "import:zero"
    /// What stands for the taking of the free credits that the old system had given already.
    static let freeKey = "import:free"

    /// Whether the account's free credits are taken: not where `credits` says what is left.
    var takesFreeCredits: Bool { hadFreeCredits && credits == nil }

    /// The keys of the orders that must not be made twice, however long ago they were made.
    var keys: [String] {
        let own = grants.indices.map { grantKey($0).string ?? "" }
        if takesFreeCredits { return own + [Self.freeKey] }
        return credits == nil ? own : own + [Self.zeroKey]
    }

    /// The keys of the balance's parts, which no history tells of.
    var bucketKeys: [String] { (credits ?? []).indices.map { "import:credits:\($0)" } }

    /// The key of a grant: its own, or its place in the list.
    func grantKey(_ index: Int) -> JSONValue {
        grants[index]["idempotencyKey"] ?? .string("import:grant:\(index)")
    }

    /// The names of all that the account is to get, as `purchases[0]`.
    var parts: [String] {
        let lists = [("purchases", purchases.count), ("grants", grants.count)]
        return lists.flatMap { name, count in (0..<count).map { "\(name)[\($0)]" } }
            + (credits == nil ? [] : ["credits"])
    }

    private static let members: Set = [
        "userId", "tokens", "purchases", "grants", "credits", "freeCreditsGiven",
    ]
    private static let ofPurchases: Set = [
        "signedTransaction", "signedRenewalInfo", "transactionId", "productId",
        "originalTransactionId", "appAccountToken", "purchaseToken", "checkoutSession",
        "stripeSubscription", "receiptData",
    ]
    private static let ofGrants: Set = [
        "plan", "expiresAt", "startsAt", "store", "reason", "idempotencyKey",
    ]
    private static let ofBuckets: Set = ["amount", "expiresAt", "source"]

    /// The record that a line writes.
    init(_ line: [UInt8]) throws(Fault) {
        let value: JSONValue
        do {
            value = try JSONValue.parse(line)
        } catch {
            throw Fault(sentence: "is no JSON: \(error)")
        }
        guard let object = value.object else { throw Fault(sentence: "is no JSON object") }
        try Self.check(object, Self.members, "")
        guard let user = object["userId"]?.string else {
            throw Fault(sentence: "has no userId")
        }
        self.user = user
        tokens = try Self.list(object, "tokens")
            .map { (token) throws(Fault) in
                guard let token = token.string else { throw Fault(sentence: "tokens are texts") }
                return token
            }
        purchases = try Self.objects(object, "purchases", Self.ofPurchases)
        grants = try Self.objects(object, "grants", Self.ofGrants)
        switch object["freeCreditsGiven"] {
        case nil, .null?, .bool(false)?: hadFreeCredits = false
        case .bool(true)?: hadFreeCredits = true
        default: throw Fault(sentence: "freeCreditsGiven is true or false")
        }
        switch object["credits"] {
        case nil, .null?: credits = nil
        case let value? where value.int64.map({ $0 >= 0 }) == true:
            credits = value == 0 ? [] : [["amount": value]]
        case .array?: credits = try Self.objects(object, "credits", Self.ofBuckets)
        default: throw Fault(sentence: "credits are a number from 0, or a list")
        }
    }

    private static func list(_ object: JSONObject, _ name: String) throws(Fault) -> [JSONValue] {
        guard let value = object[name], !value.isNull else { return [] }
        guard let list = value.array else { throw Fault(sentence: "\(name) is no list") }
        return list
    }

    private static func objects(
        _ object: JSONObject,
        _ name: String,
        _ members: Set<String>
    ) throws(Fault) -> [JSONObject] {
        try list(object, name).enumerated()
            .map { (index, value) throws(Fault) in
                guard let object = value.object else {
                    throw Fault(sentence: "\(name)[\(index)] is no object")
                }
                try check(object, members, "\(name)[\(index)].")
                return object
            }
    }

    /// What is not known is not passed over: it was meant for something.
    private static func check(
        _ object: JSONObject,
        _ members: Set<String>,
        _ path: String
    ) throws(Fault) {
        for key in object.keys where !members.contains(key) {
            throw Fault(sentence: "has \(path)\(key), which is not known")
        }
    }
}
