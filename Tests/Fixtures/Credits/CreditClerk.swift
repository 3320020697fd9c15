import Entitlements

/// Puts the steps of a story to the core or a ledger: as commands, and its outcomes as answers.
package struct CreditClerk: Sendable {
    private let moment: Int64
    private var numbers: [UInt64: Int] = [:]
    private var ids: [UInt64] = []
    private var drawn: UInt64 = 0

    /// A clerk; `moment` is when everything was bought.
    package init(bought moment: Int64) { self.moment = moment }

    /// The catalog of every story: two packs, a plan that renders freely.
    package static func source(freeCredits: Int64, owesRefunds: Bool) -> Policy.Source {
        var plan = Policy.Plan(name: "pro")
        plan.unlimited = ["render"]
        var source = Policy.Source()
        source.plans = [plan]
        source.freeCredits = freeCredits
        source.owesRefunds = owesRefunds
        source.creditPacks = ["pack.ten": 10, "pack.two": 2]
        return source
    }

    /// The user with this number.
    package static func user(_ number: Int) -> UserID {
        guard let user = UserID("u\(number)") else { preconditionFailure("u and a number is one") }
        return user
    }

    private static func token(_ number: Int) -> Token {
        guard let token = Token(high: 7, low: UInt64(number) + 1) else {
            preconditionFailure("not zero")
        }
        return token
    }

    private static func digest(_ text: String) -> Digest256 {
        var lanes: (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
        for byte in text.utf8 {
            lanes.0 = (lanes.0 ^ UInt64(byte)) &* 0x100_0000_01b3
            lanes.1 = (lanes.1 &+ UInt64(byte)) &* 0xbf58_476d_1ce4_e5b9
        }
        return Digest256(lanes.0, lanes.1, 0, 0)
    }

    private static func key(_ user: Int, _ key: String) -> IdempotencyKey {
        IdempotencyKey(user: Self.user(user), digest: digest(key))
    }

    /// The command that `step` asks for.
    package mutating func command(_ step: CreditStep) -> Command.Kind {
        let fingerprint = Self.digest("\(step)")
        switch step {
        case .register(let user):
            return .register(Registration(user: Self.user(user), token: Self.token(user)))
        case .grant(let user, let amount, let until, let source, let key):
            return credit(user, amount, until, source, key, fingerprint)
        case .adjust(let user, let amount, let key):
            return credit(user, amount, nil, "adjustment", key, fingerprint)
        case .consume(let user, let amount, let key):
            return .charge(charge(user, amount, key, fingerprint))
        case .reserve(let user, let amount, let milliseconds, let isLease, let key):
            return .reserve(
                ReservationOrder(
                    charge: charge(user, amount, key, fingerprint),
                    milliseconds: milliseconds,
                    isLease: isLease,
                    id: drawID()
                )
            )
        case .commit(let number, let amount): return end(number, .committed, amount)
        case .release(let number): return end(number, .released)
        case .disconnect(let number): return end(number, .disconnected)
        case .reverse(let user, let charge, let key):
            return .reverse(
                Reversal(
                    user: Self.user(user),
                    key: Self.key(user, key),
                    fingerprint: fingerprint,
                    charge: Self.key(user, charge)
                )
            )
        case .unlimited(let user, let until, let key):
            return .grant(
                GrantOrder(
                    user: Self.user(user),
                    plan: "pro",
                    key: Self.key(user, key),
                    fingerprint: fingerprint,
                    from: nil,
                    until: Moment(until),
                    store: nil,
                    reason: ""
                )
            )
        case .notice(let id, let words): return notice(id, words)
        case .verify(let user, let word):
            return .link(
                Purchase(
                    user: Self.user(user),
                    facts: [fact(word)],
                    claimed: [Self.token(user)]
                )
            )
        case .restore(let user, let words):
            return .restore(
                Restoration(
                    user: Self.user(user),
                    facts: words.map(fact),
                    claimed: [Self.token(user)]
                )
            )
        }
    }

    /// What an outcome says, with the numbers of reservations in the order in which they were made.
    package mutating func answer(_ outcome: Outcome) -> CreditAnswer {
        switch outcome {
        case .registered(_, _, let credits): return .registered(remaining: credits)
        case .credited(let left, let replay):
            return .credited(remaining: left, replayed: replay != nil)
        case .charged(let result, let left, let replay):
            return .charged(result.rawValue, remaining: left, replayed: replay != nil)
        case .reserved(let result, let id, let left, let replay):
            var number: Int?
            if let id { number = self.number(of: id) }
            return .reserved(result.rawValue, number, remaining: left, replayed: replay != nil)
        case .holdEnded(let kind, let left):
            let word =
                switch kind {
                case .committed: "committed"
                case .released, .disconnected: "released"
                case .expired: "expired"
                }
            return .ended(word, remaining: left)
        case .reversed(let isReversed, let left, let replay):
            let word = isReversed ? "reversed" : "nothing"
            return .reversed(word, remaining: left, replayed: replay != nil)
        case .keyReused: return .refused("idempotency_mismatch")
        case .holdUnknown, .chargeUnknown: return .refused("not_found")
        case .holdSmaller: return .refused("invalid_params")
        case .conflict, .tokenTaken: return .refused("ownership_conflict")
        case .purseFull, .grantsFull: return .refused("full")
        default: return .done
        }
    }

    private mutating func drawID() -> UInt64 {
        drawn += 1
        return Limits.positionMax + drawn
    }

    private mutating func number(of id: UInt64) -> Int {
        if let number = numbers[id] { return number }
        ids.append(id)
        numbers[id] = ids.count
        return ids.count
    }

    private func credit(
        _ user: Int,
        _ amount: Int64,
        _ until: Int64?,
        _ source: String,
        _ key: String,
        _ fingerprint: Digest256
    ) -> Command.Kind {
        .credit(
            CreditOrder(
                user: Self.user(user),
                amount: amount,
                key: Self.key(user, key),
                fingerprint: fingerprint,
                until: until.map { Moment($0) },
                source: source,
                reason: "",
                isAdjustment: source == "adjustment"
            )
        )
    }

    private func charge(
        _ user: Int,
        _ amount: Int64,
        _ key: String,
        _ fingerprint: Digest256
    ) -> Charge {
        Charge(
            user: Self.user(user),
            amount: amount,
            key: Self.key(user, key),
            fingerprint: fingerprint
        )
    }

    private func end(
        _ number: Int,
        _ kind: Reservation.Ending.Kind,
        _ amount: Int64? = nil
    ) -> Command.Kind {
        let id = ids.indices.contains(number - 1) ? ids[number - 1] : 999_999_999
        return .endReservation(ReservationEnd(id: id, kind: kind, amount: amount))
    }

    private func notice(_ id: Int, _ words: [CreditPackWord]) -> Command.Kind {
        .record(
            Notification(
                id: NotificationID(signed: Moment(moment), digest: Self.digest("notice \(id)")),
                type: "ONE_TIME_CHARGE",
                subtype: "",
                document: Self.digest("document \(id)"),
                facts: words.map(fact)
            )
        )
    }

    private func fact(_ word: CreditPackWord) -> Fact {
        let id = String(1_000_000 + word.pack)
        var transaction = TransactionFact(
            id: id,
            version: Version(
                signed: Moment(moment + word.signed),
                digest: Self.digest("\(word)")
            ),
            productID: word.product,
            purchased: Moment(moment)
        )
        transaction.kind = "Consumable"
        transaction.quantity = word.quantity
        transaction.token = Self.token(word.buyer)
        if word.isRevoked {
            transaction.revoked = Moment(moment + 1)
            transaction.terms.revocationPercentage = word.share
        }
        let key = SubscriptionKey(store: .appStore, environment: .production, originalID: id)
        return Fact(key: key, transaction: transaction)
    }
}
