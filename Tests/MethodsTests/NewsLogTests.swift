import Chance
import Entitlements
import JSON
import Testing

@testable import Methods
@testable import Wire

/// What is told to many is kept once, and no more of it than somebody may still hear.
struct NewsLogTests {
    private let log = NewsLog()
    private let users: [UserID]

    init() throws { users = try (0..<1_000).map { try #require(UserID("user \($0)")) } }

    @Test func `what waits is no more than a status of each user and the last 256 changes`() throws
    {
        let most = users.count + MethodLimits.watchWaitingMax
        for seq in 0..<50_000 as Range<UInt64> {
            log.append(.change(seq, users[Int(seq) % users.count], .consumed, [:]))
            // As much again waits to be thrown away together.
            try #require(log.count <= 2 * most + MethodLimits.watchWaitingMax)
        }
        log.forget(before: log.end)
        #expect(log.count == 0)
    }

    @Test func `a piece never ends within a position of the journal`() throws {
        // Some positions have one change, some hundreds.
        var seqs: [UInt64] = []
        for seq in 0..<40 as Range<UInt64> {
            seqs += Array(repeating: seq, count: seq % 7 == 0 ? 300 : 1)
        }
        for (number, seq) in seqs.enumerated() {
            let status: JSONObject = ["filling": .string(String(repeating: "x", count: 500))]
            log.append(.change(seq, users[number % users.count], .consumed, status))
        }
        var (next, pieces) = (log.start, 0)
        while next < log.end {
            let piece = log.piece(from: next, isCoalesced: false)
            try #require(piece.next > next)
            next = piece.next
            pieces += 1
            guard next < log.end else { break }
            #expect(seqs[Int(next)] != seqs[Int(next) - 1])
        }
        #expect(pieces > 1)
    }

    @Test func `however many events a store tells of a user, the status is told, and the newest`()
        throws
    {
        var bought = TransactionFact(
            id: "7",
            version: Version(signed: Moment(1), digest: Digest256(0, 0, 0, 1)),
            productID: "pro",
            purchased: Moment(1)
        )
        bought.kind = "Consumable"
        let key = SubscriptionKey(store: .appStore, environment: .production, originalID: "7")
        let fact = Fact(key: key, transaction: bought)
        let event = try #require(
            StoreEvent("CONSUMPTION_REQUEST", "", stating: [fact], to: users[0]) { _ in users[0] }
        )
        let strangers = StoreEvent("X", "", stating: [fact], to: users[1]) { _ in users[0] }
        #expect(strangers == nil, "it is not theirs")
        log.append(.change(1, users[0], .clock, ["canRender": true]))
        for seq in 2...2_000 as ClosedRange<UInt64> { log.append(.event(seq, users[0], event)) }
        let listener = Listener()
        let watcher = Watcher(listener.pusher, of: log)
        watcher.admit(at: 0)
        #expect(log.count <= 3 * MethodLimits.watchWaitingMax)
        let text = String(decoding: log.piece(from: 0, isCoalesced: true).frames, as: UTF8.self)
        #expect(text.contains(#""cause":"clock""#))
        #expect(text.contains(#""seq":2000,"#) && !text.contains(#""seq":1999,"#))
    }

    @Test func `those who stand at one place are told the same bytes`() {
        log.append(.change(1, users[0], .clock, ["canRender": true]))
        let text =
            #"{"jsonrpc":"2.0","method":"entitlementChanged","params":{"seq":1,"#
            + #""userId":"user 0","cause":"clock","status":{"canRender":true}}}"#
        let piece = log.piece(from: 0, isCoalesced: false)
        #expect(piece.frames == [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8))
        let coalesced = text.dropLast(2) + #","coalesced":true}}"#
        #expect(
            log.piece(from: 0, isCoalesced: true).frames.dropFirst(4) == Array(coalesced.utf8)[...]
        )
        #expect(log.piece(from: 0, isCoalesced: false).frames == piece.frames)
        log.append(.catalog(2, version: 9))
        let both = log.piece(from: 0, isCoalesced: false)
        #expect(both.frames.count > piece.frames.count && both.next == 2)
    }

    @Test func `however slowly one hears, every user's newest is told, in order and marked`() throws
    {
        let seed = Seed.told()
        var random = SplitMix64(seed: seed)
        let listeners = (0..<8).map { _ in Listener() }
        let watchers = listeners.map { Watcher($0.pusher, of: log) }
        for watcher in watchers { watcher.admit(at: 0) }
        // One sleeps through all of it.
        listeners[7].isAsleep = true
        var told: [(seq: Int64, user: UserID)] = []
        for seq in 1...4_000 as ClosedRange<Int64> {
            let user = users[random.pick(random.pick(2) == 0 ? 5 : 600)]
            log.append(.change(UInt64(seq), user, .consumed, ["creditsRemaining": .integer(seq)]))
            told.append((seq, user))
            for (number, listener) in listeners.enumerated().dropLast()
            where random.pick(1 << (number + 2)) == 0 { listener.isAsleep.toggle() }
            for watcher in watchers { watcher.flush(UInt64(seq), at: 0) }
            log.forget(before: watchers.map(\.next).min() ?? 0)
        }
        for (listener, watcher) in zip(listeners, watchers) {
            listener.isAsleep = false
            watcher.flush(4_000, at: 0)
            try expect(listener.messages, toTell: told, "seed \(seed)")
        }
        #expect(listeners[7].messages.count <= 601)
    }

    /// In order; nothing left out but with a later change of the same user that says so.
    private func expect(
        _ messages: [JSONValue],
        toTell changes: [(seq: Int64, user: UserID)],
        _ comment: Comment
    ) throws {
        var messages = messages[...]
        var leftOut: Set<UserID> = []
        for (seq, user) in changes {
            guard let message = messages.first, message["seq"]?.int64 == seq else {
                leftOut.insert(user)
                continue
            }
            messages.removeFirst()
            try #require(message["userId"] == .string(user.description), comment)
            try #require(message["status"]?["creditsRemaining"]?.int64 == seq, comment)
            if leftOut.remove(user) != nil { try #require(message["coalesced"] == true, comment) }
        }
        #expect(messages.isEmpty && leftOut.isEmpty, comment)
    }
}
