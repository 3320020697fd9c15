import Chance
import Entitlements
import Fixtures
import Testing

/// Random commands against the core and against a plain model that shares nothing with it.
struct CreditModelTests {
    /// Credits as lists of single ones: slow, and hard to get wrong.
    private struct Model {
        struct Coin {
            var until: Int64
            var order: Int
            var source: String
        }

        var coins: [Coin] = []
        var holds: [Int: (until: Int64, coins: [Coin])] = [:]
        var charges: [UInt64: [Coin]] = [:]
        var arrivals = 0
        var given: Int64 = 0
        var spent: Int64 = 0
        var ended: Int64 = 0

        mutating func pass(to now: Int64) {
            for (id, hold) in holds where hold.until <= now {
                coins += hold.coins
                holds[id] = nil
            }
            ended += Int64(coins.count { $0.until <= now })
            coins.removeAll { $0.until <= now }
        }

        var balance: Int64 { Int64(coins.count) }
        var held: Int64 { holds.values.reduce(0) { $0 + Int64($1.coins.count) } }

        mutating func take(_ amount: Int) -> [Coin]? {
            guard coins.count >= amount else { return nil }
            let order = coins.indices.sorted { coins[$0].until < coins[$1].until }.prefix(amount)
            let taken = order.map { coins[$0] }
            for index in order.sorted(by: >) { coins.remove(at: index) }
            return taken
        }
    }

    @Test(arguments: 0..<8)
    func `core and model agree after every step`(round: Int) {
        run(round: round)
    }

    @Test(arguments: 0..<4)
    func `core and model agree where a clock was once ahead`(round: Int) {
        run(round: round, ahead: 40 * 24 * 3600 * 1000)
    }

    private func run(round: Int, ahead: Int64 = 0) {
        let seed = Seed.told(round: round)
        var random = SplitMix64(seed: seed)
        var source = Policy.Source()
        source.plans = []
        let policy = Policy(source)
        var ledger = MemoryLedger()
        var model = Model()
        var now: Int64 = Sample.start.milliseconds
        var holdIDs: [UInt64] = []
        let steps = 2_500
        for step in 0..<steps {
            now += Int64(random.pick(0..<3)) * Int64(random.pick(0..<2_000))
            model.pass(to: now)
            let moment = Moment(now)
            let number = UInt64(step + 1)
            let key = IdempotencyKey(user: Sample.alice, digest: Sample.digest(number))
            let amount = random.pick(1..<8)
            let charge = Charge(
                user: Sample.alice,
                amount: Int64(amount),
                key: key,
                fingerprint: Sample.digest(0)
            )
            switch random.pick(0..<6) {
            case 0, 1:
                let until = random.isOne(in: 2) ? now + Int64(random.pick(1..<20_000)) : .max
                let order = CreditOrder(
                    user: Sample.alice,
                    amount: Int64(amount),
                    key: key,
                    fingerprint: Sample.digest(0),
                    until: Moment(until),
                    source: "s\(random.pick(0..<3))",
                    reason: "",
                    isAdjustment: false
                )
                _ = ledger.submit(.credit(order), at: moment, ahead: ahead, under: policy)
                for _ in 0..<amount {
                    model.arrivals += 1
                    model.coins.append(
                        .init(until: until, order: model.arrivals, source: order.source)
                    )
                }
                model.given += Int64(amount)
            case 2:
                let outcome = ledger.submit(
                    .charge(charge),
                    at: moment,
                    ahead: ahead,
                    under: policy
                )
                if let taken = model.take(amount) {
                    model.charges[number] = taken
                    model.spent += Int64(amount)
                    #expect(outcome == .charged(.consumed, remaining: model.balance, replay: nil))
                } else {
                    #expect(
                        outcome == .charged(.insufficient, remaining: model.balance, replay: nil)
                    )
                }
            case 3:
                let milliseconds = Int64(random.pick(1..<10_000))
                let order = ReservationOrder(
                    charge: charge,
                    milliseconds: milliseconds,
                    isLease: random.isOne(in: 2),
                    id: Limits.positionMax + number
                )
                let outcome = ledger.submit(
                    .reserve(order),
                    at: moment,
                    ahead: ahead,
                    under: policy
                )
                if let taken = model.take(amount) {
                    guard case .reserved(.reserved, let id?, model.balance, nil) = outcome else {
                        Issue.record("\(outcome)")
                        return
                    }
                    model.holds[Int(id)] = (now + milliseconds, taken)
                    holdIDs.append(id)
                }
            case 4:
                guard let id = holdIDs.randomElement(using: &random) else { continue }
                let part = Int64(random.pick(1..<4))
                let isCommit = random.isOne(in: 2)
                let end = ReservationEnd(
                    id: id,
                    kind: isCommit ? .committed : .released,
                    amount: isCommit ? part : nil
                )
                let outcome = ledger.submit(
                    .endReservation(end),
                    at: moment,
                    ahead: ahead,
                    under: policy
                )
                guard let hold = model.holds[Int(id)] else { continue }
                if isCommit, part > Int64(hold.coins.count) {
                    #expect(outcome == .holdSmaller(amount: Int64(hold.coins.count)))
                    continue
                }
                let spent = isCommit ? Int(part) : 0
                model.holds[Int(id)] = nil
                model.spent += Int64(spent)
                model.coins += hold.coins.dropFirst(spent)
                model.pass(to: now)
                #expect(outcome == .holdEnded(end.kind, remaining: model.balance))
            default:
                guard let charged = model.charges.keys.randomElement(using: &random) else {
                    continue
                }
                let order = Reversal(
                    user: Sample.alice,
                    key: key,
                    fingerprint: Sample.digest(0),
                    charge: IdempotencyKey(user: Sample.alice, digest: Sample.digest(charged))
                )
                let back = model.charges.removeValue(forKey: charged) ?? []
                _ = ledger.submit(.reverse(order), at: moment, ahead: ahead, under: policy)
                model.coins += back
                model.spent -= Int64(back.count)
                model.pass(to: now)
            }
            let account = ledger.accounts[Sample.alice]
            let purse = account?.purse ?? Purse()
            #expect(purse.balance(at: moment) == model.balance, "step \(step)")
            #expect(purse.held(at: moment) == model.held, "step \(step)")
            #expect(account?.answer.spendable(at: moment) ?? 0 == model.balance, "step \(step)")
            #expect(model.given - model.spent - model.ended == model.balance + model.held)
            let later = now + Int64(random.pick(0..<30_000))
            var future = model
            future.pass(to: later)
            #expect(account?.answer.spendable(at: Moment(later)) ?? 0 == future.balance)
            if purse.balance(at: moment) != model.balance { return }
        }
    }
}
