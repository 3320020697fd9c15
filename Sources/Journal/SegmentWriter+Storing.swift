import Glibc

/// What an append does to the disk, step by step.
package enum JournalStep: Sendable, Equatable {
    /// A new segment has its name, and no byte.
    case created
    /// Zeros were written and flushed.
    case prewritten
    /// The group was written, not flushed.
    case written
    /// The group was flushed.
    case flushed
    /// The proof of the group was written, not flushed.
    case proved
    /// The copy of a segment was written and flushed, beside it.
    case copied
    /// From now on the copies hold.
    case committed
    /// The copy has the segment's name.
    case replaced
}

extension SegmentWriter {
    /// Writes and flushes what is in the buffer; keeps J1.
    func store() throws(JournalFailure) {
        let file = try room(for: buffer.count)
        do throws(JournalFailure) {
            try write(buffer, to: file)
            onStep?(.written)
            try file.flush()
            // Removed under our hands, or replaced: flushed, and lost at the next start.
            guard try file.isNamed() else { throw .io(errno: ENOENT, "\(file.path) was removed") }
        } catch {
            guard error == .diskFull else { throw error }
            try undo(in: file)
            throw .diskFull
        }
        position += buffer.count
        onStep?(.flushed)
    }

    /// The segment that takes the next `count` bytes, with that much really written before.
    func room(for count: Int) throws(JournalFailure) -> SegmentFile {
        let isRoomy = position + count <= limits.segmentBytesMax || position == 0
        if let active, isRoomy, !isSealed {
            try extend(active, to: position + count)
            return active
        }
        return try begin(count)
    }

    /// Begins a new segment with a new file; on a full disk the old one stays in its place.
    private func begin(_ count: Int) throws(JournalFailure) -> SegmentFile {
        let number = lastGroup + 1
        let path = directory.path(firstGroup: number)
        let file = try SegmentFile(creating: path)
        let before = (active, position, writtenBytes)
        let wasSealed = isSealed
        (active, position, writtenBytes, isSealed) = (file, 0, 0, false)
        do throws(JournalFailure) {
            try directory.flush()
            onStep?(.created)
            try extend(file, to: count)
        } catch {
            guard error == .diskFull else { throw error }
            (active, position, writtenBytes) = before
            isSealed = wasSealed
            try directory.remove(path)
            try directory.flush()
            throw .diskFull
        }
        return file
    }

    /// Writes zeros in a step until at least `needed` bytes are there; keeps J2.
    ///
    /// fallocate alone would not do: the first write to such a block changes metadata again.
    private func extend(_ file: SegmentFile, to needed: Int) throws(JournalFailure) {
        if needed <= writtenBytes { return }
        let block = Limits.blockBytes
        let least = (needed + block - 1) / block * block
        let share = directory.freeBytes() / Limits.stepFreeShare
        let step = max(limits.stepBytesMin, min(limits.stepBytesMax, share)) / block * block
        let most = max(least, min(writtenBytes + step, limits.segmentBytesMax / block * block))
        do throws(JournalFailure) {
            try prewrite(file, to: most)
        } catch {
            guard error == .diskFull, least < most else { throw error }
            try prewrite(file, to: least)
        }
        onStep?(.prewritten)
    }

    private func prewrite(_ file: SegmentFile, to byteCount: Int) throws(JournalFailure) {
        do throws(JournalFailure) {
            try file.zero(writtenBytes..<byteCount)
            try file.flush()
        } catch {
            guard error == .diskFull else { throw error }
            // Gives back what was taken: the views need it more than half a step of zeros.
            try stopping { () throws(JournalFailure) in
                try file.cut(to: writtenBytes)
                try file.flush()
            }
            throw .diskFull
        }
        writtenBytes = byteCount
    }

    private func write(_ bytes: [UInt8], to file: SegmentFile) throws(JournalFailure) {
        var failure: JournalFailure?
        // SAFETY: the array outlives the call.
        bytes.withUnsafeBytes { bytes in
            do throws(JournalFailure) {
                try file.write(bytes, at: position)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Makes a group that was perhaps written in part never to be read; keeps J1.
    ///
    /// A file system that copies on write may have no room for zeros; then the file is cut.
    private func undo(in file: SegmentFile) throws(JournalFailure) {
        do throws(JournalFailure) {
            try file.zero(position..<position + buffer.count)
            try file.flush()
        } catch {
            try stopping { () throws(JournalFailure) in
                try file.cut(to: position)
                try file.flush()
            }
            writtenBytes = position
        }
    }

    /// Turns a full disk into a stop, where the journal cannot be left as it is.
    private func stopping(
        _ body: () throws(JournalFailure) -> Void
    ) throws(JournalFailure) {
        do throws(JournalFailure) {
            try body()
        } catch {
            guard error == .diskFull else { throw error }
            throw .io(errno: ENOSPC, "the group that did not fit could not be taken back")
        }
    }
}
