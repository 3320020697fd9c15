import Glibc

/// A copy of a journal.
package struct JournalCopy: Sendable {
    /// The files, in the order of the groups.
    package let paths: [String]
    /// The last entry in it.
    package let lastSeq: UInt64
}

extension Segments {
    /// Copies the segments in `path` up to the end of `group` into the new directory `copy`,
    /// flushed, mode 0700, with the proof of that group.
    ///
    /// May be asked from any thread while the journal is written, for a group that was published:
    /// what stands before its end does not change any more, unless it is pruned meanwhile, which is
    /// an error.
    package static func copy(
        directory path: String,
        throughGroup group: UInt64,
        to copy: String
    ) throws(JournalFailure) -> JournalCopy {
        let source = SegmentDirectory(path: path)
        // SAFETY: access(2) reads the path only.
        guard access(copy, F_OK) != 0 else { throw .io(errno: EEXIST, "copy to \(copy)") }
        let target = try SegmentDirectory.create(copy)
        let segments = try source.segments().filter { $0 <= max(group, 1) }
        var paths: [String] = []
        var lastSeq: UInt64 = 0
        var number: UInt64?
        for segment in segments {
            let file = try SegmentFile(source.path(firstGroup: segment), writing: false)
            var end = try file.byteCount()
            if segment == segments.last {
                (end, lastSeq, number) = try Self.end(of: group, in: file, from: segment)
            }
            let path = target.path(firstGroup: segment)
            try Self.copy(file, end, to: path)
            paths.append(path)
        }
        if let number {
            let proof = try ProofFile(in: target)
            try proof.put(JournalProof(journal: number, lastGroup: group, lastSeq: lastSeq))
            try proof.flush()
        }
        try target.flush()
        return JournalCopy(paths: paths, lastSeq: lastSeq)
    }

    /// Where `group` ends in the segment that begins with `first`, its last seq, and the number of
    /// the journal; that is nil where there is no group.
    private static func end(
        of group: UInt64,
        in file: SegmentFile,
        from first: UInt64
    ) throws(JournalFailure) -> (offset: Int, seq: UInt64, journal: UInt64?) {
        var scan = SegmentScan(file)
        var number = first
        var seq: UInt64 = 0
        var journal: UInt64?
        while number <= group {
            guard let head = try scan.group(number, journal: journal) else {
                throw .damaged("\(file.path): group \(number) is not whole")
            }
            journal = head.journal
            seq = head.group.lastSeq
            scan.pass(head)
            number += 1
        }
        return (scan.position, seq, journal)
    }

    private static func copy(
        _ file: SegmentFile,
        _ byteCount: Int,
        to path: String
    ) throws(JournalFailure) {
        let copy = try SegmentFile(creating: path)
        try file.copy(0..<byteCount, to: copy, at: 0)
        try copy.flush()
    }
}

extension SegmentFile {
    /// Copies the bytes of `range` to `start` in `other`, through a buffer of one window.
    ///
    /// `other` is flushed on the way. One flush of a whole segment would hold up those of the
    /// journal's writer, which wait for the same disk.
    func copy(
        _ range: Range<Int>,
        to other: SegmentFile,
        at start: Int
    ) throws(JournalFailure) {
        var piece = [UInt8](repeating: 0, count: min(range.count, Limits.windowBytesMax))
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = min(piece.count, range.upperBound - offset)
            var failure: JournalFailure?
            var count = 0
            // SAFETY: the array outlives the call; `wanted` is at most its size.
            piece.withUnsafeMutableBytes { bytes in
                let buffer = UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])
                do throws(JournalFailure) {
                    count = try read(at: offset, into: buffer)
                    let place = start + offset - range.lowerBound
                    try other.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: place)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            guard count > 0 else { throw .io(errno: EIO, "\(path) ends too early") }
            offset += count
            other.copiedBytes += count
            if other.copiedBytes >= Limits.copyFlushBytes {
                try other.flush()
                other.copiedBytes = 0
            }
        }
    }
}
