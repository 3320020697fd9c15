import EntitlementsClient
import JSON
import Testing

/// The types of the Swift library, which contrib/clients/generate.py makes of proto/openrpc.json,
/// read every answer that the schemas allow, and all that is in it.
struct SwiftTypesTests {
    /// What the library makes of a method's result, or of one member of it.
    struct Answer: Sendable, CustomTestStringConvertible {
        let method: String
        let member: String?
        let read: @Sendable (JSONValue) throws -> any Sendable

        init<Value: Decodable & Sendable>(_ method: String, member: String? = nil, _: Value.Type) {
            self.method = method
            self.member = member
            read = { value in
                let answer: Value = try value.decoded(of: method)
                return answer
            }
        }

        var testDescription: String { method }
    }

    static let answers: [Answer] = [
        Answer("canRender", RenderAnswer.self), Answer("can", FeatureAnswer.self),
        Answer("getStatus", AccountStatus.self),
        Answer("getEntitlement", member: "entitlement", Entitlement.self),
        Answer("getSubscriptions", member: "subscriptions", [OwnedSubscription].self),
        Answer("getCredits", CreditBalance.self), Answer("explain", Explanation.self),
        Answer("getHistory", HistoryPage.self),
        Answer("registerAccount", Registration.self), Answer("verifyPurchase", Verification.self),
        Answer("restorePurchases", Restoration.self),
        Answer("verifyReceipt", ReceiptVerification.self), Answer("signOffer", SignedOffer.self),
        Answer("signIntroductoryOffer", SignedEligibility.self),
        Answer("consumeCredit", CreditReceipt.self), Answer("reserveCredits", Reservation.self),
        Answer("commitReservation", Settlement.self), Answer("releaseReservation", Settlement.self),
        Answer("reverseCredits", CreditReceipt.self), Answer("mergeAccounts", MergeReceipt.self),
        Answer("grantEntitlement", GrantReceipt.self),
        Answer("revokeGrant", RevocationReceipt.self), Answer("movePurchase", MoveReceipt.self),
        Answer("find", member: "matches", [FoundName].self),
        Answer("grantCredits", CreditGrantReceipt.self),
        Answer("adjustCredits", CreditGrantReceipt.self),
        Answer("sendConsumption", StoreReply.self), Answer("extendRenewal", StoreReply.self),
        Answer("eraseUser", Erasure.self), Answer("backup", Backup.self),
        Answer("stats", DaemonStats.self), Answer("reconcile", Reconciliation.self),
        Answer("testNotification", TestDelivery.self), Answer("version", DaemonVersion.self),
        Answer("getOutboxes", member: "outboxes", [OutboxStatus].self),
        Answer("retryOutbox", OutboxRetry.self), Answer("testOutbox", OutboxTest.self),
    ]

    /// Methods whose answer is none of these types; contrib/clients/swift.py says what it is.
    private static let others: Set = [
        "getManagementURL", "watch", "dump", "get", "load", "previewCatalog", "exportUser",
        "setLogLevel", "ping", "rpc.discover", "skipOutbox",
    ]

    /// Members that the calls of the library always get: `reconcile` about a user.
    private static let alwaysThere: [String: [JSONValue]] = ["reconcile": ["applied", "status"]]

    private let document: JSONValue
    private let methods: [String: JSONValue]

    init() throws {
        document = try Paper.json("proto/openrpc.json")
        var methods: [String: JSONValue] = [:]
        for method in document["methods"]?.array ?? [] {
            methods[try #require(method["name"]?.string)] = method
        }
        self.methods = methods
    }

    @Test func `every method's answer is read here, or is none of these types`() {
        let typed = Self.answers.map(\.method)
        #expect(Set(typed).count == typed.count)
        #expect(Set(methods.keys) == Set(typed).union(Self.others))
        #expect(Set(typed).isDisjoint(with: Self.others))
    }

    @Test(arguments: answers)
    func `an answer of which one member is read has no other`(answer: Answer) throws {
        guard let member = answer.member else { return }
        let result = try #require(methods[answer.method]?["result"]?["schema"])
        let members = try #require(result["properties"]?.object)
        #expect(members.keys == [member])
    }

    @Test(arguments: answers)
    func `a type reads every answer that its schema allows`(answer: Answer) throws {
        for isFull in [true, false] {
            for sample in try samples(of: answer, isFull: isFull) {
                do {
                    _ = try answer.read(try completed(sample, of: answer.method))
                } catch {
                    Issue.record("\(error): \(String(decoding: sample.bytes, as: UTF8.self))")
                }
            }
        }
    }

    @Test func `every property is read from some method's answer`() throws {
        var found: [String: Bool] = [:]
        for answer in Self.answers {
            let sample = try #require(try samples(of: answer, isFull: true).first)
            let value = try answer.read(try completed(sample, of: answer.method))
            Self.look(at: value, in: answer.method, &found)
        }
        #expect(found.count > 200)
        #expect(found.filter { !$0.value }.keys.sorted() == [])
    }

    @Test func `a property that is not read is found, so the check can fail`() throws {
        let answer: JSONValue = ["delivered": true, "sendAttemptText": "text"]
        let value: TestDelivery = try answer.decoded(of: "it")
        var found: [String: Bool] = [:]
        Self.look(at: value, in: "it", &found)
        #expect(found["TestDelivery.delivered"] == true)
        #expect(found["TestDelivery.sendAttemptResult"] == false)
    }

    private func schema(of answer: Answer) throws -> JSONValue {
        let result = try #require(methods[answer.method]?["result"]?["schema"])
        if let member = answer.member { return try #require(result["properties"]?[member]) }
        guard let always = Self.alwaysThere[answer.method] else { return result }
        var schema = try #require(result.object)
        schema["required"] = .array(always)
        return .object(schema)
    }

    private func samples(of answer: Answer, isFull: Bool) throws -> [JSONValue] {
        let schema = try schema(of: answer)
        let schemas = document["components"]?["schemas"] ?? [:]
        return (0..<Self.choices)
            .map { SchemaSample(schemas: schemas, isFull: isFull, choice: $0).value(schema) }
    }

    /// What the client puts into a result before it reads it.
    private func completed(_ sample: JSONValue, of method: String) throws -> JSONValue {
        guard var members = sample.object else { return sample }
        let parameters = try #require(methods[method]?["params"]?.array)
        if parameters.contains(where: { $0["name"] == "idempotencyKey" }) {
            members["idempotencyKey"] = "key"
        }
        if method == "explain" || method == "stats" { members["json"] = "{}" }
        return .object(members)
    }

    /// More than any list of words is long.
    private static let choices = 24

    /// Notes for each property within `value` whether anything was ever in it.
    private static func look(at value: Any, in place: String, _ found: inout [String: Bool]) {
        let mirror = Mirror(reflecting: value)
        let isRead =
            switch mirror.displayStyle {
            case .optional, .collection, .dictionary: !mirror.children.isEmpty
            default: true
            }
        found[place] = found[place] == true || isRead
        for child in mirror.children {
            let isProperty = mirror.displayStyle == .struct
            let inner = isProperty ? "\(mirror.subjectType).\(child.label ?? "")" : place
            look(at: child.value, in: inner, &found)
        }
    }
}
