import JSON
import Stripe

/// A visit to the payment page as Stripe writes it.
struct CheckoutShape {
    var id = "cs_1"
    var mode = "subscription"
    var paymentStatus = "paid"
    var reference: String? = "alice"
    var metadata: JSONObject = [:]
    var subscription: JSONValue = "sub_1"
    var paymentIntent: String?
    /// When the money was charged, if the payment comes with the visit.
    var charged: Int64?
    var lines: [JSONValue]? = []
    var hasMore = false

    /// A line of a pack of credits.
    static func line(
        _ number: Int,
        product: String = "prod_pack",
        quantity: Int64 = 1,
        type: String = "one_time"
    ) -> JSONValue {
        [
            "id": .string("li_\(number)"), "object": "item", "quantity": .integer(quantity),
            "amount_total": .integer(500 * quantity),
            "price": [
                "id": "price_pack", "object": "price", "product": .string(product),
                "lookup_key": "pack", "unit_amount": 500, "currency": "jpy",
                "type": .string(type),
            ],
        ]
    }

    /// A visit in which a subscription began, and a pack of credits was bought beside it.
    static func mixed(metadata: JSONObject = ["user_id": "dora"]) -> CheckoutShape {
        var shape = CheckoutShape()
        shape.subscription = SubscriptionShape(metadata: metadata).json
        shape.lines = [line(1, product: "prod_1", type: "recurring"), line(2, quantity: 3)]
        return shape
    }

    /// A visit in which packs of credits were bought.
    static func packs(_ lines: [JSONValue]) -> CheckoutShape {
        var shape = CheckoutShape()
        shape.mode = "payment"
        shape.subscription = .null
        shape.paymentIntent = "pi_1"
        shape.lines = lines
        return shape
    }

    var json: JSONValue {
        var object: JSONObject = [
            "id": .string(id), "object": "checkout.session", "livemode": true,
            "mode": .string(mode), "status": "complete", "payment_status": .string(paymentStatus),
            "client_reference_id": reference.map { .string($0) } ?? .null, "customer": "cus_1",
            "subscription": subscription,
            "payment_intent": payment, "metadata": .object(metadata), "created": .integer(day(0)),
            "customer_details": ["email": "carol@example.com"],
        ]
        if let lines {
            object["line_items"] = [
                "object": "list", "has_more": .bool(hasMore), "data": .array(lines),
            ]
        }
        return .object(object)
    }

    private var payment: JSONValue {
        guard let paymentIntent else { return .null }
        guard let charged else { return .string(paymentIntent) }
        var charge = ChargeShape()
        charge.created = charged
        return [
            "id": .string(paymentIntent), "object": "payment_intent",
            "latest_charge": charge.json,
        ]
    }
}

/// An invoice of a subscription as Stripe writes it, in versions of the API before and after
/// 2025-03-31.
struct InvoiceShape {
    var id = "in_1"
    var status = "paid"
    var reason = "subscription_cycle"
    var created = day(0)
    var start = day(0)
    var end = day(30)
    /// What its line bills.
    var price = "price_1"
    /// The item of the subscription that its line bills, if it says so.
    var item: String?
    /// More lines, of these items and prices.
    var beside: [(item: String, price: String)] = []
    /// What made its line: `subscription_item_details`, or `invoice_item_details` for what was
    /// added to it, such as a proration; nil in the version before, which does not say.
    var parent: String? = "subscription_item_details"
    var isProration = false

    var json: JSONValue {
        let metadata: JSONValue = ["user_id": "alice"]
        var object: JSONObject = [
            "id": .string(id), "object": "invoice", "livemode": true, "status": .string(status),
            "billing_reason": .string(reason), "created": .integer(created), "customer": "cus_1",
        ]
        if parent != nil {
            object["parent"] = [
                "type": "subscription_details",
                "subscription_details": ["subscription": "sub_1", "metadata": metadata],
            ]
        } else {
            object["subscription"] = "sub_1"
            object["subscription_details"] = ["metadata": metadata]
            object["payment_intent"] = "pi_1"
        }
        let lines = [line(item, price)] + beside.map { line($0.item, $0.price) }
        object["lines"] = ["object": "list", "data": .array(lines)]
        return .object(object)
    }

    private func line(_ item: String?, _ price: String) -> JSONValue {
        var line: JSONObject = [
            "id": "il_1", "object": "line_item", "quantity": 1,
            "period": ["start": .integer(start), "end": .integer(end)],
        ]
        if let parent {
            line["pricing"] = [
                "type": "price_details",
                "price_details": ["price": .string(price), "product": "prod_1"],
            ]
            var details: JSONObject = [
                "proration": .bool(isProration), "subscription": "sub_1",
            ]
            details["subscription_item"] = item.map { .string($0) }
            line["parent"] = ["type": .string(parent), parent: .object(details)]
        } else {
            line["price"] = ["id": .string(price), "object": "price", "product": "prod_1"]
            line["proration"] = .bool(isProration)
            line["subscription_item"] = item.map { .string($0) }
        }
        return .object(line)
    }
}

/// A charge as Stripe writes it.
struct ChargeShape {
    var id = "ch_1"
    var amount: Int64 = 1000
    var refunded: Int64 = 0
    var isDisputed = false
    var created = day(0)
    var paymentIntent: String? = "pi_1"
    var refunds: [(at: Int64, status: String)] = []

    var json: JSONValue {
        [
            "id": .string(id), "object": "charge", "livemode": true, "amount": .integer(amount),
            "amount_refunded": .integer(refunded), "refunded": .bool(refunded == amount),
            "disputed": .bool(isDisputed), "created": .integer(created),
            "payment_intent": paymentIntent.map { .string($0) } ?? .null,
            "refunds": [
                "object": "list",
                "data": .array(
                    refunds.map {
                        [
                            "id": "re_1", "object": "refund", "charge": .string(id),
                            "created": .integer($0.at), "status": .string($0.status),
                        ]
                    }
                ),
            ],
        ]
    }
}

/// A dispute as Stripe writes it.
func dispute(_ status: String, charge: String? = "ch_1", at created: Int64 = day(3)) -> JSONValue {
    [
        "id": "dp_1", "object": "dispute", "livemode": true, "status": .string(status),
        "charge": charge.map { .string($0) } ?? .null, "payment_intent": "pi_1",
        "created": .integer(created),
    ]
}

/// A refund as Stripe writes it.
func refund(_ status: String, charge: String? = "ch_1") -> JSONValue {
    [
        "id": "re_1", "object": "refund", "status": .string(status),
        "charge": charge.map { .string($0) } ?? .null, "payment_intent": "pi_1",
        "created": .integer(day(3)),
    ]
}
