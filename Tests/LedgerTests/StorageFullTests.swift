import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// No room for the views, or on the disk: writes are refused, reads go on, and what was flushed is
/// stored once there is room (L2).
struct StorageFullTests {
    private let smallMap = 512 << 10

    private let few = CheckpointLimits(changesMax: 200, bytesMax: 1 << 20)

    @Test func `a journal that found no space says so only until there is some, without a write`()
        throws
    {
        guard let disk = try SmallDisk(bytes: 12 << 20) else { return }
        let notices = Notebook<LedgerNotice>()
        let ledger = try Ledger.open(
            options(disk.path + "/store", mapBytes: 8 << 20, segmentBytesMax: 64 << 10),
            source: tariff(),
            onNotice: { notices.note($0) },
            onFailure: { Issue.record("\($0)") }
        )
        for number in 0..<50 { try ledger.order(try registration(number)) }
        try ledger.checkpointer.settle()
        try disk.fill()
        var number = 50
        while try ledger.say(try registration(number)) != .failure(.storageFull), number < 5_000 {
            number += 1
        }
        #expect(ledger.figures.isFull && number < 5_000)
        disk.empty()
        #expect(eventually(within: 30) { !ledger.figures.isFull })
        try ledger.order(try registration(number))
        let told = notices.notes.filter { $0 == .storageFull || $0 == .storageBack }
        #expect(told == [.storageFull, .storageBack])
        ledger.stop()
    }

    @Test func `a full map refuses writes, reads go on, and room that comes back is used`() throws {
        let scratch = try Scratch()
        let notices = Notebook<LedgerNotice>()
        let ledger = try open(
            scratch.store,
            mapBytes: smallMap,
            notices: notices,
            checkpoints: few
        )
        try ledger.order(try registration(0))
        // A view that is held keeps every page that it can see.
        var held: LedgerReader? = try LedgerReader(ledger)
        try held?.wake()
        let refused = try fill(ledger)
        let full = try lastSeq(scratch.store)
        #expect(ledger.figures.isFull)
        // What was answered is seen, wherever it stands.
        #expect(ledger.figures.seq == full)
        #expect(try applied(ledger) < full)
        #expect(try ledger.account(try user("user 0")) != nil)
        for number in 1..<refused {
            #expect(try ledger.account(try user("user \(number)")) != nil, "user \(number)")
        }
        #expect(try ledger.look { $0.seq } == full)
        // Nothing new is decided while something cannot be stored, so memory does not grow.
        let size = ledger.memtable.active
        for number in 0..<3 {
            #expect(try ledger.say(try registration(9_000 + number)) == .failure(.storageFull))
            #expect(try ledger.putInForce(tariff(), stamp(1)) == .failure(.storageFull))
        }
        #expect(try lastSeq(scratch.store) == full)
        #expect(ledger.memtable.active == size)
        // A registration, and what a checkpoint that fails behind it lets in.
        #expect(size.changes <= few.changesMax + 8)
        #expect(failure { try ledger.checkpointer.settle() } == .storageFull)
        held = nil
        try awaitRoom(ledger)
        let again = try ledger.order(try grant("user \(refused - 1)", key: refused - 1))
        #expect(again.seq == full)
        #expect(try ledger.order(try registration(9_000)).seq == full + 1)
        let told = notices.notes.filter { $0 == .storageFull || $0 == .storageBack }
        #expect(told == [.storageFull, .storageBack])
        ledger.stop()
        let report = try expectClean(scratch.store)
        #expect(report.lastSeq == full + 1)
    }

    @Test func `with no new command either, room that comes back is used by itself`() throws {
        let scratch = try Scratch()
        let notices = Notebook<LedgerNotice>()
        let ledger = try open(
            scratch.store,
            mapBytes: smallMap,
            notices: notices,
            checkpoints: few
        )
        try ledger.order(try registration(0))
        var held: LedgerReader? = try LedgerReader(ledger)
        try held?.wake()
        _ = try fill(ledger)
        let full = try lastSeq(scratch.store)
        held = nil
        try awaitRoom(ledger)
        try awaitCheckpoint(ledger)
        #expect(try applied(ledger) == full)
        #expect(notices.notes.contains(.storageBack))
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a full map stays full at a restart, and a larger one takes what was flushed`()
        throws
    {
        let scratch = try Scratch()
        var ledger = try open(scratch.store, mapBytes: smallMap, checkpoints: few)
        var number = 0
        while case .success = try ledger.say(try registration(number)), number < 20_000 {
            number += 1
        }
        try #require(number < 20_000)
        let (stored, full) = (try applied(ledger), try lastSeq(scratch.store))
        #expect(ledger.figures.seq == full)
        #expect(full == UInt64(number))
        #expect(stored < full)
        ledger.stop()
        // `verify` compares what is stored and reads on to the end.
        let report = try Ledger.verify(options(scratch.store))
        #expect(report.differences == [])
        #expect((report.applied, report.lastSeq) == (stored, full))
        // More than memory is to hold is not taken.
        let fewer = CheckpointLimits(changesMax: 2, bytesMax: 1 << 20)
        if full - stored > UInt64(LedgerLimits.replayEntriesMax) {
            let opened = failure {
                _ = try open(scratch.store, mapBytes: smallMap, checkpoints: fewer)
            }
            #expect(opened == .storageFull)
        }
        // What it can hold is read, and nothing is added to it.
        ledger = try open(scratch.store, mapBytes: smallMap)
        #expect(ledger.figures.seq == full)
        #expect(try ledger.account(try user("user \(number - 1)")) != nil)
        #expect(failure { try ledger.checkpointer.settle() } == .storageFull)
        #expect(try ledger.say(try registration(9_000)) == .failure(.storageFull))
        ledger.stop()
        #expect(try lastSeq(scratch.store) == full)
        let notices = Notebook<LedgerNotice>()
        ledger = try open(scratch.store, notices: notices)
        #expect(notices.notes.contains(.replayed(Int(full - stored))))
        #expect(ledger.figures.seq == full)
        let again = try ledger.order(try registration(number - 1))
        #expect(
            again.outcome == .registered(token: try token(number - 1), created: false, credits: 3)
        )
        ledger.stop()
        try expectClean(scratch.store)
        let other = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), other) == [])
    }

    @Test func `a full map is healed by what answers nothing any more, before anybody is refused`()
        throws
    {
        let scratch = try Scratch()
        let hands = HandClock()
        let notices = Notebook<LedgerNotice>()
        let ledger = try open(
            scratch.store,
            mapBytes: 1 << 20,
            clock: hands.clock,
            notices: notices,
            checkpoints: CheckpointLimits(
                changesMax: 2_000,
                bytesMax: 4 << 20,
                idleMilliseconds: 60_000
            )
        )
        func settlements() throws -> Int {
            try ledger.views.storedRows()[.settlements]?.count ?? 0
        }
        // Refusals, whose first answers are rows.
        let user = try user("fred")
        for key in 0..<2_000 {
            let charge = Charge(
                user: user,
                amount: 1_000,
                key: IdempotencyKey(user: user, digest: digest(key)),
                fingerprint: digest(1)
            )
            try ledger.order(.charge(charge))
        }
        try ledger.checkpointer.settle()
        #expect(try settlements() > 1_900)
        hands.advance(31 * day)
        var number = 0
        while case .success = try ledger.say(try registration(number)), number < 20_000 {
            number += 1
        }
        try #require(number < 20_000)
        #expect(notices.notes.filter { $0 == .storageFull }.count == 1)
        #expect(try settlements() == 0, "there was still something to take away")
        ledger.stop()
        #expect(try Ledger.verify(options(scratch.store)).differences == [])
    }

    @Test func `a ledger that is stopped while it is full answers everybody`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, mapBytes: smallMap, checkpoints: few)
        try ledger.order(try registration(0))
        do {
            let held = try LedgerReader(ledger)
            try held.wake()
            _ = try fill(ledger)
            let said = Notebook<Said>()
            for number in 0..<300 { ledger.submit(try registration(number)) { said.note($0) } }
            ledger.finish()
            #expect(said.notes.count == 300)
            #expect(said.notes.allSatisfy { $0 == .failure(.storageFull) })
            #expect(try ledger.say(try registration(1)) == .failure(.shuttingDown))
            #expect(try held.account(of: try user("user 0")) != nil)
            held.rest()
        }
        ledger.stop()
        try open(scratch.store).stop()
        try expectClean(scratch.store)
    }

    @Test func `a full disk refuses writes at any place, and takes them again`() throws {
        guard let disk = try SmallDisk(bytes: 6 << 20) else { return }
        let store = disk.path + "/store"
        let notices = Notebook<LedgerNotice>()
        var ledger = try open(store, notices: notices)
        var number = 0
        for round in 0..<6 {
            try disk.fill(leaving: round * 24 << 10)
            var said = try ledger.say(try registration(number))
            while case .success = said, number < 20_000 {
                number += 1
                said = try ledger.say(try registration(number))
            }
            #expect(said == .failure(.storageFull))
            #expect(ledger.figures.isFull)
            if number > 0 {
                let last = try user("user \(number - 1)")
                #expect(try ledger.account(last) != nil)
            }
            if round == 3 {
                ledger.stop()
                let opened = failure { _ = try open(store) }
                guard case .unusable = opened else {
                    Issue.record("\(String(describing: opened))")
                    return
                }
                disk.empty()
                ledger = try open(store, notices: notices)
            }
            disk.empty()
            try awaitRoom(ledger)
            // The checkpointer may have looked at the disk before, and say so only now.
            var again = try ledger.say(try registration(number))
            for _ in 0..<600 where again == .failure(.storageFull) {
                usleep(50_000)
                again = try ledger.say(try registration(number))
            }
            guard case .registered = try again.get().outcome else {
                Issue.record("registration \(number)")
                return
            }
            number += 1
            #expect(!ledger.figures.isFull)
            #expect(ledger.figures.seq == UInt64(number))
        }
        ledger.stop()
        let report = try expectClean(store)
        #expect(report.lastSeq == UInt64(number))
        #expect(notices.notes.filter { $0 == .storageBack }.count >= 5)
    }

    @Test func `an alarm that cannot be noted is tried again later, not at once`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let looks = Mutex(0)
        let ledger = try open(
            scratch.store,
            clock: LedgerClock(
                wall: {
                    looks.withLock { $0 += 1 }
                    return hands.clock.wall()
                },
                monotonic: hands.clock.monotonic
            )
        )
        try ledger.order(try grant("ann", key: 1, until: hands.wall + day))
        // The clock is set: the alarm is due, and no moment is to be trusted.
        hands.jump(2 * day)
        #expect(try ledger.say(try registration(1)) == .failure(.notReady))
        let before = looks.withLock { $0 }
        usleep(400_000)
        let count = looks.withLock { $0 } - before
        #expect(count < 50, "the writer looked at the clock \(count) times")
        hands.advance(LedgerLimits.clockHoldMilliseconds)
        try ledger.order(try registration(1))
        ledger.stop()
        try expectClean(scratch.store)
    }

    /// Grants to many users until there is no room; answers the number of the one refused.
    private func fill(_ ledger: Ledger) throws -> Int {
        for number in 1..<20_000 {
            let said = try ledger.say(try grant("user \(number)", key: number))
            if case .success = said { continue }
            #expect(said == .failure(.storageFull))
            return number
        }
        throw LedgerFailure.failed("the map never filled")
    }

    /// Waits until the checkpointer has found room by itself; the journal tries with the next
    /// command.
    private func awaitRoom(_ ledger: Ledger) throws {
        for _ in 0..<600 where ledger.pulse.isFull(.views) { usleep(50_000) }
        #expect(!ledger.pulse.isFull(.views))
    }

    private func awaitCheckpoint(_ ledger: Ledger) throws {
        for _ in 0..<600 where !ledger.memtable.isEmpty { usleep(10_000) }
    }

    /// How far the views are in LMDB.
    private func applied(_ ledger: Ledger) throws -> UInt64 {
        try ledger.views.environment.read { try ledger.views.appliedState($0) }.seq
    }

    private func lastSeq(_ directory: String) throws -> UInt64 {
        try Segments.readEach(directory: directory + "/journal", afterSeq: 0) { _, _ in }.lastSeq
    }
}
