import Entitlements
import GooglePlay
import JSON
import Testing

/// What Google waits to hear of a purchase; unheard it gives the money back after three days.
struct AcknowledgementTests {
    private static let now = PlayAnswers.later(hours: 2)
    private static func pending(_ answer: inout JSONObject) {
        answer["acknowledgementState"] = "ACKNOWLEDGEMENT_STATE_PENDING"
    }

    private static func kept(
        _ answer: JSONValue,
        isProduct: Bool = false,
        in asked: AskedPlay = AskedPlay()
    ) throws -> Subscription {
        let facts = try asked.facts(answer, at: now, isProduct: isProduct)
        var kept = Subscription(key: try #require(facts.first).key)
        for fact in facts { _ = kept.merge(fact) }
        return kept
    }

    @Test func `a subscription is acknowledged, and then asked for`() throws {
        let asked = AskedPlay()
        let kept = try Self.kept(PlayAnswers.subscription("ACTIVE", Self.pending))
        let question = try #require(
            asked.play.acknowledgement(of: kept, packs: [], in: .production)
        )
        let replies = [
            StoreReply(status: 204),
            StoreReply(status: 200, body: PlayAnswers.subscription().bytes),
        ]
        let later = Self.now.advanced(byMilliseconds: 1)
        let (said, sent) = try asked.walk(question, replies, at: later)
        #expect(sent[0].method == .post)
        #expect(
            sent[0].target
                == "/androidpublisher/v3/applications/com.example.app/purchases/subscriptions/"
                + "paid_yearly/tokens/\(PlayAnswers.token):acknowledge"
        )
        #expect(sent[0].body == .json(Array("{}".utf8)) && sent[0].isRepeatable)
        var after = kept
        for fact in said.facts { _ = after.merge(fact) }
        #expect(asked.play.acknowledgement(of: after, packs: [], in: .production) == nil)
    }

    @Test(arguments: [400, 404, 410])
    func `a refusal is looked into: the state says whether it was heard before`(status: Int) throws
    {
        let asked = AskedPlay()
        let kept = try Self.kept(PlayAnswers.subscription("ACTIVE", Self.pending))
        let question = try #require(
            asked.play.acknowledgement(of: kept, packs: [], in: .production)
        )
        let state = StoreReply(status: 200, body: PlayAnswers.subscription().bytes)
        let (said, _) = try asked.walk(question, [StoreReply(status: status), state], at: Self.now)
        #expect(said.facts.count == 1)
        let failure = #expect(throws: StoreAPIFailure.self) {
            _ = try asked.walk(question, [StoreReply(status: 409)], at: Self.now)
        }
        #expect(failure?.kind == .unreachable)
    }

    @Test func `what is not paid, heard already or withdrawn is left alone`() throws {
        let play = AskedPlay().play
        func wanted(
            _ answer: JSONValue,
            isProduct: Bool = false,
            isPack: Bool = false
        ) throws -> Bool {
            let kept = try Self.kept(answer, isProduct: isProduct)
            let packs = isPack ? Set(kept.transactions.map(\.id)) : []
            return play.acknowledgement(of: kept, packs: packs, in: .production) != nil
        }
        #expect(try wanted(PlayAnswers.subscription("ACTIVE", Self.pending)))
        #expect(try wanted(PlayAnswers.subscription("CANCELED", Self.pending)))
        #expect(try !wanted(PlayAnswers.subscription()))
        #expect(try !wanted(PlayAnswers.subscription("PENDING", Self.pending)))
        #expect(try !wanted(PlayAnswers.subscription("EXPIRED", Self.pending)))
        // A deferred replacement, of which nothing is owned yet.
        #expect(try wanted(PlayAnswers.subscription("ACTIVE", order: nil, Self.pending)))
        #expect(try wanted(PlayAnswers.product(), isProduct: true))
        #expect(try !wanted(PlayAnswers.product("PENDING"), isProduct: true))
        #expect(try !wanted(PlayAnswers.product("CANCELLED"), isProduct: true))
        let heard = PlayAnswers.product {
            $0["acknowledgementState"] = "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED"
        }
        #expect(try !wanted(heard, isProduct: true))
        #expect(try wanted(heard, isProduct: true, isPack: true))
        // The money went back, and the customer keeps it.
        let refunded = PlayAnswers.product(quantity: 1, left: 0)
        #expect(try wanted(refunded, isProduct: true))
        #expect(try wanted(refunded, isProduct: true, isPack: true))
        let used = PlayAnswers.product(consumed: true)
        #expect(try !wanted(used, isProduct: true, isPack: true))
    }

    @Test func `a pack is consumed, which acknowledges it too`() throws {
        let asked = AskedPlay()
        let kept = try Self.kept(PlayAnswers.product(), isProduct: true)
        let question = try #require(
            asked.play.acknowledgement(
                of: kept,
                packs: Set(kept.transactions.map(\.id)),
                in: .production
            )
        )
        let state = StoreReply(status: 200, body: PlayAnswers.product(consumed: true).bytes)
        let (said, sent) = try asked.walk(question, [StoreReply(status: 200), state], at: Self.now)
        #expect(
            sent[0].target.hasSuffix("/products/credits_10/tokens/\(PlayAnswers.token):consume")
        )
        #expect(sent[1].target.contains("/productsv2/"))
        #expect(said.facts.count == 1)
    }

    /// An order of these products; those in `consumed` are.
    private static func order(_ products: [String], consumed: Set<String> = []) -> JSONValue {
        PlayAnswers.product {
            $0["productLineItem"] = .array(
                products.map { product -> JSONValue in
                    let state = consumed.contains(product) ? "CONSUMED" : "YET_TO_BE_CONSUMED"
                    let offer: JSONValue = [
                        "consumptionState": .string("CONSUMPTION_STATE_" + state)
                    ]
                    return ["productId": .string(product), "productOfferDetails": offer]
                }
            )
        }
    }

    /// What is told of an order in which `packs` are packs: verb and product.
    private static func told(_ answer: JSONValue, packs: Set<String>) throws -> [String] {
        let asked = AskedPlay()
        let kept = try kept(answer, isProduct: true)
        let ids = kept.transactions.filter { packs.contains($0.productID) }.map(\.id)
        guard
            var question = asked.play.acknowledgement(
                of: kept,
                packs: Set(ids),
                in: .production
            )
        else { return [] }
        var told: [String] = []
        while question.request.method == .post {
            let parts = question.request.target.split { $0 == "/" || $0 == ":" }
            told.append("\(parts[parts.count - 1]) \(parts[parts.count - 4])")
            guard case .ask(let next) = try question.read(StoreReply(status: 204), now) else {
                return told
            }
            question = next
        }
        return told
    }

    @Test func `of an order with packs and something for good the packs alone are consumed`()
        throws
    {
        let products = ["a_pack", "lifetime", "z_pack"]
        let packs: Set = ["a_pack", "z_pack"]
        #expect(
            try Self.told(Self.order(products), packs: packs)
                == ["consume a_pack", "consume z_pack", "acknowledge lifetime"]
        )
        let half = Self.order(products, consumed: ["a_pack"])
        #expect(
            try Self.told(half, packs: packs) == ["consume z_pack", "acknowledge lifetime"]
        )
        // What is left is not a pack.
        var done = try #require(Self.order(products, consumed: packs).object)
        done["acknowledgementState"] = "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED"
        #expect(try Self.told(.object(done), packs: packs) == [])
    }

    @Test func `every pack of a large order is consumed`() throws {
        let products = (10..<60).map { "pack_\($0)" }
        let told = try Self.told(Self.order(products), packs: Set(products))
        #expect(told == products.map { "consume \($0)" })
    }

    @Test func `nothing is acknowledged where the configuration says so`() throws {
        let play = AskedPlay { $0.acknowledges = false }.play
        let kept = try Self.kept(PlayAnswers.subscription("ACTIVE", Self.pending))
        #expect(play.acknowledgement(of: kept, packs: [], in: .production) == nil)
    }
}
