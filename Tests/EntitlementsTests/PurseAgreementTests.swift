import Chance
import Entitlements
import Fixtures
import Testing

/// Law P5 of `Purse`, over whole lives: what an account has at a moment does not depend on who
/// asked before, and readers expect what commands then find.
@Suite struct PurseAgreementTests {
    private static let storiesCount = 400
    private static let seed = Seed.told()

    /// One life, in which somebody asks often, or nobody does.
    private struct Stage {
        var ledger = MemoryLedger()
        let policy: Policy

        mutating func submit(_ kind: Command.Kind, _ moment: Int64) -> Outcome {
            let policy = Policy(policy.source, numbering: ledger.numbering)
            return ledger.submit(kind, at: Moment(moment), under: policy)
        }

        /// What can be spent and what is owed at a moment, and what the front says of it.
        func found(at moment: Int64) -> [Int64] {
            guard let account = ledger.accounts[Sample.alice] else { return [] }
            let settled = account.purse.settled(at: Moment(moment))
            return [
                account.purse.balance(at: Moment(moment)), settled.balance(at: Moment(moment)),
                settled.debt, account.answer.spendable(at: Moment(moment)),
            ]
        }
    }

    /// What callers do with credits; each key and reservation once.
    private struct Caller {
        var random: SplitMix64
        private var numbers: UInt64 = 0
        private var charges: [IdempotencyKey] = []
        private var holds: [UInt64] = []

        init(_ random: SplitMix64) { self.random = random }

        private mutating func key() -> IdempotencyKey {
            numbers += 1
            return IdempotencyKey(user: Sample.alice, digest: Sample.digest(1_000 + numbers))
        }

        private mutating func charge(_ amount: Int64) -> Charge {
            Charge(
                user: Sample.alice,
                amount: amount,
                key: key(),
                fingerprint: Sample.digest(numbers)
            )
        }

        mutating func command(at now: Int64) -> Command.Kind {
            switch random.pick(8) {
            case 0, 1:
                let charge = charge(Int64(random.pick(1..<40)))
                charges.append(charge.key)
                return .charge(charge)
            case 2, 3, 4:
                let order = ReservationOrder(
                    charge: charge(Int64(random.pick(1..<20))),
                    milliseconds: Int64(random.pick(1..<30)) * PurchaseStory.day / 2,
                    isLease: false,
                    id: Reservation.id(of: random.next())
                )
                holds.append(order.id)
                return .reserve(order)
            case 5 where !holds.isEmpty:
                let isCommit = random.isOne(in: 2)
                let hold = holds.remove(at: random.pick(holds.count))
                let kind: Reservation.Ending.Kind = isCommit ? .committed : .released
                return .endReservation(
                    ReservationEnd(id: hold, kind: kind, amount: isCommit ? 1 : nil)
                )
            case 6 where !charges.isEmpty:
                let charge = charges.remove(at: random.pick(charges.count))
                return .reverse(
                    Reversal(
                        user: Sample.alice,
                        key: key(),
                        fingerprint: Sample.digest(numbers),
                        charge: charge
                    )
                )
            default:
                let days = Int64(random.pick(1..<40))
                return .credit(
                    CreditOrder(
                        user: Sample.alice,
                        amount: Int64(random.pick(1..<15)),
                        key: key(),
                        fingerprint: Sample.digest(numbers),
                        until: random.isOne(in: 2) ? nil : Moment(now + days * PurchaseStory.day),
                        source: "gift",
                        reason: "",
                        isAdjustment: false
                    )
                )
            }
        }

        /// Asks for more than there can be.
        mutating func question() -> Command.Kind { .charge(charge(1 << 40)) }
    }

    /// What was answered of what remains; nil where nothing was, or of an earlier moment.
    private static func remaining(_ outcome: Outcome) -> Int64? {
        switch outcome {
        case .credited(let remaining, nil), .charged(_, let remaining, nil),
            .reserved(_, _, let remaining, nil), .reversed(_, let remaining, nil):
            remaining
        case .holdEnded(let kind, let remaining): kind == .expired ? nil : remaining
        default: nil
        }
    }

    @Test(arguments: [true, false])
    func `nobody has more or less because somebody asked meanwhile`(owesRefunds: Bool) {
        for number in 0..<Self.storiesCount {
            let seed = Self.seed &+ UInt64(number)
            let story = PurchaseStory(seed: seed, token: Sample.token(1))
            var source = PurchaseStory.source
            source.owesRefunds = owesRefunds
            source.plans = source.plans?
                .map { plan in
                    var plan = plan
                    plan.unlimited = []
                    return plan
                }
            let policy = Policy(source)
            var (quiet, asked) = (Stage(policy: policy), Stage(policy: policy))
            var caller = Caller(SplitMix64(seed: ~seed))
            var random = SplitMix64(seed: seed ^ 0x77)
            var now = story.start
            var facts =
                story.facts
                .sorted {
                    ($0.transaction?.version.signed ?? .distantPast)
                        < ($1.transaction?.version.signed ?? .distantPast)
                }[...]
            // Whether both were answered alike, and with what they have then.
            func both(_ kind: Command.Kind) -> Bool {
                let holds = quiet.ledger.accounts[Sample.alice]?.purse.holds ?? []
                let outcomes = (quiet.submit(kind, now), asked.submit(kind, now))
                guard outcomes.0 == outcomes.1 else { return false }
                // A hold that a refund had ended is answered as of then.
                if case .endReservation(let order) = kind,
                    !holds.contains(where: { $0.id == order.id })
                {
                    return true
                }
                guard let remaining = Self.remaining(outcomes.0) else { return true }
                return quiet.found(at: now).first == remaining
            }
            _ = both(Sample.register(Sample.alice, Sample.token(1)))
            for step in 0..<120 {
                now += Int64(random.pick(1..<40)) * PurchaseStory.day / 24
                let name = "seed \(seed), step \(step)"
                if random.isOne(in: 2) {
                    _ = asked.submit(caller.question(), now - PurchaseStory.day / 48)
                }
                var kind = caller.command(at: now)
                if let fact = facts.first, random.isOne(in: 2),
                    fact.transaction?.version.signed.milliseconds ?? 0 <= now
                {
                    facts.removeFirst()
                    kind = .record(Sample.notification(UInt64(step), [fact]))
                }
                guard both(kind) else {
                    Issue.record("\(name): another answer to \(kind)")
                    break
                }
                let later = [0, 1, 3, 10, 30, 80].map { now + $0 * PurchaseStory.day / 2 + 1 }
                let wrong = later.first { moment in
                    let (one, other) = (quiet.found(at: moment), asked.found(at: moment))
                    return one != other || one[0] != one[1] || one[0] != one[3]
                }
                if let wrong {
                    Issue.record(
                        """
                        \(name), \(wrong - now) ms after \(now): \
                        \(quiet.found(at: wrong)), asked: \(asked.found(at: wrong)); \
                        \(quiet.ledger.accounts[Sample.alice]?.purse as Any)
                        """
                    )
                    break
                }
            }
        }
    }
}
