/// Where a group begins.
struct SegmentPlace {
    /// Of its segment, among those of the directory.
    let index: Int
    /// The segment, open: in a copy that has replaced it since, the group may begin elsewhere.
    let file: SegmentFile
    /// In the file.
    let offset: Int
    /// The number of the group.
    let group: UInt64
}

/// Reads the groups of consecutive segments in order, and judges what stands behind the last one.
struct SegmentWalk: ~Copyable {
    /// What stands behind the last whole group.
    struct Tail {
        /// Where the next group goes, in the last segment.
        let position: Int
        /// The torn group, if there is one.
        let torn: TornTail?
        /// The end of what is not zero behind the last group, if anything is.
        let dirtyEnd: Int?
    }

    let directory: SegmentDirectory
    let segments: [UInt64]
    private(set) var index: Int
    private var scan: SegmentScan
    private var present: GroupFormat.Head?

    /// The number of the group that comes next.
    private(set) var expected: UInt64
    /// The seq of the last entry seen; nil before the first group.
    private(set) var lastSeq: UInt64?
    /// The number of the journal; nil before the first group.
    private(set) var journal: UInt64?

    /// Begins with the first group of the segment at `index`.
    init(
        _ directory: SegmentDirectory,
        segments: [UInt64],
        from index: Int
    ) throws(JournalFailure) {
        self.directory = directory
        self.segments = segments
        self.index = index
        expected = segments[index]
        scan = SegmentScan(try Self.open(directory, segments[index]))
    }

    /// Begins with the group at `place`.
    init(_ directory: SegmentDirectory, segments: [UInt64], from place: SegmentPlace) {
        self.directory = directory
        self.segments = segments
        index = place.index
        expected = place.group
        scan = SegmentScan(place.file, from: place.offset)
    }

    /// The next whole group, nil behind the last one.
    mutating func next() throws(JournalFailure) -> GroupFormat.Head? {
        if let present { scan.pass(present) }
        present = nil
        while true {
            if let head = try scan.group(expected, journal: journal) {
                if let lastSeq, head.firstSeq != lastSeq + 1 {
                    throw damaged("group \(expected) begins with seq \(head.firstSeq)")
                }
                present = head
                journal = head.journal
                lastSeq = head.group.lastSeq
                expected += 1
                return head
            }
            guard index + 1 < segments.count else { return nil }
            // A segment is made only when every group before it is on the disk.
            guard segments[index + 1] == expected else {
                throw damaged("group \(expected) is not whole, and later ones follow")
            }
            index += 1
            scan = SegmentScan(try Self.open(directory, segments[index]))
        }
    }

    /// Where in its segment the group begins that `next` answered last; the end of the last group
    /// once it has answered nil.
    var position: Int { scan.position }

    /// The entries of the group that `next` answered last.
    mutating func entries() throws(JournalFailure) -> [JournalEntry] {
        guard let present else { return [] }
        return try scan.entries(of: present)
    }

    /// What stands behind the last group, once `next` has answered nil.
    ///
    /// First match wins: an applied group that is not whole is damage; so is one that is proved, or
    /// that has a whole one of a greater number behind it; anything else is the torn tail or no
    /// group.
    mutating func tail(
        appliedGroup: UInt64,
        _ proof: JournalProof?
    ) throws(JournalFailure) -> Tail {
        guard expected > appliedGroup else {
            throw damaged("group \(expected) is not whole, but group \(appliedGroup) was applied")
        }
        if let proof, proof.isOf(journal) { try check(proof) }
        if let later = try scan.groupAbove(expected, journal: journal) {
            throw damaged("group \(expected) is not whole, but group \(later) behind it is")
        }
        let dirtyEnd = try scan.lastNonZero()
        let torn = TornTail(
            group: expected,
            segment: SegmentDirectory.name(firstGroup: segments[index]),
            offset: scan.position
        )
        return Tail(
            position: scan.position,
            torn: dirtyEnd == nil ? nil : torn,
            dirtyEnd: dirtyEnd
        )
    }

    /// Damage where something was flushed that is not there.
    private func check(_ proof: JournalProof) throws(JournalFailure) {
        guard expected > proof.lastGroup else {
            throw damaged(
                "group \(expected) is not whole, but \(ProofFile.name) says that group"
                    + " \(proof.lastGroup) (entry \(proof.lastSeq)) was written and answered"
            )
        }
        guard expected == proof.lastGroup + 1, let lastSeq, lastSeq != proof.lastSeq else { return }
        throw damaged(
            "group \(proof.lastGroup) ends with entry \(lastSeq), but \(ProofFile.name) says"
                + " \(proof.lastSeq)"
        )
    }

    private static func open(
        _ directory: SegmentDirectory,
        _ firstGroup: UInt64
    ) throws(JournalFailure) -> SegmentFile {
        try SegmentFile(directory.readPath(firstGroup: firstGroup), writing: false)
    }

    private func damaged(_ detail: String) -> JournalFailure {
        .damaged("\(scan.file.path) at byte \(scan.position): \(detail)")
    }
}

/// The end of a journal as its files show it.
struct JournalEnd {
    var journal: UInt64?
    var lastGroup: UInt64 = 0
    var lastSeq: UInt64 = 0
    var tail: SegmentWalk.Tail?
    /// Where in the last segment the first group lies that was not applied; nil where none is.
    var unapplied: Int?

    /// Finds the end, reading no more than the segments from the applied group on.
    static func find(
        in directory: SegmentDirectory,
        segments: [UInt64],
        appliedGroup: UInt64
    ) throws(JournalFailure) -> JournalEnd {
        let proof = try ProofFile.read(in: directory)
        guard let first = segments.first else {
            guard appliedGroup == 0 else {
                throw .damaged(
                    "\(directory.path) has no segment, but group \(appliedGroup) was applied"
                )
            }
            if let proof, proof.lastGroup > 0 {
                throw .damaged(
                    "\(directory.path) has no segment, but \(ProofFile.name) says that group"
                        + " \(proof.lastGroup) was written and answered"
                )
            }
            return JournalEnd()
        }
        guard first <= appliedGroup + 1 else {
            throw .damaged(
                "\(directory.path): groups \(appliedGroup + 1) to \(first - 1) are missing"
            )
        }
        var start = segments.lastIndex { $0 <= max(appliedGroup, 1) } ?? 0
        while true {
            var walk = try SegmentWalk(directory, segments: segments, from: start)
            var unapplied: (index: Int, position: Int)?
            while let head = try walk.next() {
                if head.number > appliedGroup, unapplied?.index != walk.index {
                    unapplied = (walk.index, walk.position)
                }
            }
            // A segment that was just begun says nothing about the seqs before it.
            if walk.lastSeq == nil, start > 0 {
                start -= 1
                continue
            }
            let tail = try walk.tail(appliedGroup: appliedGroup, proof)
            guard walk.lastSeq != nil || first == 1 else {
                throw .damaged("\(directory.path): group \(first) is not whole")
            }
            return JournalEnd(
                journal: walk.journal,
                lastGroup: walk.expected - 1,
                lastSeq: walk.lastSeq ?? 0,
                tail: tail,
                unapplied: unapplied?.index == walk.index ? unapplied?.position : nil
            )
        }
    }
}
