import Entitlements

/// What is told to all who want to hear the same, in the order of its numbers.
///
/// Kept are the last `watchWaitingMax` announcements and, of those before them, the newest of each
/// topic, which is a user's status or what stores say of a user's purchases: nobody who is further
/// behind is told more. So what waits is kept once, however many it
/// waits for, and no more of it than a number of bytes.
final class NewsLog {
    private struct Entry {
        let number: UInt64
        /// Nil: nobody needs it any more.
        var news: Announcement?
        /// Whether a later one is of the same topic.
        var isOutdated = false

        var bytes: Int { MethodLimits.watchEntryBytes + (news?.bytesCount ?? 0) }
    }

    private let bytesMax: Int

    /// In the order of their numbers, of which some are missing.
    private var entries: [Entry] = []
    /// The number of each topic's newest.
    private var newest: [Announcement.Topic: UInt64] = [:]
    /// Where everything before it was told to all.
    private var told: UInt64 = 0
    /// How many entries are kept before those that nobody needs are thrown away.
    private var roomy = MethodLimits.watchWaitingMax * 2
    /// The last piece that was made: many stand at the same place.
    private var last: (from: UInt64, isCoalesced: Bool, end: UInt64, piece: Piece)?

    /// A watcher that stands before it has missed something.
    private(set) var start: UInt64 = 0
    /// The number of what comes next.
    private(set) var end: UInt64 = 0

    /// A log that keeps so many bytes at most.
    init(bytesMax: Int = MethodLimits.watchOwnBytesMax) { self.bytesMax = bytesMax }

    /// How much is kept.
    var count: Int { entries.count }
    /// The memory that it takes.
    private(set) var bytes = 0

    /// Whole frames, and the number of what follows them.
    struct Piece {
        var frames: [UInt8] = []
        var next: UInt64
    }

    /// Tells `news` to everybody who has not been told it.
    func append(_ news: Announcement) {
        if entries.count >= roomy || bytes >= bytesMax { sweep() }
        let number = end
        end += 1
        let entry = Entry(number: number, news: news)
        bytes += entry.bytes
        entries.append(entry)
        if let topic = news.topic, let before = newest.updateValue(number, forKey: topic),
            let index = index(of: before)
        {
            entries[index].isOutdated = true
            dropIfUseless(index)
        }
        let left = end - min(end, UInt64(MethodLimits.watchWaitingMax) + 1)
        if let index = index(of: left) { dropIfUseless(index) }
    }

    /// What is told next to one who was told everything before `number`; with `isCoalesced` only
    /// the newest of each topic.
    ///
    /// A piece never ends within a position of the journal, so that whoever was told it can resume
    /// behind its last one.
    func piece(from number: UInt64, isCoalesced: Bool) -> Piece {
        if let last, last.from == number, last.isCoalesced == isCoalesced, last.end == end {
            return last.piece
        }
        var piece = Piece(next: end)
        var seq: UInt64?
        for entry in entries[place(of: number)...] {
            guard
                piece.frames.count < MethodLimits.watchPieceBytesMax
                    || entry.news.map({ $0.seq == seq }) ?? true
            else {
                piece.next = entry.number
                break
            }
            guard let news = entry.news, !(isCoalesced && entry.isOutdated) else { continue }
            news.append(to: &piece.frames, coalesced: isCoalesced)
            seq = news.seq
        }
        last = (number, isCoalesced, end, piece)
        return piece
    }

    /// Notes that everybody was told what stands before `number`.
    func forget(before number: UInt64) {
        told = number
        last = nil
        guard number == end, !entries.isEmpty else { return }
        // What a burst needed is given back.
        let keepsRoom = entries.count <= MethodLimits.watchWaitingMax
        entries.removeAll(keepingCapacity: keepsRoom)
        newest.removeAll(keepingCapacity: keepsRoom)
        bytes = 0
    }

    /// Something is missing that nobody was told.
    func lose() {
        end += 1
        start = end
        forget(before: end)
    }

    /// Throws away what nobody needs, and what is too much.
    private func sweep() {
        remove { $0.news == nil || $0.number < told }
        let most = MethodLimits.watchKeptMax
        if entries.count >= most || bytes >= bytesMax {
            // A good part at once, so that it is not done for each one.
            var (left, leftBytes) = (entries[...], bytes)
            while let oldest = left.first,
                left.count >= most - most / 8 || leftBytes >= bytesMax - bytesMax / 8
            {
                leftBytes -= oldest.bytes
                left.removeFirst()
            }
            start = left.first?.number ?? end
            remove { $0.number < start }
        }
        roomy = min(entries.count * 2 + MethodLimits.watchWaitingMax, most)
    }

    private func remove(_ isUseless: (Entry) -> Bool) {
        entries.removeAll { entry in
            guard isUseless(entry) else { return false }
            bytes -= entry.bytes
            if let topic = entry.news?.topic, newest[topic] == entry.number { newest[topic] = nil }
            return true
        }
    }

    /// Drops what those who are behind are not told, and those who are not behind were.
    private func dropIfUseless(_ index: Int) {
        let entry = entries[index]
        guard entry.isOutdated, end - entry.number > MethodLimits.watchWaitingMax else { return }
        bytes -= entry.bytes
        entries[index].news = nil
        bytes += entries[index].bytes
    }

    private func index(of number: UInt64) -> Int? {
        let index = place(of: number)
        return index < entries.count && entries[index].number == number ? index : nil
    }

    /// The first entry from `number` on.
    private func place(of number: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
