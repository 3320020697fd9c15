import Entitlements
import Glibc
import Ledger

/// The heaviest accounts that commands can make, each in a store, and how long `canRender` takes on
/// them, from the look-up on, and reading all of an account.
func measureBurdened(_ directory: String) throws {
    var source = Policy.Source()
    var plan = Policy.Plan(name: "pro")
    plan.products = ["pro"]
    plan.unlimited = ["render"]
    source.plans = [plan]
    let options = Ledger.Options(directory: directory, mapSizeGiB: 1)
    let ledger = try Ledger.open(options, source: source) { fatalError("gave up: \($0)") }
    let now = Moment(1_000 * Int64(time(nil)))
    let burdens = burdens(now)
    let done = Turnstile()
    for account in burdens {
        let row = LoadedRow.account(account, names: ["pro", Numbering.planName("pro")])
        ledger.submit(.load([row])) { result in
            guard case .success = result else { fatalError("\(result)") }
            done.open()
        }
        done.wait()
    }
    let reader = try LedgerReader(ledger)
    var answer = Answer()
    for account in burdens {
        try reader.wake()
        let render = try perRound { round in
            let isThere = try account.user.bytes.withUnsafeBytes {
                try reader.read($0, into: &answer)
            }
            let decision = answer.decision(
                ofCost: 1,
                at: now.advanced(byMilliseconds: round),
                under: reader.policy,
                sandboxes: []
            )
            guard isThere, decision.state != .noAccount else { fatalError("no account") }
        }
        let whole = try perRound { _ in _ = try reader.account(of: account.user) }
        print("\(account.user): canRender \(render) ns, all of the account \(whole) ns")
        reader.rest()
    }
    ledger.stop()
}

private func perRound(_ body: (Int64) throws -> Void) rethrows -> Int64 {
    let rounds: Int64 = 2_000
    let began = ContinuousClock.now
    for round in 0..<rounds { try body(round) }
    return ((ContinuousClock.now - began) / Int(rounds)).components.attoseconds / 1_000_000_000
}

private func burdens(_ now: Moment) -> [Account] {
    func after(_ seconds: Int) -> Moment { now.advanced(byMilliseconds: Int64(seconds) * 1_000) }
    func account(
        _ name: String,
        _ slots: [(from: Int, until: Int, grace: Int?)] = [],
        grants: [Grant] = [],
        purse: Purse = Purse()
    ) -> Account {
        guard let user = UserID(name) else { fatalError("\(name) is no user id") }
        return Account(
            user: user,
            opened: now,
            flags: [.everCredited],
            purse: purse,
            subscriptions: slots.indices.map {
                let id = String(2_000_000_000_000_000 + $0)
                return SubscriptionKey(store: .appStore, environment: .production, originalID: id)
            },
            tokens: [],
            slots: slots.enumerated()
                .map { number, slot in
                    Slot(
                        ordinal: UInt16(number),
                        store: .appStore,
                        environment: .production,
                        product: 0,
                        marks: slot.grace == nil ? [] : [.billingProblem],
                        from: after(slot.from),
                        paidUntil: after(slot.until),
                        graceUntil: slot.grace.map { after($0) } ?? .distantPast
                    )
                },
            grants: grants
        )
    }
    let buckets = (0..<Limits.bucketsMax - 1)
        .map { Bucket(source: "gift", until: after(1_000 + 100 * $0), amount: 3) }
    let holds = (0..<Limits.holdsMax)
        .map { number in
            Hold(
                id: UInt64(number) + 1,
                until: after(100 + number),
                parts: Array(buckets[number..<(number + 2)])
            )
        }
    let count = Limits.slotsMax
    let grants = (0..<Limits.grantsMax)
        .map {
            Grant(
                id: UInt64($0) + 1,
                plan: 1,
                from: after(100 * $0 - 10),
                until: after(100 * $0 + 150),
                storeCode: 0
            )
        }
    return [
        account("one subscription", [(-9_000, 9_000, nil)]),
        account(
            "\(buckets.count) dated buckets",
            purse: Purse(buckets: buckets, holds: [], debt: 0)
        ),
        account("and \(holds.count) holds", purse: Purse(buckets: buckets, holds: holds, debt: 0)),
        account("\(count) lapsed subscriptions", (0..<count).map { (-9_000, -1 - $0, nil) }),
        account("\(count) paid subscriptions", (0..<count).map { (-9_000, 999 + 10 * $0, nil) }),
        account("\(count) in grace", (0..<count).map { (-9_000, -1 - $0, 100 + $0) }),
        account("\(grants.count) grants", grants: grants),
    ]
}

/// Opened once for each time that somebody waits.
final class Turnstile: Sendable {
    // SAFETY: a semaphore may be used by any thread; freed in deinit.
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }
    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func open() { sem_post(semaphore) }
    func wait() { while sem_wait(semaphore) != 0 {} }
}
