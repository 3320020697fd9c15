import Chance
import Entitlements
import Glibc
import Journal
import TestSupport
import Testing
import Threads

@testable import Ledger

/// The journal loses its oldest segments, and nothing that is asked notices, but for the history.
struct PruningTests {
    private let hands = HandClock()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A store with a few segments, written by random commands.
    private func write(batches: Int = 120, erases: Bool = false) throws {
        var maker = try StreamMaker(random: .told(), hands: hands)
        maker.erases = erases
        maker.migrates = true
        let stream = Stream(maker, batches: batches, countMax: 8)
        let bench = try WriterBench(scratch.store, clock: hands.clock)
        #expect(bench.run { stream.next($0) } == nil)
    }

    /// The ledger, behind its start, which returns what was held for connections.
    private func opened(_ directory: String? = nil) throws -> Ledger {
        let ledger = try open(
            directory ?? scratch.store,
            clock: hands.clock,
            segmentBytesMax: WriterBench.smallLimits.segmentBytesMax
        )
        try ledger.order(.revokeGrant(.init(user: try user("nobody"), grant: 0, reason: "")))
        return ledger
    }

    /// The moments of a journal, by seq.
    private func moments(_ directory: String) throws -> [UInt64: Int64] {
        var found: [UInt64: Int64] = [:]
        let first = try SegmentReader(directory: directory + "/journal").firstSeq()
        _ = try Segments.readEach(directory: directory + "/journal", afterSeq: first - 1) {
            entry,
            _ in
            found[entry.seq] = entry.moment
        }
        return found
    }

    private func middle() throws -> Moment {
        let moments = try moments(scratch.store)
        let last = try #require(moments.keys.max())
        return Moment(try #require(moments[last / 2]))
    }

    /// How far the base is.
    private func baseSeq(_ directory: String? = nil) throws -> UInt64 {
        let rows = try storedRows((directory ?? scratch.store) + "/base")
        let key = MetaRow.bytes(of: MetaRow.applied)
        let sealed = try #require(rows[.meta]?[key])
        let row = try MetaRow(key: key, value: sealed.dropLast(Seal.bytes))
        guard case .applied(let seq, _, _, _, _, _) = row.record else { return 0 }
        return seq
    }

    private func prune(_ ledger: Ledger, _ moment: Moment) throws -> HistoryBorder {
        let report = try ledger.prune(olderThan: moment, reserveBytes: 0)
        guard case .pruned(let segments, let border) = report else {
            Issue.record("\(report)")
            throw LedgerFailure.notReady
        }
        #expect(segments > 0 && border.at < moment)
        return border
    }

    /// The rows that base and journal make, beginning with no views.
    private func rebuilt(_ directory: String? = nil) throws -> StoredRows {
        let path = scratch.path + "/rebuilt"
        try Scratch.copyStore(directory ?? scratch.store, to: path)
        unlink(path + "/data.mdb")
        let base = try baseIn(path)
        try base.restoreViews()
        base.close()
        let bench = try WriterBench(path, source: .init())
        return try withExtendedLifetime(bench) { try bench.storedRows() }
    }

    @Test(arguments: 0..<4) func `pruned views are what they were, and are made anew from the base`(
        _ round: Int
    ) throws {
        try write(erases: round % 2 == 1)
        let moment = try middle()
        var ledger = try opened()
        let before = try ledger.storedRows()
        let bytes = try Segments.bytes(in: scratch.store + "/journal")
        let border = try prune(ledger, moment)
        #expect(ledger.border == border)
        #expect(try ledger.prune(olderThan: moment, reserveBytes: 0) == .nothing)
        #expect(differences(before, try ledger.storedRows(), behind: ledger.base.seq) == [])
        ledger.stop()
        #expect(try Segments.bytes(in: scratch.store + "/journal") < bytes)
        #expect(try moments(scratch.store).keys.min() == border.seq + 1)
        try expectClean(scratch.store)
        // A second time from where the base is, and everything that is old.
        ledger = try opened()
        _ = try? prune(ledger, Moment(hands.wall + day))
        ledger.stop()
        try expectClean(scratch.store)
        let after = try storedRows(scratch.store)
        #expect(differences(after, try rebuilt(), behind: try baseSeq()) == [])
        unlink(scratch.store + "/data.mdb")
        try opened().stop()
        try expectClean(scratch.store)
    }

    @Test func `views from before the base are damage of the views`() throws {
        try write(batches: 20)
        let old = scratch.path + "/old"
        try Scratch.copyViews(scratch.store, to: old)
        try write(batches: 20)
        let ledger = try opened()
        _ = try prune(ledger, Moment(hands.wall + day))
        ledger.stop()
        try Scratch.copyViews(old, to: scratch.store)
        let failure = failure { _ = try open(scratch.store, clock: hands.clock) }
        guard case .damaged(let what) = failure else {
            Issue.record("\(failure as Any)")
            return
        }
        // What begins so is advised to make the views anew.
        #expect(what.hasPrefix("data.mdb"))
        unlink(scratch.store + "/data.mdb")
        try opened().stop()
        try expectClean(scratch.store)
    }

    @Test func `a machine that stops at any step finds nothing half done`() throws {
        try write(batches: 60, erases: true)
        let moment = try middle()
        let ledger = try opened()
        let stored = try ledger.storedRows()
        var crashes = 0
        var steps: Set<String> = []
        let told = { (step: PruneStep) in
            crashes += 1
            steps.insert("\(step)")
            do {
                try lookAfterCrash(moment, stored)
            } catch {
                Issue.record("\(step) \(crashes): \(error)")
            }
        }
        _ = try ledger.prune(olderThan: moment, reserveBytes: 0, stepBytesMin: 0, onStep: told)
        ledger.stop()
        #expect(steps == ["absorbed", "checked", "removed"])
        #expect(crashes >= 3)
    }

    @Test func `segments go one after the other while the base goes on`() throws {
        let ledger = try opened()
        for round in 0..<40 {
            try ledger.orderTogether((0..<50).map { try registration(50 * round + $0) })
            hands.advance(day)
        }
        try ledger.checkpointer.settle()
        let segments = Scratch.names(in: scratch.store + "/journal").count
        var steps: [PruneStep] = []
        let edge = Moment(hands.wall - 5 * day)
        let report = try ledger.prune(
            olderThan: edge,
            reserveBytes: 0,
            stepBytesMin: 0,
            onStep: { steps.append($0) }
        )
        guard case .pruned(let removed, let border) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(removed > 3 && removed < segments)
        #expect(steps.count { $0 == .removed } == removed)
        let first = try #require(steps.firstIndex(of: .removed))
        #expect(steps[first...].contains(.absorbed), "the first go before the last are absorbed")
        for place in steps.indices where steps[place] == .removed && steps[place - 1] != .removed {
            #expect(steps[place - 1] == .checked, "nothing goes before the base was read through")
        }
        #expect(ledger.border == border)
        ledger.stop()
        try expectClean(scratch.store)
        #expect(try moments(scratch.store).keys.min() == border.seq + 1)
    }

    @Test func `histories are told while the base goes on`() throws {
        let ledger = try opened()
        for round in 0..<40 {
            try ledger.orderTogether((0..<50).map { try registration(50 * round + $0) })
            hands.advance(day)
        }
        try ledger.checkpointer.settle()
        let edge = Moment(hands.wall - 5 * day)
        let reports = Notebook<String>()
        let pruner = try NamedThread(named: "pruner") {
            let report = Result {
                try ledger.prune(olderThan: edge, reserveBytes: 0, stepBytesMin: 0)
            }
            reports.note("\(report)")
        }
        defer { pruner.join() }
        var borders: Set<UInt64> = []
        var number = 0
        repeat {
            // Of users whom the base has, and of some whom it is about to have.
            let name = try user("user \(number)")
            let seq = try ledger.look { reader in
                try reader.settled { () throws(LedgerFailure) in
                    try reader.past(of: name).seq
                }
            }
            borders.insert(seq)
            number = (number + 1) % 1_000
        } while reports.notes.isEmpty
        #expect(borders.count > 2, "the base moved meanwhile")
        #expect(reports.notes.first?.hasPrefix("success") == true, "\(reports.notes)")
    }

    @Test func `the base absorbs thousands of entries in one transaction`() throws {
        let ledger = try opened()
        for round in 0..<12 {
            let keys = (0..<300).map { 1_000 * round + $0 }
            try ledger.orderTogether(keys.map { try grant("user \($0 % 1_000)", key: $0) })
        }
        hands.advance(2 * day)
        try ledger.order(try registration(9_000))
        try ledger.checkpointer.settle()
        var absorbed = 0
        let report = try ledger.prune(
            olderThan: Moment(hands.wall - day),
            reserveBytes: 0,
            onStep: { if $0 == .absorbed { absorbed += 1 } }
        )
        guard case .pruned(_, let border) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(border.seq > 3_000)
        #expect(absorbed <= 3, "one for each 12,000 changes, not for each 1,024 entries")
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a base that has no room stays where it is, and goes on when there is some`() throws
    {
        let ledger = try opened()
        for round in 0..<10 {
            try ledger.orderTogether((0..<200).map { try registration(200 * round + $0) })
        }
        try ledger.checkpointer.settle()
        let last = ledger.figures.seq
        let source = ledger.policy.source
        ledger.stop()
        func advance(_ base: Base) throws {
            let place = SegmentLocation(scratch.store + "/journal")
            let journal = place.reading(appliedGroup: 0)
            while base.seq < last {
                _ = try base.advance(through: last, of: journal, under: source)
            }
        }
        let small = try Base(
            directory: scratch.store,
            mapSizeBytes: 192 << 10,
            limits: CheckpointLimits(changesMax: 500, bytesMax: 1 << 20),
            journal: SegmentLocation(scratch.store + "/journal")
        )
        #expect(failure { try advance(small) } == .storageFull)
        let held = small.seq
        #expect(held < last)
        #expect(failure { try advance(small) } == .storageFull, "and not something else")
        #expect(small.seq == held)
        #expect(try small.look { $0.state.seq } ?? 0 == held, "what is not stored is not shown")
        small.close()
        let large = try baseIn(scratch.store)
        try advance(large)
        #expect(large.seq == last)
        large.close()
        try expectClean(scratch.store)
        try opened().stop()
    }

    @Test func `ticks that no history needs any more are swept from views and base`() throws {
        var ledger = try opened()
        for number in 0..<40 {
            let ends = hands.wall + Int64(1 + number) * day
            try ledger.order(try grant("user \(number)", key: number, until: ends))
        }
        // Each day somebody's grant ends, which a tick notes.
        for number in 100..<160 {
            hands.advance(day)
            try ledger.order(try registration(number))
        }
        try ledger.checkpointer.settle()
        let ticks = try ledger.storedRows()[.ticks] ?? [:]
        try #require(ticks.count > 30)
        let user = try user("user 30")
        let before = try ledger.look { try $0.history(of: user).steps.map(\.seq) }
        let border = try prune(ledger, Moment(hands.wall - 20 * day))
        // Whoever stores next sweeps.
        for number in 200..<205 {
            try ledger.order(try registration(number))
            try ledger.checkpointer.settle()
        }
        let left = try ledger.storedRows()[.ticks] ?? [:]
        #expect(left.count < ticks.count)
        for (key, sealed) in ticks {
            let row = try TickRow(key: key, value: sealed.dropLast(Seal.bytes))
            #expect((left[key] != nil) == (row.record > border.seq))
        }
        let after = try ledger.look { try $0.history(of: user).steps.map(\.seq) }
        #expect(after == before.filter { $0 > border.seq })
        ledger.stop()
        #expect(try storedRows(scratch.store + "/base")[.ticks]?.count ?? 0 == 0)
        try expectClean(scratch.store)
        unlink(scratch.store + "/data.mdb")
        ledger = try opened()
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a message that waits for its store keeps its entry until the store has answered`()
        throws
    {
        let ledger = try opened()
        let told = StoreAnnouncement(.stripe, .checkoutSession("cs_waits"))
        let notice = Notification(
            id: NotificationID(signed: Moment(hands.wall), digest: digest(7)),
            type: "changed",
            subtype: "",
            document: digest(7),
            facts: []
        )
        var announced: UInt64 = 0
        for round in 0..<12 {
            try ledger.orderTogether((0..<100).map { try registration(100 * round + $0) })
            if round == 5 { announced = try ledger.order(.record(notice.awaiting(told))).seq }
            hands.advance(day)
        }
        try ledger.checkpointer.settle()
        let moment = Moment(hands.wall - day)
        let border = try prune(ledger, moment)
        #expect(border.seq < announced)
        #expect(try ledger.prune(olderThan: moment, reserveBytes: 0) == .nothing)
        let waiting = try ledger.look { try $0.announcements(after: nil).waiting }
        #expect(waiting.map(\.waiting.notification.announcement) == [told])
        try ledger.order(.record(notice.stating([])))
        try ledger.checkpointer.settle()
        #expect(try prune(ledger, moment).seq > announced)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `nothing goes if an erasure begins while the base is checked`() throws {
        try write(batches: 60)
        let ledger = try opened()
        let first = try moments(scratch.store).keys.min()
        let moment = try middle()
        let mark = scratch.store + "/erasing"
        let report = try ledger.prune(
            olderThan: moment,
            reserveBytes: 0,
            onStep: { if $0 == .checked { try? Scratch.put([], at: mark) } }
        )
        #expect(report == .later)
        #expect(try moments(scratch.store).keys.min() == first)
        unlink(mark)
        _ = try prune(ledger, moment)
        ledger.stop()
        try expectClean(scratch.store)
    }

    private func lookAfterCrash(_ moment: Moment, _ stored: StoredRows) throws {
        let copy = scratch.path + "/crashed"
        try Scratch.copyStore(scratch.store, to: copy)
        try expectClean(copy)
        let ledger = try opened(copy)
        #expect(differences(stored, try ledger.storedRows(), behind: ledger.base.seq) == [])
        if try SegmentReader(directory: copy + "/journal").firstSeq() <= ledger.base.seq {
            _ = try prune(ledger, moment)
        }
        ledger.stop()
        try expectClean(copy)
        #expect(try moments(copy).values.min() ?? 0 >= 0)
    }

    @Test(arguments: 0..<3) func `an erasure behind a pruning takes the names out of the base too`(
        _ round: Int
    ) throws {
        var maker = try StreamMaker(random: .told(round: round), hands: hands)
        maker.erases = round == 1
        maker.migrates = true
        let stream = Stream(maker, batches: 100, countMax: 8)
        var bench: WriterBench? = try WriterBench(scratch.store, clock: hands.clock)
        #expect(bench?.run { stream.next($0) } == nil)
        bench = nil
        let moment = try middle()
        let ledger = try opened()
        let whole = try journalFiles(scratch.store)
        _ = try prune(ledger, moment)
        ledger.stop()
        maker.erases = true
        let later = Stream(maker, batches: 30, countMax: 8)
        bench = try WriterBench(scratch.store, clock: hands.clock)
        #expect(bench?.run { later.next($0) } == nil)
        try bench?.checkpointer.settle()
        let book = try #require(bench?.erasures)
        let expected = try unpruned(whole, book)
        var steps = 0
        let base = try baseIn(scratch.store)
        try bench?
            .finishErasures(base) { step in
                steps += 1
                // Each once, and before and after the moment from which the copies hold.
                guard step != .copied || steps == 1 else { return }
                do {
                    try lookAfterCrash(erasing: expected)
                } catch {
                    Issue.record("\(step): \(error)")
                }
            }
        base.close()
        #expect(book.waiting.isEmpty && !book.isMarked)
        bench = nil
        #expect(differences(expected, try rebuilt(), behind: try baseSeq()) == [])
    }

    /// The rows that the journal would make had it not been pruned, once the erasures are finished.
    private func unpruned(_ old: [String: [UInt8]], _ book: ErasureBook) throws -> StoredRows {
        let path = scratch.path + "/unpruned"
        try Scratch.copyStore(scratch.store, to: path)
        Scratch.remove(path + "/base")
        for (name, bytes) in old where access("\(path)/journal/\(name)", F_OK) != 0 {
            try Scratch.put(bytes, at: "\(path)/journal/\(name)")
        }
        let other = ErasureBook(directory: path)
        other.resume(book.waiting)
        let base = try baseIn(path)
        try other.finish(base, try openJournal(path), beside: try storedViews(path))
        return try rebuiltRows(path, in: scratch.path + "/whole")
    }

    private func lookAfterCrash(erasing expected: StoredRows) throws {
        let copy = scratch.path + "/crashed"
        try Scratch.copyStore(scratch.store, to: copy)
        // As a start does, but for what it writes.
        let base = try baseIn(copy)
        let book = ErasureBook(directory: copy)
        book.expect()
        try book.finish(base, try openJournal(copy), beside: try storedViews(copy))
        base.close()
        #expect(access(copy + "/base-copy", F_OK) != 0)
        #expect(differences(expected, try rebuilt(copy), behind: try baseSeq(copy)) == [])
    }

    @Test func `an entry that is as old as the edge stays, and one that is older goes`() throws {
        let ledger = try opened()
        var number = 0
        // Five segments, a day apart.
        var starts: [UInt64] = []
        for _ in 0..<5 {
            hands.advance(day)
            let names = Scratch.names(in: scratch.store + "/journal").count
            while Scratch.names(in: scratch.store + "/journal").count == names {
                try ledger.order(try registration(number))
                number += 1
            }
            starts.append(ledger.figures.seq)
        }
        try ledger.checkpointer.settle()
        let journal = try SegmentReader(directory: scratch.store + "/journal")
        // The last entry of the first segment stands before the first of the second.
        let last = starts[1] - 1
        let newest = try #require(try journal.entry(seq: last)).moment
        #expect(try ledger.prune(olderThan: Moment(newest), reserveBytes: 0) == .nothing)
        let report = try ledger.prune(olderThan: Moment(newest + 1), reserveBytes: 0)
        let border = HistoryBorder(seq: last, at: Moment(newest))
        #expect(report == .pruned(segments: 1, border: border))
        // All but the newest segment, however far the clock is ahead.
        _ = try ledger.prune(olderThan: Moment(hands.wall + 1_000 * day), reserveBytes: 0)
        #expect(try journal.firstSeq() <= ledger.figures.seq)
        #expect(try journal.firstSeq() == ledger.base.seq + 1)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `without space nothing is begun, and who is to end stops in the middle`() throws {
        try write(batches: 60)
        let ledger = try opened()
        let moment = try middle()
        let report = try ledger.prune(olderThan: moment, reserveBytes: 1 << 60)
        guard case .noSpace(let bytes) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(bytes >= 1 << 60)
        #expect(access(scratch.store + "/base", F_OK) != 0)
        var looks = 0
        let ended = try ledger.prune(
            olderThan: moment,
            reserveBytes: 0,
            isEnding: {
                looks += 1
                return looks > 1
            }
        )
        #expect(ended == .later)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `changes from before the border are not told`() throws {
        try write(batches: 60)
        let ledger = try opened()
        let border = try prune(ledger, try middle())
        let last = ledger.figures.seq
        for first in [0, border.seq - 1, border.seq] {
            let changes = try #require(
                try ledger.look { try $0.changes(after: first, through: last) }
            )
            #expect(changes.border == border.seq)
            #expect(!changes.users.isEmpty)
        }
        ledger.stop()
    }

    @Test func `a base that is damaged or missing is damage, and is named`() throws {
        try write(batches: 60)
        let ledger = try opened()
        _ = try prune(ledger, try middle())
        ledger.stop()
        let file = scratch.store + "/base/data.mdb"
        var bytes = try Scratch.bytes(of: file)
        try Scratch.put([], at: file)
        #expect(isDamage(failure { try opened().stop() }))
        for place in stride(from: 8192, to: bytes.count, by: 64) { bytes[place] ^= 0x55 }
        try Scratch.put(bytes, at: file)
        unlink(scratch.store + "/data.mdb")
        guard case .damaged(let what)? = failure({ try opened().stop() }) else {
            Issue.record("nothing was said")
            return
        }
        #expect(what.hasPrefix("base: "), "\(what)")
        Scratch.remove(scratch.store + "/base")
        #expect(isDamage(failure { try opened().stop() }))
        #expect(isDamage(failure { _ = try Ledger.verify(options(scratch.store)) }))
    }

    @Test func `a base that goes on behind the journal is damage`() throws {
        let older = scratch.path + "/older"
        try write(batches: 20)
        try Scratch.copyStore(scratch.store, to: older)
        try write()
        let ledger = try opened()
        _ = try prune(ledger, try middle())
        ledger.stop()
        // An older backup is put in the place of data.mdb and of the journal, not of the base.
        try putJournal(try journalFiles(older), scratch.store)
        try Scratch.copyViews(older, to: scratch.store)
        let behind = LedgerFailure.damaged("base: it goes on behind the end of the journal")
        #expect(failure { _ = try open(scratch.store) } == behind)
        #expect(isDamage(failure { _ = try Ledger.verify(options(scratch.store)) }))
        Scratch.remove(scratch.store + "/base")
        try opened().stop()
        try expectClean(scratch.store)
    }

    @Test func `a backup of a pruned ledger has the base, and is as good`() throws {
        try write(batches: 60)
        let ledger = try opened()
        let border = try prune(ledger, try middle())
        let copy = scratch.path + "/backup"
        var files: [String] = []
        _ = try ledger.backup(to: copy) { files.append($0) }
        #expect(files.contains { $0.hasSuffix("/base/data.mdb") })
        ledger.stop()
        try expectClean(copy)
        let other = try opened(copy)
        #expect(other.border == border)
        other.stop()
        try expectClean(copy)
    }
}
