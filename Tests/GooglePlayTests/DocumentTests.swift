import Entitlements
import GooglePlay
import JSON
import Testing

/// Google's answers as they are read: what decides strictly, what is only shown leniently.
struct DocumentTests {
    private static let subscription = """
        {"kind":"androidpublisher#subscriptionPurchaseV2","regionCode":"DE",\
        "startTime":"2026-11-01T08:00:00.123456Z",\
        "subscriptionState":"SUBSCRIPTION_STATE_CANCELED","linkedPurchaseToken":"older",\
        "acknowledgementState":"ACKNOWLEDGEMENT_STATE_PENDING","testPurchase":{},\
        "externalAccountIdentifiers":{"obfuscatedExternalAccountId":"account"},\
        "canceledStateContext":{"userInitiatedCancellation":{"cancelTime":"2026-11-02T00:00:00Z"}},\
        "subscribeWithGoogleInfo":{"emailAddress":"somebody@example.com"},\
        "lineItems":[{"productId":"paid","expiryTime":"2026-12-01T08:00:00Z",\
        "latestSuccessfulOrderId":"GPA.1-2..3","autoRenewingPlan":{"recurringPrice":\
        {"currencyCode":"EUR","units":"4","nanos":990000000}},\
        "offerDetails":{"basePlanId":"monthly","offerId":"intro"},\
        "offerPhase":{"freeTrial":{}}}]}
        """

    private func read(_ text: String) throws -> PlaySubscription {
        try PlaySubscription(Array(text.utf8))
    }

    @Test func `a subscription is read with its one item`() throws {
        let read = try read(Self.subscription)
        #expect(read.state == .canceled && read.region == "DE")
        #expect(read.started == Moment(1_793_520_000_123))
        #expect(read.linked?.text == "older" && read.accountID == "account")
        #expect(read.isUnacknowledged && read.isTest)
        #expect(read.cancellation == .user(at: "2026-11-02T00:00:00Z"))
        let item = try #require(read.items.first)
        #expect(item.productID == "paid" && item.orderID == "GPA.1-2..3")
        #expect(item.expires == Moment(1_796_112_000_000))
        #expect(item.plan == .autoRenewing(isOn: false) && item.phase == .free)
        #expect(item.basePlanID == "monthly" && item.offerID == "intro")
        #expect(item.price == 4_990 && item.currency == "EUR")
    }

    @Test func `a state that is not known is kept as it is written`() throws {
        let text = Self.subscription.replacing("STATE_CANCELED", with: "STATE_FROZEN")
        let read = try read(text)
        #expect(read.state == nil && read.stateWord == "SUBSCRIPTION_STATE_FROZEN")
    }

    @Test func `each kind of cancellation is told apart`() throws {
        let user = #"{"userInitiatedCancellation":{"cancelTime":"2026-11-02T00:00:00Z"}}"#
        let kinds: [(String, Cancellation)] = [
            (#"{"userInitiatedCancellation":{}}"#, .user(at: nil)),
            (#"{"systemInitiatedCancellation":{}}"#, .system),
            (#"{"developerInitiatedCancellation":{}}"#, .developer),
            (#"{"replacementCancellation":{}}"#, .replacement), ("{}", .other),
        ]
        for (text, kind) in kinds {
            let read = try read(Self.subscription.replacing(user, with: text))
            #expect(read.cancellation == kind)
        }
    }

    @Test(arguments: [
        ("2026-12-01T08:00:00Z", "soon"), ("\"older\"", "\"a b\""), ("\"older\"", "7"),
        ("\"productId\":\"paid\"", "\"productId\":\"\""), ("\"SUBSCRIPTION_", "\"a b"),
        ("\"testPurchase\":{}", "\"regionCode\":\"US\""), ("2026-11-01T08", "2026-11-01T25"),
    ])
    func `what decides and has another form is a fault`(part: String, other: String) {
        #expect(throws: AnswerFault.self) {
            _ = try read(Self.subscription.replacing(part, with: other))
        }
    }

    @Test func `what is only shown and has another form is absent`() throws {
        let rows: [(part: String, other: String, isAbsent: (PlaySubscription) -> Bool)] = [
            ("\"units\":\"4\"", "\"units\":\"much\"", { $0.items.first?.price == nil }),
            ("990000000", "9900000000", { $0.items.first?.price == nil }),
            ("\"EUR\"", "\"E R\"", { $0.items.first?.currency == nil }),
            ("\"DE\"", "\"D E\"", { $0.region == nil }),
            ("\"intro\"", "7", { $0.items.first?.offerID == nil }),
            ("\"account\"", "[]", { $0.accountID == nil }),
        ]
        for (part, other, isAbsent) in rows {
            let read = try read(Self.subscription.replacing(part, with: other))
            #expect(read.items.count == 1 && isAbsent(read), "\(other)")
        }
    }

    @Test func `more items than a purchase has are a fault`() throws {
        let item = #"{"productId":"paid"}"#
        func text(_ count: Int) -> String {
            let items = Array(repeating: item, count: count).joined(separator: ",")
            return #"{"subscriptionState":"SUBSCRIPTION_STATE_ACTIVE","lineItems":[\#(items)]}"#
        }
        #expect(try read(text(50)).items.count == 50)
        #expect(throws: AnswerFault.self) { _ = try read(text(51)) }
    }

    @Test func `a one-time purchase is read with its quantity and what was refunded of it`() throws
    {
        let text = """
            {"orderId":"GPA.9","purchaseStateContext":{"purchaseState":"PURCHASED"},\
            "purchaseCompletionTime":"2026-11-01T08:00:00Z","productLineItem":[{"productId":"c",\
            "productOfferDetails":{"quantity":3,"refundableQuantity":2,\
            "consumptionState":"CONSUMPTION_STATE_CONSUMED"}},{"productId":"d"}]}
            """
        let read = try PlayProduct(Array(text.utf8))
        #expect(read.state == .purchased && read.orderID == "GPA.9" && !read.isTest)
        #expect(read.items.map(\.quantity) == [3, 1] && read.items.map(\.refunded) == [1, 0])
        #expect(read.items.map(\.isConsumed) == [true, false])
        let states: [(String, PlayProduct.State)] = [
            ("CANCELLED", .cancelled), ("CANCELED", .cancelled), ("PENDING", .pending),
            ("LOST", .unknown),
        ]
        for (word, state) in states {
            let other = text.replacing("PURCHASED", with: word)
            #expect(try PlayProduct(Array(other.utf8)).state == state)
        }
    }

    @Test func `a page of voided purchases skips what cannot be kept`() throws {
        let text = """
            {"tokenPagination":{"nextPageToken":"p"},"voidedPurchases":[\
            {"purchaseToken":"T","orderId":"GPA.1","voidedTimeMillis":"1790000000500",\
            "voidedReason":8},{"purchaseToken":"U","voidedTimeMillis":1,"voidedQuantity":1},\
            {"purchaseToken":"a b","voidedTimeMillis":"1"},{"purchaseToken":"V"}]}
            """
        let page = try VoidedPurchases(Array(text.utf8))
        #expect(page.entries.map(\.token.text) == ["T", "U"] && page.skipped == 2)
        #expect(page.entries.map(\.isPartial) == [false, true] && page.nextPage == "p")
        #expect(page.entries[0].reason == VoidedPurchases.unacknowledged)
        #expect(page.entries[0].voided == Moment(1_790_000_000_500))
        #expect(try VoidedPurchases(Array("{}".utf8)).nextPage == nil)
        let empty = #"{"tokenPagination":{"nextPageToken":""}}"#
        #expect(try VoidedPurchases(Array(empty.utf8)).nextPage == nil)
        let many = Array(repeating: "{}", count: PlayLimits.voidedPageMax + 1)
        let long = #"{"voidedPurchases":[\#(many.joined(separator: ","))]}"#
        #expect(throws: AnswerFault.self) { _ = try VoidedPurchases(Array(long.utf8)) }
    }
}
