import Fixtures
import JSON
import Testing

/// What the detail of an event says: which purchase, and how much.
@Suite struct HistoryDetailTests {
    private func last(_ service: TestService, _ user: String) throws -> JSONValue {
        let page = try service.call("getHistory", ["userId": .string(user)])
        return try #require(page["events"]?.array?.last)
    }

    /// A subscriber without credits of their own but those of the period.
    private func subscriber(_ setup: TestService.Setup) throws -> (TestService, StoreLife) {
        let service = try TestService.started(setup)
        let account = try service.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        _ = try service.deliver(service.voice.notification("SUBSCRIBED", about: life))
        return (service, life)
    }

    private func refund(of life: StoreLife, _ service: TestService) throws -> [UInt8] {
        var life = life
        life.status = 5
        life.revoked = StoreVoice.now
        return try service.voice.notification("REFUND", about: life)
    }

    private var paid: TestService.Setup {
        var setup = TestService.Setup()
        setup.catalog = """
            freeCredits: 3
            refundedCredits: floor
            plans:
              paid: { products: [com.example.monthly], creditsPerPeriod: 100 }
            creditPacks: { com.example.pack: 10 }
            """
        return setup
    }

    @Test func `a hold that is committed whole says how much was spent`() throws {
        let service = try TestService.started(paid)
        _ = try service.call("registerAccount", ["userId": "alice"])
        let hold = try service.call(
            "reserveCredits",
            ["userId": "alice", "amount": 2, "ttlSeconds": 60, "idempotencyKey": "h"]
        )
        _ = try service.call(
            "commitReservation",
            ["reservation": hold["reservation"] ?? .null]
        )
        let event = try last(service, "alice")
        #expect(event["cause"] == "committed" && event["detail"]?["amount"] == 2)
    }

    @Test func `whoever gets a purchase and whoever loses it are told which`() throws {
        let (service, life) = try subscriber(paid)
        _ = try service.call(
            "movePurchase",
            [
                "store": "app_store", "originalTransactionId": .string(life.originalID),
                "toUserId": "bob", "reason": "asked for",
            ],
            admin: true
        )
        for user in ["alice", "bob"] {
            let event = try last(service, user)
            #expect(event["cause"] == "transferred")
            #expect(event["detail"]?["store"] == "app_store", "\(user)")
            #expect(event["detail"]?["productId"] == "com.example.monthly", "\(user)")
            #expect(event["detail"]?["transactionId"]?.string?.isEmpty == false, "\(user)")
        }
    }

    @Test func `a charge that was refused spent nothing, also where it opened the account`() throws
    {
        let service = try TestService.started()
        let charge: JSONObject = ["userId": "nora", "amount": 7, "idempotencyKey": "k"]
        #expect(try service.call("consumeCredit", charge)["outcome"] == "insufficient")
        #expect(try last(service, "nora")["detail"]?["amount"] == nil)
    }

    @Test func `the refund of a period is named by its transaction`() throws {
        let (service, life) = try subscriber(paid)
        _ = try service.call(
            "consumeCredit",
            ["userId": "alice", "amount": 103, "idempotencyKey": "all"]
        )
        _ = try service.deliver(refund(of: life, service))
        let detail = try last(service, "alice")["detail"]
        #expect(detail?["type"] == "REFUND")
        #expect(detail?["transactionId"]?.string?.contains("@") == false)
        // What the refund takes again is not a part of the charge that is put back.
        let back: JSONObject = ["userId": "alice", "consumeKey": "all", "idempotencyKey": "r"]
        #expect(try service.call("reverseCredits", back)["outcome"] == "reversed")
        let reversed = try last(service, "alice")
        #expect(reversed["cause"] == "reversed" && reversed["detail"]?["amount"] == 103)
        #expect(reversed["detail"]?["transactionId"]?.string?.contains("@") != true)
    }

    @Test func `a refund that is reversed gives what it took, of the period and of other credits`()
        throws
    {
        let (service, life) = try subscriber(paid)
        _ = try service.call(
            "consumeCredit",
            ["userId": "alice", "amount": 50, "idempotencyKey": "half"]
        )
        _ = try service.deliver(refund(of: life, service))
        #expect(try last(service, "alice")["detail"]?["amount"] == 53)
        _ = try service.deliver(service.voice.notification("REFUND_REVERSED", about: life))
        let event = try last(service, "alice")
        #expect(event["detail"]?["type"] == "REFUND_REVERSED")
        #expect(event["detail"]?["amount"] == 53)
        #expect(event["after"]?["creditsRemaining"] == 53)
    }

    @Test func `an upgrade gives what its period gives, whatever it takes of the former one`()
        throws
    {
        var setup = paid
        setup.catalog = """
            plans:
              paid: { products: [com.example.monthly], creditsPerPeriod: 100 }
              more: { products: [com.example.more], creditsPerPeriod: 200, rank: 2 }
            """
        var (service, life) = try subscriber(setup)
        life.renew()
        life.product = "com.example.more"
        life.purchased = StoreVoice.now
        _ = try service.deliver(
            service.voice.notification("DID_CHANGE_RENEWAL_PREF", "UPGRADE", about: life)
        )
        let event = try last(service, "alice")
        #expect(event["after"]?["creditsRemaining"] == 200)
        #expect(event["detail"]?["amount"] == 200)
        #expect(event["detail"]?["source"] == "period:com.example.more")
    }

    @Test func `a hold that a refund ends leaves what the refund leaves`() throws {
        let (service, life) = try subscriber(paid)
        let hold = try service.call(
            "reserveCredits",
            ["userId": "alice", "amount": 103, "ttlSeconds": 60, "idempotencyKey": "h"]
        )
        _ = try service.deliver(refund(of: life, service))
        let left = try service.call("getCredits", ["userId": "alice"])["balance"]
        #expect(left == 3)
        let released = try service.call(
            "releaseReservation",
            ["reservation": hold["reservation"] ?? .null]
        )
        #expect(released["creditsRemaining"] == left)
    }
}
