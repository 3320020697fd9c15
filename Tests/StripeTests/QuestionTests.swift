import Entitlements
import JSON
import Stripe
import Testing

@Suite struct `Questions to Stripe` {
    private let stage: StripeStage
    private let server = StripeServer(at: moment(40))

    init() throws { stage = try StripeStage(keys: [.production, .sandbox]) }

    private func facts(_ hint: PurchaseHint) throws -> [Fact] {
        let question = try #require(stage.stripe.purchase(hint, in: .production))
        guard case .stated(let facts) = try server.answer(to: question) else { return [] }
        return facts
    }

    @Test func `a request names the version, and says to whom it belongs`() throws {
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        _ = try facts(.subscription("sub_1"))
        let request = try #require(server.asked.first)
        #expect(request.url == "https://api.stripe.com/v1/subscriptions/sub_1")
        #expect(request.method == .get)
        #expect(request.fields == [HTTPField("Stripe-Version", "2026-07-29.dahlia")])
        #expect(request.isRepeatable && request.isAuthorised)
        guard
            case .authorization("Bearer rk_live_a") = stage.stripe.access(
                to: .production,
                at: moment(0)
            ),
            case .authorization("Bearer rk_test_a") = stage.stripe.access(
                to: .sandbox,
                at: moment(0)
            )
        else {
            Issue.record("not authorised")
            return
        }
        #expect(stage.stripe.scopes == [.production, .sandbox])
        for scope in stage.stripe.scopes {
            #expect((stage.stripe.budgets(of: scope)[.ordinary] ?? 0) > 0)
        }
    }

    @Test func `a subscription that names its user is one question`() throws {
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        let fact = try #require(try facts(.subscription("sub_1")).first)
        #expect(server.asked.count == 1)
        #expect(fact.status?.version.signed == moment(40, 1))
        #expect(fact.user?.user == UserID("alice"))
        #expect(Subscription(of: [fact])?.standing(at: moment(29)) == .active)
    }

    @Test func `a subscription that names nobody is asked for its visit`() throws {
        var shape = SubscriptionShape()
        shape.metadata = [:]
        server["/v1/subscriptions/sub_1"] = shape.json
        server.keep([CheckoutShape().json], under: "/v1/checkout/sessions", "subscription=sub_1")
        #expect(try facts(.subscription("sub_1")).first?.user?.user == UserID("alice"))
        #expect(server.asked.count == 2)
        // Nobody needs to be asked where the owner is known.
        let key = SubscriptionKey(store: .stripe, environment: .production, originalID: "sub_1")
        var kept = Subscription(key: key)
        var named = Fact(key: key)
        named.user = UserFact(
            user: try #require(UserID("bob")),
            version: Version(signed: moment(0), digest: Digest256(0, 0, 0, 0))
        )
        _ = kept.merge(named)
        let question = try #require(stage.stripe.state(of: key, kept: kept, in: .production))
        #expect(try server.answer(to: question).facts.first?.user == nil)
        #expect(server.asked.count == 3)
        #expect(stage.stripe.state(of: key, kept: kept, in: .sandbox) == nil)
    }

    @Test func `past due counts from the oldest open invoice`() throws {
        var shape = SubscriptionShape()
        shape.status = "past_due"
        (shape.start, shape.end, shape.latestInvoice) = (day(60), day(90), "in_3")
        server["/v1/subscriptions/sub_1"] = shape.json
        let open = [
            InvoiceShape(
                id: "in_3",
                status: "open",
                created: day(60),
                start: day(60),
                end: day(90)
            ),
            InvoiceShape(
                id: "in_2",
                status: "open",
                created: day(30, 60),
                start: day(30),
                end: day(60)
            ),
        ]
        server.keep(open.map(\.json), under: "/v1/invoices", "subscription=sub_1", "status=open")
        let fact = try #require(try facts(.subscription("sub_1")).first)
        #expect(fact.renewal?.graceUntil == moment(37))
        #expect(fact.transaction?.expires == moment(30))
        #expect(Subscription(of: [fact])?.standing(at: moment(61)) == .retry)
        #expect(Subscription(of: [fact])?.standing(at: moment(91)) == .lapsed)
        // An invoice that was left open long ago, with paid periods between.
        let old = InvoiceShape(
            id: "in_0",
            status: "open",
            created: day(-90),
            start: day(-90),
            end: day(-60)
        )
        server.keep(
            (open + [old]).map(\.json),
            under: "/v1/invoices",
            "subscription=sub_1",
            "status=open"
        )
        let forgiven = try #require(try facts(.subscription("sub_1")).first)
        #expect(forgiven.transaction?.expires == moment(30))
        #expect(forgiven.renewal?.graceUntil == moment(37))
        // An upgrade that was not paid, within a period that is.
        let change = InvoiceShape(
            status: "open",
            reason: "subscription_update",
            created: day(70),
            start: day(70),
            end: day(90)
        )
        server.keep([change.json], under: "/v1/invoices", "subscription=sub_1", "status=open")
        let upgraded = try #require(try facts(.subscription("sub_1")).first)
        #expect(upgraded.transaction?.expires == moment(70))
        #expect(upgraded.renewal?.graceUntil == moment(77))
    }

    /// What the open invoice bills, from when on: a renewal of the month, one of the year, a change
    /// of the year, or what is in the subscription no more.
    @Test(arguments: [
        ("price_1", 0, 61, ["prod_year": Standing.active, "prod_1": .grace]),
        ("price_year", 60, 60, ["prod_year": .grace, "prod_1": .active]),
        ("price_year", 0, 62, ["prod_year": .grace, "prod_1": .active]),
        ("price_gone", 0, 61, ["prod_year": .active, "prod_1": .grace]),
    ])
    func `of several items that one is past due which an open invoice bills`(
        price: String,
        year: Int64,
        since: Int64,
        worth: [String: Standing]
    ) throws {
        var shape = SubscriptionShape.items(month: 61)
        shape.status = "past_due"
        shape.items[0].start = day(year)
        let server = StripeServer(at: moment(63))
        server["/v1/subscriptions/sub_1"] = shape.json
        let open = InvoiceShape(
            status: "open",
            created: day(since, 60),
            start: day(since),
            end: day(since + 30),
            price: price
        )
        server.keep([open.json], under: "/v1/invoices", "subscription=sub_1", "status=open")
        let hint = PurchaseHint.subscription("sub_1")
        let question = try #require(stage.stripe.purchase(hint, in: .production))
        guard case .stated(let facts) = try server.answer(to: question) else { return }
        let fold = try #require(Subscription(of: facts))
        #expect(fold.renewal?.graceUntil == moment(since + 7))
        let met = fold.standings(at: moment(64))
        #expect(met.first?.standing == .active)
        #expect(Dictionary(uniqueKeysWithValues: met.map { ($0.product, $0.standing) }) == worth)
    }

    @Test(arguments: ["canceled", "paused"])
    func `what was past due is unpaid after it was ended or paused, too`(_ status: String) throws {
        var shape = SubscriptionShape()
        (shape.status, shape.start, shape.end) = (status, day(30), day(60))
        (shape.endReason, shape.endedAt) = ("cancellation_requested", day(40))
        server["/v1/subscriptions/sub_1"] = shape.json
        func paidUntil(_ open: [InvoiceShape]) throws -> Moment? {
            server.keep(open.map(\.json), under: "/v1/invoices", "status=open")
            return try facts(.subscription("sub_1")).first?.transaction?.expires
        }
        #expect(try paidUntil([]) == moment(40))
        let open = InvoiceShape(status: "open", created: day(30, 60), start: day(30), end: day(60))
        #expect(try paidUntil([open]) == moment(30))
        // One that was left open before this period, which was paid.
        let old = InvoiceShape(id: "in_0", status: "open", created: day(-30), start: day(-30))
        #expect(try paidUntil([old]) == moment(40))
    }

    @Test func `a trial that was cancelled owes nothing`() throws {
        var shape = SubscriptionShape()
        (shape.status, shape.end, shape.trialEnd) = ("canceled", day(14), day(14))
        shape.endedAt = day(14)
        server["/v1/subscriptions/sub_1"] = shape.json
        #expect(try facts(.subscription("sub_1")).first?.transaction?.isTrial == true)
        #expect(server.asked.count == 1)
    }

    @Test func `usage that is billed afterwards does not make the time before it unpaid`() throws {
        var shape = SubscriptionShape()
        shape.status = "past_due"
        (shape.start, shape.end) = (day(30), day(60))
        server["/v1/subscriptions/sub_1"] = shape.json
        let usage = InvoiceShape(status: "open", created: day(30, 5), start: day(0), end: day(30))
        server.keep([usage.json], under: "/v1/invoices", "status=open")
        #expect(try facts(.subscription("sub_1")).first?.renewal?.graceUntil == moment(37))
    }

    @Test func `a visit for a subscription tells of it and of whom it names`() throws {
        var subscription = SubscriptionShape()
        subscription.metadata = [:]
        var visit = CheckoutShape()
        visit.subscription = subscription.json
        server["/v1/checkout/sessions/cs_1"] = visit.json
        let fact = try #require(try facts(.checkoutSession("cs_1")).first)
        let expanded = ["line_items", "subscription", "payment_intent.latest_charge"]
        let query = expanded.map { "expand%5B%5D=" + $0 }.joined(separator: "&")
        #expect(server.targets == ["/v1/checkout/sessions/cs_1?" + query])
        #expect(fact.key.originalID == "sub_1")
        #expect(fact.user?.user == UserID("alice"))
        // The reference counts before the metadata of the visit.
        visit.metadata = ["user_id": "bob"]
        server["/v1/checkout/sessions/cs_1"] = visit.json
        #expect(try facts(.checkoutSession("cs_1")).first?.user?.user == UserID("alice"))
        // The subscription's own metadata counts first.
        visit.subscription = SubscriptionShape(metadata: ["user_id": "dora"]).json
        server["/v1/checkout/sessions/cs_1"] = visit.json
        #expect(try facts(.checkoutSession("cs_1")).first?.user?.user == UserID("dora"))
        // Nothing came of it yet.
        visit.subscription = .null
        server["/v1/checkout/sessions/cs_1"] = visit.json
        #expect(try facts(.checkoutSession("cs_1")).isEmpty)
    }

    @Test func `a payment is what its visit sold: products, prices, quantities`() throws {
        let lines = [
            CheckoutShape.line(1, quantity: 2), CheckoutShape.line(2, product: "prod_other"),
        ]
        server["/v1/checkout/sessions/cs_1"] = CheckoutShape.packs(lines).json
        let fact = try #require(try facts(.checkoutSession("cs_1")).first)
        #expect(fact.key.originalID == "pi_1")
        #expect(fact.transactions.map(\.id) == ["pi_1", "pi_1:li_2"])
        #expect(fact.transactions.map(\.productID) == ["prod_pack", "prod_other"])
        #expect(fact.transactions.map(\.quantity) == [2, 1])
        // Two purchases, and not one under two ids.
        #expect(Set(fact.transactions.map(\.purchased)).count == 2)
        #expect(fact.transactions.allSatisfy { $0.kind == TransactionFact.oneTimeKind })
        #expect(fact.transactions.allSatisfy { $0.terms.lookupKey == "pack" })
        #expect(fact.transactions.map(\.terms.price) == [1_000_000, 500_000])
        #expect(fact.status?.code == StatusCode.active.rawValue)
        #expect(fact.user?.user == UserID("alice"))
    }

    @Test func `a pack that is bought beside a subscription is a purchase of its own`() throws {
        server["/v1/checkout/sessions/cs_1"] = CheckoutShape.mixed().json
        let stated = try facts(.checkoutSession("cs_1"))
        #expect(stated.map(\.key.originalID) == ["sub_1", "cs_1"])
        let pack = try #require(stated.last)
        #expect(pack.transactions.map(\.id) == ["cs_1"])
        #expect(pack.transactions.map(\.productID) == ["prod_pack"])
        #expect(pack.transactions.map(\.quantity) == [3])
        #expect(pack.status?.code == StatusCode.active.rawValue)
        // The subscription's metadata counts before a reference that a visitor can write.
        #expect(stated.map(\.user?.user) == [UserID("dora"), UserID("dora")])
        var visit = CheckoutShape.mixed()
        visit.metadata = ["user_id": "bob"]
        server["/v1/checkout/sessions/cs_1"] = visit.json
        #expect(try facts(.checkoutSession("cs_1")).last?.user?.user == UserID("dora"))
        server["/v1/checkout/sessions/cs_1"] = CheckoutShape.mixed(metadata: [:]).json
        #expect(try facts(.checkoutSession("cs_1")).last?.user?.user == UserID("alice"))
    }

    @Test func `a payment is whose the reference names, else whose the metadata names`() throws {
        var visit = CheckoutShape.packs([CheckoutShape.line(1)])
        visit.metadata = ["user_id": "bob"]
        for (reference, user) in [("alice", "alice"), (nil, "bob"), ("", "bob")] {
            visit.reference = reference
            server["/v1/checkout/sessions/cs_1"] = visit.json
            #expect(try facts(.checkoutSession("cs_1")).first?.user?.user == UserID(user))
        }
    }

    @Test func `a payment that takes days is pending until the money is there`() throws {
        var visit = CheckoutShape.packs([CheckoutShape.line(1)])
        visit.paymentStatus = "unpaid"
        server["/v1/checkout/sessions/cs_1"] = visit.json
        let waiting = try #require(try facts(.checkoutSession("cs_1")).first)
        #expect(waiting.status?.code == StatusCode.pending.rawValue)
        #expect(waiting.transaction?.purchased == moment(0))
        visit.paymentStatus = "paid"
        visit.charged = day(5)
        server["/v1/checkout/sessions/cs_1"] = visit.json
        let paid = try #require(try facts(.checkoutSession("cs_1")).first)
        for order in [[waiting, paid], [paid, waiting]] {
            let bought = Subscription(of: order)
            #expect(bought?.status?.word == "paid")
            // A pass for some days begins with it.
            #expect(bought?.transactions.map(\.purchased) == [moment(5)])
        }
    }

    @Test func `a visit with many lines is read to its end`() throws {
        var visit = CheckoutShape.packs((1...10).map { CheckoutShape.line($0) })
        visit.hasMore = true
        server["/v1/checkout/sessions/cs_1"] = visit.json
        server.keep(
            (11...20).map { CheckoutShape.line($0) },
            under: "/v1/checkout/sessions/cs_1/line_items",
            "starting_after=li_10"
        )
        #expect(try facts(.checkoutSession("cs_1")).first?.transactions.count == 20)
    }

    @Test func `a page for the customer is made by a post that may be repeated`() throws {
        server["/v1/subscriptions/sub_1"] = SubscriptionShape().json
        server["/v1/billing_portal/sessions"] = [
            "object": "billing_portal.session", "url": "https://billing.stripe.com/p/session/x",
        ]
        let key = SubscriptionKey(store: .stripe, environment: .production, originalID: "sub_1")
        let nonce = try #require(Token(high: 1, low: 2))
        let question = try #require(
            stage.stripe.managementPage(
                of: key,
                returnURL: "https://example.com/a?b=c",
                nonce: nonce
            )
        )
        #expect(try server.answer(to: question) == "https://billing.stripe.com/p/session/x")
        let request = try #require(server.asked.last)
        #expect(request.method == .post)
        #expect(request.fields.first(named: "Idempotency-Key") == "\(nonce)")
        #expect(request.fields.first(named: "Stripe-Version") != nil)
        #expect(
            request.body
                == .form([
                    (name: "customer", value: "cus_1"),
                    (name: "return_url", value: "https://example.com/a?b=c"),
                ])
        )
        let pack = SubscriptionKey(store: .stripe, environment: .production, originalID: "pi_1")
        #expect(stage.stripe.managementPage(of: pack, returnURL: nil, nonce: nonce) == nil)
        server["/v1/billing_portal/sessions"] = ["url": "javascript:alert(1)"]
        #expect(throws: StoreAPIFailure.self) { try server.answer(to: question) }
    }

    @Test(arguments: [
        (401, "", "unauthorized"), (403, "more_permissions_required", "forbidden"),
        (404, "resource_missing", "unknown"), (400, "resource_missing", "unknown"),
        (400, "parameter_invalid", "refused"), (402, "", "refused"), (409, "", "unreachable"),
        (429, "rate_limit", "limited"), (500, "", "unreachable"), (503, "", "unreachable"),
    ])
    func `a refusal says whether to come again`(status: Int, code: String, kind: String) throws {
        let body: JSONValue = ["error": ["type": "x", "code": .string(code)]]
        let reply = StoreReply(status: status, body: body.bytes)
        let failure = stage.stripe.failure(of: reply, at: moment(0))
        #expect(failure.kind.rawValue == kind)
        #expect(failure.code == Int64(status))
        #expect((failure.retryAfterMilliseconds != nil) == (kind == "limited"))
        let bare = stage.stripe.failure(of: StoreReply(status: status), at: moment(0))
        #expect(bare.detail == "HTTP \(status)")
    }

    @Test func `a key that lacks a permission is told which one, without a part of the key`() {
        func detail(_ message: JSONValue?) -> String {
            var error: JSONObject = ["type": "invalid_request_error"]
            error["message"] = message
            let body = JSONValue.object(["error": .object(error)])
            let reply = StoreReply(status: 403, body: body.bytes)
            return stage.stripe.failure(of: reply, at: moment(0)).detail
        }
        let told = detail(
            "The key 'rk_live_***x7' lacks more. Having the 'rak_charge_read' permission would do."
        )
        #expect(told == "the key lacks the permission rak_charge_read (invalid_request_error)")
        #expect(detail(nil) == "the key lacks a permission (invalid_request_error)")
    }

    @Test func `what Stripe asks to wait for, or to repeat, is done`() {
        func failure(_ status: Int, _ name: String, _ value: String) -> StoreAPIFailure {
            stage.stripe.failure(
                of: StoreReply(status: status, fields: [HTTPField(name, value)]),
                at: moment(0)
            )
        }
        #expect(failure(429, "retry-after", "7").retryAfterMilliseconds == 7000)
        #expect(failure(429, "retry-after", "999999999").retryAfterMilliseconds == 3_600_000)
        #expect(failure(429, "retry-after", "-1").retryAfterMilliseconds == 2000)
        #expect(failure(400, "Stripe-Should-Retry", "true").kind == .unreachable)
        #expect(failure(400, "Stripe-Should-Retry", "false").kind == .refused)
    }

    @Test func `an answer that is none is told as such`() throws {
        server["/v1/subscriptions/sub_1"] = "sub_1"
        #expect(throws: StoreAPIFailure.self) { try facts(.subscription("sub_1")) }
        server["/v1/subscriptions/sub_1"] = ["object": "customer"]
        do {
            _ = try facts(.subscription("sub_1"))
            Issue.record("an answer was believed")
        } catch let failure as StoreAPIFailure {
            #expect(failure.kind == .malformed)
        }
    }

    @Test(arguments: ["", "../customers", "sub_1?x=1", "sub 1", "süb", "sub%2f1"])
    func `what is no id is not asked about`(id: String) {
        for hint in [PurchaseHint.subscription(id), .checkoutSession(id), .transaction(id)] {
            #expect(stage.stripe.purchase(hint, in: .production) == nil)
        }
        #expect(stage.stripe.purchase(.purchaseToken("a"), in: .production) == nil)
    }
}
