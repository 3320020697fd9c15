import Entitlements
import Synchronization

/// The notifications of which their store has still to be asked, as far as they are known here.
///
/// They stand in the tables, and are looked for there once; then this follows what is answered.
/// Each store has room of its own. Where one has too many, those behind are looked for again once
/// half of them are answered.
final class AnnouncementList: Sendable {
    private struct State {
        var waiting: [Store: [NotificationID: (seq: UInt64, entry: WaitingNotification)]] = [:]
        /// Whether the tables were looked through.
        var isSearched = false
        /// The stores of which the tables may have others.
        var incomplete: Set<Store> = []
    }

    private let state = Mutex(State())

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Whether the tables must be looked through for those of `store`.
    func needsSearch(for store: Store) -> Bool {
        state.withLock { state in
            guard state.isSearched else { return true }
            let count = state.waiting[store]?.count ?? 0
            return state.incomplete.contains(store) && count <= MethodLimits.announcementsMax / 2
        }
    }

    /// Those of `store`, the oldest first.
    func waiting(for store: Store) -> [WaitingNotification] {
        state.withLock { state in
            (state.waiting[store] ?? [:]).values.sorted { $0.seq < $1.seq }.map(\.entry)
        }
    }

    /// Takes in one that waits, and is in the journal at `seq` or shortly before; where there are
    /// too many, those behind are looked for later.
    func add(_ entry: WaitingNotification, at seq: UInt64) {
        guard let store = entry.notification.announcement?.store else { return }
        state.withLock { state in
            if state.waiting[store]?.count ?? 0 < MethodLimits.announcementsMax {
                state.waiting[store, default: [:]][entry.notification.id] = (seq, entry)
            } else {
                state.incomplete.insert(store)
            }
        }
    }

    /// Notes that the tables are looked through from their beginning; until the end of that they
    /// count as not looked through.
    func beginSearch() {
        state.withLock { state in
            state.incomplete = []
            state.isSearched = false
        }
    }

    /// Notes that they were, to their end.
    func endSearch() { state.withLock { $0.isSearched = true } }

    /// The store was asked.
    func remove(_ id: NotificationID) {
        state.withLock { state in
            for store in state.waiting.keys { state.waiting[store]?[id] = nil }
        }
    }
}
