import Entitlements
import Glibc
import Journal
import Synchronization

// What an erasure leaves on the disk, made good: the journal is rewritten.
//
// The order is what makes a crash at any moment harmless: a mark in the directory, the erasure in
// the journal, the views without the person, the base and the segments one by one with the
// erasure's own entry as the last, the pages, and then the mark is removed. A start that finds the
// mark goes on from there.

/// Which erasures are not done yet.
final class ErasureBook: Sendable {
    private struct Content {
        /// Journalled and in the views; their names still stand in the journal.
        var waiting: [UInt64] = []
        /// About to be journalled.
        var announced = 0
        /// The mark is there, on the disk.
        var isMarkFlushed = false
        /// A start found the mark, and could not read in the journal which are not done.
        var isUnread = false
    }

    private let content = Mutex(Content())
    private let markPath: String
    private let directory: String
    /// Held while segments are replaced and while they are copied.
    let segments = Mutex<Void>(())
    /// How often the journal was looked through for names.
    var passes: Int { passCount.load(ordering: .relaxed) }
    private let passCount = Atomic<Int>(0)

    init(directory: String) {
        self.directory = directory
        markPath = directory + "/erasing"
    }

    /// Whether an erasure was begun and perhaps not finished.
    var isMarked: Bool {
        // SAFETY: access reads the path only.
        access(markPath, F_OK) == 0
    }

    /// Marks the directory, before an erasure is journalled.
    func announce() throws(LedgerFailure) {
        var failure: LedgerFailure?
        let isMarked = content.withLock { content in
            // One mark stands for all; it stays while somebody has announced an erasure.
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
            content.announced += 1
            return false
        }
        if let failure { throw failure }
        if isMarked { return }
        try Self.flush(directory)
        content.withLock { $0.isMarkFlushed = true }
    }

    /// The erasure at `seq` is on the disk; nil: it did not come to one.
    func note(_ seq: UInt64?) {
        content.withLock { content in
            content.announced -= 1
            if let seq { content.waiting.append(seq) }
        }
    }

    /// Those that are not done must be looked up in the journal, before the mark may go.
    func expect() { content.withLock { $0.isUnread = true } }

    var isUnread: Bool { content.withLock { $0.isUnread } }

    /// All that are in the journal: what the mark may stand for.
    func found(_ seqs: [UInt64]) {
        content.withLock { content in
            content.waiting += seqs
            content.isUnread = false
        }
    }

    /// Those that a start found in what the views lacked.
    func resume(_ seqs: [UInt64]) { content.withLock { $0.waiting += seqs } }

    /// The erasures that wait.
    var waiting: [UInt64] { content.withLock { $0.waiting } }

    /// `seqs` are done; where no other waits, the mark goes.
    func finish(_ seqs: [UInt64]) {
        content.withLock { content in
            content.waiting.removeAll { seqs.contains($0) }
            guard content.waiting.isEmpty, content.announced == 0, !content.isUnread else {
                return
            }
            // SAFETY: unlink reads the path only. A mark that stays costs the next start a look.
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
    /// Takes the names of everybody erased out of base and journal.
    func finish(_ base: Base, _ journal: any Journal) throws(LedgerFailure) {
        var failure: LedgerFailure?
        segments.withLock { _ in
            do {
                if isUnread { found(try known(journal)) }
                // One pass for all that wait; those that come meanwhile are the next one's.
                let waiting = Set(self.waiting).sorted()
                guard let last = waiting.last else { return finish([]) }
                // One that holds goes first: the journal's mark says so of both.
                try base.settle()
                let persons = try pseudonyms(at: waiting, journal)
                if !persons.isEmpty { try base.copy(erasing: persons) }
                notePass()
                try journal.rewrite(through: last, onCommit: { try base.settle() }) { entry in
                    try persons.rewritten(entry)
                }
                try base.settle()
                finish(waiting)
            } catch {
                failure = LedgerFailure(error)
                // A copy of the base that does not hold.
                try? base.settle()
            }
        }
        if let failure { throw failure }
    }

    /// Finishes what a crash interrupted, before anybody is answered.
    ///
    /// - Returns: why it is still unfinished, where the journal or the base is damaged in a place
    ///   that nothing else needs: then the ledger opens all the same.
    func resume(
        _ checkpointer: Checkpointer,
        _ base: Base,
        _ journal: any Journal
    ) throws -> LedgerFailure? {
        try checkpointer.settle()
        expect()
        do throws(LedgerFailure) {
            try finish(base, journal)
            return nil
        } catch {
            guard case .damaged = error else { throw error }
            return error
        }
    }

    /// What the journal says of the erasures at `seqs`, where it is not rewritten yet.
    private func pseudonyms(at seqs: [UInt64], _ journal: any Journal) throws -> Pseudonyms {
        let memory = JournalMemory()
        var found: [(seq: UInt64, erasure: Erasure)] = []
        for seq in seqs {
            guard let entry = try journal.entry(seq, remembering: memory) else { continue }
            for case .erased(let erasure) in try EntryBody.events(of: entry)
            where !erasure.isRewritten { found.append((seq, erasure)) }
        }
        return Pseudonyms(found)
    }

    /// The erasures in the journal; some of them may be done.
    private func known(_ journal: any Journal) throws -> [UInt64] {
        var seqs: [UInt64] = []
        try journal.read(after: nil) { _, entries in
            seqs += entries.filter { $0.kind == EntryKind.erase.rawValue }.map(\.seq)
            return true
        }
        return seqs
    }
}
