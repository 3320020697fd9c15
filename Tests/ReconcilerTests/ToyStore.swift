import Entitlements
import Reconciler
import Synchronization
import TestSupport
import Testing

/// A store that signs nothing: its server is believed, wants a credential that it gives itself, and
/// knows a purchase in one of two places.
struct ToyStore: StoreQuestions {
    /// How often a credential was signed for, or the question that gets one.
    final class Tally: Sendable {
        let count = Atomic<Int>(0)
        /// Whether somebody asked for the keys.
        let isFetching = Atomic<Bool>(false)
    }

    let host: StoreHost
    let tally: Tally

    var store: Store { .googlePlay }

    var scopes: [StoreScope] { [.production] }

    func scopes(of key: SubscriptionKey) -> [StoreScope] { key.store == store ? scopes : [] }

    func budgets(of scope: StoreScope) -> [StoreBudget: Int64] { [.ordinary: 1_000_000] }

    func access(to scope: StoreScope, at now: Moment) -> StoreAccess {
        tally.count.add(1, ordering: .relaxed)
        let request = StoreRequest(
            .post,
            host,
            "/token",
            body: .form([(name: "grant_type", value: "a key")]),
            isAuthorised: false
        )
        return .exchange(
            StoreQuestion(request) { (reply, now) throws(StoreAPIFailure) in
                .answer(
                    StoreCredential(
                        authorization: "Bearer " + String(decoding: reply.body, as: UTF8.self),
                        renewal: now.advanced(byMilliseconds: Self.credentialMilliseconds)
                    )
                )
            }
        )
    }

    func failure(of reply: StoreReply, at now: Moment) -> StoreAPIFailure {
        let kind: StoreAPIFailure.Kind =
            switch reply.status {
            case 401: .unauthorized
            case 402: .forbidden
            case 404: .unknown
            case 500...: .unreachable
            default: .refused
            }
        return StoreAPIFailure(kind, code: Int64(reply.status), "HTTP \(reply.status)")
    }

    func state(
        of key: SubscriptionKey,
        kept: Subscription?,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        guard key.store == store else { return nil }
        let request = StoreRequest(.get, host, "/subs/" + StoreRequest.encoded(key.originalID))
        return StoreQuestion(request, reading: kept == nil ? [] : [410]) {
            (reply, now) throws(StoreAPIFailure) in
            var fact = Self.fact(key, signed: now)
            if reply.status == 410, let status = fact.status {
                fact.status = StatusFact(version: status.version, .expired, word: "gone")
            }
            return .answer(StoreStatement(facts: [fact], documents: 1))
        }
    }

    func keys(of hint: PurchaseHint) -> [SubscriptionKey] {
        guard case .purchaseToken(let token) = hint else { return [] }
        return [Self.key(token)]
    }

    func purchase(
        _ hint: PurchaseHint,
        in scope: StoreScope
    ) -> StoreQuestion<PurchaseAnswer>? {
        guard case .purchaseToken(let token) = hint else { return nil }
        let key = SubscriptionKey(store: store, environment: .production, originalID: token)
        let place = StoreRequest.encoded(token)
        let subscription = StoreRequest(.get, host, "/subs/" + place)
        let product = StoreRequest(.get, host, "/products/" + place)
        return StoreQuestion(subscription, reading: [404, 410]) {
            (reply, now) throws(StoreAPIFailure) in
            if reply.body == Array(Self.unreadable.utf8) {
                throw StoreAPIFailure(.malformed, Self.unreadable)
            }
            if reply.isSuccess { return .answer(.stated([Self.fact(key, signed: now)])) }
            return .ask(
                StoreQuestion(product) { (_, now) throws(StoreAPIFailure) in
                    .answer(.stated([Self.fact(key, signed: now)]))
                }
            )
        }
    }

    /// Whoever needs its keys first fetches them.
    func upkeep(at now: Moment) -> StoreQuestion<Void>? {
        guard !tally.isFetching.exchange(true, ordering: .relaxed) else { return nil }
        let request = StoreRequest(.get, host, "/keys", isAuthorised: false)
        return StoreQuestion(request) { (_, _) throws(StoreAPIFailure) in .answer(()) }
    }

    /// It wants to hear of a purchase until it has; a 400 says that it has not.
    func acknowledgement(
        of purchase: Subscription,
        packs: Set<String>,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        let key = purchase.key
        guard purchase.status?.word != Self.heard else { return nil }
        let request = StoreRequest(.post, host, "/heard/" + StoreRequest.encoded(key.originalID))
        return StoreQuestion(request, reading: [400]) { (reply, now) throws(StoreAPIFailure) in
            let word = reply.isSuccess ? Self.heard : "running"
            let fact = Self.fact(key, signed: now, word: word)
            return .answer(StoreStatement(facts: [fact], documents: 1))
        }
    }

    private static let heard = "heard"

    /// What the store says of a subscription of 30 days that renews.
    static func fact(_ key: SubscriptionKey, signed: Moment, word: String = "running") -> Fact {
        let version = Version(signed: signed, digest: Digest256(0, 0, 0, 1))
        var transaction = TransactionFact(
            id: key.originalID,
            version: version,
            productID: "monthly",
            purchased: StoreVoice.start
        )
        transaction.kind = "Auto-Renewable Subscription"
        transaction.expires = StoreVoice.start.advanced(byMilliseconds: 30 * StoreVoice.day)
        var renewal = RenewalFact(version: version)
        renewal.autoRenew = true
        guard key.store != .appStore else {
            return Fact(key: key, transaction: transaction, renewal: renewal)
        }
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: version, .active, word: word),
            transactions: [transaction],
            renewal: renewal
        )
    }

    static let credentialMilliseconds: Int64 = 60_000
    /// An answer of another form than the store's.
    static let unreadable = "unreadable"

    /// The key of its purchase `id`.
    static func key(_ id: String, of store: Store = .googlePlay) -> SubscriptionKey {
        SubscriptionKey(store: store, environment: .production, originalID: id)
    }

    /// A reconciler for the toy store at `url`, for as long as `body` takes.
    static func playing(
        _ url: String,
        book: MemoryBook = MemoryBook(),
        clock: HandClock = HandClock(at: StoreVoice.start),
        tally: Tally = Tally(),
        _ body: (Reconciler, Scratch) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        let reconciler = Reconciler(
            ReconcilerSettings(directory: scratch.path, marksName: "toy.json", version: "0"),
            questions: ToyStore(host: try #require(StoreHost(url)), tally: tally),
            book: book,
            clock: clock.clock,
            report: { _ in }
        )
        do {
            try await body(reconciler, scratch)
        } catch {
            await reconciler.stop()
            throw error
        }
        await reconciler.stop()
    }
}
