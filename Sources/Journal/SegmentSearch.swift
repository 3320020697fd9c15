/// One open segment in which groups are looked for by the seqs in them.
///
/// Groups differ in length, and no index says where they are. A head is known by its magic and by
/// the journal's number wherever it stands, so that a search can begin anywhere.
final class SegmentSearch {
    /// A group, where it begins, and what it ends with as far as that was read.
    private struct Place {
        let group: UInt64
        let firstSeq: UInt64
        let offset: Int
        /// The place behind it; its own where its head was not read.
        let end: Int
        /// 0 where its head was not read.
        let lastSeq: UInt64

        /// A group of which only the beginning is known.
        init(group: UInt64, firstSeq: UInt64) {
            self.group = group
            self.firstSeq = firstSeq
            offset = 0
            end = 0
            lastSeq = 0
        }

        init(_ head: GroupFormat.Head, at offset: Int) {
            group = head.number
            firstSeq = head.firstSeq
            self.offset = offset
            end = offset + head.groupBytes
            lastSeq = head.group.lastSeq
        }
    }

    let firstGroup: UInt64
    /// What the next segment begins with, where that is known.
    private let nextSeq: UInt64?
    private let journal: UInt64
    private var scan: SegmentScan
    private let start: Place
    /// What was met on the way, in the order of the file.
    private var places: [Place]

    /// A search in `file`; `firstSeq` is what stands at its beginning.
    init(
        _ file: SegmentFile,
        firstGroup: UInt64,
        firstSeq: UInt64,
        nextSeq: UInt64?,
        journal: UInt64
    ) {
        self.firstGroup = firstGroup
        self.nextSeq = nextSeq
        self.journal = journal
        scan = SegmentScan(file, readAheadBytes: Limits.indexBytesMin)
        start = Place(group: firstGroup, firstSeq: firstSeq)
        places = [start]
    }

    /// The open segment.
    var file: SegmentFile { scan.file }

    /// How many places are remembered.
    var placesKept: Int { places.count }

    /// Whether a name still leads to the file.
    func isNamed() throws(JournalFailure) -> Bool { try scan.file.isNamed() }

    /// Where a group begins from which the one that has `seq` is reached by few steps.
    func place(of seq: UInt64) throws(JournalFailure) -> (offset: Int, group: UInt64) {
        places = [start]
        let place = try narrow(seq, isVerifying: true)
        return (place.offset, place.group)
    }

    /// The group that has `seq`; nil where none has.
    ///
    /// Throws `.damaged` where it is there and not whole.
    func group(of seq: UInt64) throws(JournalFailure) -> WholeGroup? {
        do throws(JournalFailure) {
            if let group = try group(of: seq, isVerifying: false) { return group }
        } catch .damaged {}
        // A rotten head may have led astray: what it left is forgotten, and heads are believed no
        // more without their groups.
        places = [start]
        return try group(of: seq, isVerifying: true)
    }

    private func group(
        of seq: UInt64,
        isVerifying: Bool
    ) throws(JournalFailure) -> WholeGroup? {
        let start = try narrow(seq, isVerifying: isVerifying)
        scan.move(to: start.offset)
        var number = start.group
        while let head = try head(number, isVerifying: isVerifying) {
            if seq <= head.group.lastSeq {
                // Where a rotten group was passed, the head is not that of `number`.
                guard seq >= head.firstSeq,
                    try scan.group(head.number, journal: journal) != nil
                else { throw notWhole(number) }
                keep(Place(head, at: scan.position))
                guard let group = WholeGroup(head, try scan.bytes(of: head)) else {
                    throw notWhole(number)
                }
                return group
            }
            scan.pass(head)
            number = head.number + 1
        }
        return nil
    }

    /// The head of the group `number`, at the present position.
    ///
    /// Where it is verified and not whole, that of the next whole group; behind the last of these,
    /// what is left of it.
    private func head(
        _ number: UInt64,
        isVerifying: Bool
    ) throws(JournalFailure) -> GroupFormat.Head? {
        if isVerifying, try scan.group(number, journal: journal) == nil {
            let (place, end) = (scan.position, try scan.file.byteCount())
            let behind = place + GroupFormat.alignment
            // The search ends at its head.
            if behind < end, let next = try firstGroup(in: behind..<end, isVerifying) {
                return try scan.unverifiedHead(next.group, journal: journal)
            }
            scan.move(to: place)
        }
        return try scan.unverifiedHead(number, journal: journal)
    }

    /// A group that is not behind `seq` and lies close to the one that has it.
    ///
    /// It looks where `seq` would stand if all entries were of one length, and in the middle where
    /// that has not helped. Most heads are what they were; to check one costs reading its group.
    private func narrow(_ seq: UInt64, isVerifying: Bool) throws(JournalFailure) -> Place {
        var low = places.last { $0.firstSeq <= seq } ?? places[0]
        var (high, highSeq) = (try scan.file.byteCount(), nextSeq)
        if let behind = places.first(where: { $0.firstSeq > seq }) {
            (high, highSeq) = (behind.offset, behind.firstSeq)
        }
        var isGuess = true
        while seq > low.lastSeq, high - low.end > Limits.indexBytesMin {
            let span = high - low.end
            var ahead = span / 2
            if isGuess, let highSeq, low.firstSeq <= seq, seq < highSeq {
                let known = max(low.firstSeq, low.lastSeq)
                let share = Double(seq - known) / Double(highSeq - known)
                let distance = Int(min(share, 1) * Double(span))
                if distance <= Limits.indexBytesMin { break }
                ahead = max(GroupFormat.alignment, distance - Limits.indexBytesMin / 2)
            }
            isGuess.toggle()
            let middle = GroupFormat.aligned(low.end + ahead)
            guard let next = try firstGroup(in: middle..<high, isVerifying) else {
                high = middle
                continue
            }
            if next.firstSeq <= seq {
                low = next
            } else {
                (high, highSeq) = (middle, next.firstSeq)
            }
            keep(next)
        }
        return low
    }

    /// The first group that begins in `range`, and is whole where that is verified.
    private func firstGroup(
        in range: Range<Int>,
        _ isVerifying: Bool
    ) throws(JournalFailure) -> Place? {
        var rest = range
        while let (head, offset) = try scan.headAnywhere(in: rest, journal: journal) {
            let place = Place(head, at: offset)
            if !isVerifying { return place }
            scan.move(to: offset)
            if try scan.group(head.number, journal: journal) != nil { return place }
            rest = offset + GroupFormat.alignment..<rest.upperBound
        }
        return nil
    }

    private func keep(_ place: Place) {
        let index = places.firstIndex { $0.offset >= place.offset } ?? places.endIndex
        if index < places.endIndex, places[index].offset == place.offset {
            places[index] = place
            return
        }
        if places.count == Limits.placesMax { places.removeSubrange(1...) }
        places.insert(place, at: min(index, places.endIndex))
    }

    private func notWhole(_ group: UInt64) -> JournalFailure {
        .damaged("\(scan.file.path): group \(group) is not whole")
    }
}

/// A group that was read and found whole; its entries are decoded one by one.
struct WholeGroup {
    let head: GroupFormat.Head
    private let bytes: [UInt8]
    private let offsets: [Int]

    /// Nil where the entries are not what the head says.
    init?(_ head: GroupFormat.Head, _ bytes: [UInt8]) {
        guard let offsets = bytes.withUnsafeBytes({ GroupFormat.offsets(of: $0, head) }) else {
            return nil
        }
        self.head = head
        self.bytes = bytes
        self.offsets = offsets
    }

    var byteCount: Int { bytes.count }

    func holds(_ seq: UInt64) -> Bool { head.firstSeq <= seq && seq <= head.group.lastSeq }

    /// The entry `seq`, which the group holds.
    func entry(_ seq: UInt64) throws(JournalFailure) -> JournalEntry {
        let offset = offsets[Int(seq - head.firstSeq)]
        guard let entry = bytes.withUnsafeBytes({ GroupFormat.entry(of: $0, at: offset) }),
            entry.seq == seq
        else { throw .damaged("journal: entry \(seq) of group \(head.number) is not whole") }
        return entry
    }

    /// Every entry, in its order.
    func entries() throws(JournalFailure) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        entries.reserveCapacity(offsets.count)
        for index in offsets.indices {
            entries.append(try entry(head.firstSeq + UInt64(index)))
        }
        return entries
    }
}
