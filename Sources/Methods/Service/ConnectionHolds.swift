import DequeModule
import Synchronization

/// The holds that return when their connection ends.
final class ConnectionHolds: Sendable {
    private let end: @Sendable ([UInt64]) -> Void
    private let state = Mutex<State>(State())

    private struct State {
        var isOpen = true
        var made = 0
        /// By id, the how manyth of this connection it is: they end in the order in which they were
        /// made.
        var places: [UInt64: Int] = [:]
        /// The same ids, and some that went since, in the order in which they are looked at.
        var round: Deque<UInt64> = []
    }

    /// - Parameter end: returns the credits of these holds, in this order.
    init(end: @escaping @Sendable ([UInt64]) -> Void) { self.end = end }

    /// One more; it returns at once where the connection has ended already.
    func add(_ id: UInt64) {
        let isOpen = state.withLock { state in
            state.made += 1
            state.places[id] = state.made
            state.round.append(id)
            return state.isOpen
        }
        if !isOpen { end([id]) }
    }

    /// One that was committed or released over this connection.
    func remove(_ id: UInt64) { state.withLock { $0.places[id] = nil } }

    /// Two of them in turn, to see whether they are still held; none while they are few.
    ///
    /// A hold may end without this connection: another one commits it, or its time is over.
    func nextToLookAt() -> [UInt64] {
        state.withLock { state in
            guard state.round.count >= MethodLimits.connectionHoldsUsual else { return [] }
            for _ in 0..<2 {
                guard let first = state.round.first, state.places[first] == nil else { break }
                state.round.removeFirst()
            }
            return state.round.prefix(2).filter { state.places[$0] != nil }
        }
    }

    /// What became of those: `ended` are forgotten, the rest is looked at again after all others.
    func forget(_ ended: Set<UInt64>, of asked: [UInt64]) {
        state.withLock { state in
            for id in ended { state.places[id] = nil }
            guard state.round.starts(with: asked) else { return }
            state.round.removeFirst(asked.count)
            state.round.append(contentsOf: asked.filter { state.places[$0] != nil })
        }
    }

    /// The connection has ended.
    func endAll() {
        let places = state.withLock { state in
            defer { state = State(isOpen: false) }
            return state.places
        }
        end(places.sorted { $0.value < $1.value }.map(\.key))
    }
}
