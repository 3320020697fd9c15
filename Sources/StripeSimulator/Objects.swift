import JSON

// Objects as Stripe writes them; `isOld` is the version of the API before 2025-03-31.

/// The text of an object.
func text(_ object: JSONObject) -> String {
    String(decoding: JSONValue.object(object).bytes, as: UTF8.self)
}

/// A list as Stripe writes it.
func list(_ data: [JSONObject], under url: String, hasMore: Bool = false) -> JSONObject {
    [
        "object": "list", "url": .string(url), "has_more": .bool(hasMore),
        "data": .array(data.map { .object($0) }),
    ]
}

private func moment(_ seconds: Int64?) -> JSONValue { seconds.map { .integer($0) } ?? .null }

private func word(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

extension StripeSettings {
    /// Metadata that name the user, or nobody.
    fileprivate func metadata(_ user: String?) -> JSONValue {
        guard let user else { return [:] }
        return .object(JSONObject([.init(key: userIDMetadata, value: .string(user))]))
    }
}

extension SoldPrice {
    var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "object": "price", "product": .string(productID),
            "lookup_key": .string(lookupKey), "unit_amount": .integer(amount), "currency": "usd",
            "type": months > 0 ? "recurring" : "one_time",
        ]
        if months > 0 {
            object["recurring"] = ["interval": "month", "interval_count": .integer(months)]
        }
        return object
    }
}

extension SoldSubscription {
    func json(_ settings: StripeSettings, isOld: Bool) -> JSONObject {
        var item: JSONObject = [
            "id": .string("si_" + id.dropFirst(4)), "object": "subscription_item", "quantity": 1,
            "price": .object(price.json), "subscription": .string(id),
        ]
        var object: JSONObject = [
            "id": .string(id), "object": "subscription", "livemode": .bool(settings.isLive),
            "status": .string(status), "customer": .string("cus_" + customer),
            "cancel_at_period_end": .bool(cancelAtPeriodEnd), "cancel_at": moment(cancelAt),
            "canceled_at": moment(canceledAt), "ended_at": moment(endedAt),
            "cancellation_details": ["reason": word(endReason)], "trial_end": moment(trialEnd),
            "pause_collection": pause.map { ["behavior": .string($0), "resumes_at": .null] }
                ?? .null,
            "latest_invoice": latestInvoice.isEmpty ? .null : .string(latestInvoice),
            "created": .integer(created), "start_date": .integer(created),
            "metadata": settings.metadata(user), "collection_method": "charge_automatically",
        ]
        if isOld {
            object["current_period_start"] = .integer(start)
            object["current_period_end"] = .integer(end)
        } else {
            item["current_period_start"] = .integer(start)
            item["current_period_end"] = .integer(end)
        }
        object["pending_update"] =
            proposed.map { price in
                let item: JSONValue = ["id": item["id"] ?? .null, "price": .object(price.json)]
                return ["expires_at": .integer(start + 86_400), "subscription_items": [item]]
            } ?? .null
        let url = "/v1/subscription_items?subscription=\(id)"
        object["items"] = .object(list([item], under: url))
        return object
    }
}

extension SoldInvoice {
    func json(_ settings: StripeSettings, isOld: Bool) -> JSONObject {
        var line: JSONObject = [
            "id": .string("il_" + id.dropFirst(3)), "object": "line_item", "quantity": 1,
            "amount": .integer(price.amount),
            "period": ["start": .integer(start), "end": .integer(end)],
        ]
        var object: JSONObject = [
            "id": .string(id), "object": "invoice", "livemode": .bool(settings.isLive),
            "status": .string(status), "billing_reason": .string(reason),
            "created": .integer(created), "customer": .string("cus_" + customer),
            "amount_due": .integer(price.amount), "currency": "usd",
        ]
        let metadata = settings.metadata(user)
        if isOld {
            object["subscription"] = .string(subscription)
            object["subscription_details"] = ["metadata": metadata]
            object["payment_intent"] = word(payment)
            object["paid"] = .bool(status == "paid")
            line["price"] = .object(price.json)
            line["proration"] = false
        } else {
            object["parent"] = [
                "type": "subscription_details",
                "subscription_details": [
                    "subscription": .string(subscription), "metadata": metadata,
                ],
            ]
            line["pricing"] = [
                "type": "price_details",
                "price_details": ["price": .string(price.id), "product": .string(price.productID)],
            ]
            line["parent"] = [
                "type": "subscription_item_details",
                "subscription_item_details": [
                    "proration": false, "subscription": .string(subscription),
                ],
            ]
        }
        object["lines"] = .object(list([line], under: "/v1/invoices/\(id)/lines"))
        return object
    }

    /// How it was paid, as `invoice_payments` lists it.
    func paymentJSON(_ settings: StripeSettings) -> JSONObject {
        [
            "id": .string("inpay_" + id.dropFirst(3)), "object": "invoice_payment",
            "livemode": .bool(settings.isLive), "created": .integer(created), "status": "paid",
            "invoice": .object(json(settings, isOld: false)),
            "payment": ["type": "payment_intent", "payment_intent": word(payment)],
        ]
    }
}

extension SoldCharge {
    func json(_ settings: StripeSettings) -> JSONObject {
        [
            "id": .string(id), "object": "charge", "livemode": .bool(settings.isLive),
            "amount": .integer(amount), "amount_refunded": .integer(refunded),
            "refunded": .bool(refunded == amount && amount > 0), "currency": "usd",
            "disputed": .bool(dispute != nil), "created": .integer(created), "paid": true,
            "payment_intent": .string(payment), "customer": .string("cus_" + customer),
            "status": "succeeded",
            "refunds": .object(
                list(refunds.map { json(of: $0) }.reversed(), under: "/v1/charges/\(id)/refunds")
            ),
        ]
    }

    func json(of refund: Refund) -> JSONObject {
        [
            "id": .string(refund.id), "object": "refund", "amount": .integer(refund.amount),
            "charge": .string(id), "payment_intent": .string(payment),
            "status": .string(refund.hasFailed ? "failed" : "succeeded"),
            "created": .integer(refund.created), "currency": "usd",
        ]
    }

    func disputeJSON(_ settings: StripeSettings) -> JSONObject {
        [
            "id": .string(disputeID), "object": "dispute", "livemode": .bool(settings.isLive),
            "amount": .integer(amount), "currency": "usd", "charge": .string(id),
            "payment_intent": .string(payment), "status": word(dispute),
            "reason": "fraudulent", "created": .integer(disputed),
        ]
    }

    /// The payment that took it.
    func paymentJSON(_ settings: StripeSettings) -> JSONObject {
        [
            "id": .string(payment), "object": "payment_intent",
            "livemode": .bool(settings.isLive), "amount": .integer(amount), "currency": "usd",
            "created": .integer(created), "customer": .string("cus_" + customer),
            "latest_charge": .string(id), "status": "succeeded", "metadata": [:],
        ]
    }
}

extension SoldVisit {
    func json(_ settings: StripeSettings) -> JSONObject {
        [
            "id": .string(id), "object": "checkout.session", "livemode": .bool(settings.isLive),
            "mode": subscription == nil ? "payment" : "subscription", "status": .string(status),
            "payment_status": .string(paymentStatus), "client_reference_id": word(reference),
            "customer": .string("cus_" + customer), "subscription": word(subscription),
            "payment_intent": word(payment), "metadata": settings.metadata(user),
            "created": .integer(created), "currency": "usd",
            "amount_total": .integer(price.amount * quantity),
        ]
    }

    /// What was bought.
    var lineItems: JSONObject {
        let line: JSONObject = [
            "id": .string("li_" + id.dropFirst(3)), "object": "item",
            "quantity": .integer(quantity), "amount_total": .integer(price.amount * quantity),
            "currency": "usd", "price": .object(price.json),
        ]
        return list([line], under: "/v1/checkout/sessions/\(id)/line_items")
    }
}

extension KeptEvent {
    /// The event, as an endpoint gets it, or as the API lists it.
    func json(_ settings: StripeSettings, isListed: Bool) -> JSONObject {
        let shown = isListed ? objectNow : object
        let version = isListed ? StripeSettings.apiVersion : settings.eventVersion
        return [
            "id": .string(id), "object": "event", "api_version": .string(version),
            "created": .integer(created), "livemode": .bool(settings.isLive),
            "type": .string(type), "pending_webhooks": 1,
            "request": ["id": .null, "idempotency_key": .null],
            "data": ["object": (try? JSONValue.parse(Array(shown.utf8))) ?? [:]],
        ]
    }
}
