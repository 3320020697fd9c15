import Entitlements
import Glibc
import TestSupport
import Testing

@testable import Ledger

/// Rot is found while the ledger is at work, whoever needs what it took.
@Suite(.timeLimit(.minutes(2))) struct ScrubTests {
    private static let quick = ScrubPace(
        bytesPerSecond: 256 << 20,
        firstMilliseconds: 0,
        roundMilliseconds: 50
    )

    /// Waits for a report that `body` takes for the right one.
    private func expectReport(
        _ reports: Notebook<ScrubReport>,
        after count: Int = 0,
        _ body: (ScrubReport) -> Bool
    ) throws {
        for _ in 0..<6_000 {
            if reports.notes.dropFirst(count).contains(where: body) { return }
            usleep(10_000)
        }
        Issue.record("not told in a minute: \(reports.notes.suffix(5))")
    }

    private func flip(_ path: String, at place: Int) throws {
        var byte = try Scratch.bytes(of: path)[place] ^ 1
        let descriptor = Glibc.open(path, O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(pwrite(descriptor, &byte, 1, place) == 1)
    }

    @Test func `what is whole is read again and again, beside writes`() throws {
        let scratch = try Scratch()
        let ledger = try prunedLedger(scratch, segmentBytesMax: 32 << 10)
        let reports = Notebook<ScrubReport>()
        try ledger.startScrubbing(Self.quick) { reports.note($0) }
        for number in 1_000..<1_300 { try ledger.order(try registration(number)) }
        try expectReport(reports) { _ in ledger.scrubFigures.rounds >= 3 }
        let figures = ledger.scrubFigures
        #expect(figures.damage == [:])
        #expect(figures.bytes > 100_000 && figures.bytesPerSecond == 256 << 20)
        #expect(figures.lastRound != nil)
        ledger.stop()
        for report in reports.notes {
            guard case .round(let bytes) = report else {
                Issue.record("\(report)")
                return
            }
            #expect(bytes > 0)
        }
        try expectClean(scratch.store)
    }

    @Test(arguments: ["data.mdb", "base/data.mdb"], ["leaf", "branch"])
    func `a flipped byte of a leaf or a branch is found`(_ file: String, _ kind: String) throws {
        let scratch = try Scratch()
        let ledger = try prunedLedger(scratch, segmentBytesMax: 32 << 10)
        let reports = Notebook<ScrubReport>()
        let path = "\(scratch.store)/\(file)"
        let bytes = try Scratch.bytes(of: path)
        let pages = StoredPages(bytes)
        if kind == "leaf" {
            // The last byte of the page is of the row that was put first.
            try flip(path, at: try #require(pages.leaves.last { bytes[$0 + 4_090] != 0 }) + 4_090)
        } else {
            let node = bytes.nodes(of: try #require(pages.branches.first))[1]
            try flip(path, at: node + 8)
        }
        try ledger.startScrubbing(Self.quick) { reports.note($0) }
        let place = file == "data.mdb" ? ScrubPlace.views : .base
        try expectReport(reports) { report in
            if case .damaged(place, let what) = report {
                what.contains(place == .views ? "data.mdb" : "base")
            } else {
                false
            }
        }
        #expect(ledger.scrubFigures.damage[place] != nil)
        // The rest is read all the same.
        try expectReport(reports) { if case .round = $0 { true } else { false } }
        #expect(ledger.scrubFigures.damage.count == 1)
        ledger.stop()
    }

    @Test func `a flipped byte of an old segment is found, and a segment put back is seen`() throws
    {
        let scratch = try Scratch()
        let ledger = try prunedLedger(scratch, segmentBytesMax: 32 << 10)
        let reports = Notebook<ScrubReport>()
        let name = try #require(Scratch.names(in: scratch.store + "/journal").first)
        let path = "\(scratch.store)/journal/\(name)"
        let end = try #require(try Scratch.bytes(of: path).lastIndex { $0 != 0 })
        try flip(path, at: end / 2)
        try ledger.startScrubbing(Self.quick) { reports.note($0) }
        try expectReport(reports) { report in
            if case .damaged(.journal, let what) = report { what.contains(name) } else { false }
        }
        // Everybody is served.
        try ledger.order(try registration(5_000))
        try expectReport(reports) { _ in ledger.scrubFigures.rounds >= 3 }
        #expect(ledger.scrubFigures.damage[.journal]?.contains(name) == true)
        let told = reports.notes.filter { if case .damaged = $0 { true } else { false } }
        #expect(told.count == 1, "the same is told of once")
        try flip(path, at: end / 2)
        try expectReport(reports) { _ in ledger.scrubFigures.damage == [:] }
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a base that ends before the journal begins is found`() throws {
        let scratch = try Scratch()
        try prunedLedger(scratch, segmentBytesMax: 32 << 10).stop()
        // As where it was not copied with the rest.
        #expect(rename(scratch.store + "/base", scratch.path + "/base") == 0)
        let ledger = try open(scratch.store, segmentBytesMax: 32 << 10)
        let reports = Notebook<ScrubReport>()
        try ledger.startScrubbing(Self.quick) { reports.note($0) }
        try expectReport(reports) { report in
            guard case .damaged(.journal, let what) = report else { return false }
            return what.contains("neither")
        }
        ledger.stop()
    }

    @Test func `stopping waits for no pace`() throws {
        let scratch = try Scratch()
        let ledger = try prunedLedger(scratch, segmentBytesMax: 32 << 10)
        let pace = ScrubPace(bytesPerSecond: 1, firstMilliseconds: 0, roundMilliseconds: .max)
        try ledger.startScrubbing(pace) { report in Issue.record("\(report)") }
        for _ in 0..<6_000 where ledger.scrubFigures.bytes == 0 { usleep(10_000) }
        #expect(ledger.scrubFigures.bytes > 0)
        // At this pace the round would take hours; the suite's time limit says that it does not.
        ledger.stop()
        #expect(ledger.scrubFigures == ScrubFigures())
    }
}
