import AppStoreSimulator
import Entitlements
import JSON
import Stripe
import StripeSimulator
import Testing

/// What the simulated API answers, and to whom.
struct AccountAPITests {
    private func value(_ account: OpenAccount, _ target: String) async throws -> JSONValue {
        let answer = await account.ask(target)
        #expect(answer.status == 200, "\(target)")
        return try JSONValue.parse(answer.body)
    }

    @Test func `only the account's key opens it, and what is unknown is missing`() async throws {
        let account = try OpenAccount()
        #expect(await account.ask("/v1/subscriptions", key: "rk_live_other").status == 401)
        let missing = await account.ask("/v1/subscriptions/sub_none")
        #expect(missing.status == 404)
        let error = try JSONValue.parse(missing.body)["error"]
        #expect(error?["code"]?.string == "resource_missing")
        #expect(await account.ask("/v1/balance").status == 404)
        #expect(await account.ask("/v2/core/events").status == 404)
    }

    @Test func `what was just made may be unknown to a server`() async throws {
        let account = try OpenAccount()
        try account.act("anna", .subscribe)
        let api = AccountAPI(account.directory, weather: APIWeather(notFound: 1))
        let bearer = "Bearer " + account.settings.apiKey
        let path = "/v1/subscriptions"
        for (path, status) in [(path + "/" + (try account.newest("anna").id), 404), (path, 200)] {
            let request = APIRequest("GET", path, authorization: bearer)
            #expect(await api.answer(to: request).status == status)
        }
    }

    @Test func `lists come in pages, the newest first`() async throws {
        let account = try OpenAccount()
        for number in 0..<5 { try account.act("customer\(number)", .subscribe) }
        try account.act("customer0", .cancelNow)
        let live = try await value(account, "/v1/subscriptions")
        #expect(live["data"]?.array?.count == 4 && live["has_more"]?.bool == false)
        let all = try await value(account, "/v1/subscriptions?status=all&limit=3")
        #expect(all["data"]?.array?.count == 3 && all["has_more"]?.bool == true)
        let last = try #require(all["data"]?.array?.last?["id"]?.string)
        let rest = try await value(
            account,
            "/v1/subscriptions?status=all&limit=3&starting_after=\(last)"
        )
        #expect(rest["data"]?.array?.count == 2 && rest["has_more"]?.bool == false)
    }

    @Test func `the walk through what was missed finds everything that happened`() async throws {
        let account = try OpenAccount()
        for number in 0..<60 { try account.act("customer\(number)", .subscribe) }
        let scope = try #require(account.stripe.scopes.first)
        let begin = Moment((OpenAccount.start - 10) * 1_000)
        let window = begin..<Moment((OpenAccount.start + 10) * 1_000)
        var question = account.stripe.missed(in: window, onlyFailures: false, of: scope)
        var found: Set<String> = []
        var documents = 0
        while let asked = question {
            let statement = try await account.answer(to: asked)
            #expect(statement.unreadable.isEmpty)
            documents += statement.documents
            found.formUnion(statement.facts.map(\.key.originalID))
            question = statement.next
        }
        #expect(documents == 180)
        #expect(found == Set(try account.directory.books().subscriptions.keys))
    }

    @Test func `a page of the portal is made for who has a subscription`() async throws {
        let account = try OpenAccount()
        try account.act("anna", .subscribe)
        let key = SubscriptionKey(
            store: .stripe,
            environment: .production,
            originalID: try account.newest("anna").id
        )
        let nonce = try #require(Token(high: 1, low: 2))
        let page = try await account.answer(
            to: account.stripe.managementPage(of: key, returnURL: nil, nonce: nonce)
        )
        #expect(page.hasPrefix("https://"))
        let refused = await account.ask(
            "/v1/billing_portal/sessions",
            "POST",
            body: "customer=cus_nobody"
        )
        #expect(refused.status == 400)
    }
}
