import AppStoreSimulator
import Entitlements
import JSON
import Stripe
import StripeSimulator
import TestSupport
import Testing

/// A simulated Stripe account with a clock by hand, asked without a socket.
final class OpenAccount {
    static let start: Int64 = 1_790_000_000
    static let month: Int64 = 30 * 86_400

    private let scratch: Scratch
    let directory: StripeDirectory
    let settings: StripeSettings
    private let api: AccountAPI
    private let clock = HandClock(OpenAccount.start)
    /// entitld's own reading of Stripe, with the account's secrets and key.
    let stripe: Stripe

    init(_ change: (inout StripeSettings) -> Void = { _ in }) throws {
        scratch = try Scratch()
        directory = StripeDirectory(scratch.file("stripe"))
        var settings = StripeSettings(
            time: .real,
            isLive: true,
            url: nil,
            secrets: ["whsec_one"],
            apiKey: "rk_live_one"
        )
        change(&settings)
        try directory.mint(settings)
        self.settings = settings
        let clock = clock
        api = AccountAPI(directory) { clock.now }
        stripe = Stripe(
            signatures: WebhookSignatures(
                live: settings.secrets.compactMap { EndpointSecret(file: Array($0.utf8)) },
                test: []
            ),
            keys: [.production: try StripeKey(file: Array(settings.apiKey.utf8), of: .production)],
            rules: StripeRules()
        )
    }

    /// Now, in seconds since 1970.
    var now: Int64 { clock.now }

    func pass(days: Int64) { clock.pass(days * 86_400) }

    /// Lets something happen; what is told.
    @discardableResult
    func act(
        _ customer: String,
        _ action: StripeAction,
        _ change: (inout StripeWords) -> Void = { _ in }
    ) throws -> [KeptEvent] {
        var words = StripeWords()
        change(&words)
        return try directory.change { try $0.perform(action, customer, words, at: now) }
    }

    func newest(_ customer: String) throws -> SoldSubscription {
        guard let found = try directory.books().newest(of: customer) else { throw Missing() }
        return found
    }

    /// What the API answers.
    func ask(
        _ target: String,
        _ method: String = "GET",
        key: String? = nil,
        body: String = ""
    )
        async -> APIAnswer
    {
        let bearer = "Bearer " + (key ?? settings.apiKey)
        let request = APIRequest(method, target, authorization: bearer, body: Array(body.utf8))
        return await api.answer(to: request)
    }

    /// What a question of entitld comes to.
    func answer<Answer>(to question: StoreQuestion<Answer>?) async throws -> Answer {
        guard var question else { throw Missing() }
        while true {
            let sent = question.request
            let body = String(decoding: sent.body?.bytes ?? [], as: UTF8.self)
            let answer = await ask(sent.target, sent.method.rawValue, body: body)
            let reply = StoreReply(status: answer.status, body: answer.body)
            let moment = Moment(now * 1_000)
            guard question.reads(reply.status) else { throw stripe.failure(of: reply, at: moment) }
            switch try question.read(reply, moment) {
            case .answer(let found): return found
            case .ask(let next): question = next
            }
        }
    }

    /// What entitld is told when it asks about what an event announces.
    func facts(behind event: KeptEvent) async throws -> [Fact] {
        let scope = try #require(stripe.scopes.first)
        guard case .announced(_, let hint) = verdict(on: event) else { throw Missing() }
        let answer = try await answer(to: stripe.purchase(hint, in: scope))
        guard case .stated(let facts) = answer else { throw Missing() }
        return facts
    }

    /// What entitld makes of a customer's newest subscription, asked of the API.
    func facts(_ customer: String) async throws -> [Fact] {
        let id = try newest(customer).id
        let scope = try #require(stripe.scopes.first)
        let answer = try await answer(to: stripe.purchase(.subscription(id), in: scope))
        guard case .stated(let facts) = answer else { throw Missing() }
        return facts
    }

    /// What entitld makes of an event, delivered as it is signed.
    func verdict(on event: KeptEvent, at moment: Int64? = nil) -> NotificationVerdict {
        let body = EventDelivery.body(event, settings)
        let header = EventDelivery.signature(over: body, settings, at: now)
        return stripe.verdict(
            on: StoreDelivery(body: body, fields: [HTTPField("Stripe-Signature", header)]),
            at: Moment((moment ?? now) * 1_000)
        )
    }

    struct Missing: Error {}
}

/// A clock that goes when it is told.
final class HandClock: @unchecked Sendable {
    // Confined to one test, which asks one thing after the other.
    private(set) var now: Int64

    init(_ now: Int64) { self.now = now }

    func pass(_ seconds: Int64) { now += seconds }
}
