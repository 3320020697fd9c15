import AppStoreSimulator
import JSON
import Synchronization

/// What a simulated Stripe answers: what a daemon asks, and the same for Stripe's own library.
package final class AccountAPI: AnsweringStore {
    private let directory: StripeDirectory
    private let weather: APIWeather
    private let clock: @Sendable () -> Int64
    private let requests = Atomic<UInt64>(0)

    /// The API of the account in `directory`; `clock` says seconds since 1970.
    package init(
        _ directory: StripeDirectory,
        weather: APIWeather = .fair,
        clock: @escaping @Sendable () -> Int64 = { StoreTime.now() / 1_000 }
    ) {
        self.directory = directory
        self.weather = weather
        self.clock = clock
    }

    package func settle(cancelling: Bool) async {}

    /// The answer to a request; bad weather comes before anything is looked at.
    package func answer(to request: APIRequest) async -> APIAnswer {
        let fate = weather.fate(of: requests.add(1, ordering: .relaxed).newValue)
        if fate.delay > 0 { try? await Task.sleep(for: .milliseconds(fate.delay)) }
        for fault in fate.faults {
            if let answer = Self.answer(to: fault, at: request) { return answer }
        }
        do throws(AccountError) {
            guard let books = try? directory.books() else { throw AccountError(500, "api_error") }
            guard request.authorization == "Bearer \(books.settings.apiKey)" else {
                throw AccountError(401, "invalid_request_error")
            }
            return APIAnswer(try object(request, books))
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
            var answer = AccountError(429, "invalid_request_error", code: "rate_limit").answer
            answer.headers = [("Retry-After", "\(max(1, pause / 1_000))")]
            return answer
        case .internalError, .internalRetryable: return AccountError(500, "api_error").answer
        case .unavailable: return AccountError(503, "api_error").answer
        case .unauthorized: return AccountError(401, "invalid_request_error").answer
        case .cutOff: return APIAnswer(status: 0)
        case .notFound:
            // As shortly after it was made, where a server has not heard of it yet.
            let name = request.path.split(separator: "/").last ?? ""
            let isAboutObject = ["sub_", "cs_", "pi_", "ch_"].contains { name.hasPrefix($0) }
            return isAboutObject ? AccountError.unknownObject.answer : nil
        // These are Apple's.
        case .expiredToken, .forged: return nil
        }
    }

    private func object(
        _ request: APIRequest,
        _ books: StripeBooks
    ) throws(AccountError) -> JSONObject {
        let parts = request.path.split(separator: "/").map(String.init)
        let settings = books.settings
        guard parts.count > 1, parts[0] == "v1" else { throw .unknownPath }
        let id = parts.count > 2 ? parts[2] : ""
        switch (request.method, parts[1], parts.count) {
        case ("GET", "subscriptions", 2): return subscriptions(request, books)
        case ("GET", "subscriptions", 3):
            return try found(books.subscriptions[id]).json(settings, isOld: false)
        case ("GET", "invoices", 2): return invoices(request, books)
        case ("GET", "invoices", 3):
            return try found(books.invoices[id]).json(settings, isOld: false)
        case ("GET", "invoice_payments", 2): return invoicePayments(request, books)
        case ("GET", "charges", 3): return try found(books.charges[id]).json(settings)
        case ("GET", "payment_intents", 3):
            return try found(books.charges.values.first { $0.payment == id }).paymentJSON(settings)
        case ("GET", "disputes", 2):
            let charge = request.value("charge").flatMap { books.charges[$0] }
            let disputed = [charge].compactMap { $0 }.filter { $0.dispute != nil }
            return list(disputed.map { $0.disputeJSON(settings) }, under: "/v1/disputes")
        case ("GET", "checkout", 3): return visits(request, books)
        case ("GET", "checkout", 4): return try visit(parts[3], request, books)
        case ("GET", "checkout", 5) where parts[4] == "line_items":
            return try found(books.visits[parts[3]]).lineItems
        case ("GET", "events", 2): return events(request, books)
        case ("GET", "events", 3):
            return try found(books.events.first { $0.id == id }).json(settings, isListed: true)
        case ("POST", "billing_portal", 3): return try portal(request, books)
        default: throw .unknownPath
        }
    }

    private func found<Record>(_ record: Record?) throws(AccountError) -> Record {
        guard let record else {
            throw AccountError(404, "invalid_request_error", code: "resource_missing")
        }
        return record
    }

    private func subscriptions(_ request: APIRequest, _ books: StripeBooks) -> JSONObject {
        let customer = request.value("customer")
        let status = request.value("status")
        let all = books.subscriptions.values
            .filter { customer == nil || "cus_" + $0.customer == customer }
            // Those that are over are listed on request alone.
            .filter { status == "all" || status == $0.status || status == nil && $0.isLive }
            .sorted { $0.id > $1.id }
        return page(
            all.map { ($0.id, $0.json(books.settings, isOld: false)) },
            request,
            under: "/v1/subscriptions"
        )
    }

    private func invoices(_ request: APIRequest, _ books: StripeBooks) -> JSONObject {
        let all = books.invoices.values
            .filter { request.value("subscription") ?? $0.subscription == $0.subscription }
            .filter { request.value("status") ?? $0.status == $0.status }
            .sorted { $0.id > $1.id }
        return page(
            all.map { ($0.id, $0.json(books.settings, isOld: false)) },
            request,
            under: "/v1/invoices"
        )
    }

    private func invoicePayments(_ request: APIRequest, _ books: StripeBooks) -> JSONObject {
        let payment = request.value("payment[payment_intent]")
        let paid = books.invoices.values.filter { $0.payment != nil && $0.payment == payment }
        return list(paid.map { $0.paymentJSON(books.settings) }, under: "/v1/invoice_payments")
    }

    private func visits(_ request: APIRequest, _ books: StripeBooks) -> JSONObject {
        let (subscription, payment) = (
            request.value("subscription"), request.value("payment_intent")
        )
        let all = books.visits.values
            .filter { subscription == nil || $0.subscription == subscription }
            .filter { payment == nil || $0.payment == payment }
            .sorted { $0.id > $1.id }
        return page(
            all.map { ($0.id, $0.json(books.settings)) },
            request,
            under: "/v1/checkout/sessions"
        )
    }

    private func visit(
        _ id: String,
        _ request: APIRequest,
        _ books: StripeBooks
    ) throws(AccountError) -> JSONObject {
        let visit = try found(books.visits[id])
        var object = visit.json(books.settings)
        let expanded = request.query.filter { $0.name.hasPrefix("expand[") }.map(\.value)
        if expanded.contains("line_items") { object["line_items"] = .object(visit.lineItems) }
        if expanded.contains("subscription"),
            let sold = visit.subscription.flatMap({ books.subscriptions[$0] })
        {
            object["subscription"] = .object(sold.json(books.settings, isOld: false))
        }
        if expanded.contains("payment_intent.latest_charge"), let payment = visit.payment,
            let charge = books.charges.values.first(where: { $0.payment == payment })
        {
            var whole = charge.paymentJSON(books.settings)
            whole["latest_charge"] = .object(charge.json(books.settings))
            object["payment_intent"] = .object(whole)
        }
        return object
    }

    private func events(_ request: APIRequest, _ books: StripeBooks) -> JSONObject {
        let types = request.query.filter { $0.name.hasPrefix("types[") }.map(\.value)
        let from = request.value("created[gte]").flatMap { Int64($0) } ?? .min
        let until = request.value("created[lt]").flatMap { Int64($0) } ?? .max
        let all = books.events.reversed()
            .filter { $0.created >= from && $0.created < until }
            .filter { types.isEmpty || types.contains($0.type) }
        return page(
            all.map { ($0.id, $0.json(books.settings, isListed: true)) },
            request,
            under: "/v1/events"
        )
    }

    /// A page of `all`: at most `limit` of them, behind `starting_after`.
    private func page(
        _ all: [(id: String, object: JSONObject)],
        _ request: APIRequest,
        under url: String
    ) -> JSONObject {
        let limit = min(100, max(1, request.value("limit").flatMap { Int($0) } ?? 10))
        let last = request.value("starting_after")
        let start = all.firstIndex { $0.id == last }.map { $0 + 1 } ?? 0
        let shown = all.dropFirst(start).prefix(limit)
        return list(
            shown.map(\.object),
            under: url,
            hasMore: start + shown.count < all.count
        )
    }

    /// A page of the customer portal.
    private func portal(
        _ request: APIRequest,
        _ books: StripeBooks
    ) throws(AccountError) -> JSONObject {
        let form = APIRequest("POST", "/?" + String(decoding: request.body, as: UTF8.self))
        guard let customer = form.value("customer"),
            books.subscriptions.values.contains(where: { "cus_" + $0.customer == customer })
        else { throw AccountError(400, "invalid_request_error", code: "resource_missing") }
        let number = requests.load(ordering: .relaxed)
        var session: JSONObject = [
            "id": .string("bps_sim\(number)"), "object": "billing_portal.session",
            "customer": .string(customer), "livemode": .bool(books.settings.isLive),
            "created": .integer(clock()),
            "url": .string("https://billing.example.com/session/\(number)"),
        ]
        session["return_url"] = form.value("return_url").map { .string($0) }
        return session
    }
}

/// A refusal, as Stripe writes it.
struct AccountError: Error {
    let answer: APIAnswer

    init(_ status: Int, _ type: String, code: String? = nil) {
        var error: JSONObject = ["type": .string(type), "message": "No."]
        error["code"] = code.map { .string($0) }
        answer = APIAnswer(["error": .object(error)], status: status)
    }

    static let unknownPath = AccountError(404, "invalid_request_error")
    static let unknownObject = AccountError(
        404,
        "invalid_request_error",
        code: "resource_missing"
    )
}
