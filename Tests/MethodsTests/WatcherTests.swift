import Entitlements
import JSON
import Testing

@testable import Methods
@testable import Wire

/// What one watcher is sent, and when.
struct WatcherTests {
    private let listener = Listener()
    private let log = NewsLog()
    private let watcher: Watcher

    init() {
        watcher = Watcher(listener.pusher, of: log)
        watcher.admit(at: 0)
    }

    private func tell(_ seq: UInt64, of user: Int = 0) throws {
        let user = try #require(UserID("user \(user)"))
        log.append(.change(seq, user, .consumed, ["canRender": true]))
    }

    @Test func `a heartbeat comes every 15 s, also to whom much is told`() throws {
        for second in 1...60 as ClosedRange<Int64> {
            try tell(UInt64(second))
            watcher.flush(UInt64(second), at: second * 1_000)
        }
        #expect(listener.messages.count == 60)
        #expect(listener.heartbeats.map { $0["seq"]?.int64 } == [15, 30, 45, 60])
        for second in 61...90 as ClosedRange<Int64> { watcher.flush(60, at: second * 1_000) }
        #expect(listener.heartbeats.map { $0["seq"]?.int64 } == [15, 30, 45, 60, 60, 60])
    }

    @Test func `whoever takes nothing is sent one piece, and no heartbeat until all is told`()
        throws
    {
        listener.isAsleep = true
        var seq: UInt64 = 0
        while seq < 5_000 {
            seq += 1
            try tell(seq, of: Int(seq))
            watcher.flush(seq, at: 0)
        }
        #expect(listener.messages.map { $0["seq"]?.int64 } == [1])
        #expect(listener.heartbeats.isEmpty)
        listener.isAsleep = false
        watcher.flush(seq, at: 41_000)
        #expect(listener.messages.map { $0["seq"]?.int64 } == (1...5_000).map { $0 })
        #expect(listener.heartbeats.map { $0["seq"]?.int64 } == [5_000])
    }

    @Test func `with more than 256 waiting, of each user the newest is told, and says so`() throws {
        listener.isAsleep = true
        try tell(1)
        watcher.flush(1, at: 0)
        for seq in 2...257 as ClosedRange<UInt64> { try tell(seq, of: Int(seq) % 2) }
        listener.isAsleep = false
        watcher.flush(257, at: 0)
        #expect(listener.messages.count == 257)
        #expect(listener.messages.allSatisfy { $0["coalesced"] == nil })
        for seq in 258...514 as ClosedRange<UInt64> { try tell(seq, of: Int(seq) % 2) }
        watcher.flush(514, at: 0)
        let told = listener.messages.dropFirst(257)
        #expect(told.map { $0["seq"]?.int64 } == [513, 514])
        #expect(told.allSatisfy { $0["coalesced"] == true })
        try tell(515)
        watcher.flush(515, at: 0)
        #expect(listener.messages.last?["seq"]?.int64 == 515)
        #expect(listener.messages.last?["coalesced"] == nil)
    }

    @Test func `of more users than are kept nobody hears, but that they must be asked for`() throws
    {
        listener.isAsleep = true
        try tell(1)
        watcher.flush(1, at: 0)
        let last = UInt64(MethodLimits.watchKeptMax) + 10
        for seq in 2...last {
            try tell(seq, of: Int(seq))
            try #require(log.count <= MethodLimits.watchKeptMax)
        }
        listener.isAsleep = false
        watcher.flush(last, at: 0)
        #expect(listener.messages.count == 2)
        #expect(listener.messages.last?["oldest"]?.int64 == Int64(last))
        #expect(!watcher.hasNews)
    }

    @Test func `with more bytes than are kept, it must be asked for`() throws {
        let log = NewsLog(bytesMax: 64 << 10)
        let watcher = Watcher(listener.pusher, of: log)
        watcher.admit(at: 0)
        listener.isAsleep = true
        let user = try #require(UserID("user"))
        log.append(.change(1, user, .consumed, [:]))
        watcher.flush(1, at: 0)
        let status: JSONObject = ["plan": .string(String(repeating: "x", count: 1_000))]
        var seq: UInt64 = 1
        while log.start == 0 {
            seq += 1
            log.append(.change(seq, try #require(UserID("user \(seq)")), .consumed, status))
            try #require(log.bytes <= 66 << 10)
        }
        #expect(log.bytes <= 64 << 10 && log.bytes > 48 << 10)
        listener.isAsleep = false
        watcher.flush(seq, at: 0)
        #expect(listener.messages.last?["oldest"]?.int64 == Int64(seq))
        log.forget(before: log.end)
        #expect(log.bytes == 0)
    }

    @Test func `what waits for one that names users is charged to its caller, within the share`()
        throws
    {
        let budget = ByteBudget(callerBytesMax: 64 << 10, totalBytesMax: 64 << 10)
        let listener = Listener(budget: budget.enter(0))
        let watcher = Watcher(listener.pusher, of: nil)
        watcher.admit(at: 0)
        let status: JSONObject = ["plan": .string(String(repeating: "x", count: 1_000))]
        var seq: UInt64 = 0
        func note() throws {
            seq += 1
            let user = try #require(UserID("user \(seq)"))
            watcher.note(.change(seq, user, .consumed, status))
        }
        listener.isAsleep = true
        try note()
        watcher.flush(seq, at: 0)
        #expect(budget.heldBytes == 0)
        for _ in 0..<30 {
            try note()
            let uncharged = watcher.log.bytes - budget.heldBytes
            try #require(uncharged <= MethodLimits.watchOwnFreeBytes)
        }
        #expect(budget.heldBytes == 32 << 10)
        listener.isAsleep = false
        watcher.flush(seq, at: 0)
        #expect(listener.messages.count == 31 && budget.heldBytes == 0)
        listener.isAsleep = true
        try note()
        watcher.flush(seq, at: 0)
        for _ in 0..<100 where watcher.log.start <= watcher.next { try note() }
        #expect(watcher.log.start > watcher.next && budget.heldBytes == 0)
        listener.isAsleep = false
        watcher.flush(seq, at: 0)
        #expect(listener.messages.last?["oldest"]?.int64 == Int64(seq))
    }
}
