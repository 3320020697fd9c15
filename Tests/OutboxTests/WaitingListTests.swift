import Entitlements
import JSON
import Methods
import Testing

@testable import Outbox

/// The order of what is told to a system, its pauses, and what is given up.
@Suite struct WaitingListTests {
    private static let start = Moment(1_767_225_600_000)
    private static let salt: [UInt8] = Array("salt".utf8)

    private var list = WaitingList()
    private var now = WaitingListTests.start

    private func letter(
        _ user: String,
        _ seq: UInt64,
        access: Bool = false,
        heldFor seconds: Int64? = nil,
        origin: Letter.Origin = .journal
    ) throws -> Letter {
        let change = StatusChange(
            user: try #require(UserID(user)),
            seq: seq,
            ordinal: 0,
            at: now,
            params: ["seq": .integer(Int64(seq))],
            hasAccess: access,
            isUncertainLoss: seconds != nil
        )
        var letter = Letter(
            change,
            origin,
            as: LetterID(of: change, origin, salt: Self.salt)
        )
        letter.heldUntil = seconds.map { now.advanced(byMilliseconds: $0 * 1_000) }
        return letter
    }

    private mutating func taken(_ limit: Int = 16) -> [UInt64] {
        // The journal is read up to now.
        list.readUntil = now
        return list.take(limit, at: now).map(\.seq)
    }

    private mutating func drops(_ letter: Letter) -> Bool { list.drop(letter.id, at: now) }

    private mutating func pass(_ seconds: Int64) {
        now = now.advanced(byMilliseconds: seconds * 1_000)
    }

    @discardableResult
    private mutating func fail(_ letter: Letter, waiting: Int64? = nil) -> Bool {
        list.failed(
            letter.id,
            of: letter.user,
            because: "HTTP 500",
            waiting: waiting,
            at: now,
            chance: 0
        ) != nil
    }

    @Test mutating func `of one user one is under way, and the next behind it`() throws {
        let first = try letter("alice", 1)
        for letter in [first, try letter("alice", 2), try letter("bob", 3)] {
            list.add(letter, at: now)
        }
        #expect(taken() == [1, 3])
        #expect(taken() == [])
        list.delivered(first.id, of: first.user, at: now)
        #expect(taken() == [2])
        #expect(list.count == 2 && list.underWay == 2)
    }

    @Test mutating func `no more than so many are under way`() throws {
        for seq in 1...9 { list.add(try letter("user\(seq)", UInt64(seq)), at: now) }
        #expect(taken(4) == [1, 2, 3, 4])
        #expect(taken(4) == [])
        #expect(taken(6) == [5, 6])
    }

    @Test mutating func `a failure pauses 5 s, then longer, and nobody else`() throws {
        let poison = try letter("alice", 1)
        list.add(poison, at: now)
        list.add(try letter("alice", 2), at: now)
        #expect(taken() == [1])
        fail(poison)
        #expect(taken() == [])
        pass(4)
        #expect(taken() == [])
        list.add(try letter("bob", 3), at: now)
        #expect(taken() == [3])
        pass(1)
        #expect(taken() == [1])
        fail(poison)
        // The second is between 5 and 10 s.
        pass(4)
        #expect(taken() == [])
        pass(1)
        #expect(taken() == [1])
        fail(poison, waiting: 60_000)
        pass(59)
        #expect(taken() == [])
        pass(1)
        #expect(taken() == [1])
    }

    @Test mutating func `after three days it is parked, and the user's next one told`() throws {
        let poison = try letter("alice", 1)
        list.add(poison, at: now)
        list.add(try letter("alice", 2), at: now)
        var attempts = 0
        while list.parked.isEmpty {
            if taken() == [1] {
                attempts += 1
                fail(poison)
            }
            pass(60)
        }
        let passed = now.milliseconds - Self.start.milliseconds
        #expect(passed >= 3 * 86_400_000 && passed < 3 * 86_400_000 + 2 * 3_600_000)
        // Pauses have grown to an hour at most, half of that at least.
        #expect(attempts > 72 && attempts < 170, "\(attempts)")
        #expect(list.parked.map(\.seq) == [1])
        #expect(taken() == [2])
        #expect(list.parked.map(\.id) == [poison.id])
        list.unpark { $0.id == poison.id }
        #expect(list.parked.isEmpty && list.count == 1)
    }

    @Test mutating func `where nothing goes through one is tried, and then all at once`() throws {
        for seq in 1...50 { list.add(try letter("user\(seq)", UInt64(seq)), at: now) }
        var letters = list.take(16, at: now)
        for letter in letters { fail(letter) }
        #expect(list.isDown(at: now))
        #expect(taken() == [])
        pass(60)
        letters = list.take(16, at: now)
        #expect(letters.count == 1)
        #expect(taken() == [])
        fail(letters[0])
        pass(60)
        letters = list.take(16, at: now)
        #expect(letters.count == 1)
        list.delivered(letters[0].id, of: letters[0].user, at: now)
        #expect(!list.isDown(at: now))
        #expect(taken(100).count == 49)
    }

    @Test mutating func `one user who fails again and again stops nobody`() throws {
        let poison = try letter("alice", 1)
        list.add(poison, at: now)
        for _ in 0..<20 {
            pass(3_600)
            #expect(taken() == [1])
            fail(poison)
        }
        #expect(!list.isDown(at: now))
        list.add(try letter("bob", 2), at: now)
        #expect(taken() == [2])
    }

    @Test mutating func `a loss is held back, and what follows waits behind it`() throws {
        list.add(try letter("alice", 1, heldFor: 600), at: now)
        list.add(try letter("alice", 2), at: now)
        #expect(taken() == [])
        pass(599)
        #expect(taken() == [])
        pass(1)
        #expect(taken() == [1])
    }

    @Test mutating func `access that is back in time is told alone`() throws {
        list.add(try letter("alice", 1, heldFor: 600), at: now)
        list.add(try letter("alice", 2), at: now)
        pass(300)
        list.add(try letter("alice", 3, access: true), at: now)
        #expect(list.count == 1)
        #expect(taken() == [3])
        // Too late it is told behind the loss.
        list.add(try letter("bob", 4, heldFor: 10), at: now)
        pass(10)
        list.add(try letter("bob", 5, access: true), at: now)
        #expect(taken() == [4])
    }

    @Test mutating func `access that is back in time replaces a loss behind what waits`() throws {
        let first = try letter("alice", 1)
        list.add(first, at: now)
        #expect(taken() == [1])
        list.add(try letter("alice", 2, heldFor: 600), at: now)
        list.add(try letter("alice", 3), at: now)
        pass(300)
        let back = try letter("alice", 4, access: true)
        // The daemon reads of it only after the loss might have been told.
        pass(900)
        list.add(back, at: now)
        #expect(list.count == 2)
        list.delivered(first.id, of: first.user, at: now)
        #expect(taken() == [4])
    }

    @Test mutating func `a state or an erasure says all that waits`() throws {
        let first = try letter("alice", 1)
        list.add(first, at: now)
        #expect(taken() == [1])
        for letter in [try letter("alice", 2), try letter("alice", 3, origin: .state(1))] {
            list.add(letter, at: now)
        }
        // What is under way ends before.
        #expect(taken() == [] && list.count == 2)
        list.delivered(first.id, of: first.user, at: now)
        #expect(taken() == [3])
    }

    @Test mutating func `an erased person is told of last, also where a post fails meanwhile`()
        throws
    {
        let first = try letter("alice", 1)
        list.add(first, at: now)
        list.add(try letter("alice", 2), at: now)
        #expect(taken(1) == [1])
        list.add(try letter("alice", 7, origin: .erasure), at: now)
        // What is under way ends before.
        #expect(list.count == 2 && taken() == [])
        fail(first)
        #expect(list.count == 1 && taken() == [7])
    }

    @Test mutating func `what happens behind an erasure stays behind it`() throws {
        // The changes were read before the erasure was told of.
        list.add(try letter("alice", 1), at: now)
        list.add(try letter("alice", 9), at: now)
        let erasure = try letter("alice", 7, origin: .erasure)
        list.add(erasure, at: now)
        #expect(taken() == [7])
        list.delivered(erasure.id, of: erasure.user, at: now)
        #expect(taken() == [9])
    }

    @Test mutating func `a state does not take the place of an erasure that waits`() throws {
        let erasure = try letter("alice", 3, origin: .erasure)
        list.add(erasure, at: now)
        list.add(try letter("alice", 4), at: now)
        for origin in [Letter.Origin.state(1), .again(1)] {
            list.add(try letter("alice", 4, origin: origin), at: now)
        }
        #expect(list.count == 2 && taken() == [3])
        // Also where it is under way.
        list.add(try letter("alice", 5, origin: .state(2)), at: now)
        list.delivered(erasure.id, of: erasure.user, at: now)
        #expect(taken() == [5] && list.count == 1)
    }

    @Test mutating func `a state says the ends before it, which moved no position`() throws {
        let first = try letter("alice", 8)
        list.add(first, at: now)
        #expect(taken() == [8])
        list.add(try letter("alice", 9), at: now)
        list.add(try letter("alice", 5, origin: .state(1)), at: now)
        #expect(list.count == 2 && list.says(9, of: first.user))
        list.delivered(first.id, of: first.user, at: now)
        #expect(taken() == [5])
        // Also one that is held back, where a catalog has given access back.
        list.add(try letter("bob", 12, heldFor: 600), at: now)
        list.add(try letter("bob", 3, access: true, origin: .state(2)), at: now)
        #expect(taken() == [3])
    }

    @Test mutating func `a state without access waits behind a loss that is held back`() throws {
        let loss = try letter("alice", 9, heldFor: 600)
        list.add(loss, at: now)
        list.add(try letter("alice", 10), at: now)
        for number in UInt64(1)...2 {
            list.add(try letter("alice", 5, origin: .state(number)), at: now)
            #expect(list.count == 2 && taken() == [])
        }
        pass(600)
        #expect(taken() == [9])
        list.delivered(loss.id, of: loss.user, at: now)
        #expect(taken() == [5])
    }

    @Test mutating func `an access that is back in time says the state behind its loss`() throws {
        list.add(try letter("alice", 1, heldFor: 600), at: now)
        list.add(try letter("alice", 2, origin: .state(1)), at: now)
        #expect(list.count == 2 && taken() == [])
        pass(300)
        list.add(try letter("alice", 3, access: true), at: now)
        #expect(list.count == 1 && taken() == [3])
    }

    @Test mutating func `one can be skipped, waiting or parked`() throws {
        let (first, second) = (try letter("alice", 1), try letter("alice", 2))
        list.add(first, at: now)
        list.add(second, at: now)
        #expect(drops(first))
        #expect(!drops(first))
        #expect(taken() == [2])
        list.restore(
            [
                .init(
                    id: first.id,
                    seq: 1,
                    ordinal: 0,
                    at: now,
                    failure: "HTTP 500",
                    origin: .journal
                )
            ],
            before: 7
        )
        #expect(list.parkedBefore == 7)
        #expect(drops(first))
        #expect(list.parked.isEmpty)
    }

    @Test mutating func `what was given up beyond the list is not forgotten by a retry`() throws {
        let parked = WaitingList.Parked(
            id: try letter("alice", 1).id,
            seq: 1,
            ordinal: 0,
            at: now,
            failure: "HTTP 500",
            origin: .journal
        )
        list.restore([parked], before: 7)
        #expect(list.parkedCount == 8)
        list.unpark { $0.id == parked.id }
        #expect(list.parkedCount == 7)
        let (first, second) = (list.forgetUnlisted(), list.forgetUnlisted())
        #expect(first && !second && list.parkedCount == 0)
    }

    @Test mutating func `of more than are listed, erasures are forgotten last`() throws {
        let erasure = try letter("alice", 1, origin: .erasure)
        list.restore(
            (0..<UInt64(OutboxLimits.parkedMax))
                .map { number in
                    WaitingList.Parked(
                        id: number == 0 ? erasure.id : LetterID("msg_\(number)"),
                        seq: number + 1,
                        ordinal: 0,
                        at: now,
                        failure: "HTTP 500",
                        origin: number == 0 ? .erasure : .journal
                    )
                },
            before: 0
        )
        let poison = try letter("bob", 2_000)
        list.add(poison, at: now)
        #expect(taken() == [2_000])
        pass(4 * 86_400)
        #expect(fail(poison))
        #expect(list.parked.count == OutboxLimits.parkedMax && list.parkedBefore == 1)
        #expect(list.parked.first?.id == erasure.id && list.parked.last?.id == poison.id)
    }

    @Test mutating func `of many erasures none is forgotten`() throws {
        list.restore(
            (0..<UInt64(OutboxLimits.parkedMax))
                .map { number in
                    WaitingList.Parked(
                        id: LetterID("msg_\(number)"),
                        seq: number + 1,
                        ordinal: 0,
                        at: now,
                        failure: "HTTP 500",
                        origin: .erasure
                    )
                },
            before: 0
        )
        var poison = try letter("bob", 2_000, origin: .erasure)
        // It waited for others all that time.
        poison.begun = now
        list.add(poison, at: now)
        pass(4 * 86_400)
        #expect(taken() == [2_000])
        #expect(fail(poison))
        #expect(list.parked.count == OutboxLimits.parkedMax + 1 && list.parkedBefore == 0)
    }

    @Test mutating func `a loss waits for the journal to be read, and is counted meanwhile`()
        throws
    {
        list.add(try letter("alice", 1, heldFor: 600), at: now)
        list.add(try letter("alice", 2), at: now)
        list.add(try letter("bob", 3), at: now)
        #expect(taken() == [3] && list.heldCount == 2)
        let read = now
        pass(900)
        list.readUntil = read
        #expect(list.take(16, at: now).isEmpty && list.heldCount == 2)
        list.add(try letter("carol", 4, heldFor: 600), at: now)
        list.readUntil = now
        #expect(list.take(16, at: now).map(\.seq) == [1] && list.heldCount == 1)
    }
}
