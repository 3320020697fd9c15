import Chance
import Entitlements
import Journal
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// A crash between journal and views: what a machine would find that stopped at any step.
struct CrashTests {
    @Test func `a copy taken at any step has every answered command, and the journal's rows`()
        throws
    {
        let scratch = try Scratch()
        let hands = HandClock()
        let inquest = Inquest(scratch)
        let stream = Stream(
            try StreamMaker(random: .told(), hands: hands),
            batches: 28,
            countMax: 6
        )
        let flushed = Atomic<UInt64>(0)
        var bench: WriterBench? = try WriterBench(
            scratch.store,
            clock: hands.clock,
            checkpoints: .often
        ) { step in
            inquest.look("\(step)", answered: flushed.load(ordering: .relaxed)) { copy in
                try Scratch.copyStore(inquest.store, to: copy)
            }
        }
        if let journal = bench?.journal {
            journal.onStep = { [unowned journal] step in
                inquest.look("\(step)", answered: journal.lastSeq) { copy in
                    try Scratch.copyStore(inquest.store, to: copy)
                }
                let seq = journal.lastSeq
                flushed.store(seq, ordering: .relaxed)
            }
        }
        let gaveUp = bench?
            .run { said in
                let told = said.compactMap { try? $0.get().seq }.max() ?? 0
                inquest.look("answered", answered: told) { copy in
                    try Scratch.copyStore(inquest.store, to: copy)
                }
                return stream.next(said)
            }
        #expect(gaveUp == nil)
        bench = nil
        let ends = try groupEnds(scratch.store)
        let looks = inquest.looks.notes
        for look in looks {
            let next = ends.first { $0 > look.answered }
            switch look.step {
            // On the disk and not in the views: it is done when the store is opened.
            case "written", "flushed": #expect(look.found == next, "\(look)")
            // Not begun; or told, perhaps of what was there long before.
            case "created", "prewritten": #expect(look.found == look.answered, "\(look)")
            default: #expect(look.found >= look.answered, "\(look)")
            }
        }
        let steps = ["created", "prewritten", "written", "flushed", "answered"]
        for step in steps + ["frozen", "put", "committed", "dropped"] {
            #expect(looks.contains { $0.step == step }, "\(step)")
        }
    }

    @Test func `a group of which any sectors are missing is cut, or there as a whole`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let inquest = Inquest(scratch)
        var random = SplitMix64.told()
        let stream = Stream(
            try StreamMaker(random: random, hands: hands),
            batches: 28,
            countMax: 6
        )
        var bench: WriterBench? = try WriterBench(
            scratch.store,
            clock: hands.clock,
            checkpoints: .often
        )
        if let journal = bench?.journal {
            var before = try journalFiles(scratch.store)
            journal.onStep = { [unowned journal] step in
                guard let now = try? journalFiles(scratch.store) else { return }
                guard step == .written else {
                    before = now
                    return
                }
                for _ in 0..<2 {
                    let torn = now.merging(before) { new, old in mixed(old, new, 512, &random) }
                    inquest.look("torn", answered: journal.lastSeq) { copy in
                        Scratch.remove(copy)
                        try Scratch.copyViews(scratch.store, to: copy)
                        try putJournal(torn, copy)
                    }
                }
            }
        }
        let gaveUp = bench?.run { stream.next($0) }
        #expect(gaveUp == nil)
        bench = nil
        let ends = try groupEnds(scratch.store)
        var cut = 0
        for look in inquest.looks.notes {
            let next = ends.first { $0 > look.answered }
            #expect(look.found == look.answered || look.found == next, "\(look)")
            cut += look.notices.contains(.tornTailCut) ? 1 : 0
            if look.notices.contains(.tornTailCut) { #expect(look.found == look.answered) }
        }
        #expect(cut > 10)
    }

    @Test func `views of which any pages of a commit are missing are brought up to date`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let inquest = Inquest(scratch)
        let stream = Stream(
            try StreamMaker(random: .told(), hands: hands),
            batches: 24,
            countMax: 8
        )
        let random = Mutex(SplitMix64.told())
        let before = Mutex<[UInt8]>([])
        let answered = Atomic<UInt64>(0)
        var bench: WriterBench? = try WriterBench(
            scratch.store,
            clock: hands.clock,
            checkpoints: CheckpointLimits(changesMax: 10)
        ) { step in
            let data = inquest.store + "/data.mdb"
            if case .put = step {
                before.withLock { $0 = (try? Scratch.bytes(of: data)) ?? [] }
            }
            guard case .committed = step else { return }
            for _ in 0..<3 {
                inquest.look("commit", answered: answered.load(ordering: .relaxed)) { copy in
                    try Scratch.copyStore(inquest.store, to: copy)
                    let new = try Scratch.bytes(of: copy + "/data.mdb")
                    let old = before.withLock { $0 }
                    var image = random.withLock { mixed(old, new, 4096, &$0) }
                    // The meta pages are written last.
                    image.replaceSubrange(..<8192, with: old[..<8192])
                    try Scratch.put(image, at: copy + "/data.mdb")
                }
            }
        }
        let gaveUp = bench?
            .run { said in
                let told = said.compactMap { try? $0.get().seq }.max() ?? 0
                answered.store(max(told, answered.load(ordering: .relaxed)), ordering: .relaxed)
                return stream.next(said)
            }
        #expect(gaveUp == nil)
        bench = nil
        let looks = inquest.looks.notes
        #expect(looks.count > 20)
        for look in looks {
            #expect(look.found >= look.answered, "\(look)")
            #expect(look.notices.contains { if case .replayed = $0 { true } else { false } })
        }
    }

    @Test(arguments: [JournalStep.prewritten, .flushed])
    func `who lost the answer in a crash asks again and hears one answer`(
        _ crash: JournalStep
    ) throws {
        let scratch = try Scratch()
        let copy = scratch.path + "/crash"
        let ann = try user("ann")
        func key(_ number: Int) -> IdempotencyKey {
            IdempotencyKey(user: ann, digest: digest(number))
        }
        let credit = CreditOrder(
            user: ann,
            amount: 10,
            key: key(1),
            fingerprint: digest(1),
            until: nil,
            source: "promo",
            reason: "",
            isAdjustment: false
        )
        let charge = Charge(user: ann, amount: 4, key: key(2), fingerprint: digest(2))
        let held = Charge(user: ann, amount: 3, key: key(3), fingerprint: digest(3))
        let drawn = drawnID()
        let kinds: [Command.Kind] = [
            .register(Registration(user: ann, token: try token(1))),
            .credit(credit), .charge(charge),
            .reserve(
                ReservationOrder(
                    charge: held,
                    milliseconds: 1_000_000,
                    isLease: false,
                    id: drawn
                )
            ),
            try grant("ann", key: 4),
        ]
        do {
            let bench = try WriterBench(scratch.store)
            // The first step of its kind is that of the one group there is.
            let isTaken = Mutex(false)
            bench.journal.onStep = { step in
                guard step == crash, !isTaken.withLock({ $0 }) else { return }
                isTaken.withLock { $0 = (try? Scratch.copyStore(scratch.store, to: copy)) != nil }
            }
            #expect(bench.run([kinds.map { .command($0) }]).gaveUp == nil)
        }
        let wasKept = crash == .flushed
        let ledger = try open(copy)
        let said = try kinds.map { try ledger.order($0).outcome }
        let credits: Int64 = wasKept ? 6 : 3
        #expect(
            said[0] == .registered(token: try token(1), created: !wasKept, credits: credits)
        )
        for outcome in said[1...3] {
            switch outcome {
            case .credited(let remaining, let replay):
                #expect(remaining == 13)
                #expect((replay != nil) == wasKept)
            case .charged(.consumed, let remaining, let replay):
                #expect(remaining == 9)
                #expect((replay != nil) == wasKept)
            case .reserved(.reserved, let id, let remaining, let replay):
                #expect(id == drawn)
                #expect(remaining == 6)
                #expect((replay != nil) == wasKept)
            default: Issue.record("\(outcome)")
            }
        }
        #expect(said[4] == .granted(id: 5, replayed: wasKept))
        let purse = try #require(try ledger.account(ann)).purse
        #expect(purse.balance(at: Moment(0)) == 6)
        #expect(purse.holds.map(\.amount) == [3])
        ledger.stop()
        try expectClean(copy)
    }
}

/// Opens copies of a store that a crash could have left, and looks what is in them.
private final class Inquest: Sendable {
    struct Look: Sendable {
        let step: String
        /// The last seq that anybody was told of.
        let answered: UInt64
        /// The last seq after opening the copy.
        let found: UInt64
        let notices: [LedgerNotice]
    }

    let store: String
    let looks = Notebook<Look>()
    private let copy: String

    init(_ scratch: Scratch) {
        store = scratch.store
        copy = scratch.path + "/crash"
    }

    /// Opens what `take` puts at its path: it must open, agree with its journal, and verify.
    func look(_ step: String, answered: UInt64, _ take: (String) throws -> Void) {
        do {
            try take(copy)
            let notices = Notebook<LedgerNotice>()
            let rows: StoredRows
            let found: UInt64
            do {
                let bench = try WriterBench(copy, source: .init(), notices: notices)
                found = bench.journal.lastSeq
                #expect(bench.pulse.seq.load(ordering: .relaxed) == found)
                rows = try bench.storedRows()
            }
            let other = differences(rows, try rebuiltRows(copy, in: copy + " rebuilt"))
            #expect(other == [], "\(step) after \(answered): \(other.prefix(5))")
            try expectClean(copy)
            looks.note(Look(step: step, answered: answered, found: found, notices: notices.notes))
        } catch {
            Issue.record("\(step) after \(answered): \(error)")
        }
    }
}

/// `old`, with each sector of `new` that reached the disk; what is beyond `old` may be zeros.
private func mixed(
    _ old: [UInt8],
    _ new: [UInt8],
    _ sectorBytes: Int,
    _ random: inout SplitMix64
) -> [UInt8] {
    var image = old + [UInt8](repeating: 0, count: max(0, new.count - old.count))
    for start in stride(from: 0, to: new.count, by: sectorBytes) where random.chance() {
        let end = min(start + sectorBytes, new.count)
        image.replaceSubrange(start..<end, with: new[start..<end])
    }
    return image
}

/// The last seq of each group.
private func groupEnds(_ directory: String) throws -> [UInt64] {
    var ends: [UInt64] = []
    _ = try Segments.readEach(directory: directory + "/journal", afterSeq: 0) { entry, group in
        if entry.seq == group.lastSeq { ends.append(entry.seq) }
    }
    return ends
}
