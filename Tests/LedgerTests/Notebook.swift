import Synchronization

/// What several threads note down, in order.
final class Notebook<Note: Sendable>: Sendable {
    private let pages = Mutex<[Note]>([])

    func note(_ note: Note) { pages.withLock { $0.append(note) } }

    var notes: [Note] { pages.withLock { $0 } }
}
