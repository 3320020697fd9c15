import Chance
import Entitlements
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// Charges, grants and questions that run at the same time have answers that some order of single
/// steps would give, one that keeps what was over before what began later (Wing and Gong, 1993).
struct CreditLinearizabilityTests {
    private static let histories = 1_000
    private static let lanes = 4
    private static let steps = 4
    /// Histories that run side by side, about different users.
    private static let together = 8

    /// What somebody did, when it began and when it was answered.
    struct Deed: Hashable, Sendable, CustomStringConvertible {
        enum Kind: Hashable, Sendable {
            case grant(Int64)
            case consume(Int64)
            case ask
        }

        let kind: Kind
        let began: Int
        let ended: Int
        /// What was left; nil where there was too little.
        let left: Int64?
        /// For a charge that was refused: what was there.
        let there: Int64

        var description: String { "\(began)-\(ended) \(kind) \(left ?? -1) \(there)" }

        /// The balance after it, if its answer is right at `balance`.
        func balance(after balance: Int64) -> Int64? {
            switch kind {
            case .grant(let amount): left == balance + amount ? left : nil
            case .consume(let amount):
                if balance >= amount {
                    left == balance - amount ? left : nil
                } else {
                    left == nil && there == balance ? balance : nil
                }
            case .ask: there == balance ? balance : nil
            }
        }
    }

    /// Whether some order explains `deeds`: tries every one that may come next, and remembers what
    /// led nowhere.
    static func isLinearizable(_ deeds: [Deed]) -> Bool {
        struct Place: Hashable {
            let done: UInt64
            let balance: Int64
        }
        var seen: Set<Place> = []
        var open = [Place(done: 0, balance: 0)]
        let all = (UInt64(1) << UInt64(deeds.count)) - 1
        while let place = open.popLast() {
            if place.done == all { return true }
            guard seen.insert(place).inserted else { continue }
            let rest = deeds.indices.filter { place.done & (1 << UInt64($0)) == 0 }
            let firstEnd = rest.map { deeds[$0].ended }.min() ?? .max
            for index in rest where deeds[index].began < firstEnd {
                guard let balance = deeds[index].balance(after: place.balance) else { continue }
                open.append(Place(done: place.done | 1 << UInt64(index), balance: balance))
            }
        }
        return false
    }

    @Test func `a thousand histories of grants, charges and questions are linearizable`()
        async throws
    {
        let random = SplitMix64.told()
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let clock = LogicalClock()
        var (deeds, overlapping, refused) = (0, 0, 0)
        for first in stride(from: 0, to: Self.histories, by: Self.together) {
            let histories = await withTaskGroup(of: [Deed].self) { group in
                for number in first..<min(first + Self.together, Self.histories) {
                    var random = random
                    for _ in 0...number { _ = random.next() }
                    let seed = random.next()
                    group.addTask { await Self.history(number, seed, ledger, clock) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for history in histories {
                #expect(history.count == Self.lanes * Self.steps)
                #expect(Self.isLinearizable(history), "\(history)")
                deeds += history.count
                refused += history.count { $0.left == nil && $0.kind != .ask }
                let order = history.sorted { $0.began < $1.began }
                overlapping += zip(order, order.dropFirst()).count { $0.ended > $1.began }
            }
        }
        print("\(Self.histories) histories, \(deeds) deeds, \(overlapping) overlap the next one,")
        print("\(refused) charges refused")
        #expect(overlapping > deeds / 2, "they did run at the same time")
        #expect(refused > deeds / 50)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `what no order explains is found`() {
        func deed(
            _ kind: Deed.Kind,
            _ began: Int,
            _ ended: Int,
            _ left: Int64?,
            _ there: Int64 = 0
        )
            -> Deed
        { Deed(kind: kind, began: began, ended: ended, left: left, there: there) }
        let grant = deed(.grant(1), 0, 1, 1)
        let twice = [grant, deed(.consume(1), 2, 5, 0), deed(.consume(1), 3, 4, 0)]
        #expect(!Self.isLinearizable(twice), "the last credit was spent twice")
        let stale = [grant, deed(.consume(1), 2, 3, 0), deed(.ask, 4, 5, nil, 1)]
        #expect(!Self.isLinearizable(stale), "an old balance was read")
        let lost = [grant, deed(.grant(2), 2, 3, 2)]
        #expect(!Self.isLinearizable(lost), "a grant was lost")
        let early = [grant, deed(.ask, 2, 5, nil, 0), deed(.consume(1), 3, 4, 0)]
        #expect(Self.isLinearizable(early), "it may have been asked later than it began")
    }

    private static func history(
        _ number: Int,
        _ seed: UInt64,
        _ ledger: Ledger,
        _ clock: LogicalClock
    ) async -> [Deed] {
        await withTaskGroup(of: [Deed].self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    var random = SplitMix64(seed: seed &+ UInt64(lane))
                    var deeds: [Deed] = []
                    for step in 0..<steps {
                        let key = digest(number * 100 + lane * 10 + step)
                        let deed = await deed(&random, number, key, ledger, clock)
                        if let deed { deeds.append(deed) }
                    }
                    return deeds
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func deed(
        _ random: inout SplitMix64,
        _ number: Int,
        _ digest: Digest256,
        _ ledger: Ledger,
        _ clock: LogicalClock
    ) async -> Deed? {
        guard let user = UserID("history \(number)") else { return nil }
        let key = IdempotencyKey(user: user, digest: digest)
        let amount = Int64(random.pick(1..<4))
        let choice = random.pick(0..<8)
        let began = clock.tick()
        if choice == 0 {
            guard
                let there = try? ledger.look({ reader in
                    try reader.answer(of: user)?.spendable(at: Moment(.max - 1)) ?? 0
                })
            else { return nil }
            return Deed(kind: .ask, began: began, ended: clock.tick(), left: nil, there: there)
        }
        let isGrant = choice < 4
        let charge = Charge(user: user, amount: amount, key: key, fingerprint: digest)
        let order = CreditOrder(
            user: user,
            amount: amount,
            key: key,
            fingerprint: digest,
            until: nil,
            source: "gift",
            reason: "",
            isAdjustment: false
        )
        let said = await withCheckedContinuation { continuation in
            ledger.submit(isGrant ? .credit(order) : .charge(charge)) {
                continuation.resume(returning: $0)
            }
        }
        let ended = clock.tick()
        let kind: Deed.Kind = isGrant ? .grant(amount) : .consume(amount)
        switch try? said.get().outcome {
        case .credited(let left, nil), .charged(.consumed, let left, nil):
            return Deed(kind: kind, began: began, ended: ended, left: left, there: 0)
        case .charged(.insufficient, let there, nil):
            return Deed(kind: kind, began: began, ended: ended, left: nil, there: there)
        default: return nil
        }
    }
}

/// Tells what was over before something else began.
private final class LogicalClock: Sendable {
    private let last = Atomic<Int>(0)

    func tick() -> Int { last.add(1, ordering: .sequentiallyConsistent).newValue }
}
