import Entitlements
import Glibc
import Journal
import TestSupport
import Testing

@testable import Ledger

/// Rot in an old segment, which nothing needs from day to day: everybody who reads it says damaged,
/// and nobody changes anything.
struct RottenJournalTests {
    private let scratch: Scratch
    private let hands = HandClock()
    private let notices = Notebook<LedgerNotice>()
    private static let people = 80

    init() throws { scratch = try Scratch() }

    private var journal: String { scratch.store + "/journal" }

    private func opened() throws -> Ledger {
        try open(scratch.store, clock: hands.clock, notices: notices, segmentBytesMax: 8192)
    }

    /// A ledger with a few segments, all of them in the views.
    private func filled() throws -> Ledger {
        let ledger = try opened()
        for number in 0..<Self.people { try ledger.order(try registration(number)) }
        hands.advance(day)
        try ledger.order(try registration(Self.people))
        try ledger.checkpointer.settle()
        try #require(try Segments.segments(in: journal).count > 2)
        return ledger
    }

    /// The names of the segments, oldest first.
    private var segments: [String] {
        Scratch.names(in: journal).filter { $0.hasSuffix(".segment") }.map { "\(journal)/\($0)" }
    }

    /// Flips a bit of the oldest segment, in its last third; answers the file and what it held.
    ///
    /// In place, as a disk does it.
    private func rot() throws -> (path: String, whole: [UInt8]) {
        let path = try #require(segments.first)
        let whole = try Scratch.bytes(of: path)
        let end = try #require(whole.lastIndex { $0 != 0 })
        try write([whole[end * 2 / 3] ^ 0x40], at: end * 2 / 3, of: path)
        return (path, whole)
    }

    private func write(_ bytes: [UInt8], at offset: Int, of path: String) throws {
        let descriptor = Glibc.open(path, O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(pwrite(descriptor, bytes, bytes.count, offset) == bytes.count)
    }

    private func erasure(of number: Int) throws -> Command.Kind {
        .erase(ErasureOrder(user: try user("user \(number)"), secret: HashKey(3, 4)))
    }

    private func isNamed(_ number: Int) throws -> Bool {
        let name = Array("user \(number)".utf8)
        return try segments.contains { try Scratch.bytes(of: $0).holds(name + [0]) }
            || segments.contains { try Scratch.bytes(of: $0).holds(name) }
    }

    @Test func `an erasure over it changes no segment, says damaged, and is finished later`() throws
    {
        var ledger = try filled()
        let (path, whole) = try rot()
        // Asked first, so that nobody is erased by halves.
        #expect(isDamage(failure { try ledger.checkJournal() }))
        // It may rot behind the question.
        #expect(try ledger.order(try erasure(of: 77)).outcome == .erased(true))
        var before = try journalFiles(scratch.store)
        for _ in 0..<2 {
            #expect(isDamage(failure { try ledger.finishErasures() }))
            #expect(try journalFiles(scratch.store) == before)
        }
        #expect(ledger.erasures.isMarked)
        #expect(try ledger.account(try user("user 77")) == nil)
        #expect(try ledger.order(try registration(200)).seq > 0)
        ledger.stop()
        // A start serves, says it, and does not forget.
        for _ in 0..<2 {
            before = try journalFiles(scratch.store)
            ledger = try opened()
            #expect(try ledger.account(try user("user 3")) != nil)
            #expect(try ledger.account(try user("user 77")) == nil)
            #expect(isDamage(failure { try ledger.finishErasures() }))
            ledger.stop()
            #expect(access(scratch.store + "/erasing", F_OK) == 0)
            #expect(try journalFiles(scratch.store)[path] == before[path])
            #expect(try isNamed(77))
        }
        let told = notices.notes.filter {
            if case .erasureUnfinished(let what) = $0 { what.contains(path) } else { false }
        }
        #expect(told.count == 2)
        // Made good, it is finished.
        try Scratch.put(whole, at: path)
        ledger = try opened()
        #expect(!ledger.erasures.isMarked)
        ledger.stop()
        #expect(try !isNamed(77))
        try expectClean(scratch.store)
    }

    @Test func `a segment that lost its end, or its beginning, is not rewritten`() throws {
        for cut in [0, 1, 2] {
            let ledger = cut == 0 ? try filled() : try opened()
            let path = try #require(segments.dropFirst(cut == 2 ? 1 : 0).first)
            let whole = try Scratch.bytes(of: path)
            let end = try #require(whole.lastIndex { $0 != 0 })
            switch cut {
            case 0: try write([UInt8](repeating: 0, count: end / 2), at: end / 2, of: path)
            case 1: try write([0], at: 0, of: path)
            default: #expect(truncate(path, end / 3) == 0)
            }
            #expect(try ledger.order(try erasure(of: 70 + cut)).outcome == .erased(true))
            let before = try journalFiles(scratch.store)
            #expect(isDamage(failure { try ledger.finishErasures() }), "\(cut)")
            #expect(try journalFiles(scratch.store) == before, "\(cut)")
            ledger.stop()
            try Scratch.put(whole, at: path)
            try opened().stop()
            #expect(try !isNamed(70 + cut), "\(cut)")
            try expectClean(scratch.store)
        }
    }

    @Test func `a history that needs it says damaged once in the log, and others are answered`()
        throws
    {
        let ledger = try filled()
        let (path, _) = try rot()
        var damaged = 0
        for _ in 0..<2 {
            for number in 0..<Self.people {
                let user = try user("user \(number)")
                do {
                    let (_, steps) = try ledger.history(of: user)
                    #expect(steps.count == 1)
                } catch {
                    #expect(isDamage(error as? LedgerFailure), "\(error)")
                    damaged += 1
                }
            }
        }
        #expect(damaged > 1 && damaged < Self.people)
        let changes = failure {
            _ = try ledger.look { try $0.changes(after: 0, through: ledger.figures.seq) }
        }
        #expect(isDamage(changes))
        let told = notices.notes.compactMap { notice -> String? in
            if case .met(.damaged(let what)) = notice { what } else { nil }
        }
        #expect(!told.isEmpty)
        #expect(Set(told).count == told.count)
        #expect(told.allSatisfy { $0.contains(path) })
        ledger.stop()
    }

    @Test func `a pruning over it removes nothing and says damaged`() throws {
        let ledger = try filled()
        hands.advance(day)
        let (path, whole) = try rot()
        let before = try journalFiles(scratch.store)
        let edge = Moment(hands.wall)
        let refused = failure { _ = try ledger.prune(olderThan: edge, reserveBytes: 0) }
        #expect(isDamage(refused), "\(String(describing: refused))")
        #expect(try journalFiles(scratch.store) == before)
        try Scratch.put(whole, at: path)
        let report = try ledger.prune(olderThan: edge, reserveBytes: 0)
        guard case .pruned = report else {
            Issue.record("\(report)")
            return
        }
        // And what was pruned is gone, not damaged.
        let changes = try ledger.look { try $0.changes(after: 0, through: 5) }
        #expect(changes?.users == [])
        #expect(changes?.border ?? 0 >= 5)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a backup over it is refused, leaves nothing, and is told of`() throws {
        let ledger = try filled()
        for place in 0..<3 {
            let path = segments[place == 2 ? segments.count - 1 : place]
            let whole = try Scratch.bytes(of: path)
            let end = try #require(whole.lastIndex { $0 != 0 })
            try write([whole[end / 2] ^ 1], at: end / 2, of: path)
            do {
                _ = try ledger.backup(to: scratch.path + "/copy") { _ in }
                Issue.record("a backup of a rotten journal was kept")
            } catch {
                guard case .ledger(.damaged(let what)) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(notices.notes.contains(.met(.damaged(what))))
            }
            #expect(Scratch.names(in: scratch.path) == ["store"])
            try write([whole[end / 2]], at: end / 2, of: path)
        }
        _ = try ledger.backup(to: scratch.path + "/copy") { _ in }
        ledger.stop()
        try expectClean(scratch.path + "/copy")
    }
}
