import CertificateAuthority
import JSON
import Synchronization

/// The App Store Server API of this store: answers from the books, in Apple's shape, in any
/// weather.
package final class StoreAPI: AnsweringStore {
    let books: StoreBooks
    let rules: Rules
    private let access: APIAccess
    private let state: Mutex<State>
    private let errands = Mutex<[Task<Void, Never>]>([])
    private let onRequest: @Sendable (Event) -> Void

    /// How the API behaves.
    package struct Rules: Sendable {
        /// What goes wrong.
        package var weather = APIWeather.fair
        /// How many requests it takes in a second; nil for any number.
        package var perSecondMax: Double?
        /// How long a walk through pages may rest, in milliseconds.
        package var pageTokenLife: Int64 = 3_600_000
        /// How many days of the store's calendar the notification history goes back; nil for as
        /// many as Apple's.
        package var rememberedDays: Int64?
        /// Where and how test notifications are delivered; nil where the app named no URL.
        package var delivery: Delivery?

        /// Fair weather, no limit, and nowhere to deliver to.
        package init() {}
    }

    /// A request, and what was answered.
    package struct Event: Sendable {
        /// When it came, in ms since 1970.
        package let date: Int64
        /// What was asked; nil where there is no such endpoint.
        package let endpoint: APIEndpoint?
        /// The path.
        package let path: String
        /// The status of the answer; 0 where there was none.
        package let status: Int
        /// Apple's number of an error.
        package let errorCode: Int64?
        /// Why the token was not accepted.
        package let refusal: APIAccess.Refusal?
    }

    private struct State {
        var number: UInt64 = 0
        var weather: APIWeather
        var faults: [APIWeather.Fault] = []
        var allowance: Double
        var allowanceDate: Int64
        var events: [Event] = []
    }

    /// The API of the store with these books; `onRequest` hears of every request.
    package init(
        _ books: StoreBooks,
        _ rules: Rules = Rules(),
        onRequest: @escaping @Sendable (Event) -> Void = { _ in }
    ) throws {
        self.books = books
        self.rules = rules
        self.onRequest = onRequest
        access = try books.directory.apiAccess()
        state = Mutex(
            State(
                weather: rules.weather,
                allowance: max(1, rules.perSecondMax ?? 1),
                allowanceDate: books.clock()
            )
        )
    }

    /// Other weather, from the next request on.
    package func change(to weather: APIWeather) { state.withLock { $0.weather = weather } }

    /// Lets these faults happen to the next requests, one to each, before chance is asked.
    package func expect(_ faults: [APIWeather.Fault]) {
        state.withLock { $0.faults += faults }
    }

    /// The last requests, in the order of the answers.
    package var events: [Event] { state.withLock { $0.events } }

    /// Answers `request`.
    package func answer(to request: APIRequest) async -> APIAnswer {
        let fate = state.withLock { state in
            var fate = state.weather.fate(of: state.number)
            state.number += 1
            if !state.faults.isEmpty { fate.faults.insert(state.faults.removeFirst(), at: 0) }
            return fate
        }
        if fate.delay > 0 { try? await Task.sleep(for: .milliseconds(fate.delay)) }
        let now = books.clock()
        var refusal: APIAccess.Refusal?
        do { try access.check(request.authorization, at: now) } catch { refusal = error }
        let found = APIEndpoint.find(request.method, request.path)
        let answer =
            refusal == nil
            ? ruling(on: request, found, fate.faults, at: now) : APIAnswer.unauthorized
        var endpoint: APIEndpoint?
        if case .endpoint(let known, _) = found { endpoint = known }
        let event = Event(
            date: now,
            endpoint: endpoint,
            path: request.path,
            status: answer.status,
            errorCode: answer.errorCode,
            refusal: refusal
        )
        state.withLock { state in
            if state.events.count == SimulatorLimits.requestsKeptMax { state.events.removeFirst() }
            state.events.append(event)
        }
        onRequest(event)
        return answer
    }

    /// Waits for the notifications under way; with `cancelling` they are given up.
    package func settle(cancelling: Bool = false) async {
        let tasks = errands.withLock { errands in
            defer { errands = [] }
            return errands
        }
        for task in tasks {
            if cancelling { task.cancel() }
            await task.value
        }
    }

    /// Sends what Apple would send on its own; nowhere where the app named no URL.
    func send(_ notification: SimulatedNotification, about customer: String?) throws {
        guard let delivery = rules.delivery else { return }
        let signed = try notification.signed(by: books.authority)
        try books.note(signed, about: customer)
        deliver(signed, by: delivery)
    }

    /// Delivers a notification while the API goes on; `settle` waits for it.
    func deliver(_ notification: SignedNotification, by delivery: Delivery) {
        let task = Task { [books] in
            // The caller hears that there is no status, which is what happened.
            _ = try? await delivery.deliver(notification, noting: books)
        }
        errands.withLock { $0.append(task) }
    }
}

extension StoreAPI {
    /// First match wins: the limit, what goes wrong anyway, no such endpoint, what the books say.
    private func ruling(
        on request: APIRequest,
        _ found: APIEndpoint.Found,
        _ faults: [APIWeather.Fault],
        at now: Int64
    ) -> APIAnswer {
        if let date = nextAllowance(at: now) { return tooMany(until: date) }
        for fault in faults {
            if let answer = answer(to: fault, request, found, at: now) { return answer }
        }
        switch found {
        case .nothing: return APIAnswer(status: 404)
        case .otherMethod(let allowed):
            var answer = APIAnswer(status: 405)
            answer.headers = [("Allow", allowed.joined(separator: ", "))]
            return answer
        case .endpoint(let endpoint, let ids):
            do {
                let answer = try answer(to: request, endpoint, ids)
                return faults.contains(.forged) ? answer.forged : answer
            } catch let failure as APIFailure {
                return APIAnswer(failure)
            } catch {
                return APIAnswer(.internalError)
            }
        }
    }

    /// Nil where one more request is within the limit, which is then used; else when one will be.
    private func nextAllowance(at now: Int64) -> Int64? {
        guard let rate = rules.perSecondMax else { return nil }
        return state.withLock { state in
            let earned = Double(max(0, now - state.allowanceDate)) / 1_000 * rate
            state.allowance = min(max(1, rate), state.allowance + earned)
            state.allowanceDate = max(now, state.allowanceDate)
            guard state.allowance < 1 else {
                state.allowance -= 1
                return nil
            }
            return now + Int64(((1 - state.allowance) / rate * 1_000).rounded(.up))
        }
    }

    /// 429: Retry-After is a moment in UNIX milliseconds, not a number of seconds.
    private func tooMany(until date: Int64) -> APIAnswer {
        var answer = APIAnswer(.tooMany)
        answer.headers = [("Retry-After", String(date))]
        return answer
    }

    /// What goes wrong; nil where it cannot with this request.
    private func answer(
        to fault: APIWeather.Fault,
        _ request: APIRequest,
        _ found: APIEndpoint.Found,
        at now: Int64
    ) -> APIAnswer? {
        switch fault {
        case .tooMany(let retryAfter): return tooMany(until: now + retryAfter)
        case .internalError: return APIAnswer(.internalError)
        case .internalRetryable: return APIAnswer(.internalRetryable)
        case .unavailable:
            var answer = APIAnswer(status: 503)
            answer.body = Array("<html><body>Service Unavailable</body></html>\n".utf8)
            answer.contentType = "text/html"
            return answer
        case .cutOff: return APIAnswer(status: 0)
        case .unauthorized: return .unauthorized
        // What the books say is told, and spoiled afterwards.
        case .forged: return nil
        case .notFound:
            guard case .endpoint(let endpoint, _) = found, endpoint != .notifications,
                let failure = endpoint.unknownNumber
            else { return nil }
            return APIAnswer(failure)
        case .expiredToken:
            guard case .endpoint(.notifications, _) = found,
                request.value("paginationToken") != nil
            else { return nil }
            return APIAnswer(.pageTokenExpired)
        }
    }

    private func answer(
        to request: APIRequest,
        _ endpoint: APIEndpoint,
        _ ids: [String]
    ) throws -> APIAnswer {
        let id = ids.first ?? ""
        switch endpoint {
        case .statuses: return try statuses(of: id, request)
        case .transaction: return try transaction(id)
        case .history: return try history(of: id, request)
        case .historyV1: return try history(of: id, request, withFinishedConsumables: false)
        case .appTransaction: return try appTransaction(of: id)
        case .finish: return try finish(id)
        case .notifications: return try notifications(request)
        case .requestTest: return try requestTest()
        case .testStatus: return try testStatus(id)
        case .setToken: return try setToken(ofLine: id, request)
        case .consumption: return try takeConsumption(of: id, request)
        case .consumptionV1: return try takeOldConsumption(of: id, request)
        case .extend: return try extendRenewal(ofLine: id, request)
        case .extendAll: return try extendAll(request)
        case .extendAllStatus: return try extensionStatus(product: id, request: ids.last ?? "")
        case .order: return try order(id)
        case .refunds: return try refunds(of: id, request)
        }
    }
}
