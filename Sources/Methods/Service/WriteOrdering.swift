import Entitlements
import Synchronization

/// Keeps the writes of one connection that concern the same user in the order in which they were
/// sent.
///
/// A write that must first be looked at (a signature, a question to the store) holds back those
/// behind it of the same user, and no others, until its command is in the ledger's queue. Nothing
/// is kept of writes that wait for nothing.
final class WriteOrdering: Sendable {
    typealias Step = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    /// Whom a write concerns.
    enum Scope: Sendable {
        /// Each once.
        case users([UserID])
        /// Anybody: it comes after all before it, and before all behind it.
        case anybody
    }

    /// A write that was begun and is not in the ledger's queue yet, or waits to begin.
    private struct Entry {
        let scope: Scope
        let step: Step
        /// How many earlier ones it waits for.
        var blockers: Int
        /// The later ones that wait for it, in their order.
        var followers: [UInt64] = []
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// The last one of each user since the last one of anybody.
        var lastOf: [UserID: UInt64] = [:]
        /// The last one of anybody.
        var lastOfAnybody: UInt64?
        var lastNumber: UInt64 = 0
        /// How many wait to begin.
        var waiting = 0

        /// Those that one of `scope` must come after; what they wait for comes before it, too.
        func blockers(of scope: Scope) -> [UInt64] {
            switch scope {
            case .users(let users):
                Set(users.compactMap { lastOf[$0] ?? lastOfAnybody }).sorted()
            case .anybody where lastOf.isEmpty: [lastOfAnybody].compactMap { $0 }
            case .anybody: Set(lastOf.values).sorted()
            }
        }

        mutating func add(_ entry: Entry, behind before: [UInt64]) -> UInt64 {
            lastNumber += 1
            entries[lastNumber] = entry
            for earlier in before { entries[earlier]?.followers.append(lastNumber) }
            switch entry.scope {
            case .users(let users): for user in users { lastOf[user] = lastNumber }
            case .anybody:
                lastOf.removeAll()
                lastOfAnybody = lastNumber
            }
            if entry.blockers > 0 { waiting += 1 }
            return lastNumber
        }

        /// Answers the writes that may begin because `number` is done.
        mutating func remove(_ number: UInt64) -> [(number: UInt64, step: Step)] {
            guard let entry = entries.removeValue(forKey: number) else { return [] }
            if case .users(let users) = entry.scope {
                for user in users where lastOf[user] == number { lastOf[user] = nil }
            }
            if lastOfAnybody == number { lastOfAnybody = nil }
            var next: [(number: UInt64, step: Step)] = []
            for follower in entry.followers {
                entries[follower]?.blockers -= 1
                guard let freed = entries[follower], freed.blockers == 0 else { continue }
                waiting -= 1
                next.append((number: follower, step: freed.step))
            }
            return next
        }
    }

    private let state = Mutex(State())

    /// Whether no write is under way; stays so for whoever alone may `enter`.
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// Whether a write of `scope` would wait for nothing; stays so likewise.
    func isFree(for scope: Scope) -> Bool { state.withLock { $0.blockers(of: scope).isEmpty } }

    /// Runs `step` when those before it that concern the same user are done.
    ///
    /// It calls `done` once its command is in the ledger's queue, or where there will be none.
    /// Answers false when too many wait.
    func enter(_ scope: Scope, _ step: @escaping Step) -> Bool {
        enum Turn {
            case now(UInt64)
            case later
            case never
        }
        let turn = state.withLock { state in
            let before = state.blockers(of: scope)
            guard before.isEmpty || state.waiting < MethodLimits.waitingWritesMax else {
                return Turn.never
            }
            let entry = Entry(scope: scope, step: step, blockers: before.count)
            let number = state.add(entry, behind: before)
            return before.isEmpty ? .now(number) : .later
        }
        switch turn {
        case .now(let number):
            begin(number, step)
            return true
        case .later: return true
        case .never: return false
        }
    }

    private func begin(_ number: UInt64, _ step: Step) {
        step { [self] in
            for (number, step) in state.withLock({ $0.remove(number) }) { begin(number, step) }
        }
    }
}
