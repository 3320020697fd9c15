import Entitlements
import Glibc
import Journal
import Testing

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
        let stream = Stream(maker, batches: batches, countMax: 8)
        let bench = try WriterBench(scratch.store, clock: hands.clock)
        #expect(bench.run { stream.next($0) } == nil)
    }

    /// The ledger, behind its start, which returns what was held for connections.
    private func opened(_ directory: String? = nil) throws -> Ledger {
        let ledger = try open(
            directory ?? scratch.store,
            clock: hands.clock,
            segments: WriterBench.smallLimits
        )
        try ledger.order(.revokeGrant(.init(user: try user("nobody"), grant: 0, reason: "")))
        return ledger
    }

    /// The moments of a journal, by seq.
    private func moments(_ directory: String) throws -> [UInt64: Int64] {
        var found: [UInt64: Int64] = [:]
        let first = try JournalReader(directory: directory + "/journal").firstSeq()
        _ = try Journal.read(directory: directory + "/journal", afterSeq: first - 1) { entry, _ in
            found[entry.seq] = entry.moment
        }
        return found
    }

    private func middle() throws -> Moment {
        let moments = try moments(scratch.store)
        let last = try #require(moments.keys.max())
        return Moment(try #require(moments[last / 2]))
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
    private func rebuilt() throws -> StoredRows {
        let path = scratch.path + "/rebuilt"
        try Scratch.copyStore(scratch.store, to: path)
        unlink(path + "/data.mdb")
        let base = try Base(directory: path, mapSizeBytes: 64 << 20)
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
        let bytes = try Journal.bytes(in: scratch.store + "/journal")
        let border = try prune(ledger, moment)
        #expect(ledger.border == border)
        #expect(try ledger.prune(olderThan: moment, reserveBytes: 0) == .nothing)
        #expect(differences(before, try ledger.storedRows()) == [])
        ledger.stop()
        #expect(try Journal.bytes(in: scratch.store + "/journal") < bytes)
        #expect(try moments(scratch.store).keys.min() == border.seq + 1)
        try expectClean(scratch.store)
        // A second time from where the base is, and everything that is old.
        ledger = try opened()
        _ = try? prune(ledger, Moment(hands.wall + day))
        ledger.stop()
        try expectClean(scratch.store)
        let after = try storedRows(scratch.store)
        #expect(differences(after, try rebuilt()) == [])
        unlink(scratch.store + "/data.mdb")
        try opened().stop()
        try expectClean(scratch.store)
    }
}
