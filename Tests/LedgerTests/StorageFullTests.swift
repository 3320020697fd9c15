import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization
import Testing

@testable import Ledger

/// No room for the views, or on the disk: writes are refused, reads go on, and what was flushed is
/// stored once there is room (L2).
struct StorageFullTests {
    private let smallMap = 512 << 10

    @Test func `a full map refuses writes, reads go on, and room that comes back is used`() throws {
        let scratch = try Scratch()
        let notices = Notebook<LedgerNotice>()
        let ledger = try open(scratch.store, mapBytes: smallMap, notices: notices)
        let ann = try user("user 0")
        try ledger.order(try registration(0))
        // A view that is held keeps every page that it can see.
        var held: LedgerReader? = try LedgerReader(ledger)
        try held?.wake()
        let refused = try fill(ledger)
        let full = try lastSeq(scratch.store)
        #expect(ledger.figures.isFull)
        #expect(full > ledger.figures.seq)
        #expect(try held?.account(of: ann) != nil)
        #expect(try ledger.account(ann) != nil)
        #expect(try ledger.look { $0.seq } == ledger.figures.seq)
        // Nothing new is decided while something flushed is not stored.
        for number in 0..<3 {
            #expect(try ledger.say(try registration(9_000 + number)) == .failure(.storageFull))
            #expect(try ledger.putInForce(tariff(), stamp(1)) == .failure(.storageFull))
        }
        #expect(try lastSeq(scratch.store) == full)
        held = nil
        // It was flushed, so it happened: asked again, it is found.
        let again = try ledger.order(try grant("user \(refused)", key: refused))
        #expect(again.outcome == .granted(id: full, replayed: true))
        #expect(again.seq == full)
        #expect(!ledger.figures.isFull)
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
        let ledger = try open(scratch.store, mapBytes: smallMap, notices: notices)
        try ledger.order(try registration(0))
        var held: LedgerReader? = try LedgerReader(ledger)
        try held?.wake()
        _ = try fill(ledger)
        let full = try lastSeq(scratch.store)
        held = nil
        var waits = 0
        while ledger.figures.seq < full, waits < 600 {
            usleep(50_000)
            waits += 1
        }
        #expect(ledger.figures.seq == full)
        #expect(notices.notes.contains(.storageBack))
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a full map stays full at a restart, and a larger one takes what was flushed`()
        throws
    {
        let scratch = try Scratch()
        var ledger = try open(scratch.store, mapBytes: smallMap)
        var number = 0
        while case .success = try ledger.say(try registration(number)), number < 20_000 {
            number += 1
        }
        try #require(number < 20_000)
        let (stored, full) = (ledger.figures.seq, try lastSeq(scratch.store))
        #expect(stored == UInt64(number))
        #expect(full == stored + 1)
        #expect(try ledger.account(try user("user 0")) != nil)
        ledger.stop()
        // `verify` compares what is stored and reads on to the end.
        let report = try Ledger.verify(options(scratch.store))
        #expect(report.differences == [])
        #expect((report.applied, report.lastSeq) == (stored, full))
        for _ in 0..<2 {
            #expect(failure { _ = try open(scratch.store, mapBytes: smallMap) } == .storageFull)
        }
        #expect(try lastSeq(scratch.store) == full)
        let notices = Notebook<LedgerNotice>()
        ledger = try open(scratch.store, notices: notices)
        #expect(notices.notes.contains(.replayed(1)))
        #expect(ledger.figures.seq == full)
        let again = try ledger.order(try registration(number))
        #expect(
            again.outcome == .registered(token: try token(number), created: false, credits: 3)
        )
        ledger.stop()
        try expectClean(scratch.store)
        let other = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), other) == [])
    }

    @Test func `a ledger that is stopped while it is full answers everybody`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, mapBytes: smallMap)
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
            // It may have been flushed, and then it is there.
            guard case .registered = try ledger.order(try registration(number)).outcome else {
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

    private func lastSeq(_ directory: String) throws -> UInt64 {
        try Journal.read(directory: directory + "/journal", afterSeq: 0) { _, _ in }.lastSeq
    }
}
