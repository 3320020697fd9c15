import Glibc

/// Appends to segment files: groups of entries, each written and flushed once.
///
/// The law of this type:
///  - J1. When `append` returns, the group is on the disk, in a file that has a name. When it
///    throws `.diskFull`, the group is not there and never will be. When it throws anything else,
///    nobody knows: the process stops.
///  - J2. A flush costs no metadata: a group goes where zeros or old groups were really written.
///  - J3. A segment is made only when every group before it is on the disk.
///  - J4. Numbers of groups and seqs have no gaps, across segments too.
///  - J5. A group is known by its number and by the journal's number, so that old bytes in a
///    segment, or bytes that a stranger sent, are never read as a group of now.
///  - J6. What stands up to `seal` is never written again by this type.
///  - J7. When `append` returns, the proof of the group is written (`JournalProof`): a group that
///    is proved and not whole is damage, and is never cut. A crash of the process leaves the proof;
///    a loss of power leaves what `flushProof` has flushed, and each group proves those before it.
///  - J8. What `open` finds behind the applied group is written again in its place, and flushed,
///    before anything is built on it. After a flush that failed, the kernel shows bytes that the
///    disk does not have, and calls them clean; and it tells of the failure only once.
///
/// Confined to the writer thread; not Sendable. Others ask the `SegmentJournal` around it.
package final class SegmentWriter {
    /// The seq of the last entry that is on the disk; 0 when there is none.
    package internal(set) var lastSeq: UInt64
    /// The number of the last group that is on the disk; 0 when there is none.
    package internal(set) var lastGroup: UInt64
    /// The torn tail that `open` cut, for the log.
    package let tornTail: TornTail?
    /// Called after each step on the disk; tests copy the directory there, as a crash would.
    package var onStep: ((JournalStep) -> Void)?

    let directory: SegmentDirectory
    let limits: JournalLimits
    let journal: UInt64
    var active: SegmentFile?
    /// Where the next group goes in the active segment.
    var position: Int
    /// How much of the active segment was really written, with zeros or groups.
    var writtenBytes: Int
    var buffer: [UInt8] = []
    /// Whether the active segment takes nothing more, so that others may put a copy in its place.
    var isSealed = false
    /// Whether the last group found no space.
    private var isRefused = false
    /// Why nothing is written any more; keeps J1.
    var stopped: JournalFailure?
    private let proof: ProofFile

    private init(
        directory: SegmentDirectory,
        limits: JournalLimits,
        segments: [UInt64],
        end: JournalEnd
    ) throws(JournalFailure) {
        self.directory = directory
        self.limits = limits
        journal = end.journal ?? UInt64.random(in: 1...UInt64.max)
        lastSeq = end.lastSeq
        lastGroup = end.lastGroup
        tornTail = end.tail?.torn
        position = end.tail?.position ?? 0
        writtenBytes = 0
        if let last = segments.last {
            let file = try SegmentFile(directory.path(firstGroup: last), writing: true)
            writtenBytes = try file.byteCount()
            if let dirtyEnd = end.tail?.dirtyEnd {
                try file.zero(position..<dirtyEnd)
            }
            // Keeps J8. By J3 no other segment has anything that was not flushed.
            if let start = end.unapplied { try file.renew(start..<position) }
            try file.flush()
            try directory.flush()
            active = file
        }
        // Behind the flush: nothing is proved that the disk does not have.
        proof = try ProofFile(in: directory)
        try prove()
        try proof.flush()
    }

    /// Opens the journal in `directory`, which is created when it is missing.
    ///
    /// What was being written when the machine stopped is cut: zeroed and flushed. A group that is
    /// not whole is damage where it is applied (up to `appliedGroup`), where it is proved, and
    /// where a whole group stands behind it.
    package static func open(
        directory path: String,
        appliedGroup: UInt64,
        limits: JournalLimits = JournalLimits()
    ) throws(JournalFailure) -> SegmentWriter {
        let directory = try SegmentDirectory.create(path)
        try directory.settleCopies()
        let segments = try directory.segments()
        let end = try JournalEnd.find(
            in: directory,
            segments: segments,
            appliedGroup: appliedGroup
        )
        return try SegmentWriter(directory: directory, limits: limits, segments: segments, end: end)
    }

    /// Where the journal ends.
    package var last: JournalPosition { JournalPosition(seq: lastSeq, group: lastGroup) }

    /// Writes `entries` as one group and waits until it is on the disk; answers its number.
    ///
    /// Their seqs follow `lastSeq` without a gap. After `.diskFull` the journal is as before and
    /// takes the next append; after `.tooLarge` too; after any other failure it takes nothing.
    package func append(
        _ entries: [JournalEntry],
        catalogVersion: UInt32,
        rulesVersion: UInt32
    ) throws(JournalFailure) -> UInt64 {
        if let stopped { throw stopped }
        precondition(Self.follow(entries, lastSeq), "seqs follow each other without a gap")
        try checkSizes(entries)
        GroupFormat.encode(
            entries,
            number: lastGroup + 1,
            journal: journal,
            catalogVersion: catalogVersion,
            rulesVersion: rulesVersion,
            into: &buffer
        )
        do throws(JournalFailure) {
            try store()
        } catch {
            isRefused = true
            if error != .diskFull { stopped = error }
            throw error
        }
        isRefused = false
        lastGroup += 1
        lastSeq += UInt64(entries.count)
        try orStop { () throws(JournalFailure) in try prove() }
        onStep?(.proved)
        return lastGroup
    }

    /// Takes space for the next group where the last one found none; throws `.diskFull` where there
    /// still is none.
    package func takeRoom() throws(JournalFailure) {
        if let stopped { throw stopped }
        guard isRefused else { return }
        do throws(JournalFailure) {
            _ = try room(for: Limits.blockBytes)
        } catch {
            if error != .diskFull { stopped = error }
            throw error
        }
        isRefused = false
    }

    /// Whether there is a proof that a loss of power would take; see `flushProof`.
    package var hasUnflushedProof: Bool { proof.isDirty }

    /// Waits until the proof of the last group is on the disk.
    ///
    /// Not a part of `append`: it would cost every group a second flush. To be asked when nothing
    /// waits to be written, and now and then where something always does.
    package func flushProof() throws(JournalFailure) {
        if let stopped { throw stopped }
        try orStop { () throws(JournalFailure) in try proof.flush() }
    }

    /// Writes the proof of the last group; keeps J7.
    private func prove() throws(JournalFailure) {
        guard lastGroup > 0 else { return }
        try proof.put(JournalProof(journal: journal, lastGroup: lastGroup, lastSeq: lastSeq))
    }

    /// Stops the journal where the proof fails.
    ///
    /// But not on a full disk: the group is on the disk, an older proof is a true one, and the next
    /// group writes a newer. (Only a file system that copies on write needs space to write again
    /// what was written before.)
    private func orStop(
        _ body: () throws(JournalFailure) -> Void
    ) throws(JournalFailure) {
        do throws(JournalFailure) {
            try body()
        } catch {
            guard error != .diskFull else { return }
            stopped = error
            throw error
        }
    }

    /// Leaves everything that is there to `rewrite`: the next group begins a new segment.
    package func seal() throws(JournalFailure) {
        if let stopped { throw stopped }
        // An empty one has nothing to leave, and the next group would have its name.
        isSealed = active != nil && position > 0
    }

    /// Closes the files; every append was flushed, so there is nothing to save.
    package func close() {
        if stopped == nil { try? flushProof() }
        active = nil
        if stopped == nil { stopped = .closed }
    }

    private func checkSizes(_ entries: [JournalEntry]) throws(JournalFailure) {
        let bytes = GroupFormat.groupBytes(of: entries)
        let bytesMax = min(limits.segmentBytesMax, Limits.groupBytesMax)
        guard bytes <= bytesMax else { throw .tooLarge(bytes: bytes, bytesMax: bytesMax) }
        for entry in entries where entry.links.count > Limits.linksMax {
            throw .tooLarge(bytes: 8 * entry.links.count, bytesMax: 8 * Limits.linksMax)
        }
    }

    private static func follow(_ entries: [JournalEntry], _ lastSeq: UInt64) -> Bool {
        guard !entries.isEmpty else { return false }
        return entries.enumerated().allSatisfy { $1.seq == lastSeq + 1 + UInt64($0) }
    }
}
