import Entitlements

// The questions about purchases, and what the answers state.
extension Publisher {
    /// Asks for the state of a subscription, or of a one-time purchase if the token turns out to
    /// belong to one.
    ///
    /// For an expired token Google answers 410: it forgets a subscription 60 days after its end. An
    /// unknown purchase is asked for as a one-time product, unless it cannot be one. If Google does
    /// not know it at all, that is no proof that it ended, so no fact is stated.
    func subscriptionState<Answer: Sendable>(
        _ token: PurchaseToken,
        kept: Subscription?,
        isCertain: Bool,
        _ answer: @escaping @Sendable ([Fact]) -> Answer
    ) -> StoreQuestion<Answer> {
        let statuses: Set<Int> = isCertain ? [410] : [400, 404, 410]
        return StoreQuestion(subscription(token), reading: statuses) {
            (reply, now) throws(StoreAPIFailure) in
            let said = PlayAnswer(reply.body, at: now)
            guard reply.isSuccess else {
                if let ended = kept?.forgotten(said) { return .answer(answer([ended])) }
                guard !isCertain else { throw PublisherFailure.failure(of: reply) }
                return .ask(productState(token, answer))
            }
            let read = try Self.reading { () throws(AnswerFault) in
                try PlaySubscription(reply.body)
            }
            let facts = [read.fact(of: token, said, after: kept)].compactMap { $0 }
            // The purchase that it should have replaced continues.
            guard read.state == .pendingPurchaseCanceled, let older = read.linked else {
                return .answer(answer(facts))
            }
            return .ask(
                subscriptionState(older, kept: nil, isCertain: true) { answer(facts + $0) }
                    .orElse(answer(facts))
            )
        }
    }

    /// Asks for the state of a one-time purchase.
    ///
    /// This is also the last question about a token of which Google knows no subscription.
    func productState<Answer: Sendable>(
        _ token: PurchaseToken,
        _ answer: @escaping @Sendable ([Fact]) -> Answer
    ) -> StoreQuestion<Answer> {
        productState(token) { (facts, _) in answer(facts) }
    }

    /// The same after some units of it were voided, which were withdrawn then, and not refunded
    /// alone.
    ///
    /// Google may call it purchased also where no unit is left.
    func productState<Answer: Sendable>(
        _ token: PurchaseToken,
        ofPartlyVoidedAt voided: Moment,
        reason: Int64? = nil,
        _ answer: @escaping @Sendable ([Fact]) -> Answer
    ) -> StoreQuestion<Answer> {
        productState(token) { (facts, isTakenBackWhole) in
            guard isTakenBackWhole, let fact = facts.first,
                let order = fact.transactions.first?.id
            else { return answer(facts) }
            let withdrawal = Self.withdrawal(of: order, in: fact.key, at: voided, reason: reason)
            return answer(facts + [withdrawal])
        }
    }

    private func productState<Answer: Sendable>(
        _ token: PurchaseToken,
        _ answer: @escaping @Sendable (_ facts: [Fact], _ isTakenBackWhole: Bool) -> Answer
    ) -> StoreQuestion<Answer> {
        StoreQuestion(product(token), reading: [400]) { (reply, now) throws(StoreAPIFailure) in
            guard reply.isSuccess else { throw PublisherFailure.failure(aboutToken: reply) }
            let read = try Self.reading { () throws(AnswerFault) in try PlayProduct(reply.body) }
            let fact = read.fact(of: token, PlayAnswer(reply.body, at: now))
            return .answer(answer([fact].compactMap { $0 }, read.isTakenBackWhole))
        }
    }

    /// Asks for the state of a purchase after one of its orders was voided.
    ///
    /// Google may still call the purchase active. If Google no longer knows it, only the withdrawal
    /// is stated, with `evenUnreadable` also if what Google says cannot be read.
    func withdrawnState<Answer: Sendable>(
        _ token: PurchaseToken,
        orderID: String,
        at voided: Moment,
        reason: Int64? = nil,
        evenUnreadable: Bool = false,
        _ answer: @escaping @Sendable ([Fact]) -> Answer
    ) -> StoreQuestion<Answer> {
        let withdrawn: @Sendable ([Fact]) -> Answer = { facts in
            let key = facts.first?.key ?? PlayAnswer.key(token, isTest: false)
            // What was bought once has one order. Google may leave it out: then what was bought is
            // known by its token.
            let bought = facts.first?.transactions ?? []
            let isUnnamed = bought.contains {
                $0.kind == TransactionFact.oneTimeKind && $0.id == token.text
            }
            let order = isUnnamed ? token.text : orderID
            return answer(facts + [Self.withdrawal(of: order, in: key, at: voided, reason: reason)])
        }
        return subscriptionState(token, kept: nil, isCertain: false, withdrawn)
            .orElse(withdrawn([]), evenUnreadable: evenUnreadable)
    }

    /// Asks for one page of the voided purchases, then for the state of each purchase on it, then
    /// for the next page.
    ///
    /// Only the state tells whether a licence tester made the purchase.
    func voidedPage(in window: Range<Moment>, page: String?) -> StoreQuestion<StoreStatement> {
        StoreQuestion(voided(in: window, page: page)) { (reply, _) throws(StoreAPIFailure) in
            let read = try Self.reading { () throws(AnswerFault) in
                try VoidedPurchases(reply.body)
            }
            var statement = StoreStatement(documents: read.entries.count)
            let late = read.entries.count { $0.reason == VoidedPurchases.unacknowledged }
            if late > 0 {
                statement.warnings = [
                    "\(late) purchases were refunded because nobody acknowledged them in time"
                ]
            }
            if read.skipped > 0 {
                statement.unreadable = ["\(read.skipped) voided purchases cannot be kept"]
            }
            let next = read.nextPage.map { voidedPage(in: window, page: $0) }
            statement.next = states(of: read.entries[...], then: next)
            return .answer(statement)
        }
    }

    private func states(
        of entries: ArraySlice<VoidedPurchases.Entry>,
        then next: StoreQuestion<StoreStatement>?
    ) -> StoreQuestion<StoreStatement>? {
        guard let entry = entries.first else { return next }
        let rest = entries.dropFirst()
        let answer: @Sendable ([Fact]) -> StoreStatement = { facts in
            StoreStatement(facts: facts, next: states(of: rest, then: next))
        }
        // One purchase that cannot be read must not keep the rest of the list from being read.
        guard !entry.isPartial, let orderID = entry.orderID else {
            return productState(
                entry.token,
                ofPartlyVoidedAt: entry.voided,
                reason: entry.reason,
                answer
            )
            .orElse(answer([]), evenUnreadable: true)
        }
        return withdrawnState(
            entry.token,
            orderID: orderID,
            at: entry.voided,
            reason: entry.reason,
            evenUnreadable: true,
            answer
        )
    }

    /// Tells Google that the products of a purchase were given, one after another, and then asks
    /// for the state.
    ///
    /// Google answers 400 if it knows this already, or if it is too early; only the state shows
    /// which.
    func telling(
        _ verb: String,
        _ collection: String,
        _ items: [TransactionFact],
        _ token: PurchaseToken,
        then state: StoreQuestion<StoreStatement>
    ) -> StoreQuestion<StoreStatement> {
        guard let item = items.first else { return state }
        let request = tell(verb, collection, item.productID, token)
        return StoreQuestion(request, reading: [400, 404, 410]) { (_, _) throws(StoreAPIFailure) in
            .ask(telling(verb, collection, Array(items.dropFirst()), token, then: state))
        }
    }

    private static func withdrawal(
        of orderID: String,
        in key: SubscriptionKey,
        at voided: Moment,
        reason: Int64?
    ) -> Fact {
        let version = Version(signed: voided, digest: Digest256(0, 0, 0, 0))
        var revocation = RevocationFact(
            transactionID: orderID,
            version: version,
            revoked: voided
        )
        revocation.reason = reason
        var fact = Fact(key: key)
        fact.revocations = [revocation]
        return fact
    }

    private static func reading<Value>(
        _ body: () throws(AnswerFault) -> Value
    ) throws(StoreAPIFailure) -> Value {
        do {
            return try body()
        } catch {
            throw StoreAPIFailure(.malformed, "\(error)")
        }
    }
}

extension StoreQuestion {
    /// The same question, with `answer` if Google does not know the subject, and with
    /// `evenUnreadable` also if what it says cannot be read.
    func orElse(
        _ answer: @escaping @autoclosure @Sendable () -> Answer,
        evenUnreadable: Bool = false
    ) -> StoreQuestion {
        StoreQuestion(request, reading: statuses.union([400, 404, 410])) {
            (reply, now) throws(StoreAPIFailure) in
            guard reads(reply.status) else { return .answer(answer()) }
            let reading: StoreReading<Answer>
            do throws(StoreAPIFailure) {
                reading = try read(reply, now)
            } catch {
                let isUnreadable = evenUnreadable && error.kind == .malformed
                guard error.kind == .unknown || isUnreadable else { throw error }
                return .answer(answer())
            }
            switch reading {
            case .answer(let said): return .answer(said)
            case .ask(let next):
                return .ask(next.orElse(answer(), evenUnreadable: evenUnreadable))
            }
        }
    }
}

extension Subscription {
    /// The fact that Google has forgotten this subscription, which happens 60 days after its end.
    fileprivate func forgotten(_ said: PlayAnswer) -> Fact? {
        guard var last = transactions.last else { return nil }
        last.version = said.version
        // A subscription that was heard of only in its grace period has no end.
        last.expires = last.expires ?? renewal?.graceUntil
        var renewal = RenewalFact(version: said.version)
        renewal.autoRenew = false
        return Fact(
            snapshotOf: key,
            status: StatusFact(version: said.version, .expired, word: "GONE"),
            transactions: [last],
            renewal: renewal,
            renewalDisabled: renewalDisabled
        )
    }
}
