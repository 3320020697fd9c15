import Entitlements
import Foundation
import Methods
import Synchronization
import Testing
import Threads

@testable import Ledger

/// A ledger on disk whose clock a test sets by hand.
final class Stage {
    let ledger: Ledger
    private let directory: String
    let hands: HandClock

    init(
        startingAt moment: Int64,
        segmentBytesMax: Int? = nil,
        milestones: MilestonePace = MilestonePace()
    ) throws {
        directory = NSTemporaryDirectory() + "entitld-methods-" + UUID().uuidString
        hands = HandClock(moment)
        var options = Ledger.Options(directory: directory, mapSizeGiB: 1, clock: hands.clock)
        options.segmentBytesMax = segmentBytesMax ?? options.segmentBytesMax
        options.milestones = milestones
        ledger = try Ledger.open(
            options,
            source: Policy.Source(),
            onFailure: { Issue.record("the writer gave up: \($0)") }
        )
    }

    deinit {
        ledger.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var now: Moment { Moment(hands.wall) }

    func pass(_ milliseconds: Int64) { hands.advance(milliseconds) }

    /// Submits `kind` and waits for the answer.
    @discardableResult
    func order(_ kind: Command.Kind) throws -> Receipt { try say(kind).get() }

    /// Submits `kind` and waits for the answer, or for why there is none.
    func say(_ kind: Command.Kind) throws -> Result<Receipt, LedgerFailure> {
        let answers = BlockingQueue<Result<Receipt, LedgerFailure>>(countMax: 1)
        ledger.submit(kind) { _ = answers.offer($0) }
        return try #require(answers.take(1, waiting: 30_000)?.first, "no answer in 30 s")
    }

    /// Puts a catalog in force.
    func install(_ source: Policy.Source) throws {
        let answers = BlockingQueue<Result<Receipt, LedgerFailure>>(countMax: 1)
        ledger.install(source, source.stamp) { _ = answers.offer($0) }
        _ = try #require(answers.take(1, waiting: 30_000)?.first, "no answer in 30 s").get()
    }
}

/// A clock that a test sets by hand.
final class HandClock: Sendable {
    private let hand: Mutex<Int64>
    private let seen: Mutex<Int64>

    init(_ moment: Int64) {
        hand = Mutex(moment)
        seen = Mutex(moment)
    }

    var wall: Int64 { hand.withLock { $0 } }

    func advance(_ milliseconds: Int64) { hand.withLock { $0 += milliseconds } }

    /// Both clocks tell the same, also where the hand moves between one look and the other.
    var clock: LedgerClock {
        LedgerClock(
            wall: {
                let now = self.wall
                self.seen.withLock { $0 = now }
                return now
            },
            monotonic: { self.seen.withLock { $0 } }
        )
    }
}

extension MilestonePace {
    /// A record every few entries, so that short lives have some.
    static var quick: MilestonePace {
        var pace = MilestonePace()
        pace.entries = 3
        pace.firstEntries = 6
        pace.bytesPerEntry = 1 << 20
        return pace
    }
}
