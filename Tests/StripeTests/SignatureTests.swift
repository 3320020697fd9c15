import Entitlements
import Foundation
import JSON
import Stripe
import Testing

@Suite struct `Signatures of Stripe` {
    @Test func `each hostile case gets the right answer`() throws {
        let cases = try SignatureCase.all()
        for one in cases { #expect(one.answer == one.expected, "\(one)") }
        #expect(cases.filter { $0.expected == .unauthorized }.count >= 40)
        #expect(Set(cases.map(\.id)).count == cases.count)
        let answers = Set(cases.map { $0.expected.rawValue })
        #expect(answers == ["production", "sandbox", "ignored", "malformed", "unauthorized"])
    }

    /// From the tests of stripe-dotnet: event_test_signature.json, its signature and its secret.
    @Test func `Stripe's published vector holds`() throws {
        let body = """
            {
              "id": "evt_123",
              "object": "event",
              "account": "acct_123",
              "api_version": "2017-05-25",
              "created": 1533204620,
              "data": {
                "object": {
                  "id": "cus_123",
                  "object": "customer",
                  "created": 123456789,
                  "email": "test@stripe.com",
                  "livemode": false,
                  "metadata": {}
                }
              },
              "livemode": false,
              "pending_webhooks": 1,
              "request": {
                "id": "req_123",
                "idempotency_key": "idempotency-key-123"
              },
              "type": "customer.created"
            }

            """
        let bytes = Array(body.utf8)
        #expect(bytes.count == 484)
        let secret = try #require(EndpointSecret(file: Array("webhook_secret\n".utf8)))
        let signatures = WebhookSignatures(live: [], test: [secret])
        let code = "2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7"
        let header = Array("t=1533204620,v1=\(code)".utf8)
        let now = Moment(1_533_204_620_000)
        #expect(
            try signatures.environments(signing: bytes, header: header, at: now) == [.sandbox]
        )
        // It is of a connected account.
        guard
            case .foreign("customer.created", _) = signatures.verdict(
                on: bytes,
                header: header,
                at: now
            )
        else {
            Issue.record("not what it is")
            return
        }
    }

    @Test(arguments: [
        (
            "whsec_test_secret", 1_700_000_000, #"{"id":"evt_1","object":"event"}"#,
            "0c8670ed117751cc551a20e35839447075c42800ea3cf3e8a2fbda99cd1e6edd"
        ),
        (
            "whsec_old_secret", 1_700_000_000, #"{"id":"evt_1","object":"event"}"#,
            "921476aa6febf6d11353fcee45246000c9edf7b3938ae2d09a2d6ea5cb98d9db"
        ),
        (
            "whsec_test_secret", 1_700_000_301, #"{"id":"evt_1","object":"event"}"#,
            "443f89609477787b74492d8133db3eadd59b412e60540ffcc01d6ad2750199da"
        ),
        (
            "whsec_test_secret", 1_700_000_000, #"{"id":"evt_1","object":"event"}"# + "\n",
            "914aa5cc4c8be684105292e01c5750c43fe1a45c82a7aef6b9bc9b2fc19bd7c3"
        ),
        (
            "whsec_test_secret", 1_700_000_000, "",
            "316b9ab98c15bfa039d243f3196acee619cf29749a91a634e6a8154e2f7b6727"
        ),
        (
            "whsec_test_secret", 1_700_000_000, #"{"name":"Zoë 😀"}"#,
            "4dee4005bd419ef33563f3895df5985ec1a300ebad65ae8a920e547d15e1c9d0"
        ),
    ])
    func `a code made elsewhere holds over bytes of every kind`(
        secret: String,
        seconds: Int64,
        body: String,
        code: String
    ) throws {
        let secret = try #require(EndpointSecret(file: Array(secret.utf8)))
        let signatures = WebhookSignatures(live: [secret], test: [])
        let found = try signatures.environments(
            signing: Array(body.utf8),
            header: Array("t=\(seconds),v1=\(code)".utf8),
            at: Moment(seconds * 1000)
        )
        #expect(found == [.production])
    }

    @Test func `no bit of a body, a header or a secret may change`() throws {
        let good = try #require(try SignatureCase.all().first)
        let header = try #require(good.header)
        for place in good.body.indices {
            var body = good.body
            body[place] ^= 1 << UInt8(place % 8)
            let verdict = good.signatures.verdict(on: body, header: header, at: good.now)
            guard case .refused(.mismatch) = verdict else {
                Issue.record("the byte \(place) of the body")
                continue
            }
        }
        for place in header.indices {
            for bit in 0..<8 {
                var other = header
                other[place] ^= 1 << UInt8(bit)
                let verdict = good.signatures.verdict(on: good.body, header: other, at: good.now)
                guard case .refused = verdict else {
                    Issue.record("the bit \(bit) of byte \(place) of the header")
                    continue
                }
            }
        }
    }

    @Test func `each refusal says why`() throws {
        let secret = try #require(EndpointSecret(file: Array("whsec_a".utf8)))
        let signatures = WebhookSignatures(live: [secret], test: [])
        func fault(_ header: String?, now: Int64 = 1_700_000_000_000) -> SignatureFault? {
            let verdict = signatures.verdict(
                on: [],
                header: header.map { Array($0.utf8) },
                at: Moment(now)
            )
            if case .refused(let fault) = verdict { return fault }
            return nil
        }
        #expect(fault(nil) == .missing)
        #expect(fault("t=1,t=1,v1=a") == .malformed)
        #expect(fault("t=1700000000") == .unsigned)
        #expect(fault("t=1700000000,v1=a", now: 1_700_000_300_001) == .old)
        #expect(fault("t=1700000000,v1=a", now: 1_699_999_699_999) == .future)
        #expect(fault("t=1700000000,v1=a") == .mismatch)
        #expect(Set(SignatureFault.allCases.map(\.sentence)).count == SignatureFault.allCases.count)
    }

    @Test func `a secret is what stands in its file without what stands around it`() throws {
        #expect(EndpointSecret(file: []) == nil)
        #expect(EndpointSecret(file: Array(" \n\t".utf8)) == nil)
        #expect(EndpointSecret(file: Array("whsec_a whsec_b".utf8)) == nil)
        #expect(EndpointSecret(file: Array("whsec_ä".utf8)) == nil)
        #expect(EndpointSecret(file: [UInt8](repeating: 0x61, count: 513)) == nil)
        #expect(EndpointSecret(file: [UInt8](repeating: 0x61, count: 512)) != nil)
        let key = try #require(EndpointSecret(file: Array("rk_live_a\n".utf8)))
        #expect(key.isAPIKey)
        let secret = try #require(EndpointSecret(file: Array("\r\n whsec_a \n".utf8)))
        #expect(!secret.isAPIKey)
        #expect(WebhookSignatures(live: [], test: []).isEmpty)
        #expect(!WebhookSignatures(live: [secret], test: []).isEmpty)
    }
}
