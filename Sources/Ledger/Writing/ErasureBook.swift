import Entitlements
import Glibc
import Journal
import Synchronization

// How the names of erased persons are removed from the disk: the journal is rewritten.
//
// The steps have a fixed order, so that a crash at any moment is harmless:
//  - the file `erasing` is created as a mark in the directory;
//  - the erasure is written to the journal;
//  - the views are stored without the person;
//  - the base and the segments are rewritten one by one, the erasure's own entry last;
//  - the mark is removed.
//
// A start that finds the mark continues from there.

/// The erasures whose names are not yet removed from the journal.
final class ErasureBook: Sendable {
    private struct Content {
        /// Positions of erasures that are in journal and views; their names are still in the
        /// journal.
        var waiting: [UInt64] = []
        /// How many erasures are about to be journalled.
        var announced = 0
        /// Whether the mark is on disk.
        var isMarkFlushed = false
        /// Whether the unfinished erasures must still be looked up in the journal, after a start
        /// that found the mark.
        var isUnread = false
    }

    private let content = Mutex(Content())
    private let markPath: String
    private let directory: String
    /// Held while segments are replaced and while they are copied.
    let segments = Mutex<Void>(())
    /// How often the journal was searched for names.
    var passes: Int { passCount.load(ordering: .relaxed) }
    private let passCount = Atomic<Int>(0)

    init(directory: String) {
        self.directory = directory
        markPath = directory + "/erasing"
    }

    /// Whether the mark exists: an erasure was begun and may be unfinished.
    var isMarked: Bool {
        // SAFETY: access reads the path only.
        access(markPath, F_OK) == 0
    }

    /// Creates the mark, before an erasure is journalled.
    func announce() throws(LedgerFailure) {
        var failure: LedgerFailure?
        let isMarked = content.withLock { content in
            // One mark serves all erasures. It stays while any of them is announced.
            if content.isMarkFlushed {
                content.announced += 1
                return true
            }
            // SAFETY: a plain system call; the descriptor is owned here and closed once.
            let descriptor = open(markPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                failure =
                    LedgerFailure.isFull(errno)
                    ? .storageFull : .failed("\(markPath): errno \(errno)")
                return true
            }
            close(descriptor)
            return false
        }
        if let failure { throw failure }
        if isMarked { return }
        try Self.flush(directory)
        content.withLock { content in
            content.isMarkFlushed = true
            content.announced += 1
        }
    }

    /// Notes that an announced erasure is on disk at `seq`, or, with nil, that it was not decided.
    func note(_ seq: UInt64?) {
        content.withLock { content in
            content.announced -= 1
            if let seq { content.waiting.append(seq) }
        }
    }

    /// Requires that the unfinished erasures be looked up in the journal before the mark is
    /// removed.
    func expect() { content.withLock { $0.isUnread = true } }

    var isUnread: Bool { content.withLock { $0.isUnread } }

    /// Takes all erasures of the journal; any of them may be unfinished.
    func found(_ seqs: [UInt64]) {
        content.withLock { content in
            content.waiting += seqs
            content.isUnread = false
        }
    }

    /// Takes the erasures that a start found in the entries that it replayed.
    func resume(_ seqs: [UInt64]) { content.withLock { $0.waiting += seqs } }

    /// The positions of the erasures that wait for the rewriting.
    var waiting: [UInt64] { content.withLock { $0.waiting } }

    /// Notes that `seqs` are done; removes the mark if no other erasure waits.
    func finish(_ seqs: [UInt64]) {
        content.withLock { content in
            content.waiting.removeAll { seqs.contains($0) }
            guard content.waiting.isEmpty, content.announced == 0, !content.isUnread else {
                return
            }
            // SAFETY: unlink reads the path only. If the mark stays, the next start only searches
            // once more.
            unlink(markPath)
            content.isMarkFlushed = false
        }
    }

    func notePass() { passCount.add(1, ordering: .relaxed) }

    static func flush(_ directory: String) throws(LedgerFailure) {
        // SAFETY: plain system calls on a descriptor that this function owns.
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("\(directory): errno \(errno)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("\(directory): errno \(errno)") }
    }
}

extension ErasureBook {
    /// Removes the names of all erased persons from base and journal.
    ///
    /// - Parameters:
    ///   - base: the base.
    ///   - journal: the journal.
    ///   - views: without the persons, and stored.
    /// - Throws: where something cannot be read or written; the erasures stay unfinished.
    func finish(
        _ base: Base,
        _ journal: any Journal,
        beside views: Views
    ) throws(LedgerFailure) {
        var failure: LedgerFailure?
        segments.withLock { _ in
            do {
                if isUnread { found(try known(journal)) }
                // One pass serves all waiting erasures; those that come during it wait for the
                // next.
                let waiting = Set(self.waiting).sorted()
                guard let last = waiting.last else { return finish([]) }
                // Install a valid copy first: the journal's mark applies to both copies.
                try base.settle()
                // Then the journal's own, which failed midway: to change nothing completes it.
                if base.isCopyTrusted {
                    try journal.rewrite(through: 0, onCommit: {}) { _ in nil }
                }
                let persons = try pseudonyms(at: waiting, journal, views)
                if !persons.isEmpty { try base.copy(erasing: persons) }
                notePass()
                try journal.rewrite(through: last, onCommit: { try base.settle() }) { entry in
                    try persons.rewritten(entry)
                }
                try base.settle()
                finish(waiting)
            } catch {
                failure = LedgerFailure(error)
                // Removes a copy of the base that is not valid.
                try? base.settle()
            }
        }
        if let failure { throw failure }
    }

    /// Finishes erasures that a crash interrupted, before the first request is answered.
    ///
    /// - Returns: why they are still unfinished, if there is no space for the copies, or journal or
    ///   base cannot be read in a place that nothing else needs. The ledger opens nevertheless.
    /// - Throws: if the views are damaged.
    func resume(
        _ checkpointer: Checkpointer,
        _ base: Base,
        _ journal: any Journal,
        beside views: Views
    ) throws(LedgerFailure) -> LedgerFailure? {
        expect()
        do throws(LedgerFailure) {
            try checkpointer.settle()
        } catch {
            if case .damaged = error { throw error }
            return error
        }
        do throws(LedgerFailure) {
            try finish(base, journal, beside: views)
            return nil
        } catch {
            return error
        }
    }

    /// The names in the entries of the erasures at `seqs`, except those that are already rewritten.
    private func pseudonyms(
        at seqs: [UInt64],
        _ journal: any Journal,
        _ views: Views
    ) throws -> Pseudonyms {
        let memory = JournalMemory()
        var found: [(seq: UInt64, erasure: Erasure)] = []
        for seq in seqs {
            guard let entry = try journal.entry(seq, remembering: memory) else { continue }
            for case .erased(let erasure) in try EntryBody.events(of: entry)
            where !erasure.isRewritten { found.append((seq, erasure)) }
        }
        if found.isEmpty { return Pseudonyms([]) }
        let purchases = found.flatMap(\.erasure.traces.subscriptions)
        return Pseudonyms(found, beside: try views.others(than: purchases))
    }

    /// The positions of all erasures in the journal; some may be finished.
    private func known(_ journal: any Journal) throws -> [UInt64] {
        var seqs: [UInt64] = []
        try journal.read(after: nil) { _, entries in
            seqs += entries.filter { $0.kind == EntryKind.erase.rawValue }.map(\.seq)
            return true
        }
        return seqs
    }
}
