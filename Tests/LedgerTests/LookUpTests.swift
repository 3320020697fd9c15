import Chance
import Entitlements
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// `verify` says so where rows are as they were stored and look-ups go astray.
struct LookUpTests {
    private static let users = 400

    /// Names so long that a few hundred accounts make a tree of three levels.
    private func name(_ number: Int) -> String {
        "a user whose name takes much room " + String(repeating: "x", count: 150)
            + "\(1_000 + number)"
    }

    private func make(_ scratch: Scratch) throws {
        let ledger = try open(scratch.store)
        let kinds = try (0..<Self.users)
            .map { number in
                Command.Kind.register(
                    Registration(user: try user(name(number)), token: try token(number))
                )
            }
        try ledger.orderTogether(kinds)
        ledger.stop()
    }

    private func isFound(_ scratch: Scratch, _ bytes: [UInt8]) throws -> Bool {
        try Scratch.put(bytes, at: scratch.store + "/data.mdb")
        do {
            return try Ledger.verify(options(scratch.store)).differencesCount > 0
        } catch {
            #expect(isDamage(error), "\(error)")
            return true
        }
    }

    /// Whether every account is found from the root, as a check looks for it.
    private func everybodyIsFound(_ scratch: Scratch) throws -> Bool {
        let environment = try Environment.open(
            directory: scratch.store,
            options: .init(mapSizeBytes: 64 << 20, isReadOnly: true)
        )
        defer { environment.close() }
        let views = try Views(reading: environment)
        return try environment.read { transaction in
            try (0..<Self.users)
                .allSatisfy { number in
                    let key = AccountRow.bytes(of: try user(name(number)))
                    return try views.value(key, in: .accounts, transaction) != nil
                }
        }
    }

    @Test func `a separator, an offset or a key that is wrong is not called clean`() throws {
        let scratch = try Scratch()
        try make(scratch)
        try expectClean(scratch.store)
        let bytes = try Scratch.bytes(of: scratch.store + "/data.mdb")
        let pages = StoredPages(bytes)
        let (branches, leaves) = (pages.branches, pages.leaves)
        try #require(branches.count > 2 && leaves.count > 20)
        var places: [Int] = []
        for page in branches {
            for (index, node) in bytes.nodes(of: page).enumerated() {
                places += [page + 16 + 2 * index, node, node + 6]
                // The separators differ in their last bytes.
                let size = Int(bytes.u16(node + 6))
                if index > 0 { places += [node + 8, node + 8 + size - 3, node + 8 + size - 1] }
            }
        }
        for page in leaves.prefix(24) {
            let nodes = bytes.nodes(of: page)
            guard let node = nodes.last else { continue }
            places += [page + 12, page + 14, page + 16, node, node + 4, node + 6, node + 8]
        }
        var chance = SplitMix64(seed: Seed.told())
        var (found, harmless) = (0, 0)
        for place in places {
            var bad = bytes
            bad[place] ^= 1 << UInt8(chance.next() % 8)
            if try isFound(scratch, bad) {
                found += 1
            } else {
                harmless += 1
                #expect(try everybodyIsFound(scratch), "byte \(place)")
            }
        }
        #expect(found > 2 * harmless, "found \(found), harmless \(harmless)")
    }

    @Test func `two separators that changed places are not called clean`() throws {
        let scratch = try Scratch()
        try make(scratch)
        let bytes = try Scratch.bytes(of: scratch.store + "/data.mdb")
        var count = 0
        for page in StoredPages(bytes).branches {
            let nodes = bytes.nodes(of: page)
            for index in stride(from: 1, to: nodes.count - 1, by: 3) {
                // Their offsets alone: each node is what it was.
                var bad = bytes
                let place = page + 16 + 2 * index
                bad.swapAt(place, place + 2)
                bad.swapAt(place + 1, place + 3)
                #expect(try isFound(scratch, bad), "page \(page), node \(index)")
                count += 1
            }
        }
        #expect(count >= 12)
    }
}

/// What `verify` says of alarms.
struct AlarmAuditTests {
    private let hands = HandClock()

    private func differences(_ directory: String) throws -> [String] {
        try Ledger.verify(options(directory, clock: hands.clock)).differences
    }

    /// A user who has paid for a month and was given a grant that begins and ends later.
    private func make(_ scratch: Scratch) throws -> UserID {
        let ledger = try open(scratch.store, clock: hands.clock)
        try ledger.order(try registration(0))
        let fact = purchase(0, from: hands.wall, token: try token(0))
        try ledger.order(notification(0, signed: hands.wall, [fact]))
        try ledger.order(try grant("user 0", key: 1, until: hands.wall + 50 * day))
        ledger.stop()
        #expect(try differences(scratch.store) == [])
        return try user("user 0")
    }

    private func change(
        _ scratch: Scratch,
        _ passing: Tick.Passing,
        isThere: Bool
    ) throws -> [String] {
        let copy = scratch.path + "/changed"
        try Scratch.copyStore(scratch.store, to: copy)
        try tamper(copy) { views, transaction in
            let row = AlarmRow(key: passing, record: true)
            try views.put(isThere ? row.valueBytes : nil, row.keyBytes, in: .alarms, transaction)
        }
        return try differences(copy)
    }

    @Test func `an alarm that is missing, of nobody, or of no moment is found`() throws {
        let scratch = try Scratch()
        let user = try make(scratch)
        let month = Moment(hands.wall + 30 * day)
        let missing = try change(scratch, .init(user: user, due: month), isThere: false)
        #expect(missing == ["alarms: an account is not looked at when it changes"])
        let strange = Tick.Passing(user: try self.user("nobody"), due: month)
        let ofNobody = try change(scratch, strange, isThere: true)
        #expect(ofNobody == ["alarms: a row is of an account that is not there"])
        let early = Tick.Passing(user: user, due: Moment(hands.wall + 1_234))
        let ofNoMoment = try change(scratch, early, isThere: true)
        #expect(ofNoMoment == ["alarms: a row has a due time that no account explains"])
        // What a catalog forgives comes behind the end of the month.
        let late = Tick.Passing(user: user, due: Moment(month.milliseconds + 3_600_000))
        #expect(try change(scratch, late, isThere: true) == [])
    }

    private func user(_ name: String) throws -> UserID { try #require(UserID(name)) }

    @Test func `the moments of an earlier state explain an alarm that is left`() throws {
        let scratch = try Scratch()
        _ = try make(scratch)
        let ledger = try open(scratch.store, clock: hands.clock)
        var longer = purchase(0, from: hands.wall, signed: hands.wall + 1, token: try token(0))
        longer.transaction?.expires = Moment(hands.wall + 45 * day)
        try ledger.order(notification(9, signed: hands.wall + 1, [longer]))
        ledger.stop()
        let rows = try storedRows(scratch.store)[.alarms] ?? [:]
        #expect(rows.count == 2)
        #expect(try differences(scratch.store) == [])
    }
}
