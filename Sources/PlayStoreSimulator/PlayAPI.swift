import AppStoreSimulator
import CertificateAuthority
import Foundation
import JSON
import Synchronization

/// What a simulated Google answers: access tokens, the keys of pushes, and the Android Publisher
/// API.
package final class PlayAPI: AnsweringStore {
    private let directory: PlayDirectory
    private let keySet: [UInt8]
    private let certificates: [UInt8]
    private let account: RS256Key
    private let weather: APIWeather
    private let clock: @Sendable () -> Int64
    private let asked = Mutex((requests: UInt64(0), tokens: [String: Int64]()))

    /// The API of the store in `directory`.
    package init(
        _ directory: PlayDirectory,
        weather: APIWeather = .fair,
        clock: @escaping @Sendable () -> Int64 = { StoreTime.now() }
    ) throws {
        self.directory = directory
        self.weather = weather
        self.clock = clock
        let signer = try directory.pushSigner()
        keySet = signer.keySet
        certificates = signer.certificates
        account = try directory.accountKey()
    }

    package func settle(cancelling: Bool) async {}

    /// The answer to a request; bad weather comes before anything is looked at.
    package func answer(to request: APIRequest) async -> APIAnswer {
        let number = asked.withLock { asked in
            asked.requests += 1
            return asked.requests
        }
        let fate = weather.fate(of: number)
        if fate.delay > 0 { try? await Task.sleep(for: .milliseconds(fate.delay)) }
        for fault in fate.faults {
            if let answer = Self.answer(to: fault, at: request) { return answer }
        }
        do throws(PublisherError) {
            switch (request.method, request.path) {
            case ("POST", "/token"): return try accessToken(request)
            case ("GET", "/oauth2/v3/certs"): return Self.kept(keySet)
            case ("GET", "/oauth2/v1/certs"): return Self.kept(certificates)
            default: return try publisher(request)
            }
        } catch {
            return error.answer
        }
    }

    private static func answer(
        to fault: APIWeather.Fault,
        at request: APIRequest
    ) -> APIAnswer? {
        switch fault {
        case .tooMany(let pause):
            var answer = PublisherError(429, "rateLimitExceeded").answer
            answer.headers = [("Retry-After", "\(max(1, pause / 1_000))")]
            return answer
        case .internalError, .internalRetryable: return PublisherError(500, "backendError").answer
        case .unavailable: return PublisherError(503, "backendError").answer
        case .unauthorized: return PublisherError(401, "authError").answer
        case .cutOff: return APIAnswer(status: 0)
        case .notFound:
            // As shortly after it was bought, where a server has not heard of it yet.
            let isAboutPurchase = request.method == "GET" && request.path.contains("/tokens/")
            return isAboutPurchase ? PublisherError(404, "notFound").answer : nil
        // These are Apple's.
        case .expiredToken, .forged: return nil
        }
    }

    private static func kept(_ body: [UInt8]) -> APIAnswer {
        var answer = APIAnswer(status: 200)
        answer.body = body
        answer.headers = [("Cache-Control", "public, max-age=600, must-revalidate")]
        return answer
    }

    /// RFC 7523: an assertion that the account's key has signed, against an access token.
    private func accessToken(_ request: APIRequest) throws(PublisherError) -> APIAnswer {
        let form = APIRequest("POST", "/?" + String(decoding: request.body, as: UTF8.self))
        let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        guard form.value("grant_type") == grant, let assertion = form.value("assertion") else {
            throw .oauth("unsupported_grant_type")
        }
        let now = clock()
        guard let claims = claims(assertion), let books = try? directory.books(),
            claims["iss"]?.string == books.settings.apiAccount,
            claims["scope"]?.string == "https://www.googleapis.com/auth/androidpublisher",
            let issued = claims["iat"]?.int64, let ends = claims["exp"]?.int64,
            ends * 1_000 > now, ends - issued <= 3_600
        else { throw .oauth("invalid_grant") }
        let token = "ya29.sim-\(UUID().uuidString)"
        asked.withLock { $0.tokens[token] = now + 3_599_000 }
        return APIAnswer(
            ["access_token": .string(token), "token_type": "Bearer", "expires_in": 3_599]
        )
    }

    private func claims(_ assertion: String) -> JSONValue? {
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64.urlBytes(String(parts[2])),
            account.accepts(signature, over: Array("\(parts[0]).\(parts[1])".utf8)),
            let payload = Base64.urlBytes(String(parts[1]))
        else { return nil }
        return try? JSONValue.parse(payload)
    }

    private func publisher(_ request: APIRequest) throws(PublisherError) -> APIAnswer {
        let field = request.authorization ?? ""
        let ends = asked.withLock { $0.tokens[String(field.dropFirst("Bearer ".count))] }
        guard field.hasPrefix("Bearer "), let ends, ends > clock() else {
            throw PublisherError(401, "authError")
        }
        let parts = request.path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        guard let books = try? directory.books() else { throw PublisherError(500, "backendError") }
        guard parts.count > 5, parts[0] == "androidpublisher", parts[1] == "v3",
            parts[2] == "applications", parts[4] == "purchases"
        else { throw PublisherError(404, "notFound") }
        guard parts[3] == books.settings.packageName else {
            throw PublisherError(403, "userInsufficientPermission")
        }
        switch (request.method, parts[5], parts.count) {
        case ("GET", "subscriptionsv2", 8):
            return APIAnswer(try subscription(parts[7], books).subscription)
        case ("GET", "productsv2", 8): return APIAnswer(try product(parts[7], books).product)
        case ("GET", "voidedpurchases", 6): return try voided(request, books)
        case ("POST", "subscriptions", 9), ("POST", "products", 9):
            return try tell(parts[8], ofProduct: parts[6], isOnce: parts[5] == "products")
        default: throw PublisherError(404, "notFound")
        }
    }

    /// Google forgets a subscription some time after its end.
    private func subscription(
        _ token: String,
        _ books: PlayBooks
    ) throws(PublisherError) -> SoldPurchase {
        guard let purchase = books.purchases[token] else { throw PublisherError(404, "notFound") }
        let kept = books.settings.time.milliseconds(days: books.settings.daysRemembered)
        let isForgotten =
            purchase.state == .expired && (purchase.expires ?? .max) < clock() - kept
        guard purchase.item.plan != .oneTime, !isForgotten else {
            throw PublisherError(410, "purchaseTokenNoLongerValid")
        }
        return purchase
    }

    private func product(
        _ token: String,
        _ books: PlayBooks
    ) throws(PublisherError) -> SoldPurchase {
        guard let purchase = books.purchases[token], purchase.item.plan == .oneTime else {
            throw PublisherError(404, "notFound")
        }
        return purchase
    }

    private func voided(
        _ request: APIRequest,
        _ books: PlayBooks
    ) throws(PublisherError) -> APIAnswer {
        let now = clock()
        let from = request.value("startTime").flatMap { Int64($0) } ?? 0
        let to = request.value("endTime").flatMap { Int64($0) } ?? now
        guard from <= to else { throw PublisherError(400, "invalidValue") }
        let count = min(request.value("maxResults").flatMap { Int($0) } ?? 1_000, 1_000)
        let start = request.value("token").flatMap { Int($0) } ?? 0
        let all = books.voids(in: from...to, withSubscriptions: request.value("type") == "1")
        let isPartial = request.value("includeQuantityBasedPartialRefund") == "true"
        let listed = all.filter { isPartial || $0.1.quantity == nil }
        let page = listed.dropFirst(start).prefix(max(1, count))
        var answer: JSONObject = [
            "voidedPurchases": .array(
                page.map { purchase, void in
                    var entry: JSONObject = [
                        "kind": "androidpublisher#voidedPurchase",
                        "purchaseToken": .string(purchase.token),
                        "orderId": .string(void.orderID),
                        "purchaseTimeMillis": .string("\(purchase.started ?? 0)"),
                        "voidedTimeMillis": .string("\(void.at)"), "voidedSource": 2,
                        "voidedReason": .integer(void.reason),
                    ]
                    entry["voidedQuantity"] = void.quantity.map { .integer($0) }
                    return .object(entry)
                }
            )
        ]
        if start + page.count < listed.count {
            answer["tokenPagination"] = ["nextPageToken": .string("\(start + page.count)")]
        }
        return APIAnswer(answer)
    }

    /// `TOKEN:acknowledge` and `TOKEN:consume`.
    private func tell(
        _ tail: String,
        ofProduct product: String,
        isOnce: Bool
    ) throws(PublisherError) -> APIAnswer {
        let parts = tail.split(separator: ":").map(String.init)
        guard parts.count == 2, ["acknowledge", "consume"].contains(parts[1]) else {
            throw PublisherError(404, "notFound")
        }
        let told: PublisherError?
        do {
            told = try directory.change { books -> PublisherError? in
                guard var purchase = books.purchases[parts[0]],
                    (purchase.item.plan == .oneTime) == isOnce
                else { return PublisherError(404, "notFound") }
                purchase.told += 1
                defer { books.purchases[purchase.token] = purchase }
                // A purchase of several items is told under the name of any.
                guard [purchase.item.productID, purchase.added?.productID].contains(product) else {
                    return PublisherError(400, "purchaseTokenMismatch")
                }
                let isConsumed = parts[1] == "consume"
                let isPaid = purchase.payments > 0 && purchase.state != .expired
                guard isPaid, isConsumed ? !purchase.isConsumed : !purchase.isAcknowledged else {
                    return PublisherError(400, "invalidPurchaseState")
                }
                purchase.isAcknowledged = true
                if isConsumed { purchase.isConsumed = true }
                return nil
            }
        } catch {
            throw PublisherError(500, "backendError")
        }
        if let told { throw told }
        return APIAnswer(status: 204)
    }
}

/// A refusal, as Google writes it.
struct PublisherError: Error {
    let answer: APIAnswer

    init(_ status: Int, _ reason: String) {
        let error: JSONObject = [
            "code": .integer(Int64(status)), "message": .string(reason),
            "errors": [
                ["domain": "androidpublisher", "reason": .string(reason), "message": "no"]
            ],
        ]
        answer = APIAnswer(["error": .object(error)], status: status)
    }

    private init(answer: APIAnswer) { self.answer = answer }

    /// A refusal of the token end point (RFC 6749, section 5.2).
    static func oauth(_ word: String) -> PublisherError {
        PublisherError(
            answer: APIAnswer(["error": .string(word), "error_description": "no"], status: 400)
        )
    }
}
