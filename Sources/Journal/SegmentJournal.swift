import Glibc
import Synchronization

/// A journal that is kept in segment files: see `SegmentWriter` for their laws.
///
/// SAFETY: `writer` is the appending thread's. Others look at the files, of which the writer never
/// changes what it has committed, and learn from atomic values how far that is.
package final class SegmentJournal: Journal, @unchecked Sendable {
    private let path: String
    /// The last group that must be there, where nobody writes.
    private let appliedGroup: UInt64
    /// Nil where nobody writes.
    private let writer: SegmentWriter?
    /// The last group and the last entry that are committed.
    private let lastGroup: Atomic<UInt64>
    private let lastSeq: Atomic<UInt64>
    /// Appends begun and ended; odd while one is under way.
    private let steps = Atomic<UInt64>(0)
    /// Somebody rewrites what is there: the next group begins a new segment.
    private let isToSeal = Atomic<Bool>(false)
    /// The last group before the segment that was begun for that reason last.
    private let sealedGroup = Atomic<UInt64>(0)
    /// Why nobody knows where the end is.
    private let doubt = Mutex<JournalFailure?>(nil)

    /// The journal that `writer` appends to.
    package init(_ writer: SegmentWriter) {
        self.writer = writer
        path = writer.directory.path
        appliedGroup = 0
        lastGroup = Atomic(writer.lastGroup)
        lastSeq = Atomic(writer.lastSeq)
    }

    /// The journal in a directory where nobody writes, to be read.
    package init(reading path: String, appliedGroup: UInt64) {
        self.path = path
        self.appliedGroup = appliedGroup
        writer = nil
        lastGroup = Atomic(0)
        lastSeq = Atomic(0)
    }

    package func append(
        _ entries: [JournalEntry],
        under versions: JournalVersions,
        after last: JournalPosition
    ) throws(JournalFailure) -> AppendOutcome {
        guard let writer else { throw .closed }
        steps.add(1, ordering: .sequentiallyConsistent)
        defer { steps.add(1, ordering: .sequentiallyConsistent) }
        if isToSeal.load(ordering: .sequentiallyConsistent) { try seal(writer) }
        guard last == writer.last else { return .conflict(writer.last) }
        do throws(JournalFailure) {
            if entries.isEmpty {
                try writer.flushProof()
                try writer.takeRoom()
            } else {
                _ = try writer.append(
                    entries,
                    catalogVersion: versions.catalog,
                    rulesVersion: versions.rules
                )
            }
        } catch {
            switch error {
            case .diskFull, .tooLarge, .closed: throw error
            case .damaged, .io, .pruned, .unknownVersion, .denied, .writableByOthers:
                doubt.withLock { $0 = error }
                return .unknown(error)
            }
        }
        lastSeq.store(writer.lastSeq, ordering: .releasing)
        lastGroup.store(writer.lastGroup, ordering: .sequentiallyConsistent)
        return .committed
    }

    @discardableResult
    package func read(
        after seq: UInt64?,
        through last: UInt64,
        onDamage: ((String) -> Bool)?,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws -> JournalExtent {
        if let onDamage {
            try readAll(onDamage) { group, entries in
                let wanted = entries.filter { $0.seq > seq ?? 0 }
                return try (wanted.isEmpty || visit(group, wanted)) && group.lastSeq < last
            }
        } else if writer != nil {
            try readCommitted(after: seq, through: last, visit)
        } else {
            try readAlone(after: seq, through: last, visit)
        }
        return JournalExtent(
            lastSeq: lastSeq.load(ordering: .acquiring),
            bytes: try Segments.bytes(in: path)
        )
    }

    /// Reads every segment, and goes on behind what is damaged.
    private func readAll(
        _ onDamage: (String) -> Bool,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws {
        for segment in try Segments.segments(in: path) {
            var isEnded = false
            let damage = try Segments.damage(inSegment: segment, of: path) { group, entries in
                isEnded = !(try visit(group, entries))
                return !isEnded
            }
            if isEnded { return }
            if let damage, !onDamage(damage) { return }
        }
    }

    /// Reads what is committed by now, while more may be written.
    private func readCommitted(
        after seq: UInt64?,
        through last: UInt64,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws {
        if last == .max, let failure = doubt.withLock({ $0 }) { throw failure }
        let end = lastSeq.load(ordering: .acquiring)
        guard last <= end || last == .max else {
            throw JournalFailure.damaged("\(path): entry \(end + 1) is missing")
        }
        try Segments.walk(directory: path, afterSeq: seq, throughSeq: min(last, end), visit)
    }

    /// Reads everything, and judges what stands behind the last group.
    private func readAlone(
        after seq: UInt64?,
        through last: UInt64,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws {
        // Nothing is asked for but how large it is.
        if seq == .max { return }
        let found = try Segments.read(
            directory: path,
            afterSeq: seq,
            appliedGroup: appliedGroup
        ) { group, entries in
            try visit(group, entries) && group.lastSeq < last
        }
        lastSeq.store(found.lastSeq, ordering: .releasing)
    }

    package func entry(
        _ seq: UInt64,
        remembering memory: JournalMemory?
    ) throws(JournalFailure) -> JournalEntry? {
        guard seq > 0, writer == nil || seq <= lastSeq.load(ordering: .acquiring) else {
            return nil
        }
        let reader: SegmentReader
        if let kept = memory?.kept as? SegmentReader {
            reader = kept
        } else {
            reader = try SegmentReader(directory: path)
            memory?.kept = reader
        }
        reader.isRemembering = memory?.isRemembering ?? false
        let entry = try reader.entry(seq: seq)
        if entry != nil { memory?.entriesDecoded += 1 }
        return entry
    }

    package func rewrite(
        through seq: UInt64,
        onCommit: () throws -> Void,
        _ change: (JournalEntry) throws -> JournalEntry?
    ) throws {
        guard let writer else { throw JournalFailure.closed }
        _ = try Segments.rewrite(
            directory: path,
            throughSeq: seq,
            sealed: lastGroupSealed(),
            onStep: writer.onStep,
            onCommit: onCommit,
            change
        )
    }

    /// Leaves every group that is there to others; answers the last of them.
    ///
    /// The writer waits for nobody. A group that it is writing is waited for: it may have begun
    /// before this was asked.
    private func lastGroupSealed() -> UInt64 {
        isToSeal.store(true, ordering: .sequentiallyConsistent)
        let present = steps.load(ordering: .sequentiallyConsistent)
        if present % 2 == 1 {
            while steps.load(ordering: .sequentiallyConsistent) == present { usleep(100) }
        }
        // In this order: where it is still to be done, nothing was appended since.
        let last = lastGroup.load(ordering: .sequentiallyConsistent)
        let isWaiting = isToSeal.load(ordering: .sequentiallyConsistent)
        return isWaiting ? last : sealedGroup.load(ordering: .sequentiallyConsistent)
    }

    private func seal(_ writer: SegmentWriter) throws(JournalFailure) {
        try writer.seal()
        sealedGroup.store(writer.lastGroup, ordering: .sequentiallyConsistent)
        isToSeal.store(false, ordering: .sequentiallyConsistent)
    }

    package func drop(
        _ extent: DropExtent,
        isDryRun: Bool,
        onEach: () -> Void
    ) throws(JournalFailure) -> JournalDrop? {
        let last = try SegmentReader(directory: path)
            .lastSeq(olderThan: extent.moment, through: extent.lastSeq, within: extent.bytesMax)
        guard let last else { return nil }
        if isDryRun { return JournalDrop(lastSeq: last, pieces: 0) }
        let pieces = try Segments.remove(directory: path, throughSeq: last, onEach)
        return JournalDrop(lastSeq: last, pieces: pieces)
    }

    package func export(
        throughGroup group: UInt64,
        to path: String
    ) throws(JournalFailure) -> JournalCopy {
        try Segments.copy(directory: self.path, throughGroup: group, to: path)
    }
}
