import Chance
import Entitlements
import Journal
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// L3: the journal alone makes the same rows.
struct ReplayTests {
    @Test(arguments: 0..<6) func `random commands of every kind, replayed, make equal rows`(
        _ round: Int
    ) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        var maker = try StreamMaker(random: .told(round: round), hands: hands)
        maker.migrates = round % 2 == 1
        let source = maker.source()
        let stream = Stream(maker, batches: round == 0 ? 150 : 120, countMax: round == 0 ? 60 : 12)
        var bench: WriterBench? = try WriterBench(scratch.store, clock: hands.clock, source: source)
        let kinds = Notebook<String>()
        let gaveUp = bench?
            .run { said in
                for answer in said {
                    switch answer {
                    case .success(let receipt): kinds.note(Self.name(receipt.outcome))
                    case .failure(let failure): kinds.note("failure \(failure)")
                    }
                }
                return stream.next(said)
            }
        #expect(gaveUp == nil)
        #expect(!kinds.notes.contains { $0.hasPrefix("failure") })
        #expect(Set(kinds.notes).count > 12, "\(Set(kinds.notes).sorted())")
        let lastSeq = bench?.journal.lastSeq ?? 0
        // Two chunks of a replay at least, in the long rounds.
        if round == 0 { #expect(lastSeq > UInt64(LedgerLimits.replayEntriesMax)) }
        bench = nil
        try expectClean(scratch.store)
        let stored = try storedRows(scratch.store)
        let rebuilt = scratch.path + "/rebuilt"
        let found = differences(stored, try rebuiltRows(scratch.store, in: rebuilt))
        #expect(found == [], "\(found.prefix(10))")
        try expectClean(rebuilt)
        let maybeEmpty: Set<TableName> = [
            .unclaimed, .leases, .alarms, .ticks, .tombstones, .appTransactions,
        ]
        for table in TableName.allCases {
            let count = stored[table]?.count ?? 0
            #expect(count > 0 || round > 0 || maybeEmpty.contains(table), "\(table)")
        }
    }

    @Test func `views of any age, brought up to date by the journal, become equal`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let stream = Stream(
            try StreamMaker(random: .told(), hands: hands),
            batches: 40,
            countMax: 20
        )
        let taken = Atomic<Int>(0)
        let (store, path) = (scratch.store, scratch.path)
        let troubles = Notebook<String>()
        var bench: WriterBench? = try WriterBench(store, clock: hands.clock)
        let gaveUp = bench?
            .run { said in
                do {
                    let number = taken.add(1, ordering: .relaxed).oldValue
                    try Scratch.copyViews(store, to: "\(path)/age \(number)")
                } catch {
                    troubles.note("\(error)")
                }
                return stream.next(said)
            }
        #expect(gaveUp == nil)
        #expect(troubles.notes == [])
        bench = nil
        let expected = try storedRows(store)
        for number in 0..<taken.load(ordering: .relaxed) {
            let old = "\(path)/age \(number)"
            try Scratch.copyJournal(store, to: old)
            do {
                let later = try WriterBench(old, source: .init())
                let found = differences(expected, try later.storedRows())
                #expect(found == [], "age \(number): \(found.prefix(5))")
            }
            try expectClean(old)
        }
    }

    @Test func `catalogs keep their places in a replay of everything`() throws {
        let scratch = try Scratch()
        var ledger = try open(scratch.store)
        for number in 1...4 {
            _ = try ledger.putInForce(tariff(), stamp(number)).get()
            try ledger.order(try registration(number))
        }
        let before = try ledger.look { try $0.catalogs() }
        #expect(before.map(\.seq) == [1, 3, 5, 7])
        ledger.stop()
        let rebuilt = scratch.path + "/rebuilt"
        try Scratch.copyJournal(scratch.store, to: rebuilt)
        ledger = try open(rebuilt)
        #expect(try ledger.look { try $0.catalogs() } == before)
        ledger.stop()
        #expect(differences(try storedRows(scratch.store), try storedRows(rebuilt)) == [])
    }

    private static func name(_ outcome: Outcome) -> String {
        switch outcome {
        case .charged(let how, _, let replay): "charged \(how) \(replay != nil)"
        case .reserved(let how, _, _, let replay): "reserved \(how) \(replay != nil)"
        case .holdEnded(let how, _): "ended \(how)"
        case .reversed(let isReversed, _, _): "reversed \(isReversed)"
        case .recorded(let how): "recorded \(how)"
        case .restored(let all): "restored \(Set(all.map(\.outcome.rawValue)).sorted())"
        default: String("\(outcome)".prefix { $0 != "(" })
        }
    }
}
