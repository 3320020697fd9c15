import Chance
import Entitlements
import Glibc
import Journal
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Ledger

/// A ledger on a journal that loses answers, is slow, is full, and has another author: nothing is
/// said before it is known, and nothing is decided twice.
struct UnknownAppendTests {
    private let scratch: Scratch
    private let hands = HandClock()

    init() throws { scratch = try Scratch() }

    private static let stormy = MemoryJournal.Weather(
        lostAnswers: 25,
        lostGroups: 20,
        slowMicroseconds: 300
    )

    private func options(
        _ location: any JournalLocation,
        _ directory: String? = nil
    ) -> Ledger.Options {
        var options = LedgerTests.options(directory ?? scratch.store, clock: hands.clock)
        options.journalLocation = location
        options.checkpoints = .often
        options.milestones = .quick
        options.segmentBytesMax = 16 << 10
        return options
    }

    private func opened(
        _ location: any JournalLocation,
        source: Policy.Source = tariff(),
        onFailure: @escaping @Sendable (LedgerFailure) -> Void = {
            Issue.record("the writer gave up: \($0)")
        }
    ) throws -> Ledger {
        try Ledger.open(options(location), source: source, onFailure: onFailure)
    }

    /// Has `ledger` take a stream, batch after batch.
    private func play(_ stream: Stream, on ledger: Ledger, _ heard: (Said) -> Void) throws {
        var said: [Said] = []
        while let batch = stream.next(said), !batch.isEmpty {
            let answers = BlockingQueue<Said>(countMax: batch.count)
            ledger.queue.submit(batch.map { WriteOrder(kind: $0) { _ = answers.offer($0) } })
            said = []
            while said.count < batch.count {
                let more = try #require(answers.take(batch.count, waiting: 30_000))
                try #require(!more.isEmpty, "no answer in 30 s")
                said += more
            }
            said.forEach(heard)
        }
    }

    private func verify(_ location: any JournalLocation) throws {
        let report = try Ledger.verify(options(location))
        #expect(report.differences == [])
        #expect(report.applied == report.lastSeq && report.lastSeq > 0)
    }

    @Test(arguments: JournalUnderTest.allCases, 0..<4)
    func `random commands are answered once, and the journal makes the rows that they left`(
        _ kind: JournalUnderTest,
        _ round: Int
    ) throws {
        var maker = try StreamMaker(
            random: SplitMix64(seed: Seed.told(round: round)),
            hands: hands
        )
        maker.erases = round % 2 == 0
        maker.migrates = round > 1
        let memory = MemoryJournal(Self.stormy, random: maker.random)
        let location: any JournalLocation =
            kind == .memory ? MemoryLocation(journal: memory) : kind.location(scratch)
        let source = maker.source()
        let ledger = try opened(location, source: source)
        var answers = 0
        try play(Stream(maker, batches: 40, countMax: 12), on: ledger) { said in
            answers += 1
            if case .failure(let failure) = said { Issue.record("\(failure)") }
        }
        #expect(answers > 100)
        try ledger.finishErasures()
        #expect(ledger.erasures.waiting.isEmpty && !ledger.erasures.isMarked)
        ledger.stop()
        try verify(location)
        if kind == .memory {
            #expect(memory.fates.lostAnswers > 2 && memory.fates.lostGroups > 2)
            #expect(memory.fates.conflicts == 0)
        }
        // The same journal makes the same rows, beginning with no views.
        let stored = try storedRows(scratch.store)
        let again = scratch.path + "/again"
        _ = try Ledger.rebuild(rebuilding(again, location), under: source)
        #expect(differences(stored, try storedRows(again)).prefix(5) == [])
    }

    /// An empty directory beside the journal, so that views are made anew in it.
    private func rebuilding(
        _ directory: String,
        _ location: any JournalLocation
    ) throws -> Ledger.Options {
        try #require(mkdir(directory, 0o700) == 0)
        return options(location, directory)
    }

    private func charge(_ name: String, _ number: Int) throws -> Command.Kind {
        let user = try user(name)
        return .charge(
            Charge(
                user: user,
                amount: 1,
                key: IdempotencyKey(user: user, digest: digest(number)),
                fingerprint: digest(number)
            )
        )
    }

    private func credit(_ name: String, _ amount: Int64) throws -> Command.Kind {
        let user = try user(name)
        return .credit(
            CreditOrder(
                user: user,
                amount: amount,
                key: IdempotencyKey(user: user, digest: digest(9_999)),
                fingerprint: digest(9_999),
                until: nil,
                source: "gift",
                reason: "",
                isAdjustment: false
            )
        )
    }

    @Test func `each charge is taken once, however many answers are lost`() throws {
        let memory = MemoryJournal(
            MemoryJournal.Weather(lostAnswers: 45, lostGroups: 25),
            random: .told()
        )
        let location = MemoryLocation(journal: memory)
        let ledger = try opened(location)
        try ledger.order(try credit("heavy", 1_000))
        let early = Atomic<Int>(0)
        var lefts: [Int64] = []
        var replays = 0
        for first in stride(from: 0, to: 600, by: 15) {
            let answers = BlockingQueue<Said>(countMax: 15)
            for number in first..<first + 15 {
                ledger.submit(try charge("heavy", number % 300)) { said in
                    // Nobody is told anything that the journal does not have.
                    if case .success(let receipt) = said, receipt.seq > memory.end.seq {
                        early.add(1, ordering: .relaxed)
                    }
                    _ = answers.offer(said)
                }
            }
            var count = 0
            while count < 15 {
                for said in try #require(answers.take(15, waiting: 30_000)) {
                    count += 1
                    guard case .charged(.consumed, let left, let replay) = try said.get().outcome
                    else {
                        Issue.record("\(said)")
                        continue
                    }
                    if replay == nil { lefts.append(left) } else { replays += 1 }
                }
            }
        }
        #expect(early.load(ordering: .relaxed) == 0)
        #expect(lefts.sorted() == Array(700..<1_000) && replays == 300)
        let seq = ledger.figures.seq
        let account = try #require(try ledger.account(try user("heavy")))
        #expect(account.purse.balance(at: Moment(hands.wall)) == 700)
        ledger.stop()
        #expect(memory.end.seq == seq && seq == 301, "an entry for each, and no other")
        #expect(memory.fates.lostAnswers > 5 && memory.fates.lostGroups > 2)
        try verify(location)
    }

    @Test func `a full journal refuses, keeps nothing, and goes on when it has room`() throws {
        let memory = MemoryJournal(
            MemoryJournal.Weather(lostAnswers: 10, lostGroups: 10, fullDisks: 50),
            random: .told()
        )
        let location = MemoryLocation(journal: memory)
        let ledger = try opened(location)
        var (kept, refused) = (0, 0)
        for number in 0..<60 {
            switch try ledger.say(try registration(number)) {
            case .success: kept += 1
            case .failure(let failure):
                #expect(failure == .storageFull)
                refused += 1
                #expect(try ledger.account(try user("user \(number)")) == nil)
            }
        }
        #expect(kept > 10 && refused > 10 && memory.end.seq == UInt64(kept))
        ledger.stop()
        try verify(location)
    }

    @Test func `another author's group stops the writer, which says so and decides nothing more`()
        throws
    {
        let memory = MemoryJournal(MemoryJournal.Weather(), random: .told())
        let location = MemoryLocation(journal: memory)
        let failures = Notebook<LedgerFailure>()
        let ledger = try opened(location) { failures.note($0) }
        for number in 0..<5 { try ledger.order(try registration(number)) }
        var weather = MemoryJournal.Weather()
        weather.overtakenAt = 6
        memory.set(weather)
        let said = try ledger.say(try registration(5))
        guard case .failure(.failed(let what)) = said else {
            Issue.record("\(said)")
            return
        }
        #expect(what.contains("another writer has appended") && what.contains("entry 6"))
        // Callers hear of it first, then the daemon.
        #expect(eventually { failures.notes == [.failed(what)] })
        #expect(try ledger.say(try registration(6)) == .failure(.shuttingDown))
        #expect(try ledger.account(try user("user 5")) == nil)
        #expect(ledger.figures.seq == 5 && memory.end.seq == 6)
        ledger.stop()
    }

    @Test(arguments: [false, true])
    func `where nobody can say, nobody is told, and the next start finds what became of it`(
        _ isKept: Bool
    ) throws {
        let memory = MemoryJournal(MemoryJournal.Weather(), random: .told())
        let location = MemoryLocation(journal: memory)
        let failures = Notebook<LedgerFailure>()
        var ledger = try opened(location) { failures.note($0) }
        try ledger.order(try registration(0))
        var weather = MemoryJournal.Weather()
        weather.silentFrom = 2
        weather.keepsSilent = isKept
        memory.set(weather)
        let said = try ledger.say(try registration(1))
        guard case .failure(.failed) = said else {
            Issue.record("\(said)")
            return
        }
        #expect(eventually { failures.notes.count == 1 })
        #expect(try ledger.account(try user("user 1")) == nil, "nothing is shown that may not be")
        ledger.stop()
        memory.set(MemoryJournal.Weather())
        ledger = try opened(location)
        #expect((try ledger.account(try user("user 1")) != nil) == isKept)
        let again = try ledger.order(try registration(1))
        #expect(again.seq == 2, "registered once")
        ledger.stop()
        try verify(location)
    }

    @Test func `checks are answered while a commit takes long`() throws {
        let memory = MemoryJournal(MemoryJournal.Weather(), random: .told())
        let location = MemoryLocation(journal: memory)
        let ledger = try opened(location)
        try ledger.order(try registration(0))
        var weather = MemoryJournal.Weather()
        weather.slowMicroseconds = 900_000
        memory.set(weather)
        let answers = BlockingQueue<Said>(countMax: 64)
        for number in 1...64 { ledger.submit(try registration(number)) { _ = answers.offer($0) } }
        var checks = 0
        while memory.end.seq < 2, checks < 1_000_000 {
            #expect(try ledger.look { try $0.answer(of: try user("user 0")) } != nil)
            checks += 1
        }
        #expect(checks > 3)
        var count = 0
        while count < 64 { count += try #require(answers.take(64, waiting: 30_000)).count }
        ledger.stop()
        try verify(location)
    }

    @Test(arguments: JournalUnderTest.allCases)
    func `a ledger is pruned, backed up and verified by the six calls alone`(
        _ kind: JournalUnderTest
    ) throws {
        let location = kind.location(scratch)
        let ledger = try opened(location)
        for round in 0..<12 {
            try ledger.orderTogether((round * 20..<round * 20 + 20).map { try registration($0) })
            hands.advance(day)
        }
        try ledger.checkpointer.settle()
        let report = try ledger.prune(olderThan: Moment(hands.wall - 4 * day), reserveBytes: 0)
        guard case .pruned(let pieces, let border) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(pieces > 0 && border.seq > 20)
        #expect(try ledger.history(of: try user("user 239")).steps.count == 1)
        #expect(try ledger.account(try user("user 0")) != nil)
        let copy = scratch.path + "/copy"
        let made = try ledger.backup(to: copy) { _ in }
        #expect(made.seq == ledger.figures.seq)
        ledger.stop()
        try verify(location)
        #expect(differences(try storedRows(scratch.store), try storedRows(copy)) == [])
        try expectClean(copy)
    }
}
