import JSON

// What Stripe tells beside: events that change no entitlement, or say once more what another event
// has said. They go to an endpoint that has chosen all events (`StripeSettings.tellsAll`).
extension StripeBooks {
    mutating func tellBeside(_ type: String, _ object: JSONObject, at now: Int64) {
        if settings.tellsAll { tell(type, { _ in text(object) }, at: now) }
    }

    mutating func tellBeside(_ type: String, _ invoice: SoldInvoice, at now: Int64) {
        guard settings.tellsAll else { return }
        let settings = settings
        tell(type, { text(invoice.json(settings, isOld: $0)) }, at: now)
    }

    /// That an invoice was paid: without the payments that are made elsewhere, and by itself.
    mutating func tellPayment(of invoice: SoldInvoice, at now: Int64) {
        tellBeside("invoice.payment_succeeded", invoice, at: now)
        tellBeside("invoice_payment.paid", invoice.paymentJSON(settings), at: now)
    }

    /// That the next invoice is due soon: it has no id yet.
    mutating func tellUpcoming(of sold: SoldSubscription, at now: Int64) {
        guard var invoice = invoices[sold.latestInvoice]?.json(settings, isOld: false) else {
            return
        }
        invoice["id"] = nil
        invoice["billing_reason"] = "upcoming"
        tellBeside("invoice.upcoming", invoice, at: now)
    }

    /// Which features a customer has, where the seller has linked products to features.
    mutating func tellFeatures(of sold: SoldSubscription, at now: Int64) {
        let feature: JSONObject = [
            "id": .string("ent_" + sold.id.dropFirst(4)),
            "object": "entitlements.active_entitlement", "feature": "feat_plan",
            "lookup_key": .string(sold.price.lookupKey), "livemode": .bool(settings.isLive),
        ]
        let summary: JSONObject = [
            "object": "entitlements.active_entitlement_summary",
            "customer": .string("cus_" + sold.customer), "livemode": .bool(settings.isLive),
            "entitlements": .object(
                list(
                    sold.isLive ? [feature] : [],
                    under: "/v1/customer/cus_\(sold.customer)/entitlements"
                )
            ),
        ]
        tellBeside("entitlements.active_entitlement_summary.updated", summary, at: now)
    }
}
