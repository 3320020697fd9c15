import AppStoreSimulator
import Entitlements
import GooglePlay
import JSON
import PlayStoreSimulator
import Testing

/// Access tokens, acknowledgements and the list of voided purchases, as Google's servers answer.
struct PlayAPITests {
    private func reason(_ answer: APIAnswer) throws -> String? {
        try JSONValue.parse(answer.body)["error"]?["errors"]?.array?.first?["reason"]?.string
    }

    @Test func `only an assertion of the account gets an access token`() async throws {
        let play = try OpenPlay()
        #expect(try await play.token().hasPrefix("ya29."))
        for assertion in ["", "a.b.c", "e30.e30.AAAA"] {
            let answer = await play.exchange(assertion)
            #expect(answer.status == 400)
            #expect(try JSONValue.parse(answer.body)["error"]?.string == "invalid_grant")
        }
        let path = "/androidpublisher/v3/applications/com.example.app/purchases/voidedpurchases"
        for bearer in [nil, "Bearer x", "Basic x"] {
            let request = APIRequest("GET", path, authorization: bearer)
            #expect(await play.api.answer(to: request).status == 401)
        }
        let bearer = "Bearer " + (try await play.token())
        let request = APIRequest("GET", path, authorization: bearer)
        #expect(await play.api.answer(to: request).status == 200)
        play.pass(days: 1)
        #expect(await play.api.answer(to: request).status == 401)
    }

    @Test func `another app's purchases are denied, unknown paths and tokens not found`()
        async throws
    {
        let play = try OpenPlay()
        let bearer = "Bearer " + (try await play.token())
        let other = "/androidpublisher/v3/applications/com.other/purchases/voidedpurchases"
        let answer = await play.api.answer(to: APIRequest("GET", other, authorization: bearer))
        #expect(answer.status == 403)
        #expect(try await play.ask("nothing").status == 404)
        #expect(try await play.ask("subscriptionsv2/tokens/x").status == 404)
        #expect(try await play.ask("productsv2/tokens/x").status == 404)
    }

    @Test func `a pack is consumed once, and a second time that is said`() async throws {
        let play = try OpenPlay()
        try play.act("anna", .buy) {
            $0.product = "credits_10"
            $0.quantity = 3
        }
        let token = try play.newest("anna").token
        var read = try PlayProduct(try await play.ask("productsv2/tokens/\(token)").body)
        #expect(read.state == .purchased && read.isUnacknowledged)
        #expect(read.items.map(\.quantity) == [3] && read.items.map(\.isConsumed) == [false])
        #expect(try await play.ask("subscriptionsv2/tokens/\(token)").status == 410)
        let tail = "products/credits_10/tokens/\(token):consume"
        #expect(try await play.ask(tail, "POST").status == 204)
        let again = try await play.ask(tail, "POST")
        #expect(again.status == 400)
        #expect(try reason(again) == "invalidPurchaseState")
        read = try PlayProduct(try await play.ask("productsv2/tokens/\(token)").body)
        #expect(!read.isUnacknowledged && read.items.map(\.isConsumed) == [true])
        let mismatch = try await play.ask("products/other/tokens/\(token):consume", "POST")
        #expect(try reason(mismatch) == "purchaseTokenMismatch")
    }

    @Test func `voided purchases are listed page by page, subscriptions on request`() async throws {
        let play = try OpenPlay()
        for name in ["anna", "bert"] {
            try play.act(name, .buy)
            try play.act(name, .void)
        }
        try play.act("carl", .buy) {
            $0.product = "credits_10"
            $0.quantity = 3
        }
        try play.act("carl", .refundUnits)
        func page(_ query: String) async throws -> VoidedPurchases {
            try VoidedPurchases(try await play.ask("voidedpurchases?" + query).body)
        }
        let all = "type=1&includeQuantityBasedPartialRefund=true&endTime=\(play.now)"
        #expect(try await page("endTime=\(play.now)").entries.isEmpty)
        let first = try await page(all + "&maxResults=2")
        #expect(first.entries.count == 2)
        let rest = try await page(all + "&maxResults=2&token=\(first.nextPage ?? "")")
        #expect(rest.entries.count == 1 && rest.nextPage == nil)
        #expect((first.entries + rest.entries).count { $0.isPartial } == 1)
        let read = try await play.ask("productsv2/tokens/\(try play.newest("carl").token)")
        #expect(try PlayProduct(read.body).items.map(\.refunded) == [1])
    }

    @Test func `a subscription is forgotten 60 days after its end`() async throws {
        let play = try OpenPlay()
        try play.act("anna", .buy)
        try play.act("anna", .expire)
        let tail = "subscriptionsv2/tokens/\(try play.newest("anna").token)"
        #expect(try await play.ask(tail).status == 200)
        play.pass(days: 61)
        #expect(try await play.ask(tail).status == 410)
    }

    @Test func `the keys are those that sign, in both forms`() async throws {
        let play = try OpenPlay()
        let set = await play.api.answer(to: APIRequest("GET", "/oauth2/v3/certs"))
        #expect(try KeySet(set.body).count == 1)
        #expect(set.headers.contains { $0.name == "Cache-Control" })
        let older = await play.api.answer(to: APIRequest("GET", "/oauth2/v1/certs"))
        let pem = try JSONValue.parse(older.body).object?.members.first?.value.string
        #expect(pem?.hasPrefix("-----BEGIN PUBLIC KEY-----") == true)
    }

    @Test func `bad weather answers as Google does`() async throws {
        let play = try OpenPlay()
        let bad = try PlayAPI(play.directory, weather: APIWeather(tooMany: 1))
        let answer = await bad.answer(to: APIRequest("GET", "/oauth2/v3/certs"))
        #expect(answer.status == 429 && answer.headers.contains { $0.name == "Retry-After" })
        let unknown = try PlayAPI(play.directory, weather: APIWeather(notFound: 1))
        #expect(await unknown.answer(to: APIRequest("GET", "/oauth2/v3/certs")).status == 200)
        let path = "/androidpublisher/v3/applications/com.example.app/purchases/productsv2/tokens/x"
        #expect(await unknown.answer(to: APIRequest("GET", path)).status == 404)
        let broken = try PlayAPI(play.directory, weather: APIWeather(trouble: 1))
        for _ in 0..<8 {
            let status = await broken.answer(to: APIRequest("GET", "/oauth2/v3/certs")).status
            #expect([0, 500, 503].contains(status))
        }
    }
}
