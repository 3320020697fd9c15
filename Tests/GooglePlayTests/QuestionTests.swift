import CertificateAuthority
import Entitlements
import Foundation
import GooglePlay
import JSON
import Signatures
import Testing

/// What is sent to Google, and what its replies mean.
struct QuestionTests {
    private static let now = PlayAnswers.later(hours: 2)
    private static let path = "/androidpublisher/v3/applications/com.example.app/purchases/"

    private static func account(_ change: (inout JSONObject) -> Void = { _ in }) throws -> [UInt8] {
        var file: JSONObject = [
            "type": "service_account", "client_email": "api@example.iam.gserviceaccount.com",
            "private_key": .string(try RS256Key().privatePEM()), "private_key_id": "k1",
            "token_uri": "http://127.0.0.1:8080/token",
        ]
        change(&file)
        return JSONValue.object(file).bytes
    }

    private static func asked() throws -> AskedPlay {
        let account = try ServiceAccount(file: try account())
        return AskedPlay { $0.account = account }
    }

    private static func answer(_ value: JSONValue) -> StoreReply {
        StoreReply(status: 200, body: value.bytes)
    }

    @Test func `an access token is asked for with an assertion that the account has signed`() throws
    {
        let asked = try Self.asked()
        guard case .exchange(let question) = asked.play.access(to: .production, at: Self.now) else {
            Issue.record("no exchange")
            return
        }
        #expect(question.request.url == "http://127.0.0.1:8080/token")
        #expect(question.request.method == .post && !question.request.isAuthorised)
        let body = try #require(question.request.body)
        #expect(body.mediaType == "application/x-www-form-urlencoded")
        let pairs = String(decoding: body.bytes, as: UTF8.self).split(separator: "&")
        #expect(pairs.first == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer")
        let parts = try #require(pairs.last).dropFirst("assertion=".count).split(separator: ".")
        try #require(parts.count == 3)
        let header = try JSONValue.parse(try #require(Base64.urlBytes(String(parts[0]))))
        #expect(header == ["alg": "RS256", "typ": "JWT", "kid": "k1"])
        let claims = try JSONValue.parse(try #require(Base64.urlBytes(String(parts[1]))))
        let issued = Self.now.milliseconds / 1_000
        #expect(
            claims == [
                "iss": "api@example.iam.gserviceaccount.com",
                "scope": "https://www.googleapis.com/auth/androidpublisher",
                "aud": "https://oauth2.googleapis.com/token",
                "iat": .integer(issued), "exp": .integer(issued + 3_600),
            ]
        )
    }

    @Test func `a token is kept until some minutes before its end`() throws {
        let asked = try Self.asked()
        func credential(_ text: String, status: Int = 200) throws -> StoreCredential {
            guard case .exchange(let question) = asked.play.access(to: .production, at: Self.now)
            else { throw AskedPlay.Unanswered(request: StoreRequest(.get, Publisher.google, "")) }
            let reply = StoreReply(status: status, body: Array(text.utf8))
            return try asked.walk(question, [reply], at: Self.now).answer
        }
        let good = try credential(
            #"{"access_token":"ya29.x","token_type":"Bearer","expires_in":3599}"#
        )
        #expect(good.authorization == "Bearer ya29.x")
        #expect(good.renewal == Self.now.advanced(byMilliseconds: 3_299_000))
        let short = try credential(#"{"access_token":"a","token_type":"bearer","expires_in":60}"#)
        #expect(short.renewal == Self.now.advanced(byMilliseconds: 30_000))
        // RFC 6749 only recommends that a server says for how long.
        #expect(try credential(#"{"access_token":"a"}"#).renewal > good.renewal)
        func kind(_ text: String, status: Int) -> StoreAPIFailure.Kind? {
            do { _ = try credential(text, status: status) } catch {
                return (error as? StoreAPIFailure)?.kind
            }
            return nil
        }
        #expect(kind(#"{"error":"invalid_grant"}"#, status: 400) == .unauthorized)
        #expect(kind(#"{"error":"invalid_client"}"#, status: 401) == .unauthorized)
        #expect(kind(#"{"error":"internal_failure"}"#, status: 400) == .unreachable)
        #expect(kind("", status: 503) == .unreachable)
        for text in [
            "", "{}", #"{"access_token":"a b","token_type":"Bearer","expires_in":60}"#,
            #"{"access_token":"a","token_type":"mac","expires_in":60}"#,
            #"{"access_token":"a","token_type":"Bearer","expires_in":0}"#,
            #"{"access_token":"a","token_type":"Bearer","expires_in":"soon"}"#,
        ] {
            #expect(kind(text, status: 200) == .malformed, "\(text)")
        }
    }

    @Test func `a file that is no service account's key is refused by the name of its member`()
        throws
    {
        func fault(_ file: [UInt8]) -> ServiceAccountFault? {
            do throws(ServiceAccountFault) {
                _ = try ServiceAccount(file: file)
                return nil
            } catch {
                return error
            }
        }
        #expect(fault([]) == .malformed)
        #expect(fault(Array(#"{"type":"authorized_user"}"#.utf8)) == .member("type"))
        #expect(fault(try Self.account { $0["client_email"] = nil }) == .member("client_email"))
        #expect(fault(try Self.account { $0["private_key"] = nil }) == .member("private_key"))
        #expect(fault(try Self.account { $0["private_key"] = "x" }) == .key(.unreadable))
        let curve = try ES256Key().privatePEM()
        #expect(fault(try Self.account { $0["private_key"] = .string(curve) }) == .key(.notRSA))
        let address = "http://example.com/token"
        #expect(
            fault(try Self.account { $0["token_uri"] = .string(address) }) == .member("token_uri")
        )
        #expect(fault(try Self.account { $0["token_uri"] = nil }) == nil)
        let long = [UInt8](repeating: 0x20, count: PlayLimits.accountFileBytesMax)
        #expect(fault(try Self.account() + long) == .malformed)
    }

    @Test func `a token's place in a path is encoded`() throws {
        let asked = try Self.asked()
        let question = try #require(
            asked.play.purchase(.purchaseToken("a/../b?c"), in: .production)
        )
        #expect(
            question.request.url
                == "https://androidpublisher.googleapis.com" + Self.path
                + "subscriptionsv2/tokens/a%2F..%2Fb%3Fc"
        )
        #expect(asked.play.purchase(.purchaseToken("a b"), in: .production) == nil)
        #expect(asked.play.purchase(.transaction("1"), in: .production) == nil)
    }

    @Test(arguments: [400, 404, 410])
    func `a token that is none of a subscription is asked for as a product's`(status: Int) throws {
        let asked = try Self.asked()
        let question = try #require(asked.play.purchase(.purchaseToken("T"), in: .production))
        let replies = [StoreReply(status: status), Self.answer(PlayAnswers.product())]
        let (said, sent) = try asked.walk(question, replies, at: Self.now)
        guard case .stated(let facts) = said else { throw AskedPlay.Unanswered(request: sent[0]) }
        #expect(facts.map(\.transaction?.productID) == ["credits_10"])
        #expect(sent[1].target == Self.path + "productsv2/tokens/T")
        // What is no token of the app's is answered with 400, too.
        for last in [400, 404, 410] {
            let unknown = #expect(throws: StoreAPIFailure.self) {
                _ = try asked.walk(
                    question,
                    [replies[0], StoreReply(status: last)],
                    at: Self.now
                )
            }
            #expect(unknown?.kind == .unknown && unknown?.code == Int64(last))
        }
    }

    @Test func `a subscription that Google has forgotten is over, one it does not know stays`()
        throws
    {
        let asked = try Self.asked()
        let facts = try asked.facts(PlayAnswers.subscription(), at: Self.now)
        var kept = Subscription(key: try #require(facts.first).key)
        for fact in facts { _ = kept.merge(fact) }
        let question = try #require(asked.play.state(of: kept.key, kept: kept, in: .production))
        let later = PlayAnswers.later(hours: 3_000)
        let (said, _) = try asked.walk(question, [StoreReply(status: 410)], at: later)
        #expect(said.facts.map { $0.status?.code } == [StatusCode.expired.rawValue])
        for fact in said.facts { _ = kept.merge(fact) }
        #expect(kept.current(at: later)?.id == "GPA.3301-1111-2222-33333")
        // Of what was heard in a grace period alone, the end of that is known.
        let grace = PlayAnswers.subscription("IN_GRACE_PERIOD", hours: 48)
        var heard = Subscription(key: kept.key)
        for fact in try asked.facts(grace, at: Self.now) { _ = heard.merge(fact) }
        let asking = try #require(asked.play.state(of: kept.key, kept: heard, in: .production))
        let (gone, _) = try asked.walk(asking, [StoreReply(status: 410)], at: later)
        for fact in gone.facts { _ = heard.merge(fact) }
        #expect(heard.era(at: later)?.paidUntil == PlayAnswers.later(hours: 48))
        for status in [404, 400, 403, 500] {
            #expect(throws: StoreAPIFailure.self) {
                _ = try asked.walk(question, [StoreReply(status: status)], at: later)
            }
        }
    }

    @Test func `since when a purchase is pending does not move with each answer`() throws {
        let asked = try Self.asked()
        let pending = PlayAnswers.subscription("PENDING", order: nil) { $0["startTime"] = nil }
        let facts = try asked.facts(pending, at: Self.now)
        var kept = Subscription(key: try #require(facts.first).key)
        for fact in facts { _ = kept.merge(fact) }
        #expect(kept.transactions.map(\.purchased) == [Self.now])
        let question = try #require(asked.play.state(of: kept.key, kept: kept, in: .production))
        let later = PlayAnswers.later(hours: 5)
        func purchased(_ answer: JSONValue) throws -> [Moment?] {
            let reply = StoreReply(status: 200, body: answer.bytes)
            let (said, _) = try asked.walk(question, [reply], at: later)
            return said.facts.map { $0.transaction?.purchased }
        }
        #expect(try purchased(pending) == [Self.now])
        #expect(try purchased(PlayAnswers.subscription()) == [PlayAnswers.start])
    }

    @Test func `a purchase may be kept as anybody's or as a licence tester's`() throws {
        let play = try Self.asked().play
        let keys = play.keys(of: .purchaseToken("T"))
        #expect(keys.map(\.environment) == [.production, .sandbox])
        #expect(keys.allSatisfy { $0.store == .googlePlay && $0.originalID == "T" })
        #expect(play.keys(of: .purchaseToken("a b")).isEmpty)
        #expect(play.keys(of: .transaction("1")).isEmpty)
    }

    @Test(
        arguments: [
            (400, "invalidValue", .refused), (401, "authError", .unauthorized),
            (403, "userInsufficientPermission", .unauthorized),
            (403, "rateLimitExceeded", .limited),
            (403, "quotaExceeded", .limited), (404, "notFound", .unknown), (408, "", .unreachable),
            (409, "concurrentUpdate", .unreachable), (410, "purchaseTokenNoLongerValid", .unknown),
            (429, "rateLimitExceeded", .limited), (500, "backendError", .unreachable),
            (503, "", .unreachable), (302, "", .refused),
        ] as [(Int, String, StoreAPIFailure.Kind)]
    )
    func `a refusal says whether to ask again`(
        status: Int,
        reason: String,
        kind: StoreAPIFailure.Kind
    ) throws {
        let error: JSONValue = [
            "error": [
                "code": .integer(Int64(status)), "message": "no",
                "errors": [["domain": "androidpublisher", "reason": .string(reason)]],
            ]
        ]
        let reply = StoreReply(
            status: status,
            fields: [HTTPField("Retry-After", "7")],
            body: error.bytes
        )
        let failure = try Self.asked().play.failure(of: reply, at: Self.now)
        #expect(failure.kind == kind && failure.code == Int64(status))
        #expect(failure.retryAfterMilliseconds == 7_000)
    }

    @Test func `keys are asked for once, and again when they are too old`() throws {
        let vectors = try BearerVectors()
        let good = try #require(vectors.cases.first)
        let play = AskedPlay { $0.authority = good.authority }.play
        let question = try #require(play.upkeep(at: good.now))
        #expect(question.request.url == "https://www.googleapis.com/oauth2/v3/certs")
        #expect(!question.request.isAuthorised)
        #expect(play.upkeep(at: good.now) == nil)
        let reply = StoreReply(
            status: 200,
            fields: [HTTPField("Cache-Control", "max-age=600")],
            body: vectors.keyBytes
        )
        _ = try question.read(reply, good.now)
        #expect(play.upkeep(at: good.now.advanced(byMilliseconds: 599_000)) == nil)
        #expect(play.upkeep(at: good.now.advanced(byMilliseconds: 600_000)) != nil)
        #expect(AskedPlay().play.upkeep(at: good.now) == nil)
        #expect(throws: StoreAPIFailure.self) {
            _ = try question.read(StoreReply(status: 200, body: [0x7b]), good.now)
        }
    }

    @Test func `the page of a subscription names product and app`() {
        #expect(
            AskedPlay().play.managementURL(ofProduct: "paid_yearly")
                == "https://play.google.com/store/account/subscriptions"
                + "?sku=paid_yearly&package=com.example.app"
        )
    }
}
