import Entitlements
import JSON
import Stripe

/// Days of the stories, in seconds since 1970 as Stripe writes them.
func day(_ number: Int64, _ seconds: Int64 = 0) -> Int64 {
    1_800_000_000 + number * 86_400 + seconds
}

/// The same as a moment.
func moment(_ number: Int64, _ seconds: Int64 = 0) -> Moment {
    Moment(day(number, seconds) * 1000)
}

/// A subscription as Stripe writes it, in versions of the API before and after 2025-03-31.
struct SubscriptionShape {
    struct Item {
        var id = "si_1"
        var product = "prod_1"
        var price = "price_1"
        var lookupKey: String? = "monthly"
        var quantity: Int64 = 1
        var usage = "licensed"
        var amount: Int64 = 999
        var start: Int64?
        var end: Int64?
    }

    var id = "sub_1"
    var isLive = true
    var status = "active"
    var start = day(0)
    var end = day(30)
    var cancelAtPeriodEnd = false
    var cancelAt: Int64?
    var canceledAt: Int64?
    var endedAt: Int64?
    var endReason: String?
    var trialEnd: Int64?
    var pause: JSONValue?
    /// Why it is paused, as versions of the API since 2026-09-30 say.
    var pauseReason: String?
    var latestInvoice: String? = "in_1"
    var items = [Item()]
    var metadata: JSONObject = ["user_id": "alice"]
    var began = day(0)
    var isOld = false
    var isExpanded = false

    /// A year that is paid, and a month beside it that begins on a day within; either of them is
    /// the first item.
    static func items(month start: Int64, isYearFirst: Bool = true) -> SubscriptionShape {
        var shape = SubscriptionShape()
        let year = Item(
            id: "si_year",
            product: "prod_year",
            price: "price_year",
            start: day(0),
            end: day(365)
        )
        let month = Item(id: "si_month", start: day(start), end: day(start + 30))
        shape.items = isYearFirst ? [year, month] : [month, year]
        return shape
    }

    /// The states of a plan that goes on, in the version before.
    var old: SubscriptionShape {
        var old = self
        old.isOld = true
        return old
    }

    var json: JSONValue {
        var object: JSONObject = [
            "id": .string(id), "object": "subscription", "livemode": .bool(isLive),
            "status": .string(status), "customer": isExpanded ? ["id": "cus_1"] : "cus_1",
            "cancel_at_period_end": .bool(cancelAtPeriodEnd),
            "cancel_at": optional(cancelAt ?? (cancelAtPeriodEnd ? end : nil)),
            "canceled_at": optional(canceledAt), "ended_at": optional(endedAt),
            "cancellation_details": ["reason": endReason.map { .string($0) } ?? .null],
            "trial_end": optional(trialEnd), "pause_collection": pause ?? .null,
            "latest_invoice": latestInvoice.map {
                isExpanded ? ["id": .string($0), "object": "invoice"] : .string($0)
            } ?? .null,
            "start_date": .integer(began), "created": .integer(began),
            "metadata": .object(metadata), "a_member_to_come": ["x": 1],
            "items": ["object": "list", "has_more": false, "data": .array(items.map(json(of:)))],
        ]
        if isOld {
            object["current_period_start"] = .integer(start)
            object["current_period_end"] = .integer(end)
        }
        if let pauseReason {
            object["status_details"] = [
                "paused": ["type": "subscription", "subscription": ["type": .string(pauseReason)]]
            ]
        }
        return .object(object)
    }

    private func json(of item: Item) -> JSONValue {
        let product: JSONValue = .string(item.product)
        var object: JSONObject = [
            "id": .string(item.id), "object": "subscription_item",
            "quantity": .integer(item.quantity),
            "price": [
                "id": .string(item.price), "object": "price",
                "product": isExpanded ? ["id": product, "object": "product"] : product,
                "lookup_key": item.lookupKey.map { .string($0) } ?? .null,
                "unit_amount": .integer(item.amount), "currency": "eur",
                "type": "recurring", "recurring": ["usage_type": .string(item.usage)],
            ],
        ]
        if !isOld {
            object["current_period_start"] = .integer(item.start ?? start)
            object["current_period_end"] = .integer(item.end ?? end)
        }
        return .object(object)
    }
}

func optional(_ number: Int64?) -> JSONValue { number.map { .integer($0) } ?? .null }

/// An event around an object.
func event(
    _ type: String,
    _ object: JSONValue,
    id: String = "evt_1",
    at created: Int64,
    isLive: Bool = true
) -> JSONValue {
    [
        "id": .string(id), "object": "event", "api_version": "2025-03-31.basil",
        "created": .integer(created), "livemode": .bool(isLive), "type": .string(type),
        "data": ["object": object],
    ]
}

/// A Stripe of which the tests know the secrets.
struct StripeStage {
    static let live = "whsec_live"
    static let test = "whsec_test"

    let stripe: Stripe

    init(
        keys: Set<StoreEnvironment> = [],
        rules: StripeRules = StripeRules()
    ) throws {
        var found: [StoreEnvironment: StripeKey] = [:]
        for one in keys {
            let text = one == .production ? "rk_live_a" : "rk_test_a"
            found[one] = try StripeKey(file: Array(text.utf8), of: one)
        }
        stripe = Stripe(
            signatures: WebhookSignatures(
                live: [EndpointSecret(file: Array(Self.live.utf8))].compactMap { $0 },
                test: [EndpointSecret(file: Array(Self.test.utf8))].compactMap { $0 }
            ),
            keys: found,
            rules: rules
        )
    }

    /// What is said of an event that Stripe has signed.
    func verdict(on event: JSONValue, at now: Moment = moment(0)) -> NotificationVerdict {
        let body = event.bytes
        let isLive = event["livemode"]?.bool ?? true
        let header = signature(
            over: body,
            with: isLive ? Self.live : Self.test,
            at: now
        )
        return stripe.verdict(
            on: StoreDelivery(body: body, fields: [HTTPField("Stripe-Signature", header)]),
            at: now
        )
    }

    /// The facts in such an event; empty where there are none.
    func facts(in event: JSONValue) -> [Fact] {
        guard case .genuine(let notification) = verdict(on: event) else { return [] }
        return notification.facts
    }
}

extension Subscription {
    /// What it is worth at a moment, under the rules that hold without a catalog.
    func standing(at now: Moment) -> Standing? {
        let eras = eras(from: now)
        guard let era = eras.last(where: { $0.from <= now }) ?? eras.first else { return nil }
        return standing(of: era, at: now)
    }

    /// What each item is worth at a moment, by its product; the one that is shown for all of them
    /// is the first.
    func standings(at now: Moment) -> [(product: String, standing: Standing)] {
        statedLives.map { ($0.transaction.productID, standing(of: $0.era, at: now)) }
    }

    private func standing(of era: Era, at now: Moment) -> Standing {
        Slot(
            ordinal: 0,
            store: key.store,
            environment: key.environment,
            product: 0,
            marks: era.marks,
            from: era.from,
            paidUntil: era.paidUntil ?? .distantPast,
            graceUntil: era.graceUntil ?? .distantPast
        )
        .standing(at: now, under: Policy(Policy.Source()))
    }

    /// The fold of facts that are all about one purchase.
    init?(of facts: [Fact]) {
        guard let key = facts.first?.key else { return nil }
        self.init(key: key)
        for fact in facts { _ = merge(fact) }
    }
}
