import Entitlements
import Fixtures

/// The rules of docs/app-store-facts.md, "Merging", and of docs/calls.md, "Whose a purchase is",
/// written down once more.
///
/// Over the whole list of facts, without merging, slots or ownership events. Slow, and shares no
/// rule with the code that it judges.
struct PlainFold {
    /// One subscription, folded from everything ever said of it.
    struct Folded {
        let key: SubscriptionKey
        let transactions: [TransactionFact]
        /// Every version of every transaction.
        let seen: [TransactionFact]
        let renewalDisabled: Moment?
        let renewal: RenewalFact?
        let status: StatusFact?
        let everEntitled: Bool
        let tokens: Set<Token>
        let owner: UserID?
    }

    /// What it says of a user at a moment.
    struct Verdict: Equatable {
        var canRender = false
        var via: Decision.Via?
        var state = Decision.State.freeNoCredits
        var reason: Decision.Reason?
        var status: Decision.Status?
        var hasAccess = false
        var plan = "free"
        var shown: SubscriptionKey?

        func differsVisibly(from other: Verdict) -> Bool {
            canRender != other.canRender || state != other.state || status != other.status
                || plan != other.plan
        }
    }

    let folded: [Folded]
    private let source: Policy.Source

    init(_ story: RandomStory) {
        source = story.source
        folded = story.keys.sorted()
            .map { key in
                Self.fold(story.facts.filter { $0.key == key }, key, story)
            }
    }

    private static func fold(
        _ facts: [Fact],
        _ key: SubscriptionKey,
        _ story: RandomStory
    ) -> Folded {
        let seen = facts.compactMap(\.transaction)
        let sorted = Dictionary(grouping: seen, by: \.id).values.compactMap(newestWord)
            .sorted { ($0.purchased, number($0)) < ($1.purchased, number($1)) }
        let kept = Array(sorted.suffix(32))
        let bearing = newest(kept.filter { $0.token != nil })
        let token = bearing?.token ?? newest(seen.filter { $0.token != nil })?.token
        return Folded(
            key: key,
            transactions: kept,
            seen: seen,
            renewalDisabled: facts.compactMap(\.renewalDisabled).max(),
            renewal: facts.compactMap(\.renewal).max { $0.version < $1.version },
            status: facts.compactMap(\.status).max { $0.version < $1.version },
            everEntitled: seen.contains { ($0.expires ?? .distantPast) > $0.purchased },
            tokens: Set(seen.compactMap(\.token)),
            owner: owner(of: key, seen, story) ?? token.flatMap { story.owners[$0] }
        )
    }

    /// The newest signed version of one transaction, else the newest receipt's; where a receipt
    /// says that it was revoked, and nothing newer that it was not, it is revoked.
    private static func newestWord(_ versions: [TransactionFact]) -> TransactionFact? {
        let signed = versions.filter { !isOfReceipt($0) }
        let newest = (signed.isEmpty ? versions : signed).max { $0.version < $1.version }
        guard var word = newest, word.revoked == nil, !isOfReceipt(word) else { return newest }
        let revoking = versions.filter { isOfReceipt($0) && $0.revoked != nil }
            .max { $0.version < $1.version }
        let held = versions.filter { $0.revoked == nil }.map(\.version.signed).max()
        if let revoking, revoking.version.signed > held ?? .distantPast {
            word.revoked = revoking.revoked
        }
        return word
    }

    /// Of all links, and all purchases with somebody's token, the latest; a link on a tie, and of
    /// links the one that came last.
    private static func owner(
        of key: SubscriptionKey,
        _ seen: [TransactionFact],
        _ story: RandomStory
    ) -> UserID? {
        var newest: [String: TransactionFact] = [:]
        let bought = seen.filter {
            $0.token != nil
                && ($0.reason ?? ($0.id == key.originalID ? "PURCHASE" : "")) == "PURCHASE"
        }
        for one in bought where (newest[one.id]?.version ?? .least) < one.version {
            newest[one.id] = one
        }
        let claims = newest.values
            .sorted {
                ($0.purchased, $0.version, number($0)) < ($1.purchased, $1.version, number($1))
            }
            .suffix(8)
        let holder = claims.last { $0.token.flatMap { story.owners[$0] } != nil }
        let link = story.links[key]
        if let link, link.at >= holder?.purchased ?? .distantPast { return link.user }
        return holder?.token.flatMap { story.owners[$0] }
    }

    private static func number(_ transaction: TransactionFact) -> Int {
        Int(transaction.id) ?? 0
    }

    private static func newest(_ transactions: [TransactionFact]) -> TransactionFact? {
        transactions.max {
            if $0.purchased == $1.purchased, isOfReceipt($0) != isOfReceipt($1) {
                return isOfReceipt($0)
            }
            return ($0.purchased, $0.version, number($0)) < ($1.purchased, $1.version, number($1))
        }
    }

    private static func isOfReceipt(_ one: TransactionFact) -> Bool { one.terms == .ofReceipt }

    /// Refunded or withdrawn before its beginning.
    private static func neverBegan(_ one: TransactionFact) -> Bool {
        one.revoked.map { $0 < one.purchased } ?? false
    }

    /// By itself, or by what another transaction says: that the family shares no more, that a copy
    /// of what was bought for good was refunded, or a receipt that has an id of its own for it.
    private static func isRevoked(_ current: TransactionFact, in one: Folded) -> Bool {
        func isForGood(_ other: TransactionFact) -> Bool {
            other.expires == nil && other.kind == "Non-Consumable"
        }
        return one.transactions.contains { other in
            guard let revoked = other.revoked else { return false }
            if other.id == current.id { return true }
            if neverBegan(other), other.ownership == "FAMILY_SHARED" {
                return current.purchased <= revoked && revoked < current.expires ?? .distantFuture
            }
            guard other.productID == current.productID else { return false }
            if isForGood(current), isForGood(other) {
                return revoked >= current.purchased && other.terms.revocationPercentage == nil
            }
            guard isOfReceipt(other), other.purchased == current.purchased else { return false }
            let held = one.seen.filter {
                $0.purchased == other.purchased && $0.productID == other.productID
                    && $0.revoked == nil
            }
            return held.allSatisfy { $0.version.signed < other.version.signed }
        }
    }

    /// Whether this user ever owned a subscription that lasted.
    func hadSubscription(_ user: UserID, _ story: RandomStory) -> Bool {
        folded.contains { one in
            one.everEntitled
                && (one.owner == user || story.links[one.key]?.user == user
                    || one.tokens.contains { story.owners[$0] == user })
        }
    }

    /// Every moment at which anything about these subscriptions can change.
    var breakpoints: [Moment] {
        var moments: Set<Moment> = []
        let windows = [
            0, 60 * RandomStory.day, source.graceFallbackMilliseconds,
            source.lateRenewalMilliseconds,
        ]
        for one in folded {
            for transaction in one.transactions {
                moments.insert(transaction.purchased)
                guard let expires = transaction.expires else { continue }
                for window in windows { moments.insert(expires.advanced(byMilliseconds: window)) }
            }
            if let grace = one.renewal?.graceUntil { moments.insert(grace) }
        }
        return moments.sorted()
    }

    /// The answer for `user`, who has `credits`.
    func verdict(on user: UserID, credits: Int64, at now: Moment) -> Verdict {
        var candidates: [Standing] = []
        for one in folded where one.owner == user {
            if let standing = standing(of: one, at: now) { candidates.append(standing) }
        }
        candidates.sort { isBetter($0, $1) }
        var verdict = Verdict()
        let best = candidates.first
        verdict.shown = best?.key
        verdict.status = best?.status
        verdict.hasAccess = best?.gives ?? false
        if let best, best.gives {
            verdict.plan = best.plan?.name ?? ""
            verdict.state = best.isTrial ? .trial : .subscribed
        } else if credits > 0 {
            verdict.state = .freeWithCredits
        }
        let rendering = candidates.first {
            $0.gives && $0.plan?.unlimited.contains("render") == true
        }
        if let rendering {
            verdict.via = rendering.status == .gracePeriod ? .grace : .subscription
        } else if credits >= 1 {
            verdict.via = .credits
        }
        verdict.canRender = verdict.via != nil
        if !verdict.canRender { verdict.reason = reason(candidates, credits: credits) }
        return verdict
    }

    private func reason(_ candidates: [Standing], credits: Int64) -> Decision.Reason {
        let best = candidates.first
        if best?.gives == true { return .notInPlan }
        if candidates.contains(where: { $0.isOpen && $0.plan == nil }) { return .unknownProduct }
        if candidates.contains(where: { $0.isOpen && $0.key.environment == .sandbox }) {
            return .sandboxNotAdmitted
        }
        return switch best?.status {
        case .revoked: .revoked
        case .billingRetry: .billingRetry
        case .expired: .expired
        default: source.freeCredits > 0 && credits > 0 ? .creditsExhausted : .neverSubscribed
        }
    }

    private struct Standing {
        let key: SubscriptionKey
        let status: Decision.Status
        /// Paid for, or in grace: what would give access if it were named and let in.
        let isOpen: Bool
        let gives: Bool
        let isTrial: Bool
        let plan: Policy.Plan?
        let end: Moment
    }

    private func isBetter(_ left: Standing, _ right: Standing) -> Bool {
        if left.gives != right.gives { return left.gives }
        if left.key.environment != right.key.environment {
            return left.key.environment == .production
        }
        let (leftRank, rightRank) =
            left.gives
            ? (left.plan?.rank ?? -1, right.plan?.rank ?? -1)
            : (Int64(Self.life(left.status)), Int64(Self.life(right.status)))
        if leftRank != rightRank { return leftRank > rightRank }
        if left.end != right.end { return left.end > right.end }
        return left.key < right.key
    }

    private static func life(_ status: Decision.Status) -> Int {
        switch status {
        case .subscribed, .cancelled, .trial: 9
        case .gracePeriod, .billingRetry: 8
        case .expired: 7
        case .revoked: 6
        // Apple has neither.
        case .paused, .pending: 0
        }
    }

    /// Whether a transaction counts: not upgraded, not refunded before its beginning, and nothing
    /// was bought between its last unrevoked word and its beginning.
    private static func counts(_ one: TransactionFact, in folded: Folded) -> Bool {
        if one.isUpgraded || neverBegan(one) { return false }
        let words = folded.seen.filter { $0.id == one.id && $0.revoked == nil }
        guard let last = words.map(\.version.signed).max() else { return true }
        return folded.transactions.allSatisfy {
            $0.purchased >= one.purchased || last >= $0.purchased
        }
    }

    private func standing(of whole: Folded, at now: Moment) -> Standing? {
        let one = whole
        let candidates = one.transactions.filter { Self.counts($0, in: one) }
        let begun = candidates.filter { $0.purchased <= now }
        let coming = candidates.map(\.purchased).min()
        let current =
            Self.newest(begun)
            ?? candidates.filter { $0.purchased == coming }
            .min {
                let (first, second) = (Self.isOfReceipt($0), Self.isOfReceipt($1))
                if first != second { return first }
                return ($0.version, Self.number($0)) < ($1.version, Self.number($1))
            }
        guard let current, let end = paidUntil(current, among: candidates, in: one) else {
            return nil
        }
        let status = status(of: one, current, end, at: now)
        let isOn = status == .subscribed || status == .cancelled || status == .trial
        let isAdmitted =
            one.key.environment == .production
            ? source.environments.contains(.production)
            : source.environments.contains(.sandbox) && source.sandboxAccess == .all
        let plan = plan(of: current)
        let isOpen =
            isOn || status == .gracePeriod
            || status == .billingRetry && source.billingRetryAccess && one.key.store == .appStore
        return Standing(
            key: one.key,
            status: status,
            isOpen: isOpen,
            gives: isOpen && isAdmitted && plan != nil,
            isTrial: isOn && isTrial(current),
            plan: plan,
            end: end
        )
    }

    private func isTrial(_ transaction: TransactionFact) -> Bool {
        [1, 3, 4].contains(transaction.offerType) && transaction.offerDiscount == "FREE_TRIAL"
    }

    private func plan(of current: TransactionFact) -> Policy.Plan? {
        guard let plans = source.plans else {
            var plan = Policy.Plan(name: "default")
            plan.unlimited = ["render"]
            return current.expires == nil ? nil : plan
        }
        return plans.filter { $0.products.contains(current.productID) }.max { $0.rank < $1.rank }
    }

    /// Step 7.
    private func paidUntil(
        _ current: TransactionFact,
        among candidates: [TransactionFact],
        in folded: Folded
    ) -> Moment? {
        guard var end = current.expires else {
            return current.kind == "Non-Consumable" ? .distantFuture : nil
        }
        for later in candidates.sorted(by: { $0.purchased < $1.purchased })
        where later.purchased > current.purchased && later.purchased <= end {
            guard !Self.isRevoked(later, in: folded), let expires = later.expires else { continue }
            end = max(end, expires)
        }
        return end
    }

    /// Step 8, of what step 7a leaves.
    private func status(
        of one: Folded,
        _ current: TransactionFact,
        _ end: Moment,
        at now: Moment
    ) -> Decision.Status {
        let life = Life(of: one, current)
        if Self.isRevoked(current, in: one) { return .revoked }
        let hasUnbegun = one.transactions.contains {
            Self.newest([$0, current]) == $0 && $0.id != current.id && Self.neverBegan($0)
        }
        if let status = life.status, status.code == 5, !hasUnbegun,
            status.version.signed >= current.version.signed
        {
            return .revoked
        }
        let isOff = life.renewal?.autoRenew == false
        let on: Decision.Status =
            isOff || life.renewal?.terms.commitmentRenews == false
            ? .cancelled : isTrial(current) ? .trial : .subscribed
        if now < end { return on }
        let word = life.word
        let isOver = word == 2 || word == 3 || word == 5
        let saysGrace = life.billingStatus == 4
        let isAnnounced = (life.isRetrying || saysGrace) && !isOver && life.grace != nil
        if isAnnounced, let grace = life.grace, now < grace { return .gracePeriod }
        if life.grace == nil, saysGrace,
            word == 4 || life.isRetrying || life.renewal?.autoRenew != false,
            now < end.advanced(byMilliseconds: source.graceFallbackMilliseconds)
        {
            return .gracePeriod
        }
        if (life.isRetrying && word != 2) || word == 3 || word == 4 || isAnnounced {
            return now < end.advanced(byMilliseconds: 60 * RandomStory.day)
                ? .billingRetry : .expired
        }
        let isRenewing =
            current.kind == "Auto-Renewable Subscription" && !isOff && life.status?.code != 2
            && !endsCommitment(current, life.renewal)
        if isRenewing, now < end.advanced(byMilliseconds: source.lateRenewalMilliseconds) {
            return on
        }
        return .expired
    }

    /// What is said of one transaction, and not of a former life.
    private struct Life {
        var renewal: RenewalFact?
        var status: StatusFact?
        var isRetrying = false
        var grace: Moment?
        var billingStatus: Int64?

        init(of one: Folded, _ current: TransactionFact) {
            let words = one.seen.filter { $0.id == current.id }.map(\.version.signed)
            let begun = min(current.purchased, words.min() ?? current.purchased)
            if let said = one.renewal, said.version.signed >= begun { renewal = said }
            if let said = one.status, said.version.signed >= begun { status = said }
            var half = Moment.distantPast
            if let expires = current.expires, expires > current.purchased {
                let (from, to) = (current.purchased.milliseconds, expires.milliseconds)
                half = Moment(from + (to - from) / 2)
            }
            if let renewal, renewal.version.signed >= half {
                isRetrying = renewal.isInBillingRetry
                grace = renewal.graceUntil
            }
            guard let status else { return }
            let isOfBilling = status.code == 3 || status.code == 4
            if !isOfBilling || status.version.signed >= half { billingStatus = status.code }
        }

        /// The store's word, which counts unless the renewal information is newer.
        var word: Int64 {
            guard let status, let billingStatus else { return 0 }
            return status.version.signed >= renewal?.version.signed ?? .distantPast
                ? billingStatus : 0
        }
    }
}

/// The last of twelve payments, after which there is none.
private func endsCommitment(_ current: TransactionFact, _ renewal: RenewalFact?) -> Bool {
    guard renewal?.terms.commitmentRenews == false, let expires = current.expires else {
        return false
    }
    return (current.terms.commitment?.expires ?? .distantFuture) <= expires
}

extension Version {
    fileprivate static var least: Version {
        Version(signed: .distantPast, digest: Digest256(0, 0, 0, 0))
    }
}
