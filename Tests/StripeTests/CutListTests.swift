import Entitlements
import JSON
import Stripe
import Testing

/// Stripe puts ten elements of a list into an object, and has the others asked for.
@Suite struct `Lists of which an object shows a part` {
    private let server = StripeServer(at: moment(10))

    private func facts(_ hint: PurchaseHint) throws -> [Fact] {
        let stage = try StripeStage(keys: [.production], rules: StripeRules(disputes: .lost))
        let question = try #require(stage.stripe.purchase(hint, in: .production))
        guard case .stated(let facts) = try server.answer(to: question) else { return [] }
        return facts
    }

    /// The same object, in which a list has only these elements.
    private func cut(_ object: JSONValue, _ list: String, to part: [JSONValue]) throws -> JSONValue
    {
        var members = try #require(object.object)
        members[list] = ["object": "list", "data": .array(part), "has_more": true]
        return .object(members)
    }

    private func elements(_ object: JSONValue, _ list: String) throws -> [JSONValue] {
        try #require(object[list]?["data"]?.array)
    }

    /// What becomes of a subscription when all of the money for an invoice of it went back.
    private func standing(refunding invoice: JSONValue) throws -> Standing? {
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        server["/v1/invoices/in_1"] = invoice
        var charge = ChargeShape()
        (charge.refunded, charge.refunds) = (charge.amount, [(day(3), "succeeded")])
        server["/v1/charges/\(charge.id)"] = charge.json
        server.keep(
            [["id": "inpay", "object": "invoice_payment", "invoice": invoice]],
            under: "/v1/invoice_payments"
        )
        return try #require(Subscription(of: try facts(.transaction(charge.id))))
            .standing(at: moment(11))
    }

    @Test func `money for a period whose line stands behind many changes ends it`() throws {
        var changes = InvoiceShape()
        (changes.isProration, changes.parent) = (true, "invoice_item_details")
        let change = try #require(try elements(changes.json, "lines").first)
        let whole = InvoiceShape().json
        let invoice = try cut(whole, "lines", to: .init(repeating: change, count: 10))
        server.keep(try elements(whole, "lines"), under: "/v1/invoices/in_1/lines")
        #expect(try standing(refunding: invoice) == .revoked)
        #expect(server.targets.contains { $0.hasPrefix("/v1/invoices/in_1/lines?limit=100&") })
    }

    @Test func `all items of a subscription are owned`() throws {
        var shape = SubscriptionShape()
        shape.items = (1...12).map { .init(id: "si_\($0)", product: "prod_\($0)") }
        let items = try elements(shape.json, "items")
        server["/v1/subscriptions/sub_1"] = try cut(shape.json, "items", to: Array(items[..<10]))
        server.keep(Array(items[10...]), under: "/v1/subscription_items", "subscription=sub_1")
        let fact = try #require(try facts(.subscription("sub_1")).first)
        let products = fact.transactions.map(\.productID)
        #expect(products == (1...12).map { "prod_\($0)" })
        #expect(server.targets.last?.contains("starting_after=si_10") == true)
    }

    @Test func `an item that is unpaid behind many changes is not paid`() throws {
        var shape = SubscriptionShape()
        shape.status = "past_due"
        (shape.start, shape.end) = (day(0), day(30))
        shape.items = [
            .init(id: "si_1"), .init(id: "si_2", product: "prod_2", price: "price_2"),
        ]
        server["/v1/subscriptions/sub_1"] = shape.json
        var open = InvoiceShape()
        (open.status, open.beside) = ("open", [("si_2", "price_2")])
        let lines = try elements(open.json, "lines")
        let invoice = try cut(open.json, "lines", to: [lines[0]])
        server.keep([invoice], under: "/v1/invoices", "status=open")
        server["/v1/invoices/in_1"] = invoice
        server.keep(Array(lines[1...]), under: "/v1/invoices/in_1/lines")
        let fact = try #require(try facts(.subscription("sub_1")).first)
        #expect(fact.transactions.map(\.expires) == [moment(0), moment(0)])
    }

    @Test func `without the other lines, money for an invoice is money for the period`() throws {
        var changes = InvoiceShape()
        (changes.isProration, changes.parent) = (true, "invoice_item_details")
        let lines = try elements(changes.json, "lines")
        let invoice = try cut(changes.json, "lines", to: lines)
        // Stripe has no others all the same, and says that there are.
        server.keep([["more": true]], under: "/v1/invoices/in_1/lines")
        #expect(try standing(refunding: invoice) == .revoked)
    }
}
