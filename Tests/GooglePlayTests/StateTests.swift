import Entitlements
import GooglePlay
import JSON
import Testing

/// What each state of a subscription means for access (docs/google-play-facts.md, "States").
struct StateTests {
    private static let play = AskedPlay()

    /// The fact of an answer, heard two hours after the purchase.
    private static func fact(_ answer: JSONValue, hours: Int64 = 2) throws -> Fact {
        try #require(try play.facts(answer, at: PlayAnswers.later(hours: hours)).first)
    }

    private static func subscription(_ facts: [Fact]) throws -> Subscription {
        var made = Subscription(key: try #require(facts.first).key)
        for fact in facts { _ = made.merge(fact) }
        return made
    }

    private static func standing(
        _ answer: JSONValue,
        heard: Int64 = 2,
        at hours: Int64 = 2
    ) throws -> Standing? {
        let era = try subscription([try fact(answer, hours: heard)])
            .era(at: PlayAnswers.later(hours: hours))
        guard let era else { return nil }
        return Slot(era).standing(at: PlayAnswers.later(hours: hours), under: Policy(.init()))
    }

    @Test func `an active one is shown with all that Google says of it`() throws {
        let fact = try Self.fact(PlayAnswers.subscription())
        #expect(fact.key.environment == .production && fact.key.originalID == PlayAnswers.token)
        #expect(fact.status?.code == StatusCode.active.rawValue)
        #expect(fact.status?.word == "SUBSCRIPTION_STATE_ACTIVE")
        let one = try #require(fact.transaction)
        #expect(one.id == "GPA.3301-1111-2222-33333" && one.productID == "paid_yearly")
        #expect(one.purchased == PlayAnswers.start)
        #expect(one.expires == PlayAnswers.later(hours: 720))
        #expect(one.kind == TransactionFact.renewingKind && one.reason == "PURCHASE")
        #expect(one.terms.variant == "yearly" && one.terms.price == 19_990)
        #expect(one.terms.currency == "USD" && one.terms.storefront == "US" && !one.isTrial)
        #expect(one.token != nil && fact.renewal?.autoRenew == true)
        #expect(fact.renewalDisabled == nil)
    }

    @Test func `access follows the state and the end`() throws {
        func check(
            _ state: String,
            _ hours: Int64,
            _ wanted: Standing,
            _ after: Standing,
            _ change: (inout JSONObject) -> Void = { _ in }
        ) throws {
            let answer = PlayAnswers.subscription(state, hours: hours, change)
            #expect(try Self.standing(answer) == wanted, "\(state)")
            #expect(try Self.standing(answer, at: 1_000) == after, "\(state), later")
        }
        try check("ACTIVE", 720, .active, .lapsed)
        try check("IN_GRACE_PERIOD", 48, .grace, .retry)
        try check("ON_HOLD", -1, .retry, .retry)
        try check("PAUSED", -1, .paused, .paused)
        try check("CANCELED", 720, .active, .lapsed)
        try check("CANCELED", -1, .lapsed, .lapsed)
        try check("EXPIRED", -1, .lapsed, .lapsed)
        try check("EXPIRED", 720, .revoked, .revoked)
        try check("EXPIRED", 720, .lapsed, .lapsed) {
            $0["canceledStateContext"] = ["replacementCancellation": [:]]
        }
        try check("PENDING", 720, .pending, .pending) {
            $0["startTime"] = nil
            PlayAnswers.item { $0["latestSuccessfulOrderId"] = nil }(&$0)
        }
    }

    @Test func `in a grace period the end is that of the grace, and not of what was paid`() throws {
        let grace = try Self.fact(PlayAnswers.subscription("IN_GRACE_PERIOD", hours: 48))
        #expect(grace.transaction?.expires == nil)
        #expect(grace.renewal?.graceUntil == PlayAnswers.later(hours: 48))
        let paid = try Self.fact(PlayAnswers.subscription(hours: 1), hours: 0)
        let era = try Self.subscription([grace, paid]).era(at: PlayAnswers.later(hours: 2))
        #expect(era?.paidUntil == PlayAnswers.later(hours: 1))
        #expect(era?.graceUntil == PlayAnswers.later(hours: 48))
        // An item that is paid for longer keeps its own end.
        let items = PlayAnswers.subscription("IN_GRACE_PERIOD", hours: 48) { answer in
            let more: JSONValue = [
                "productId": "add_on",
                "expiryTime": .string(PlayAnswers.text(PlayAnswers.later(hours: 360))),
                "latestSuccessfulOrderId": "GPA.3301-1111-2222-33333",
            ]
            answer["lineItems"] = .array((answer["lineItems"]?.array ?? []) + [more])
        }
        let fact = try Self.fact(items)
        #expect(fact.transactions.map(\.productID) == ["add_on", "paid_yearly"])
        #expect(fact.transactions.map(\.expires) == [PlayAnswers.later(hours: 360), nil])
        #expect(fact.renewal?.graceUntil == PlayAnswers.later(hours: 48))
    }

    @Test(arguments: ["ON_HOLD", "CANCELED", "EXPIRED"])
    func `behind a grace period the end is still that of what was paid`(_ state: String) throws {
        let over = PlayAnswers.subscription(state, hours: 48) {
            $0["canceledStateContext"] = ["systemInitiatedCancellation": [:]]
        }
        let said = PlayAnswers.later(hours: 49)
        let last = try Self.fact(over, hours: 49)
        #expect(last.transaction?.expires == nil)
        let paid = try Self.fact(PlayAnswers.subscription(hours: 1), hours: 0)
        for facts in [[paid, last], [last, paid]] {
            let era = try Self.subscription(facts).era(at: said)
            #expect(era?.paidUntil == PlayAnswers.later(hours: 1) && era?.graceUntil == nil)
        }
        // Where nobody told the end of what was paid, it is no later than that of the grace.
        let alone = try Self.subscription([last])
        #expect(alone.era(at: said)?.paidUntil == PlayAnswers.later(hours: 48))
        #expect(alone.everEntitled)
        // Google also ends a subscription whose new price was declined: until then it is paid.
        let early = try Self.fact(over, hours: 47)
        #expect((early.transaction?.expires == nil) == (state == "ON_HOLD"))
    }

    @Test func `a state that is not known states nothing`() throws {
        let facts = try Self.play.facts(
            PlayAnswers.subscription("FROZEN"),
            at: PlayAnswers.later(hours: 2)
        )
        #expect(facts.isEmpty)
    }

    @Test func `a cancelled one keeps its end and will not renew`() throws {
        let cancelled = PlayAnswers.later(hours: 1)
        let answer = PlayAnswers.subscription("CANCELED") {
            $0["canceledStateContext"] = [
                "userInitiatedCancellation": ["cancelTime": .string(PlayAnswers.text(cancelled))]
            ]
            PlayAnswers.item { $0["autoRenewingPlan"] = [:] }(&$0)
        }
        let fact = try Self.fact(answer)
        #expect(fact.renewal?.autoRenew == false && fact.renewalDisabled == cancelled)
        #expect(fact.transaction?.expires == PlayAnswers.later(hours: 720))
    }

    @Test(
        arguments: [
            ["developerInitiatedCancellation": [:]], ["systemInitiatedCancellation": [:]],
            ["userInitiatedCancellation": [:]],
        ] as [JSONValue]
    )
    func `a cancellation without a time has none, whenever Google is asked`(_ how: JSONValue) throws
    {
        let answer = PlayAnswers.subscription("CANCELED") {
            $0["canceledStateContext"] = how
            PlayAnswers.item { $0["autoRenewingPlan"] = [:] }(&$0)
        }
        for hours: Int64 in [2, 3] {
            let fact = try Self.fact(answer, hours: hours)
            #expect(fact.renewal?.autoRenew == false && fact.renewalDisabled == nil)
        }
    }

    @Test func `a switch that is left out is off, also while it is active`() throws {
        let answer = PlayAnswers.subscription {
            PlayAnswers.item { $0["autoRenewingPlan"] = [:] }(&$0)
        }
        #expect(try Self.fact(answer).renewal?.autoRenew == false)
    }

    @Test func `a free trial is one, an introductory price is none`() throws {
        func isTrial(_ phase: String, _ inner: JSONValue = [:]) throws -> Bool? {
            let offer = JSONValue.object(JSONObject([.init(key: phase, value: inner)]))
            let change = PlayAnswers.item { $0["offerPhase"] = offer }
            let answer = PlayAnswers.subscription("ACTIVE", change)
            return try Self.fact(answer).transaction?.isTrial
        }
        #expect(try isTrial("freeTrial") == true)
        #expect(try isTrial("introductoryPrice") == false)
        #expect(try isTrial("basePrice") == false)
        // A change of plan in a trial goes on with it.
        for (type, isFree) in [("FREE_TRIAL", true), ("INTRODUCTORY", false), ("BASE", false)] {
            let inner: JSONValue = ["originalOfferPhaseType": .string(type)]
            #expect(try isTrial("prorationPeriod", inner) == isFree)
        }
    }

    @Test func `renewals of one purchase are periods of their own, in their order`() throws {
        let orders = ["GPA.1-2", "GPA.1-2..0", "GPA.1-2..1", "GPA.1-2..9", "GPA.1-2..10"]
        let facts = try orders.map { try Self.fact(PlayAnswers.subscription(order: $0)) }
        let begins = facts.compactMap { $0.transaction?.purchased }
        #expect(begins == begins.sorted() && Set(begins).count == orders.count)
        #expect(facts.map { $0.transaction?.reason }.dropFirst().allSatisfy { $0 == "RENEWAL" })
    }

    @Test func `a test purchase is of the sandbox`() throws {
        let answer = PlayAnswers.subscription { $0["testPurchase"] = [:] }
        #expect(try Self.fact(answer).key.environment == .sandbox)
    }

    @Test func `a prepaid plan never renews`() throws {
        let answer = PlayAnswers.subscription {
            PlayAnswers.item {
                $0["autoRenewingPlan"] = nil
                $0["prepaidPlan"] = ["allowExtendAfterTime": "2026-10-01T00:00:00Z"]
            }(&$0)
        }
        let fact = try Self.fact(answer)
        #expect(fact.transaction?.kind == TransactionFact.prepaidKind)
        #expect(fact.renewal?.autoRenew == nil && fact.renewalDisabled == nil)
        #expect(try Self.standing(answer) == .active)
    }

    @Test func `what a deferred replacement leads to is not owned before it is paid`() throws {
        let answer = PlayAnswers.subscription { answer in
            PlayAnswers.item { $0["deferredItemReplacement"] = ["productId": "basic"] }(&answer)
            let next: JSONValue = ["productId": "basic", "autoRenewingPlan": [:]]
            answer["lineItems"] = .array((answer["lineItems"]?.array ?? []) + [next])
            answer["linkedPurchaseToken"] = "older-token"
        }
        let fact = try Self.fact(answer)
        #expect(fact.items.isEmpty && fact.transaction?.productID == "paid_yearly")
        #expect(fact.renewal?.nextProductID == "basic")
        #expect(fact.transaction?.terms.previousOriginalID == "older-token")
    }

    @Test(arguments: [false, true])
    func `every item that is paid is owned, in an order of its own`(isReversed: Bool) throws {
        let answer = PlayAnswers.subscription { answer in
            let more: JSONValue = [
                "productId": "add_on",
                "expiryTime": .string(PlayAnswers.text(PlayAnswers.later(hours: 360))),
                "latestSuccessfulOrderId": "GPA.3301-1111-2222-33333",
                "autoRenewingPlan": ["autoRenewEnabled": true],
            ]
            let items = (answer["lineItems"]?.array ?? []) + [more]
            answer["lineItems"] = .array(isReversed ? items.reversed() : items)
        }
        let fact = try Self.fact(answer)
        #expect(fact.transactions.map(\.productID) == ["add_on", "paid_yearly"])
        let order = "GPA.3301-1111-2222-33333"
        #expect(fact.transactions.map(\.id) == [order, order + ":paid_yearly"])
        // Credits of a period are known by its beginning.
        let begins = [0, -1].map { PlayAnswers.start.advanced(byMilliseconds: $0) }
        #expect(fact.transactions.map(\.purchased) == begins)
        #expect(fact.renewal?.renewalDate == PlayAnswers.later(hours: 360))
        let lives = try Self.subscription([fact]).statedLives
        #expect(lives.map(\.transaction.productID) == ["add_on", "paid_yearly"])
        #expect(lives.first?.era.paidUntil == PlayAnswers.later(hours: 360))
    }

    @Test(arguments: [false, true])
    func `an item that is to be removed ends, and the others renew`(isReversed: Bool) throws {
        let answer = PlayAnswers.subscription { answer in
            let more: JSONValue = [
                "productId": "add_on",
                "expiryTime": .string(PlayAnswers.text(PlayAnswers.later(hours: 360))),
                "latestSuccessfulOrderId": "GPA.3301-1111-2222-33333",
                "autoRenewingPlan": [:], "deferredItemRemoval": [:],
            ]
            let items = (answer["lineItems"]?.array ?? []) + [more]
            answer["lineItems"] = .array(isReversed ? items.reversed() : items)
        }
        let fold = try Self.subscription([try Self.fact(answer)])
        #expect(fold.renewal?.autoRenew == true)
        let lives = fold.statedLives
        #expect(lives.map(\.transaction.productID) == ["paid_yearly", "add_on"])
        #expect(fold.shownID == "GPA.3301-1111-2222-33333")
        #expect(lives.map { $0.era.marks.contains(.renews) } == [true, false])
        #expect(lives.map { $0.era.marks.contains(.renewalOff) } == [false, true])
    }

    @Test func `an active one without any paid item is not paid yet`() throws {
        let answer = PlayAnswers.subscription(order: nil)
        #expect(try Self.standing(answer) == .pending)
        let older = PlayAnswers.subscription(order: nil) { $0["latestOrderId"] = "GPA.1-2" }
        #expect(try Self.standing(older) == .active)
        #expect(try Self.fact(older).transaction?.id == "GPA.1-2")
    }

    /// The token of a deferred replacement is new at once; Google takes it back after three days.
    @Test func `an active one is to be acknowledged, also before its item is owned`() throws {
        func word(_ state: String) throws -> String? {
            let answer = PlayAnswers.subscription(state, order: nil) {
                $0["acknowledgementState"] = "ACKNOWLEDGEMENT_STATE_PENDING"
            }
            return try Self.fact(answer).status?.word
        }
        #expect(try word("ACTIVE")?.hasSuffix(" ACKNOWLEDGEMENT_STATE_PENDING") == true)
        #expect(try word("PENDING")?.contains("ACKNOWLEDGEMENT") == false)
    }

    @Test func `bought again outside of the app, it belongs to whoever had the expired one`() throws
    {
        func bought(_ own: JSONValue?, _ expired: JSONValue?) throws -> TransactionFact {
            let answer = PlayAnswers.subscription {
                $0["externalAccountIdentifiers"] = own
                $0["outOfAppPurchaseContext"] = expired
            }
            return try #require(try Self.fact(answer).transaction)
        }
        let account: JSONValue = ["obfuscatedExternalAccountId": "account-1"]
        let expired: JSONValue = [
            "expiredPurchaseToken": "expired-token",
            "expiredExternalAccountIdentifiers": account,
        ]
        let token = try Self.fact(PlayAnswers.subscription()).transaction?.token
        let one = try bought(nil, expired)
        #expect(one.terms.previousOriginalID == "expired-token" && one.token == token)
        // Whose the expired one was does not decide whose this one is.
        #expect(one.reason == TransactionFact.resubscription)
        let own = try bought(account, expired)
        #expect(own.token == token && own.reason == "PURCHASE")
        // An account id alone is all that there is.
        let alone = try bought(nil, ["expiredExternalAccountIdentifiers": account])
        #expect(alone.token == token && alone.reason == "PURCHASE")
    }

    @Test func `only an account id that is a UUID may be a user id`() throws {
        func isDerived(_ id: String?) throws -> [Bool] {
            let answer = PlayAnswers.subscription {
                $0["externalAccountIdentifiers"] = id.map {
                    ["obfuscatedExternalAccountId": .string($0)]
                }
            }
            let product = PlayAnswers.product {
                $0["obfuscatedExternalAccountId"] = id.map { .string($0) }
            }
            let bought = try Self.play.facts(product, at: PlayAnswers.start, isProduct: true)
            return [try Self.fact(answer).hasDerivedToken] + bought.map(\.hasDerivedToken)
        }
        #expect(try isDerived(String(repeating: "0a", count: 32)) == [true, true])
        #expect(try isDerived("account-1") == [true, true])
        #expect(try isDerived("any text, München") == [true, true])
        #expect(try isDerived("") == [false, false])
        #expect(try isDerived("0F8FAD5B-D9CB-869F-A165-70867728950E") == [false, false])
        #expect(try isDerived(nil) == [false, false])
    }

    @Test func `a payment that is not coming leaves the purchase before as it is`() throws {
        let answer = PlayAnswers.subscription("PENDING_PURCHASE_CANCELED") {
            $0["linkedPurchaseToken"] = "older-token"
            $0["startTime"] = nil
        }
        let now = PlayAnswers.later(hours: 2)
        let hint = PurchaseHint.purchaseToken(PlayAnswers.token)
        let question = try #require(Self.play.play.purchase(hint, in: .production))
        let replies = [answer, PlayAnswers.subscription()]
            .map {
                StoreReply(status: 200, body: $0.bytes)
            }
        let (said, sent) = try Self.play.walk(question, replies, at: now)
        guard case .stated(let facts) = said else { throw AskedPlay.Unanswered(request: sent[0]) }
        #expect(facts.first?.transaction?.terms.previousOriginalID == nil)
        #expect(facts.map(\.key.originalID) == [PlayAnswers.token, "older-token"])
        #expect(facts.map { $0.status?.code } == [2, 1])
        #expect(sent[1].target.hasSuffix("/older-token"))
        // Where Google has forgotten it, only the new one is stated.
        let gone = [replies[0], StoreReply(status: 410)]
        guard case .stated(let alone) = try Self.play.walk(question, gone, at: now).answer else {
            throw AskedPlay.Unanswered(request: sent[0])
        }
        #expect(alone.count == 1)
    }

    @Test func `a purchase takes the place of the one before once it is paid`() throws {
        func former(_ state: String, order: String? = "GPA.1") throws -> String? {
            let answer = PlayAnswers.subscription(state, order: order) {
                $0["linkedPurchaseToken"] = "older-token"
            }
            return try Self.fact(answer).transaction?.terms.previousOriginalID
        }
        for state in ["ACTIVE", "IN_GRACE_PERIOD", "ON_HOLD", "PAUSED", "CANCELED", "EXPIRED"] {
            #expect(try former(state) == "older-token", "\(state)")
        }
        for state in ["PENDING", "ACTIVE"] {
            #expect(try former(state, order: nil) == nil, "\(state)")
        }
    }

    @Test(arguments: [
        "{}", "[]", #"{"subscriptionState":1}"#,
        #"{"subscriptionState":"SUBSCRIPTION_STATE_ACTIVE","startTime":"yesterday"}"#,
        #"{"subscriptionState":"SUBSCRIPTION_STATE_ACTIVE","lineItems":[{}]}"#,
        #"{"subscriptionState":"SUBSCRIPTION_STATE_ACTIVE","lineItems":[{"productId":"a b"}]}"#,
        #"{"subscriptionState":"A","subscriptionState":"B"}"#,
        #"{"subscriptionState":"SUBSCRIPTION_STATE_ACTIVE","linkedPurchaseToken":"a b"}"#,
    ])
    func `an answer of another form is malformed`(body: String) throws {
        let value = Array(body.utf8)
        let hint = PurchaseHint.purchaseToken(PlayAnswers.token)
        let question = try #require(Self.play.play.purchase(hint, in: .production))
        let failure = #expect(throws: StoreAPIFailure.self) {
            _ = try question.read(StoreReply(status: 200, body: value), PlayAnswers.start)
        }
        #expect(failure?.kind == .malformed)
    }

    @Test func `more items than a purchase has are malformed`() throws {
        func read(_ count: Int) throws {
            let answer = PlayAnswers.subscription { answer in
                let one = answer["lineItems"]?.array ?? []
                answer["lineItems"] = .array((0..<count).flatMap { _ in one })
            }
            _ = try Self.fact(answer)
        }
        try read(PlayLimits.itemsMax)
        #expect(throws: StoreAPIFailure.self) { try read(PlayLimits.itemsMax + 1) }
    }
}
