import Chance
import Glibc
import Journal
import Synchronization
import TestSupport

/// A journal in memory, to which a seed does what a database far away may do to its author: answers
/// are lost behind a commit or before it, commits are slow, and somebody else appends.
final class MemoryJournal: Journal {
    /// What happens to appends, each with so many percent.
    struct Weather: Sendable {
        /// The group is there, and nobody says so.
        var lostAnswers = 0
        /// The group is not there, and nobody says so.
        var lostGroups = 0
        /// The group does not fit, for once.
        var fullDisks = 0
        /// How long a commit takes at most, in microseconds; half of it at least.
        var slowMicroseconds: UInt32 = 0
        /// Somebody else appends before this group.
        var overtakenAt: UInt64 = .max
        /// From this group on nobody can say anything, and nothing can be read behind the end.
        var silentFrom: UInt64 = .max
        /// Whether the last group is there then.
        var keepsSilent = false
    }

    /// Appends of each fate.
    struct Fates: Sendable, Equatable {
        var committed = 0
        var lostAnswers = 0
        var lostGroups = 0
        var conflicts = 0
        var fullDisks = 0
    }

    private struct Content {
        var weather: Weather
        var random: SplitMix64
        var fates = Fates()
        /// Every group that ever was: what was dropped is not shown.
        var groups: [(group: JournalGroup, entries: [JournalEntry])] = []
        /// Groups that were dropped.
        var dropped = 0
        /// Rewritings and drops so far.
        var edition = 0
        var isRewriting = false
        var isSilent = false

        var end: JournalPosition {
            guard let last = groups.last?.group else { return JournalPosition(seq: 0, group: 0) }
            return JournalPosition(seq: last.lastSeq, group: last.number)
        }

        var firstSeq: UInt64 {
            groups.count > dropped ? groups[dropped].group.firstSeq : end.seq + 1
        }

        mutating func add(_ entries: [JournalEntry], _ versions: JournalVersions) {
            let bytes = entries.reduce(0) { $0 + $1.body.count + 8 * $1.links.count + 28 }
            let group = JournalGroup(
                number: end.group + 1,
                firstSeq: end.seq + 1,
                entryCount: entries.count,
                bytes: bytes,
                versions: versions
            )
            groups.append((group, entries))
        }
    }

    /// Groups of one piece, that go together.
    static let pieceGroups = 4

    private let content: Mutex<Content>

    init(_ weather: Weather = Weather(), random: SplitMix64 = SplitMix64(seed: 1)) {
        content = Mutex(Content(weather: weather, random: random))
    }

    var fates: Fates { content.withLock { $0.fates } }
    var end: JournalPosition { content.withLock { $0.end } }
    var isRewriting: Bool { content.withLock { $0.isRewriting } }
    fileprivate var edition: Int { content.withLock { $0.edition } }

    /// The weather from now on.
    func set(_ weather: Weather) {
        content.withLock {
            $0.weather = weather
            $0.isSilent = false
        }
    }

    func append(
        _ entries: [JournalEntry],
        under versions: JournalVersions,
        after last: JournalPosition
    ) throws(JournalFailure) -> AppendOutcome {
        let (wait, slow) = content.withLock { content in
            let most = content.weather.slowMicroseconds
            return (most > 1 ? Int(most) / 2 + content.random.pick(Int(most) / 2) : 0, most > 1)
        }
        if slow { usleep(UInt32(wait)) }
        let answer = content.withLock { content in
            Self.append(entries, versions, last, to: &content)
        }
        return try answer.get()
    }

    private static func append(
        _ entries: [JournalEntry],
        _ versions: JournalVersions,
        _ last: JournalPosition,
        to content: inout Content
    ) -> Result<AppendOutcome, JournalFailure> {
        let lost = AppendOutcome.unknown(.io(errno: EPIPE, "no answer"))
        if content.isSilent { return .success(lost) }
        if !entries.isEmpty, content.end.group + 1 >= content.weather.overtakenAt {
            content.weather.overtakenAt = .max
            let other = JournalEntry(
                seq: content.end.seq + 1,
                moment: 1,
                kind: 1,
                version: 1,
                links: [],
                body: [1, 2, 3]
            )
            content.add([other], versions)
        }
        guard last == content.end else {
            content.fates.conflicts += 1
            return .success(.conflict(content.end))
        }
        if entries.isEmpty { return .success(content.random.isOne(in: 4) ? lost : .committed) }
        if content.end.group + 1 >= content.weather.silentFrom {
            content.isSilent = true
            if content.weather.keepsSilent { content.add(entries, versions) }
            return .success(lost)
        }
        let weather = content.weather
        var fate = content.random.pick(100)
        if fate < weather.fullDisks {
            content.fates.fullDisks += 1
            return .failure(.diskFull)
        }
        fate -= weather.fullDisks
        if fate < weather.lostGroups {
            content.fates.lostGroups += 1
            return .success(lost)
        }
        content.add(entries, versions)
        fate -= weather.lostGroups
        guard fate < weather.lostAnswers else {
            content.fates.committed += 1
            return .success(.committed)
        }
        content.fates.lostAnswers += 1
        return .success(lost)
    }

    func read(
        after seq: UInt64?,
        through last: UInt64,
        onDamage: ((String) -> Bool)?,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws -> JournalExtent {
        let (groups, firstSeq, isSilent) = content.withLock { content in
            (Array(content.groups[content.dropped...]), content.firstSeq, content.isSilent)
        }
        let end = groups.last?.group.lastSeq ?? firstSeq - 1
        if isSilent, last == .max { throw JournalFailure.io(errno: EPIPE, "no answer") }
        if let seq, seq < end, seq + 1 < firstSeq {
            throw JournalFailure.pruned(firstSeq: firstSeq)
        }
        for (group, entries) in groups where group.lastSeq > seq ?? 0 {
            if group.firstSeq > last { break }
            guard try visit(group, entries.filter { $0.seq > seq ?? 0 }) else { break }
        }
        return JournalExtent(lastSeq: end, bytes: groups.reduce(0) { $0 + $1.group.bytes })
    }

    func entry(
        _ seq: UInt64,
        remembering memory: JournalMemory?
    ) throws(JournalFailure) -> JournalEntry? {
        let (found, edition) = content.withLock { content -> (JournalEntry?, Int) in
            let here = content.groups[content.dropped...]
            let group = here.first { $0.group.firstSeq <= seq && seq <= $0.group.lastSeq }
            return (group.map { $0.entries[Int(seq - $0.group.firstSeq)] }, content.edition)
        }
        if let memory, memory.isRemembering {
            if found != nil { memory.entriesDecoded += 1 }
            if memory.kept == nil { memory.kept = Kept(self) }
            (memory.kept as? Kept)?.note(edition)
        }
        return found
    }

    func rewrite(
        through seq: UInt64,
        onCommit: () throws -> Void,
        _ change: (JournalEntry) throws -> JournalEntry?
    ) throws {
        let old = content.withLock { content in
            // What failed midway is complete: the changed entries are there.
            content.isRewriting = false
            return content.groups
        }
        var changed: [Int: [JournalEntry]] = [:]
        for (place, (group, entries)) in old.enumerated() where group.firstSeq <= seq {
            let new = try entries.map { try $0.seq <= seq ? change($0) ?? $0 : $0 }
            precondition(new.map(\.seq) == entries.map(\.seq), "a rewritten entry keeps its seq")
            if new != entries { changed[place] = new }
        }
        if changed.isEmpty { return }
        content.withLock { content in
            for (place, entries) in changed { content.groups[place].entries = entries }
            content.edition += 1
            content.isRewriting = true
        }
        try onCommit()
        content.withLock { $0.isRewriting = false }
    }

    func drop(
        _ extent: DropExtent,
        isDryRun: Bool,
        onEach: () -> Void
    ) throws(JournalFailure) -> JournalDrop? {
        let found = content.withLock { content -> (pieces: Int, lastSeq: UInt64) in
            var (pieces, lastSeq, bytes) = (0, UInt64(0), 0)
            var place = content.dropped
            // The newest piece stays.
            while place + Self.pieceGroups < content.groups.count {
                let piece = content.groups[place..<place + Self.pieceGroups]
                bytes += piece.reduce(0) { $0 + $1.group.bytes }
                guard let last = piece.last, last.group.lastSeq <= extent.lastSeq,
                    last.entries.last?.moment ?? 0 < extent.moment,
                    pieces == 0 || bytes <= extent.bytesMax
                else { break }
                lastSeq = last.group.lastSeq
                pieces += 1
                place += Self.pieceGroups
            }
            return (pieces, lastSeq)
        }
        guard found.pieces > 0 else { return nil }
        if isDryRun { return JournalDrop(lastSeq: found.lastSeq, pieces: 0) }
        for _ in 0..<found.pieces {
            content.withLock {
                $0.dropped += Self.pieceGroups
                $0.edition += 1
            }
            onEach()
        }
        return JournalDrop(lastSeq: found.lastSeq, pieces: found.pieces)
    }

    func export(
        throughGroup group: UInt64,
        to path: String
    ) throws(JournalFailure) -> JournalCopy {
        let (groups, dropped) = content.withLock { ($0.groups, $0.dropped) }
        let whole = path + ".whole"
        defer { Scratch.remove(whole) }
        // Small segments: some of those that were dropped can be left out.
        let limits = JournalLimits(segmentBytesMax: 128 << 10, stepBytesMax: 64 << 10)
        let writer = try SegmentWriter.open(directory: whole, appliedGroup: 0, limits: limits)
        for (group, entries) in groups {
            _ = try writer.append(
                entries,
                catalogVersion: group.catalogVersion,
                rulesVersion: group.rulesVersion
            )
        }
        writer.close()
        if dropped > 0 {
            _ = try Segments.remove(
                directory: whole,
                throughSeq: groups[dropped - 1].group.lastSeq
            ) {}
        }
        return try Segments.copy(directory: whole, throughGroup: group, to: path)
    }

    /// What a memory knows of what it was shown.
    private final class Kept: KeptByJournal {
        private let journal: MemoryJournal
        private var edition: Int?

        init(_ journal: MemoryJournal) { self.journal = journal }

        func note(_ edition: Int) { self.edition = self.edition ?? edition }
        func forget() { edition = nil }
        var isOutdated: Bool { edition.map { $0 != journal.edition } ?? false }
    }
}

/// Where a ledger finds a journal in memory, again and again.
struct MemoryLocation: JournalLocation {
    let journal: MemoryJournal

    func open(appliedGroup: UInt64) throws(JournalFailure) -> OpenJournal {
        guard appliedGroup <= journal.end.group else {
            throw .damaged("memory: groups are missing")
        }
        return OpenJournal(journal, last: journal.end, groupBytesMax: 64 << 10)
    }

    func reading(appliedGroup: UInt64) -> any Journal { journal }

    var hasUnfinishedRewrite: Bool { journal.isRewriting }
}
