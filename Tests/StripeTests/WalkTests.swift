import Entitlements
import JSON
import Stripe
import Testing

@Suite struct `The events that Stripe keeps` {
    private let stage: StripeStage
    private let server = StripeServer(at: moment(31))

    init() throws { stage = try StripeStage(keys: [.production]) }

    private func walk(onlyFailures: Bool = false) throws -> [StoreStatement] {
        let question = try #require(
            stage.stripe.missed(
                in: moment(0)..<moment(30),
                onlyFailures: onlyFailures,
                of: .production
            )
        )
        return try server.statements(of: question)
    }

    @Test func `each thing that events are about is asked once a page, and pages follow`() throws {
        func told(_ number: Int, _ type: String, _ object: JSONValue) -> JSONValue {
            event(type, object, id: "evt_\(number)", at: day(1))
        }
        let other = SubscriptionShape(id: "sub_2").json
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        server["/v1/subscriptions/sub_2"] = other
        server.keep(
            [
                told(9, "customer.subscription.updated", SubscriptionShape().json),
                told(8, "invoice.paid", InvoiceShape().json),
                told(7, "customer.subscription.created", SubscriptionShape().json),
                ["more": true],
            ],
            under: "/v1/events",
            "created%5Bgte%5D=\(day(0))",
            "created%5Blt%5D=\(day(30))"
        )
        server.keep(
            [told(6, "customer.subscription.updated", other)],
            under: "/v1/events",
            "starting_after=evt_7"
        )
        let statements = try walk()
        #expect(statements.flatMap(\.facts).map(\.key.originalID) == ["sub_1", "sub_2"])
        #expect(statements.map(\.documents).reduce(0, +) == 4)
        #expect(server.targets.count { $0.hasPrefix("/v1/subscriptions/sub_1") } == 1)
        #expect(server.targets.allSatisfy { !$0.contains("delivery_success") })
        _ = try walk(onlyFailures: true)
        #expect(
            server.targets.last { $0.hasPrefix("/v1/events") }?
                .contains("delivery_success=false") == true
        )
    }

    @Test func `what was deleted since, or is not as documented, does not end the walk`() throws {
        server["/v1/subscriptions/sub_3"] = SubscriptionShape(id: "sub_3").json
        server["/v1/subscriptions/sub_2"] = ["object": "subscription"]
        let objects = ["sub_1", "sub_2", "sub_3"].map { SubscriptionShape(id: $0).json }
        var events = objects.enumerated()
            .map { number, object in
                event("customer.subscription.updated", object, id: "evt_\(number)", at: day(1))
            }
        events.append(event("invoice.paid", ["object": "x"], id: "evt_9", at: day(1)))
        server.keep(events, under: "/v1/events")
        let statements = try walk()
        #expect(statements.flatMap(\.facts).map(\.key.originalID) == ["sub_3"])
        #expect(statements.flatMap(\.unreadable).count == 2)
    }

    @Test func `what the key may not read is passed over, and the walk is not the last`() throws {
        server["/v1/subscriptions/sub_3"] = SubscriptionShape(id: "sub_3").json
        server.forbidden = ["/v1/subscriptions/sub_1", "/v1/subscriptions/sub_2"]
        let events = ["sub_1", "sub_2", "sub_3"].enumerated()
            .map { number, id in
                event(
                    "customer.subscription.updated",
                    SubscriptionShape(id: id).json,
                    id: "evt_\(number)",
                    at: day(1)
                )
            }
        server.keep(events, under: "/v1/events")
        let statements = try walk()
        #expect(statements.flatMap(\.facts).map(\.key.originalID) == ["sub_3"])
        #expect(statements.contains { $0.isPartial })
        // Once for a page.
        #expect(statements.flatMap(\.warnings).count == 1)
    }

    @Test func `Stripe keeps events for 30 days, and asks for at most 20 types`() throws {
        let reach = try #require(stage.stripe.reach(of: .production))
        #expect(reach.milliseconds == 30 * 24 * 3600 * 1000)
        #expect(StripeEvent.types.count <= 20)
        #expect(Set(StripeEvent.types).count == StripeEvent.types.count)
    }
}
