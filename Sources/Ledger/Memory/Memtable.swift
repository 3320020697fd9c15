import Synchronization

/// The rows that stand in front of LMDB until the checkpointer has stored them.
///
/// Laws:
///  - M1. The writer puts into the active layer, and publishes the position only after the rows.
///  - M2. The checkpointer freezes the active layer, stores it, and drops it: at most two layers
///    are in use.
///  - M3. A reader holds the layers that it found; what somebody holds is not freed.
///  - M4. Readers take no lock; writer and checkpointer take one for as long as it takes to put a
///    group.
final class Memtable: Sendable {
    /// What is in use at a moment; replaced as a whole.
    final class Layers: Sendable {
        let active: Layer
        /// The layer that is being stored.
        let frozen: Layer?
        /// A view of LMDB from this commit on has whatever was dropped.
        let commit: Int

        init(active: Layer, frozen: Layer?, commit: Int) {
            self.active = active
            self.frozen = frozen
            self.commit = commit
        }
    }

    /// Where one reader says which layers it holds.
    final class Hold: Sendable {
        // SAFETY: retained by `inside` while a hold names them; see `sweep`.
        fileprivate let layers = Atomic<Unmanaged<Layers>?>(nil)
    }

    private struct Inside {
        var layers: Layers
        var retired: [Layers] = []
        var holds: [Hold] = []
    }

    private let inside: Mutex<Inside>
    // The layers of `inside`, for those who take no lock.
    // SAFETY: retained by `inside`, where they are replaced under the mutex.
    private let current: Atomic<Unmanaged<Layers>>
    private let pulse: LedgerPulse
    private let marks: ChangeMarks?

    /// An empty one, in front of views as of `seq`.
    init(_ pulse: LedgerPulse, seq: UInt64, marks: ChangeMarks? = nil) {
        pulse.seq.store(seq, ordering: .releasing)
        let layers = Layers(active: Layer(), frozen: nil, commit: 0)
        self.pulse = pulse
        self.marks = marks
        inside = Mutex(Inside(layers: layers))
        // SAFETY: `inside` retains them.
        current = Atomic(Unmanaged.passUnretained(layers))
    }

    /// The last position whose rows are here or beneath.
    var seq: UInt64 { pulse.seq.load(ordering: .acquiring) }

    /// The versions in the active layer, and the memory that they take.
    var active: (changes: Int, bytes: Int) {
        inside.withLock { ($0.layers.active.changes, $0.layers.active.bytes) }
    }

    /// Whether there is nothing to store.
    var isEmpty: Bool {
        inside.withLock { $0.layers.active.changes == 0 && $0.layers.frozen == nil }
    }

    /// From now on readers get another catalog; answers as of now may be by the one before.
    func noteCatalog() { marks?.noteCatalog(seq: seq) }

    /// Shows `changes` to every reader that wakes from now on, as of `seq`; keeps M1.
    ///
    /// - Returns: how many versions are in the active layer, and the memory that they take.
    func keep(_ changes: borrowing RowChanges, seq: UInt64) -> (changes: Int, bytes: Int) {
        marks?.note(changes, seq: seq)
        return inside.withLock { inside in
            let layer = inside.layers.active
            for row in changes.rows { layer.put(row.sealed, row.key, in: row.table, seq: seq) }
            pulse.seq.store(seq, ordering: .releasing)
            return (layer.changes, layer.bytes)
        }
    }

    /// The layer that was frozen and not dropped.
    var frozen: Layer? { inside.withLock { $0.layers.frozen } }

    /// Takes the layer to be stored from under the writer; nil where nothing has changed.
    ///
    /// Only the checkpointer calls this, and once it has dropped the layer before.
    func freeze() -> Layer? {
        let fresh = Layer()
        return inside.withLock { inside in
            let now = inside.layers
            precondition(now.frozen == nil, "one layer is stored after the other")
            guard now.active.changes > 0 else { return nil }
            replace(
                Layers(active: fresh, frozen: now.active, commit: now.commit),
                in: &inside
            )
            return now.active
        }
    }

    /// The layer that was frozen is in LMDB since `commit`.
    func drop(storedIn commit: Int) {
        inside.withLock { inside in
            let now = inside.layers
            replace(Layers(active: now.active, frozen: nil, commit: commit), in: &inside)
        }
        sweep()
    }

    /// Frees the layers that nobody holds any more; answers whether some are still held.
    @discardableResult
    func sweep() -> Bool {
        // Freed outside of the lock: it takes its time.
        let (free, isHeld): ([Layers], Bool) = inside.withLock { inside in
            var free: [Layers] = []
            var held: [Layers] = []
            for layers in inside.retired {
                // SAFETY: compared as an address; nothing is reached by it.
                let place = Unmanaged.passUnretained(layers).toOpaque()
                let isHeld = inside.holds.contains { hold in
                    hold.layers.load(ordering: .sequentiallyConsistent)?.toOpaque() == place
                }
                if isHeld { held.append(layers) } else { free.append(layers) }
            }
            inside.retired = held
            return (free, !held.isEmpty)
        }
        withExtendedLifetime(free) {}
        return isHeld
    }

    private func replace(_ layers: Layers, in inside: inout Inside) {
        inside.retired.append(inside.layers)
        inside.layers = layers
        // SAFETY: `inside` retains the new ones, and keeps the old ones until nobody holds them.
        current.store(Unmanaged.passUnretained(layers), ordering: .sequentiallyConsistent)
    }

    /// A place for one more reader.
    func makeHold() -> Hold {
        let hold = Hold()
        inside.withLock { $0.holds.append(hold) }
        return hold
    }

    func remove(_ hold: Hold) {
        release(hold)
        inside.withLock { inside in inside.holds.removeAll { $0 === hold } }
    }

    /// The layers of now, which stay until `release`; keeps M3.
    ///
    /// What was announced before it was found current again is seen by every later `sweep`.
    // SAFETY: announced in `hold` before they were found current again, so no sweep frees them.
    func take(_ hold: Hold) -> Unmanaged<Layers> {
        var found = current.load(ordering: .sequentiallyConsistent)
        while true {
            hold.layers.store(found, ordering: .sequentiallyConsistent)
            let again = current.load(ordering: .sequentiallyConsistent)
            if again.toOpaque() == found.toOpaque() { return found }
            found = again
        }
    }

    func release(_ hold: Hold) { hold.layers.store(nil, ordering: .releasing) }
}
