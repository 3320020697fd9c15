import EntitlementsClient
import JSON
import Testing

/// The types of the Swift library are those of proto/openrpc.json: each reads every answer that the
/// schemas allow, and has a property for every member.
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
        Answer("testOutbox", OutboxTest.self),
    ]

    /// Methods whose answer is no type that is decoded, and what it is instead.
    private static let untyped: [String: String] = [
        "getManagementURL": "a text, or nil",
        "watch": "WatchEvent, made of each notification",
        "dump": "RowPage, whose rows are JSON",
        "get": "JSON",
        "load": "a number",
        "previewCatalog": "CatalogPreview, whose changes are JSON",
        "exportUser": "PersonalRecord, which is JSON",
        "setLogLevel": "nothing but what was asked for",
        "ping": "nothing",
        "rpc.discover": "the document itself, for which the library has no call",
        "retryOutbox": "a number",
        "skipOutbox": "nothing",
    ]

    /// What the call of a method narrows its answer to: members that always come, and ones that
    /// never do.
    private static let narrowed: [String: (always: [String], never: [String], reason: String)] = [
        "reconcile": (
            ["applied", "status"], ["running"],
            "asked about a user; without one the library reads `running` alone"
        )
    ]

    /// Properties that are not called as their members are.
    private static let wireNames: [String: String] = [
        "RenderAnswer.path": "via",
        "FeatureAnswer.path": "via",
        "Reservation.name": "reservation",
        "DaemonVersion.daemon": "entitld",
    ]

    /// Properties whose own properties are members of the same object.
    private static let unfolded: Set<String> = ["OwnedSubscription.subscription"]

    /// Where a type and a schema differ, and why that is right.
    private static let differing: [String: String] = [
        "consumeCredit has idempotencyKey": "the client says under which key it was sent",
        "reserveCredits has idempotencyKey": "the client says under which key it was sent",
        "reverseCredits has idempotencyKey": "the client says under which key it was sent",
        "reverseCredits has seq": "the receipt is that of consumeCredit, too",
        "sendConsumption has originalTransactionId": "the reply is that of extendRenewal, too",
        "sendConsumption has webOrderLineItemId": "the reply is that of extendRenewal, too",
        "sendConsumption has effectiveDate": "the reply is that of extendRenewal, too",
        "sendConsumption has requestIdentifier": "the reply is that of extendRenewal, too",
        "explain has json": "the client keeps all of it as text",
        "explain lacks facts": "it stands in json",
        "explain lacks grants": "it stands in json",
        "explain lacks credits": "it stands in json",
        "stats has json": "the client keeps all of it as text, because the set grows",
    ]

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

    @Test func `every method's answer has a type, or none for a reason`() {
        let typed = Self.answers.map(\.method)
        #expect(Set(typed).count == typed.count)
        #expect(Set(methods.keys) == Set(typed).union(Self.untyped.keys))
        #expect(Set(typed).isDisjoint(with: Self.untyped.keys))
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

    @Test(arguments: answers)
    func `a type has a property for every member, and no other`(answer: Answer) throws {
        let found = try differences(of: answer).filter { Self.differing[$0] == nil }
        #expect(found == [])
    }

    @Test func `what may differ does`() throws {
        var found: Set<String> = []
        for answer in Self.answers { found.formUnion(try differences(of: answer)) }
        for difference in Self.differing.keys.sorted() {
            #expect(found.contains(difference), "\(difference): take it off the list")
        }
    }

    @Test func `a member that one side lacks is found, so the check can fail`() throws {
        let whole: JSONValue = ["delivered": true, "sendAttemptResult": "text"]
        let more: JSONValue = ["delivered": true, "sendAttemptResult": "text", "at": 1]
        let less: JSONValue = ["delivered": true]
        func found(_ read: JSONValue, _ sample: JSONValue) throws -> [String] {
            let value: TestDelivery = try read.decoded(of: "it")
            return Self.differences(value, sample, "it")
        }
        #expect(try found(whole, whole) == [])
        #expect(try found(whole, more) == ["it lacks at"])
        #expect(try found(whole, less) == ["it has sendAttemptResult"])
        #expect(try found(less, whole) == ["it.sendAttemptResult is not read"])
    }

    private func schema(of answer: Answer) throws -> JSONValue {
        let result = try #require(methods[answer.method]?["result"]?["schema"])
        if let member = answer.member { return try #require(result["properties"]?[member]) }
        guard let narrow = Self.narrowed[answer.method] else { return result }
        var schema = try #require(result.object)
        let members = try #require(schema["properties"]?.object).members
        let left = members.filter { !narrow.never.contains($0.key) }
        #expect(left.count == members.count - narrow.never.count)
        schema["properties"] = .object(JSONObject(left))
        schema["required"] = .array(narrow.always.map { .string($0) })
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

    private func differences(of answer: Answer) throws -> [String] {
        let sample = try #require(try samples(of: answer, isFull: true).first)
        let value = try answer.read(try completed(sample, of: answer.method))
        return Self.differences(value, sample, answer.method)
    }

    /// More than any list of words is long.
    private static let choices = 24

    /// Where the properties of `value` are others than the members of `sample`, of which it was
    /// read; of values of another kind, nothing.
    private static func differences(_ value: Any, _ sample: JSONValue, _ path: String) -> [String] {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            guard let whole = mirror.children.first?.value else { return ["\(path) is not read"] }
            return differences(whole, sample, path)
        case .collection:
            guard let first = mirror.children.first?.value, let item = sample.array?.first else {
                return ["\(path) is empty"]
            }
            return differences(first, item, path)
        case .dictionary:
            guard !mirror.children.isEmpty else { return ["\(path) is empty"] }
            return mirror.children.flatMap { child -> [String] in
                // A child of a dictionary is a pair of key and value.
                let pair = Mirror(reflecting: child.value).children.map { $0.value }
                guard pair.count == 2, let key = pair[0] as? String, let part = sample[key] else {
                    return ["\(path) has what is in no sample"]
                }
                return differences(pair[1], part, "\(path).\(key)")
            }
        case .struct:
            guard let members = sample.object else { return [] }
            let own = properties(of: mirror)
            let named = Set(own.map { $0.name })
            let documented = Set(members.keys)
            var found = documented.subtracting(named).map { "\(path) lacks \($0)" }
            found += named.subtracting(documented).map { "\(path) has \($0)" }
            for property in own {
                guard let part = members[property.name] else { continue }
                found += differences(property.value, part, "\(path).\(property.name)")
            }
            return found.sorted()
        default: return []
        }
    }

    /// The properties of a type, as their members are called.
    private static func properties(of mirror: Mirror) -> [(name: String, value: Any)] {
        var found: [(name: String, value: Any)] = []
        for child in mirror.children {
            guard let label = child.label else { continue }
            let place = "\(mirror.subjectType).\(label)"
            if unfolded.contains(place) {
                found += properties(of: Mirror(reflecting: child.value))
            } else {
                found.append((name: wireNames[place] ?? onWire(label), value: child.value))
            }
        }
        return found
    }

    /// `userId` for `userID`.
    private static func onWire(_ name: String) -> String {
        name.hasSuffix("ID") ? name.dropLast(2) + "Id" : name
    }
}
