import Entitlements
import GooglePlay
import JSON
import Testing

/// Refunds and chargebacks: by notification, and by the list of 30 days.
struct VoidTests {
    private static let asked = AskedPlay()
    private static let now = PlayAnswers.later(hours: 4)
    private static let order = "GPA.3301-1111-2222-33333"

    private static func withdrawn(
        _ order: String,
        _ replies: [StoreReply]
    ) throws -> [Fact] {
        let hint = PurchaseHint.withdrawal(
            purchaseToken: PlayAnswers.token,
            orderID: order,
            at: PlayAnswers.later(hours: 3)
        )
        let question = try #require(asked.play.purchase(hint, in: .production))
        guard case .stated(let facts) = try asked.walk(question, replies, at: now).answer else {
            return []
        }
        return facts
    }

    private static func reply(_ value: JSONValue) -> StoreReply {
        StoreReply(status: 200, body: value.bytes)
    }

    private static func standing(_ facts: [Fact]) throws -> Standing {
        var made = Subscription(key: try #require(facts.first).key)
        for fact in facts { _ = made.merge(fact) }
        let era = try #require(made.era(at: now))
        return Slot(era).standing(at: now, under: Policy(.init()))
    }

    @Test func `a withdrawn order ends a purchase that Google still calls active`() throws {
        let active = Self.reply(PlayAnswers.subscription())
        let facts = try Self.withdrawn(Self.order, [active])
        #expect(try Self.standing(facts) == .revoked)
        #expect(try Self.standing(facts.reversed()) == .revoked)
        let later = try Self.asked.facts(
            PlayAnswers.subscription(),
            at: PlayAnswers.later(hours: 5)
        )
        #expect(try Self.standing(facts + later) == .revoked)
    }

    @Test func `an older order changes nothing, a newer one gives access again`() throws {
        let renewed = Self.reply(PlayAnswers.subscription(order: Self.order + "..0"))
        #expect(try Self.standing(try Self.withdrawn(Self.order, [renewed])) == .active)
        let facts = try Self.withdrawn(Self.order, [Self.reply(PlayAnswers.subscription())])
        let later = try Self.asked.facts(
            PlayAnswers.subscription(order: Self.order + "..0"),
            at: PlayAnswers.later(hours: 5)
        )
        #expect(try Self.standing(facts + later) == .active)
    }

    @Test func `a withdrawn test purchase is withdrawn in the sandbox`() throws {
        let test = Self.reply(PlayAnswers.subscription { $0["testPurchase"] = [:] })
        let keys = Set(try Self.withdrawn(Self.order, [test]).map(\.key.environment))
        #expect(keys == [.sandbox])
    }

    @Test func `a purchase that Google has forgotten is withdrawn all the same`() throws {
        let facts = try Self.withdrawn(
            Self.order,
            [StoreReply(status: 410), StoreReply(status: 404)]
        )
        #expect(facts.flatMap(\.revocations).map(\.transactionID) == [Self.order])
    }

    @Test func `of some units that were withdrawn the last ones take the purchase`() throws {
        let hint = PurchaseHint.partialWithdrawal(
            purchaseToken: PlayAnswers.token,
            at: PlayAnswers.later(hours: 3)
        )
        for left in [1, 0] as [Int64] {
            let question = try #require(Self.asked.play.purchase(hint, in: .production))
            let product = PlayAnswers.product(quantity: 3, left: left)
            let answer = try Self.asked.walk(question, [Self.reply(product)], at: Self.now).answer
            guard case .stated(let facts) = answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(facts.flatMap(\.revocations).isEmpty == (left > 0))
        }
    }

    /// Google may leave the order out of its answer: a purchase has one.
    @Test func `what was bought once is withdrawn, whether its answer names the order or not`()
        throws
    {
        for isNamed in [true, false] {
            let product = PlayAnswers.product { if !isNamed { $0["orderId"] = nil } }
            let facts = try Self.withdrawn(
                "GPA.3302-9999-8888-77777",
                [StoreReply(status: 404), Self.reply(product)]
            )
            var made = Subscription(key: try #require(facts.first).key)
            for fact in facts { _ = made.merge(fact) }
            #expect(made.transactions.map(\.revokedShare) == [TransactionFact.wholeShare])
        }
    }

    @Test func `the list is walked page by page, and units are looked up`() throws {
        let window = PlayAnswers.start..<Self.now
        let question = try #require(
            Self.asked.play.missed(in: window, onlyFailures: false, of: .production)
        )
        #expect(
            Self.asked.play.missed(in: window, onlyFailures: true, of: .production) == nil
        )
        let milliseconds = PlayAnswers.start.milliseconds
        #expect(
            question.request.target
                == "/androidpublisher/v3/applications/com.example.app/purchases/voidedpurchases"
                + "?startTime=\(milliseconds)"
                + "&maxResults=1000&type=1&includeQuantityBasedPartialRefund=true"
        )
        #expect(question.request.budget == Publisher.voided)
        let page: JSONValue = [
            "tokenPagination": ["nextPageToken": "p 2"],
            "voidedPurchases": [
                [
                    "purchaseToken": "T1", "orderId": "GPA.1", "voidedReason": 7,
                    "voidedTimeMillis": "1790000000500",
                ],
                [
                    "purchaseToken": "T2", "orderId": "GPA.2", "voidedQuantity": 1,
                    "voidedTimeMillis": "1790000000600", "voidedReason": 8,
                ],
                ["purchaseToken": "no token", "voidedTimeMillis": "1"],
            ],
        ]
        let first = try Self.asked.walk(question, [Self.reply(page)], at: Self.now).answer
        #expect(first.facts.isEmpty && first.documents == 2 && first.unreadable.count == 1)
        #expect(first.warnings.count == 1 && first.warnings[0].hasPrefix("1 purchases were"))
        let whole = try #require(first.next)
        #expect(whole.request.target.hasSuffix("/subscriptionsv2/tokens/T1"))
        let test = PlayAnswers.subscription { $0["testPurchase"] = [:] }
        let stated = try Self.asked.walk(whole, [Self.reply(test)], at: Self.now).answer
        let revocation = try #require(stated.facts.last?.revocations.first)
        #expect(revocation.revoked == Moment(1_790_000_000_500) && revocation.reason == 7)
        #expect(stated.facts.map(\.key.originalID) == ["T1", "T1"])
        #expect(stated.facts.allSatisfy { $0.key.environment == .sandbox })
        let unknown = [StoreReply(status: 410), StoreReply(status: 404)]
        let gone = try Self.asked.walk(whole, unknown, at: Self.now).answer
        #expect(gone.facts.flatMap(\.revocations) == [revocation] && gone.next != nil)
        // What cannot be read holds up nothing that stands behind it.
        let strange = StoreReply(status: 200, body: Array("[]".utf8))
        let unread = try Self.asked.walk(whole, [strange], at: Self.now).answer
        #expect(unread.facts.flatMap(\.revocations) == [revocation] && unread.next != nil)
        let units = try #require(stated.next)
        #expect(units.request.target.hasSuffix("/productsv2/tokens/T2"))
        let second = try Self.asked
            .walk(
                units,
                [Self.reply(PlayAnswers.product(quantity: 2, left: 1))],
                at: Self.now
            )
            .answer
        #expect(second.facts.first?.transaction?.revokedShare == 50_000)
        #expect(second.facts.flatMap(\.revocations).isEmpty)
        // The last one: Google may go on calling it purchased.
        let none = Self.reply(PlayAnswers.product(quantity: 2, left: 0))
        let rest = try Self.asked.walk(units, [none], at: Self.now).answer
        let withdrawn = try #require(rest.facts.last?.revocations.first)
        #expect(withdrawn.transactionID == rest.facts.first?.transaction?.id)
        #expect(withdrawn.revoked == Moment(1_790_000_000_600) && withdrawn.reason == 8)
        let last = try #require(second.next)
        #expect(last.request.target.hasSuffix("&token=p%202"))
        let end = try Self.asked.walk(last, [Self.reply([:])], at: Self.now).answer
        #expect(end.next == nil && end.facts.isEmpty)
        for reply in [StoreReply(status: 404), strange] {
            let forgotten = try Self.asked.walk(units, [reply], at: Self.now).answer
            #expect(forgotten.next != nil && forgotten.facts.isEmpty)
        }
    }

    @Test func `an order that is withdrawn takes all its items along`() throws {
        let answer = PlayAnswers.subscription { answer in
            let items = answer["lineItems"]?.array ?? []
            guard var second = items.first?.object else { return }
            second["productId"] = "add_on"
            answer["lineItems"] = .array(items + [.object(second)])
        }
        let facts = try Self.withdrawn(Self.order, [Self.reply(answer)])
        for order in [facts, facts.reversed()] {
            var made = Subscription(key: try #require(facts.first).key)
            for fact in order { _ = made.merge(fact) }
            #expect(made.transactions.map { $0.revoked != nil } == [true, true])
        }
    }

    @Test func `units of one item say nothing of the others of its order`() throws {
        let answer = PlayAnswers.product(quantity: 2, left: 1) { answer in
            let items = answer["productLineItem"]?.array ?? []
            guard var second = items.first?.object else { return }
            second["productId"] = "credits_50"
            second["productOfferDetails"] = [
                "consumptionState": "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"
            ]
            answer["productLineItem"] = .array(items + [.object(second)])
        }
        let facts = try Self.asked.facts(answer, at: Self.now, isProduct: true)
        var made = Subscription(key: try #require(facts.first).key)
        for fact in facts { _ = made.merge(fact) }
        let shares = Dictionary(
            uniqueKeysWithValues: made.transactions.map { ($0.productID, $0.revokedShare) }
        )
        #expect(shares == ["credits_10": 50_000, "credits_50": 0])
    }

    @Test func `a page that is none is malformed`() throws {
        let question = try #require(
            Self.asked.play.missed(
                in: PlayAnswers.start..<Self.now,
                onlyFailures: false,
                of: .production
            )
        )
        let many = JSONValue.array(Array(repeating: [:], count: PlayLimits.voidedPageMax + 1))
        for body in [[], Array("[]".utf8), JSONValue.object(["voidedPurchases": many]).bytes] {
            #expect(throws: StoreAPIFailure.self) {
                _ = try question.read(StoreReply(status: 200, body: body), Self.now)
            }
        }
    }
}
