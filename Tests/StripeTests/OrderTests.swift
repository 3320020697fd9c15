import Chance
import Entitlements
import JSON
import Stripe
import Testing

/// Without a key of the API: what events say merges, whatever the order.
@Suite struct `Events of Stripe in any order` {
    private let stage: StripeStage

    init() throws { stage = try StripeStage() }

    @Test func `any order and any duplicates end in one state, that of the last event`() throws {
        var random = SplitMix64.told()
        for _ in 0..<20 {
            let story = StripeStory(&random)
            let facts = story.events.map { stage.facts(in: $0) }
            #expect(facts.allSatisfy { $0.count <= 1 })
            let inOrder = try #require(Subscription(of: facts.flatMap { $0 }))
            for _ in 0..<15 {
                var heard: [[Fact]] = []
                for one in facts {
                    heard.append(one)
                    while random.isOne(in: 3) { heard.append(one) }
                }
                heard.shuffle(using: &random)
                let other = try #require(Subscription(of: heard.flatMap { $0 }))
                #expect(other.differences(from: inOrder) == [], "\(story)")
            }
            let last = try #require(
                Subscription(of: facts.last(where: { $0.first?.status != nil }) ?? [])
            )
            for days in stride(from: Int64(0), to: 400, by: 5) {
                #expect(inOrder.standing(at: moment(days)) == last.standing(at: moment(days)))
            }
        }
    }

    @Test func `events of one second: what is final wins`() throws {
        var shape = SubscriptionShape()
        var said: [[Fact]] = []
        let states = ["incomplete", "active", "past_due", "canceled"]
        for (number, status) in states.enumerated() {
            shape.status = status
            shape.endedAt = status == "canceled" ? day(0) : nil
            said.append(
                stage.facts(
                    in: event(
                        "customer.subscription.updated",
                        shape.json,
                        id: "evt_\(number)",
                        at: day(0)
                    )
                )
            )
        }
        for order in [said, said.reversed(), [said[3], said[1], said[0], said[2]]] {
            let fold = try #require(Subscription(of: order.flatMap { $0 }))
            #expect(fold.status?.word == "canceled")
        }
        // Before it ends, a payment that was made is newer than the wish for it.
        let young = try #require(Subscription(of: (said[1] + said[0])))
        #expect(young.status?.word == "active")
    }

    @Test func `whom the first statement names stays, whatever comes later`() throws {
        var shape = SubscriptionShape()
        let first = stage.facts(
            in: event("customer.subscription.created", shape.json, at: day(0))
        )
        shape.metadata = ["user_id": "mallory"]
        let later = stage.facts(
            in: event("customer.subscription.updated", shape.json, at: day(5))
        )
        for order in [first + later, later + first] {
            let fold = try #require(Subscription(of: order))
            #expect(fold.named.first?.user == UserID("alice"))
        }
    }

    @Test func `a visit names the user of a subscription that names nobody`() throws {
        var shape = SubscriptionShape()
        shape.metadata = [:]
        let state = stage.facts(in: event("customer.subscription.created", shape.json, at: day(0)))
        let visit = stage.facts(
            in: event("checkout.session.completed", CheckoutShape().json, at: day(0, 2))
        )
        for order in [state + visit, visit + state] {
            let fold = try #require(Subscription(of: order))
            #expect(fold.named.map(\.user) == [UserID("alice")])
            #expect(fold.standing(at: moment(1)) == .active)
        }
    }

    @Test func `a subscription's metadata counts first, then the reference of its visit`() throws {
        var shape = CheckoutShape()
        shape.metadata = ["user_id": "bob"]
        let both = stage.facts(in: event("checkout.session.completed", shape.json, at: day(0)))
        #expect(both.map(\.user?.user) == [UserID("alice")])
        shape.reference = nil
        let bare = stage.facts(in: event("checkout.session.completed", shape.json, at: day(0)))
        #expect(bare.map(\.user?.user) == [UserID("bob")])
        for order in [both + bare, bare + both] {
            #expect(Subscription(of: order)?.named.first?.user == UserID("alice"))
        }
        // In the same second, of two events.
        var subscription = SubscriptionShape()
        subscription.metadata = ["user_id": "carol"]
        let state = stage.facts(
            in: event("customer.subscription.created", subscription.json, at: day(0))
        )
        let visit = stage.facts(
            in: event("checkout.session.completed", CheckoutShape().json, at: day(0))
        )
        for order in [state + visit, visit + state] {
            #expect(Subscription(of: order)?.named.first?.user == UserID("carol"))
        }
    }

    @Test func `what is changed in the second in which it was made is the newer`() throws {
        for number in 0..<8 {
            var shape = SubscriptionShape()
            shape.metadata["number"] = .integer(Int64(number))
            let made = event("customer.subscription.created", shape.json, at: day(0))
            shape.cancelAtPeriodEnd = true
            let changed = event("customer.subscription.updated", shape.json, at: day(0))
            let facts = [made, changed].map { stage.facts(in: $0) }
            for order in [facts[0] + facts[1], facts[1] + facts[0]] {
                #expect(Subscription(of: order)?.renewal?.autoRenew == false)
            }
        }
    }

    @Test(arguments: [false, true])
    func `an invoice names the user as its subscription did, in both shapes`(isOld: Bool) throws {
        var shape = InvoiceShape()
        if isOld { shape.parent = nil }
        let facts = stage.facts(in: event("invoice.paid", shape.json, at: day(0)))
        #expect(facts.first?.key.originalID == "sub_1")
        #expect(facts.first?.user?.user == UserID("alice"))
        #expect(facts.first?.status == nil)
    }
}

extension Subscription {
    /// The parts that are not the same.
    fileprivate func differences(from other: Subscription) -> [String] {
        let parts = [
            (
                "what is owned",
                statedLives.map(\.transaction) == other.statedLives.map(\.transaction)
            ),
            ("eras", statedLives.map(\.era) == other.statedLives.map(\.era)),
            ("renewal", renewal == other.renewal), ("status", status == other.status),
            ("named", named == other.named), ("everEntitled", everEntitled == other.everEntitled),
            ("renewalDisabled", renewalDisabled == other.renewalDisabled),
            ("the rest", self == other),
        ]
        return parts.filter { !$0.1 }.map(\.0)
    }
}

/// What Stripe tells of one subscription, in the order in which it happened.
struct StripeStory: CustomStringConvertible {
    var description: String {
        events.map { event in
            let object = event["data"]?["object"]
            let created = (event["created"]?.int64 ?? 0) - day(0)
            let invoice = object?["latest_invoice"]?.string ?? ""
            let items = object?["items"]?["data"]?.array?.count ?? 0
            return "\(created): \(object?["status"]?.string ?? "") \(invoice) \(items)"
        }
        .joined(separator: "; ")
    }

    private(set) var events: [JSONValue] = []
    private var shape = SubscriptionShape()
    private var now = day(0)

    init(_ random: inout SplitMix64) {
        shape.isOld = random.chance()
        shape.status = "incomplete"
        shape.metadata = random.chance() ? ["user_id": "alice"] : [:]
        if random.chance() { add(&random) }
        tell("customer.subscription.created")
        let steps = 3 + random.pick(20)
        for _ in 0..<steps where shape.endedAt == nil {
            // Several things happen in one second.
            if !random.isOne(in: 3) { now += Int64(1 + random.pick(20)) * 86_400 }
            step(&random)
        }
    }

    /// An item with a period of its own, before the other one or behind it.
    private mutating func add(_ random: inout SplitMix64) {
        let item = SubscriptionShape.Item(
            id: "si_2",
            product: "prod_year",
            price: "price_year",
            start: now,
            end: now + 100 * 86_400
        )
        shape.items.insert(item, at: random.pick(2))
    }

    private mutating func step(_ random: inout SplitMix64) {
        switch random.pick(9) {
        case 0, 1, 2:
            shape.start = now
            shape.end = now + 30 * 86_400
            shape.status = "active"
            shape.latestInvoice = "in_\(events.count)"
            tell("customer.subscription.updated")
        case 3:
            shape.status = "past_due"
            tell("customer.subscription.updated")
        case 4:
            shape.cancelAtPeriodEnd.toggle()
            shape.canceledAt = shape.cancelAtPeriodEnd ? now : nil
            tell("customer.subscription.updated")
        case 5:
            shape.cancelAt =
                shape.cancelAt == nil ? shape.end + Int64(random.pick(40)) * 86_400 : nil
            shape.canceledAt = shape.cancelAt == nil ? nil : now
            tell("customer.subscription.updated")
        case 6:
            let place = random.pick(shape.items.count)
            shape.items[place].product = "prod_\(random.pick(3))"
            tell("customer.subscription.updated")
        case 7:
            if shape.items.count > 1 {
                shape.items.remove(at: random.pick(shape.items.count))
            } else {
                add(&random)
            }
            if random.chance() { shape.latestInvoice = "in_\(events.count)" }
            tell("customer.subscription.updated")
        default:
            guard random.isOne(in: 3) else { return }
            shape.status = "canceled"
            (shape.endedAt, shape.canceledAt) = (now, now)
            tell("customer.subscription.deleted")
        }
    }

    private mutating func tell(_ type: String) {
        events.append(event(type, shape.json, id: "evt_\(events.count)", at: now))
    }
}
