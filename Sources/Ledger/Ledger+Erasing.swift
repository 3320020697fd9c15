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
    }

    private let content = Mutex(Content())
    private let markPath: String
    private let directory: String
    /// Held while segments are replaced and while they are copied.
    let segments = Mutex<Void>(())

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
        content.withLock { content in
            // SAFETY: a plain system call; the descriptor is owned here and closed once.
            let descriptor = open(markPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                failure =
                    LedgerFailure.isFull(errno)
                    ? .storageFull : .failed("\(markPath): errno \(errno)")
                return
            }
            close(descriptor)
            content.announced += 1
        }
        if let failure { throw failure }
        try Self.flush(directory)
    }

    /// The erasure at `seq` is on the disk; nil: it did not come to one.
    func note(_ seq: UInt64?) {
        content.withLock { content in
            content.announced -= 1
            if let seq { content.waiting.append(seq) }
        }
    }

    /// Those that a start found unfinished.
    func resume(_ seqs: [UInt64]) { content.withLock { $0.waiting += seqs } }

    /// The erasures that wait.
    var waiting: [UInt64] { content.withLock { $0.waiting } }

    /// `seqs` are done; where no other waits, the mark goes.
    func finish(_ seqs: [UInt64]) {
        content.withLock { content in
            content.waiting.removeAll { seqs.contains($0) }
            guard content.waiting.isEmpty, content.announced == 0 else { return }
            // SAFETY: unlink reads the path only. A mark that stays costs the next start a look.
            unlink(markPath)
        }
    }

    static func flush(_ directory: String) throws(LedgerFailure) {
        // SAFETY: plain system calls on a descriptor that this function owns.
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("\(directory): errno \(errno)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("\(directory): errno \(errno)") }
    }
}

extension Ledger {
    /// Takes the names of everybody erased out of the files; returns when none stands there.
    ///
    /// Reads the whole journal. For a worker, never for the writer.
    package func finishErasures() throws(LedgerFailure) {
        // What is rewritten must never be needed again to take real names out of the views.
        try folder.settle()
        try Self.finish(erasures, base: base, directory: directory)
    }

    static func finish(
        _ erasures: ErasureBook,
        base: Base,
        directory: String,
        onStep: ((JournalStep) -> Void)? = nil
    ) throws(LedgerFailure) {
        var failure: LedgerFailure?
        erasures.segments.withLock { _ in
            // One pass for all that wait; those that come meanwhile are the next one's.
            let waiting = Set(erasures.waiting).sorted()
            guard let last = waiting.last else { return erasures.finish([]) }
            do {
                // One that holds goes first: the journal's mark says so of both.
                try base.settle()
                let persons = try pseudonyms(at: waiting, directory)
                if !persons.isEmpty { try base.copy(erasing: persons) }
                _ = try Journal.rewrite(
                    directory: directory + "/journal",
                    throughSeq: last,
                    onStep: onStep,
                    onCommit: { try base.settle() }
                ) { entry in
                    var changed: JournalEntry?
                    for person in persons where entry.seq <= person.seq {
                        changed = try person.rewritten(changed ?? entry) ?? changed
                    }
                    return changed
                }
                try base.settle()
                erasures.finish(waiting)
            } catch {
                failure = LedgerFailure(error)
            }
        }
        if let failure { throw failure }
    }

    /// What the journal says of the erasures at `seqs`, where it is not rewritten yet.
    private static func pseudonyms(
        at seqs: [UInt64],
        _ directory: String
    ) throws -> [Pseudonyms] {
        let reader = try JournalReader(directory: directory + "/journal")
        return try seqs.compactMap { seq in
            guard let entry = try reader.entry(seq: seq) else { return nil }
            let events = try EntryBody.events(of: entry)
            for case .erased(let erasure) in events where !erasure.isRewritten {
                return Pseudonyms(erasure, seq: seq)
            }
            return nil
        }
    }

    /// The erasures in the journal; a start that finds the mark looks which of them are not done.
    static func erasuresKnown(_ directory: String) throws -> [UInt64] {
        var seqs: [UInt64] = []
        let first = try JournalReader(directory: directory + "/journal").firstSeq()
        _ = try Journal.read(
            directory: directory + "/journal",
            afterSeq: max(first, 1) - 1
        ) { entry, _ in
            if entry.kind == EntryKind.erase.rawValue { seqs.append(entry.seq) }
        }
        return seqs
    }
}

extension Pseudonyms {
    /// The entry without the person's names; nil where it has none.
    func rewritten(_ entry: JournalEntry) throws -> JournalEntry? {
        let notes = NameNotes()
        _ = try EntryBody.content(of: entry, noting: notes)
        let body = body(entry.body, notes.notes, isErasure: entry.seq == seq)
        let links = links(entry.links)
        guard body != nil || links != entry.links else { return nil }
        return JournalEntry(
            seq: entry.seq,
            moment: entry.moment,
            kind: entry.kind,
            version: entry.version,
            links: links,
            body: body ?? entry.body
        )
    }
}
