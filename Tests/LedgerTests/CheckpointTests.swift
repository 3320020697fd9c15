import Chance
import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Ledger

/// The checkpointer beside the writer and readers: when it stores, and that nobody notices.
struct CheckpointTests {
    @Test(arguments: 0..<3)
    func `readers beside writer and checkpointer see what the journal makes`(
        _ round: Int
    ) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        var maker = try StreamMaker(random: .told(), hands: hands)
        let source = maker.source()
        let ledger = try open(
            scratch.store,
            clock: hands.clock,
            source: source,
            checkpoints: CheckpointLimits(changesMax: 40, bytesMax: 1 << 20, idleMilliseconds: 1)
        )
        let watch = SeenStates(ledger: ledger)
        let threads = try (0..<3)
            .map { number in
                try NamedThread(named: "reader \(number)") { watch.run(seed: UInt64(number)) }
            }
        var last: UInt64 = 0
        // The readers of a busy machine take longer to see enough.
        for round in 0..<1_000 where round < 60 || watch.seen.notes.count <= 100 {
            let kinds = maker.batch(16)
                .compactMap { kind in
                    if case .command(let kind) = kind { kind } else { nil }
                }
            guard !kinds.isEmpty else { continue }
            let said = try ledger.orderTogether(kinds)
            maker.hear(said)
            for answer in said {
                let seq = try answer.get().seq
                // A write that was answered is seen.
                if seq > last { #expect(try ledger.look { $0.seq } >= seq) }
                last = max(last, seq)
            }
        }
        watch.isDone.store(true, ordering: .releasing)
        for thread in threads { thread.join() }
        #expect(watch.faults.notes == [])
        ledger.stop()
        let report = try expectClean(scratch.store)
        let seen = watch.seen.notes
        #expect(seen.count > 100)
        try expectTrue(seen, scratch.store, lastSeq: report.lastSeq)
    }

    /// Replays the journal entry by entry, and compares what was seen at each position.
    private func expectTrue(_ seen: [SeenStates.Seen], _ store: String, lastSeq: UInt64) throws {
        let bySeq = Dictionary(grouping: seen) { $0.seq }
        var desk = Desk()
        func compare(_ seq: UInt64) {
            for look in bySeq[seq] ?? [] {
                for (user, account) in look.accounts {
                    let expected = desk.accounts.isLaid(user) ? desk.accounts[user] : nil
                    #expect(account == expected, "\(user) at \(seq)")
                }
                let tokens = desk.tokens.changed.filter { desk.tokens[$0] != nil }
                #expect(Set(look.tokens) == tokens, "tokens at \(seq)")
            }
        }
        compare(0)
        var ends: Set<UInt64> = [0]
        _ = try Segments.readEach(directory: store + "/journal", afterSeq: 0) { entry, group in
            try desk.absorb(entry, from: EmptySource())
            guard entry.seq == group.lastSeq else { return }
            ends.insert(entry.seq)
            compare(entry.seq)
        }
        #expect(Set(bySeq.keys).isSubset(of: ends), "a position within a group was seen")
    }

    @Test func `what has changed is stored when nothing changes any more`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        for kind in try mixture(12) { try ledger.order(kind) }
        try awaitCheckpoint(ledger)
        let state = try ledger.views.environment.read { try ledger.views.appliedState($0) }
        #expect(state.seq == ledger.figures.seq)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `what has changed is stored while changes go on: many, or old ones`() throws {
        for limits in [
            CheckpointLimits(changesMax: 64, idleMilliseconds: 60_000),
            CheckpointLimits(
                bytesMax: 256 << 10,
                ageMilliseconds: 60_000,
                idleMilliseconds: 60_000
            ),
            CheckpointLimits(ageMilliseconds: 1, idleMilliseconds: 1),
        ] {
            let scratch = try Scratch()
            let ledger = try open(scratch.store, checkpoints: limits)
            var number = 0
            while try applied(ledger) == 0, number < 10_000 {
                try ledger.order(try registration(number))
                number += 1
            }
            #expect(number < 10_000)
            ledger.stop()
            try expectClean(scratch.store)
        }
    }

    @Test func `memory stays bounded while many write and nothing rests`() throws {
        let scratch = try Scratch()
        let limits = CheckpointLimits(changesMax: 500, idleMilliseconds: 60_000)
        let ledger = try open(scratch.store, checkpoints: limits)
        var most = 0
        for round in 0..<20 {
            try ledger.orderTogether(try (0..<200).map { try registration(round * 200 + $0) })
            most = max(most, ledger.memtable.active.changes)
        }
        // A group changes at most these rows more: account, token, settlement and alarm of each
        // command, and how far the views are.
        #expect(most < limits.changesMax + 4 * LedgerLimits.groupCommandsMax)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a group pauses where its layer fills behind one that is being stored`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(
            directory: scratch.store,
            options: .init(mapSizeBytes: 16 << 20)
        )
        defer { environment.close() }
        let memtable = Memtable(LedgerPulse(), seq: 0)
        let (arrived, gate) = (BlockingQueue<Bool>(countMax: 9), BlockingQueue<Bool>(countMax: 9))
        let checkpointer = Checkpointer(
            views: try Views(environment),
            memtable: memtable,
            pulse: LedgerPulse(),
            limits: CheckpointLimits(
                changesMax: 8,
                ageMilliseconds: 60_000,
                idleMilliseconds: 60_000
            ),
            onStep: { step in
                guard step == .frozen else { return }
                _ = arrived.offer(true)
                _ = gate.take(1)
            }
        )
        try checkpointer.start {}
        var seq: UInt64 = 0
        func change() throws {
            try checkpointer.makeRoom(for: 1)
            var changes = RowChanges()
            seq += 1
            changes.put([1, UInt8(seq)], in: .accounts) { $0.integer(seq) }
            checkpointer.notice(memtable.keep(changes, seq: seq), added: 1)
        }
        func pauses() -> Int { checkpointer.pauses.load(ordering: .relaxed) }
        for _ in 0..<8 { try change() }
        _ = arrived.take(1)
        for _ in 0..<6 { try change() }
        #expect(pauses() == 0)
        for expected in 1...2 {
            try change()
            #expect(pauses() == expected)
        }
        gate.close()
        try checkpointer.settle()
        for _ in 0..<7 { try change() }
        #expect(pauses() == 2)
        checkpointer.stop()
    }

    @Test func `who asks for everything to be stored waits for exactly that`() throws {
        let scratch = try Scratch()
        let limits = CheckpointLimits(ageMilliseconds: 60_000, idleMilliseconds: 60_000)
        let ledger = try open(scratch.store, checkpoints: limits)
        for number in 0..<20 {
            let seq = try ledger.order(try registration(number)).seq
            #expect(try applied(ledger) == UInt64(number))
            try ledger.checkpointer.settle()
            #expect(try applied(ledger) == seq)
            #expect(ledger.memtable.isEmpty)
        }
        ledger.stop()
        #expect(failure { try ledger.checkpointer.settle() } == .shuttingDown)
        try expectClean(scratch.store)
    }

    @Test func `a store that cannot be written any more ends the writer`() throws {
        let scratch = try Scratch()
        let gaveUp = Notebook<LedgerFailure>()
        let ledger = try Ledger.open(
            options(scratch.store, checkpoints: CheckpointLimits(changesMax: 8)),
            source: tariff(),
            onFailure: { gaveUp.note($0) }
        )
        try ledger.order(try registration(0))
        try ledger.checkpointer.settle()
        // A page that LMDB must change is not what it wrote.
        ledger.views.environment.close()
        for number in 1..<200 {
            guard case .success = try ledger.say(try registration(number)) else { break }
        }
        for _ in 0..<600 where gaveUp.notes.isEmpty { usleep(10_000) }
        #expect(gaveUp.notes.count == 1)
        #expect(try ledger.say(try registration(900)) == .failure(.shuttingDown))
        ledger.stop()
        // All of it was flushed, and is there at the next start.
        let seq = ledger.figures.seq
        let next = try open(scratch.store)
        #expect(next.figures.seq >= seq)
        next.stop()
        try expectClean(scratch.store)
    }

    private func awaitCheckpoint(_ ledger: Ledger) throws {
        for _ in 0..<1_000 where !ledger.memtable.isEmpty { usleep(10_000) }
        #expect(ledger.memtable.isEmpty)
    }

    private func applied(_ ledger: Ledger) throws -> UInt64 {
        try ledger.views.environment.read { try ledger.views.appliedState($0) }.seq
    }
}

/// What several readers saw, and at which position.
private final class SeenStates: Sendable {
    struct Seen: Sendable {
        let seq: UInt64
        let accounts: [(UserID, Account?)]
        let tokens: [Token]
    }

    let isDone = Atomic<Bool>(false)
    let seen = Notebook<Seen>()
    let faults = Notebook<String>()
    private let ledger: Ledger

    init(ledger: Ledger) { self.ledger = ledger }

    func run(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var lastSeq: UInt64 = 0
        do {
            let reader = try LedgerReader(ledger)
            while !isDone.load(ordering: .acquiring) {
                try reader.wake()
                defer { reader.rest() }
                if reader.seq < lastSeq { faults.note("the position fell to \(reader.seq)") }
                let isNew = reader.seq > lastSeq
                lastSeq = reader.seq
                var accounts: [(UserID, Account?)] = []
                for name in ["ann", "bob", "cy", "dée"] {
                    guard let user = UserID(name) else { continue }
                    let account = try reader.account(of: user)
                    if try reader.answer(of: user) != account?.answer {
                        faults.note("\(name): two answers at \(reader.seq)")
                    }
                    accounts.append((user, account))
                }
                guard isNew || random.pick(0..<50) == 0 else { continue }
                let tokens = try reader.rows(of: .tokens, count: 1_000)
                    .compactMap { row in
                        if case .token(let token, _) = row.value { token } else { nil }
                    }
                seen.note(Seen(seq: reader.seq, accounts: accounts, tokens: tokens))
            }
        } catch {
            faults.note("\(error)")
        }
    }
}
