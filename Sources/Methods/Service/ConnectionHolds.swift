import Ledger
import Synchronization

/// The holds that return when their connection ends.
final class ConnectionHolds: Sendable {
    private let ledger: Ledger
    private let state = Mutex<State>(State())

    private struct State {
        var isOpen = true
        var made = 0
        /// By id, the how manyth of this connection it is: they end in the order in which they were
        /// made.
        var places: [UInt64: Int] = [:]
    }

    init(_ ledger: Ledger) { self.ledger = ledger }

    /// One more; it returns at once where the connection has ended already.
    func add(_ id: UInt64) {
        let isOpen = state.withLock { state in
            state.made += 1
            state.places[id] = state.made
            return state.isOpen
        }
        if !isOpen { ledger.endLeases([id]) }
    }

    /// One that was committed, released, or has ended.
    func remove(_ id: UInt64) { state.withLock { $0.places[id] = nil } }

    /// The connection has ended.
    func endAll() {
        let places = state.withLock { state in
            defer { state = State(isOpen: false) }
            return state.places
        }
        ledger.endLeases(places.sorted { $0.value < $1.value }.map(\.key))
    }
}
