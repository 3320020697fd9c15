import Entitlements
import Synchronization

/// The notifications of which their store has still to be asked, as far as they are known here.
///
/// They stand in the tables, and are looked for there once; then this follows what is answered.
final class AnnouncementList: Sendable {
    private struct State {
        var waiting: [NotificationID: Notification] = [:]
        /// Whether there may be others in the tables.
        var isWhole = false
    }

    private let state = Mutex(State())

    /// Whether none waits that is not in here.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Those of `store`, the oldest first.
    func waiting(for store: Store) -> [Notification] {
        state.withLock { state in
            let own = state.waiting.values.filter { $0.announcement?.store == store }
            return own.sorted { $0.id < $1.id }
        }
    }

    /// Takes in one that waits; where there are too many, those behind are looked for later.
    func add(_ notification: Notification) {
        state.withLock { state in
            if state.waiting.count < MethodLimits.announcementsMax {
                state.waiting[notification.id] = notification
            } else {
                state.isWhole = false
            }
        }
    }

    /// Notes that the tables were looked through.
    ///
    /// - Parameter isAll: whether there was room for all of them.
    func noteSearch(isAll: Bool) { state.withLock { $0.isWhole = isAll } }

    /// The store was asked.
    func remove(_ id: NotificationID) { state.withLock { $0.waiting[id] = nil } }
}
