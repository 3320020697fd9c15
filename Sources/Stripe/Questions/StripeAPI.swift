import Entitlements
import JSON

/// Stripe's API (https://docs.stripe.com/api): requests, and how their replies are read.
struct StripeAPI: Sendable {
    /// The host to ask.
    let host: StoreHost
    /// The configured rules.
    let rules: StripeRules

    /// The version in which replies are written, whatever the account's own version is.
    static let version = "2026-07-29.dahlia"

    /// Stripe's own host.
    static let host = StoreHost(named: "api.stripe.com")

    /// A request for one object or a list.
    func get(_ path: String, _ query: [(name: String, value: String)] = []) -> StoreRequest {
        var request = StoreRequest(.get, host, path, query: query)
        request.fields = [HTTPField("Stripe-Version", Self.version)]
        return request
    }

    /// A request to make an object.
    ///
    /// It is made once, even if the request is sent repeatedly under this key.
    func post(
        _ path: String,
        _ form: [(name: String, value: String)],
        idempotencyKey: String
    ) -> StoreRequest {
        var request = StoreRequest(.post, host, path, body: .form(form))
        request.fields = [
            HTTPField("Stripe-Version", Self.version),
            HTTPField("Idempotency-Key", idempotencyKey),
        ]
        return request
    }

    /// A question for one object or a list.
    ///
    /// Of a subscription and of an invoice all items and lines are asked for before it is read.
    func asking<Answer>(
        _ request: StoreRequest,
        _ read:
            @escaping @Sendable (StripeObject, Moment) throws(ShapeFault) -> StoreReading<Answer>
    ) -> StoreQuestion<Answer> {
        StoreQuestion(request) { (reply, now) throws(StoreAPIFailure) in
            let object = try Self.object(in: reply)
            do throws(ShapeFault) {
                return try reading(object, at: now, read)
            } catch {
                let kind = object.kind ?? "answer"
                throw StoreAPIFailure(.malformed, "\(kind): \(error.member) is not as documented")
            }
        }
    }

    /// Reads an object, or asks for the next part of what Stripe has left out of it.
    private func reading<Answer>(
        _ object: StripeObject,
        at now: Moment,
        _ read:
            @escaping @Sendable (StripeObject, Moment) throws(ShapeFault) -> StoreReading<Answer>
    ) throws(ShapeFault) -> StoreReading<Answer> {
        guard let (member, path, names) = try Self.list(in: object), try object.isCut(member),
            let elements = try object.list(member), let last = elements.last,
            elements.count < StripeLimits.linesMax
        else { return try read(object, now) }
        let place = [
            (name: "limit", value: "100"), (name: "starting_after", value: try last.id().text),
        ]
        return .ask(
            asking(get(path, place + names)) { (part, _) throws(ShapeFault) in
                let more = try object.adding(part, to: member)
                // Nobody could say where to go on.
                if try part.elements().isEmpty { return try read(more, now) }
                return try reading(more, at: now, read)
            }
        )
    }

    /// The list of which an object has only the first elements, and where the others are asked for;
    /// nil for an object without one.
    private static func list(
        in object: StripeObject
    ) throws(ShapeFault) -> (member: String, path: String, query: [(name: String, value: String)])?
    {
        switch object.kind {
        // https://docs.stripe.com/api/invoice-line-item/retrieve
        case "invoice": ("lines", "/v1/invoices/\(try object.id())/lines", [])
        // https://docs.stripe.com/api/subscription_items/list
        case "subscription":
            ("items", "/v1/subscription_items", [("subscription", try object.id().text)])
        default: nil
        }
    }

    private static func object(in reply: StoreReply) throws(StoreAPIFailure) -> StripeObject {
        guard let object = StripeObject(try? JSONValue.parse(reply.body)) else {
            throw StoreAPIFailure(
                .malformed,
                code: Int64(reply.status),
                "an answer that is no JSON object"
            )
        }
        return object
    }

    /// The failure that an unsuccessful reply means (https://docs.stripe.com/error-low-level,
    /// https://docs.stripe.com/rate-limits).
    static func failure(of reply: StoreReply) -> StoreAPIFailure {
        let error = StripeObject(try? JSONValue.parse(reply.body))?.expanded("error")
        let code = error?["code"]?.string
        let words = [error?["type"]?.string, code].compactMap { $0 }
        var detail = words.isEmpty ? "HTTP \(reply.status)" : words.joined(separator: ", ")
        if reply.status == 403, let error { detail = lack(in: error) + " (\(detail))" }
        func failure(
            _ kind: StoreAPIFailure.Kind,
            retryAfter: Int64? = nil
        ) -> StoreAPIFailure {
            StoreAPIFailure(
                kind,
                code: Int64(reply.status),
                cut(detail),
                retryAfter: retryAfter
            )
        }
        if code == "resource_missing" { return failure(.unknown) }
        switch reply.status {
        case 401: return failure(.unauthorized)
        // A restricted key may lack only this one permission, so other questions can still be
        // asked, and this one later.
        case 403: return failure(.forbidden)
        case 404: return failure(.unknown)
        case 409: return failure(.unreachable)
        case 429:
            let seconds = reply.field("Retry-After").flatMap { Int64($0) }
            let pause = min(max(seconds ?? 0, 0), StripeLimits.retryAfterSecondsMax)
            return failure(
                .limited,
                retryAfter: pause > 0 ? pause * 1000 : StripeLimits.retryAfterMilliseconds
            )
        case 500...: return failure(.unreachable)
        default:
            let again = reply.field("Stripe-Should-Retry") == "true"
            return failure(again ? .unreachable : .refused)
        }
    }

    /// What a key lacks: Stripe's message names the permission, and shows a part of the key, which
    /// stays out of the log.
    private static func lack(in error: StripeObject) -> String {
        let message = error["message"]?.string ?? ""
        let words = message.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
        guard let name = words.first(where: { $0.hasPrefix("rak_") }) else {
            return "the key lacks a permission"
        }
        return "the key lacks the permission \(name)"
    }

    /// Stripe's text, shortened and cleaned so that it cannot forge a log line.
    private static func cut(_ text: String) -> String {
        let bytes = text.utf8.prefix(200).map { (0x20...0x7e).contains($0) ? $0 : 0x3f }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StoreQuestion {
    /// The same question, followed by another one that its answer decides.
    func then<Other>(
        _ use: @escaping @Sendable (Answer) -> StoreReading<Other>
    ) -> StoreQuestion<Other> {
        StoreQuestion<Other>(request, reading: statuses) { (reply, now) throws(StoreAPIFailure) in
            switch try read(reply, now) {
            case .answer(let answer): return use(answer)
            case .ask(let question): return .ask(question.then(use))
            }
        }
    }

    /// The same question, followed by another one; where Stripe has no such list, with `answer`.
    func orElse<Other>(
        _ answer: Answer,
        _ use: @escaping @Sendable (Answer) -> StoreReading<Other>
    ) -> StoreQuestion<Other> where Answer: Sendable {
        StoreQuestion<Other>(request, reading: statuses.union([404])) {
            (reply, now) throws(StoreAPIFailure) in
            guard reply.status != 404 else { return use(answer) }
            switch try read(reply, now) {
            case .answer(let answer): return use(answer)
            case .ask(let question): return .ask(question.then(use))
            }
        }
    }

    /// The same question for a caller that continues if Stripe does not know the object or writes
    /// something unknown; with `evenForbidden`, also if the key may not read it.
    func settled<Other>(
        evenForbidden: Bool = false,
        _ use: @escaping @Sendable (Result<Answer, StoreAPIFailure>) -> StoreReading<Other>
    ) -> StoreQuestion<Other> {
        let settling = statuses.union(evenForbidden ? [403, 404] : [404])
        return StoreQuestion<Other>(request, reading: settling) {
            (reply, now) throws(StoreAPIFailure) in
            let reading: StoreReading<Answer>
            do throws(StoreAPIFailure) {
                guard reads(reply.status) else { throw StripeAPI.failure(of: reply) }
                reading = try read(reply, now)
            } catch {
                let isForbidden = evenForbidden && error.kind == .forbidden
                guard isForbidden || error.kind == .malformed || error.kind == .unknown else {
                    throw error
                }
                return use(.failure(error))
            }
            switch reading {
            case .answer(let answer): return use(.success(answer))
            case .ask(let question):
                return .ask(question.settled(evenForbidden: evenForbidden, use))
            }
        }
    }
}
