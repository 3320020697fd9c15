import Entitlements
import JSON
import Testing

@testable import Outbox

/// What a receiver is told, by a journal and a clock of the test's own.
@Suite struct CourierTests {
    private let alice: UserID
    private let bob: UserID

    init() throws {
        alice = try #require(UserID("alice"))
        bob = try #require(UserID("bob"))
    }

    @Test func `a loss that is read long after its moment is held back from then on`() throws {
        let outbox = try HandOutbox(settling: 600)
        outbox.journal.change(alice)
        #expect(outbox.deliverAll().count == 1)
        // The daemon was down when the subscription ended.
        outbox.journal.lapse(alice, ago: 18 * 60)
        #expect(outbox.turn().isEmpty && outbox.shown("held") == 1)
        outbox.journal.pass(599)
        #expect(outbox.turn().isEmpty)
        outbox.journal.pass(1)
        #expect(outbox.turn().map(\.seq) == [2])
    }

    @Test func `a renewal that is read behind such a loss takes its place`() throws {
        let outbox = try HandOutbox(settling: 600)
        outbox.journal.lapse(alice, ago: 18 * 60)
        #expect(outbox.turn().isEmpty)
        outbox.note()
        // Over a restart, the moment that was noted counts.
        outbox.start()
        outbox.journal.pass(598)
        #expect(outbox.turn().isEmpty && outbox.shown("held") == 1)
        outbox.journal.change(alice)
        #expect(outbox.deliverAll().map(\.seq) == [2])
        #expect(outbox.shown("waiting") == 0)
    }

    @Test func `a loss is told only when what the journal had then is read`() throws {
        let outbox = try HandOutbox(settling: 600)
        outbox.journal.lapse(alice)
        #expect(outbox.turn().isEmpty)
        outbox.journal.stretchMax = 1
        for _ in 0..<5 { outbox.journal.change(bob) }
        outbox.journal.pass(300)
        outbox.journal.change(alice)
        outbox.journal.pass(300)
        // The hold is over, and the renewal is not read yet.
        #expect(outbox.turn(1).map(\.user) == ["bob"])
        #expect(outbox.shown("held") == 1)
        #expect(outbox.deliverAll().filter { $0.user == "alice" }.map(\.seq) == [7])
    }

    @Test func `losses that are held back hold up nobody else`() throws {
        let outbox = try HandOutbox(settling: 600)
        outbox.journal.stretchMax = 100
        for number in 0..<OutboxLimits.heldMax - 1 {
            outbox.journal.lapse(try #require(UserID("u\(number)")))
        }
        outbox.journal.change(bob)
        #expect(outbox.turn().map(\.user) == ["bob"])
        #expect(outbox.shown("held") == .integer(Int64(OutboxLimits.heldMax - 1)))
    }

    @Test func `users whom a receiver refuses stop nobody, however much waits of them`() throws {
        let outbox = try HandOutbox()
        outbox.journal.stretchMax = 1_000
        let carol = try #require(UserID("carol"))
        // Two whose changes never go through, one more often than the other, and a few others.
        var refused = [alice: 0, carol: 0]
        for number in 0..<OutboxLimits.waitingMax + 10 {
            let user = number % 1_000 == 999 ? bob : number % 4 == 0 ? carol : alice
            outbox.journal.change(user)
            refused[user]? += 1
        }
        var told = 0
        for round in 0..<45 {
            if round < 20 { outbox.journal.change(bob) }
            for post in outbox.turn() where post.user == "bob" { told += 1 }
            outbox.answer { $0.user == "bob" ? .delivered : .refused("HTTP 404") }
            outbox.journal.pass(60)
        }
        #expect(told == 30)
        // Of the one alone of whom more waited; the newest change says what the others said.
        #expect(outbox.shown("parked") == refused[alice].map { .integer(Int64($0)) })
        #expect(outbox.shown("waiting") == refused[carol].map { .integer(Int64($0)) })
        // What was parked is on disk before others are told what came behind it.
        outbox.start()
        #expect(outbox.shown("parked") == refused[alice].map { .integer(Int64($0)) })
        #expect(outbox.courier?.retry(nil).retried ?? 0 > 0)
        #expect(outbox.deliverAll().contains { $0.user == "alice" })
    }

    /// More than show that a receiver is away, among whom the probes must not stay.
    @Test(arguments: [6, 200])
    func `many users whom a receiver refuses stop nobody`(refused: Int) throws {
        let outbox = try HandOutbox()
        for number in 0..<refused {
            outbox.journal.change(try #require(UserID("refused\(number)")))
        }
        var told = 0
        for _ in 0..<1_000 {
            outbox.journal.change(bob)
            told += outbox.tellGood()
        }
        #expect(told == 1_000)
        // After a restart, too, which forgets who is refused.
        outbox.note()
        outbox.start()
        for _ in 0..<100 {
            outbox.journal.change(bob)
            told += outbox.tellGood()
        }
        #expect(told >= 1_100)
        #expect(outbox.shown("parked") == 0)
    }

    /// An application that fails over somebody's data answers 500, or ends the connection.
    @Test(arguments: [PostResult.refused("HTTP 500"), .failed("closed", waiting: nil)])
    func `users over whom a receiver fails hold up nobody for long`(failure: PostResult) throws {
        let outbox = try HandOutbox()
        outbox.journal.change(bob)
        #expect(outbox.tellGood(or: failure) == 1)
        for number in 0..<60 {
            outbox.journal.change(try #require(UserID("refused\(number)")))
        }
        outbox.journal.change(alice)
        var told = 0
        for _ in 0..<150 { told += outbox.tellGood(or: failure) }
        #expect(told == 1)
    }

    /// All at once, as an import makes them, in runs of so many; and over a restart.
    @Test(arguments: [(1, false), (60, true)])
    func `more users than there is room for, who are refused, stop nobody`(
        run: Int,
        isRestarted: Bool
    ) throws {
        let outbox = try HandOutbox()
        var good = 0
        for number in 0..<OutboxLimits.waitingMax * 4 {
            let isRefused = number / run % 5 < 3
            if !isRefused { good += 1 }
            let name = "\(isRefused ? "refused" : "user")\(number)"
            outbox.journal.change(try #require(UserID(name)))
        }
        var told = 0
        var seconds = 0
        while told < good, seconds < 3_600 {
            told += outbox.tellGood()
            seconds += 1
            if isRestarted, seconds == 20 {
                outbox.note()
                outbox.start()
            }
        }
        #expect(told >= good)
        #expect(outbox.shown("parked")?.int64 ?? 0 > 0)
    }

    /// Of how many users there are changes: of few, nothing shows that the receiver is down.
    @Test(arguments: [3, 32])
    func `while a receiver is away, nothing is parked before its time`(users: Int) throws {
        let outbox = try HandOutbox()
        outbox.journal.change(bob)
        #expect(outbox.deliverAll().count == 1)
        outbox.journal.pass(60)
        outbox.journal.stretchMax = 1_000
        for number in 0..<OutboxLimits.waitingMax + 2_000 {
            outbox.journal.change(try #require(UserID("u\(number % users)")))
        }
        for round in 0..<4 * OutboxLimits.stuckRefusals {
            // A restart forgets that the receiver was down.
            if round == 2 * OutboxLimits.stuckRefusals {
                outbox.note()
                outbox.start()
            }
            outbox.turn()
            outbox.answer(.failed("no answer", waiting: nil))
            outbox.journal.pass(60)
        }
        #expect(outbox.shown("parked") == 0)
        #expect(outbox.deliverAllWithin(hours: 3).count == OutboxLimits.waitingMax + 2_000)
    }

    @Test func `no erasure is parked before its time for others' sake`() throws {
        let outbox = try HandOutbox()
        outbox.journal.stretchMax = 1_000
        outbox.journal.erase(alice)
        outbox.courier?.erased([alice], at: outbox.journal.seq)
        let carol = try #require(UserID("carol"))
        for number in 0..<OutboxLimits.waitingMax + 10 {
            outbox.journal.change(number % 1_000 == 999 ? bob : carol)
        }
        for _ in 0..<45 {
            outbox.turn()
            outbox.answer { $0.user == "bob" ? .delivered : .refused("HTTP 404") }
            outbox.journal.pass(60)
        }
        #expect(outbox.shown("parked") == .integer(Int64(OutboxLimits.waitingMax)))
        #expect(outbox.shown("parkedChanges")?.array?.contains { $0["kind"] == "erasure" } == false)
        let told = outbox.deliverAllWithin(hours: 3)
        #expect(told.contains { $0.user == "alice" && $0.cause == "erased" })
    }

    @Test func `with too many losses held back, they are told when their time has come`() throws {
        let outbox = try HandOutbox(settling: 600)
        for number in 0..<OutboxLimits.heldMax + 2_000 {
            outbox.journal.lapse(try #require(UserID("u\(number)")))
        }
        #expect(outbox.turn().isEmpty)
        let read = outbox.shown("waiting")?.int64 ?? 0
        let held = Int64(OutboxLimits.heldMax)
        #expect(read >= held && read <= held + Int64(outbox.journal.stretchMax))
        outbox.journal.pass(600)
        #expect(outbox.turn().count == OutboxLimits.underWayMax)
    }

    @Test func `a loss that is held back is told by no state, also after a restart`() throws {
        let outbox = try HandOutbox(settling: 600)
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        outbox.journal.lapse(alice)
        #expect(outbox.turn().isEmpty)
        outbox.courier?.tellEverything()
        #expect(outbox.turn().isEmpty && outbox.shown("waiting") == 2)
        outbox.note()
        outbox.start()
        outbox.journal.pass(598)
        #expect(outbox.turn().isEmpty && outbox.shown("held") == 1)
        outbox.journal.pass(1)
        #expect(outbox.deliverAll().map(\.cause) == ["notification", "reconciled"])
    }

    @Test func `a retelling that a restart cut off tells other states under other ids`() throws {
        let outbox = try HandOutbox()
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        outbox.courier?.tellEverything()
        let before = try #require(outbox.turn().first)
        // The receiver has it, and a crash comes before its answer; then time ends the access.
        outbox.journal.lapse(alice)
        outbox.start()
        let ids = Set(outbox.deliverAll().map(\.id))
        #expect(!ids.isEmpty && !ids.contains(before.id))
    }

    @Test func `behind an older copy of the journal, what is told has other ids`() throws {
        let outbox = try HandOutbox()
        outbox.journal.change(alice)
        outbox.journal.change(bob)
        let former = Set(outbox.deliverAll().map(\.id))
        outbox.note()
        outbox.journal.rewind(to: 1)
        outbox.start()
        outbox.journal.change(bob, access: false)
        let told = outbox.deliverAll()
        #expect(told.contains { $0.user == "bob" && $0.seq == 2 })
        #expect(told.contains { $0.user == "alice" && $0.cause == "reconciled" })
        #expect(former.count == 2 && former.isDisjoint(with: told.map(\.id)))
    }

    @Test func `a state is held back as the loss that is still to be read`() throws {
        let outbox = try HandOutbox(settling: 600)
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        outbox.journal.stretchMax = 1
        outbox.journal.change(bob)
        outbox.journal.lapse(alice)
        outbox.courier?.tellEverything()
        #expect(outbox.deliverAll().allSatisfy { $0.user == "bob" })
        #expect(outbox.shown("waiting") == 2)
        outbox.journal.pass(600)
        #expect(outbox.deliverAll().map(\.cause) == ["reconciled", "notification"])
    }

    @Test func `a state is held back as a loss that the journal does not tell yet`() throws {
        let outbox = try HandOutbox(settling: 600)
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        outbox.journal.beginLapse(alice)
        outbox.courier?.tellEverything()
        #expect(outbox.deliverAll().isEmpty && outbox.shown("held") == 1)
        outbox.journal.pass(600)
        #expect(outbox.deliverAll().map(\.cause) == ["reconciled"])
    }

    @Test func `behind several catalogs that are read together all states are told`() throws {
        let outbox = try HandOutbox()
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        outbox.journal.isAsBefore = true
        outbox.journal.install()
        #expect(outbox.deliverAll().isEmpty)
        // The second one takes back what the first has changed, and what was told under it.
        outbox.journal.install()
        outbox.journal.install()
        #expect(outbox.deliverAll().map(\.cause) == ["reconciled"])
    }

    @Test func `a user's state under another catalog has another id, at the same position`() throws
    {
        let outbox = try HandOutbox()
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        var told: [HandOutbox.Post] = []
        for _ in 0..<2 {
            outbox.journal.install()
            told += outbox.deliverAll()
        }
        for _ in 0..<2 {
            outbox.courier?.tellEverything()
            // That is on disk before anything is posted.
            outbox.start()
            told += outbox.deliverAll()
            #expect(outbox.shown("retelling") == true)
            outbox.note()
            #expect(outbox.shown("retelling") == false)
        }
        #expect(told.map(\.cause) == [String](repeating: "reconciled", count: 4))
        #expect(told.map(\.seq) == [1, 1, 1, 1])
        #expect(Set(told.map(\.id)).count == 4)
    }

    @Test func `a state has the id that it had, after a failure`() throws {
        let outbox = try HandOutbox()
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        outbox.journal.install()
        let first = try #require(outbox.turn().first)
        outbox.answer(.failed("HTTP 500", waiting: nil))
        outbox.journal.pass(5)
        #expect(outbox.turn().map(\.id) == [first.id])
    }

    @Test func `pauses do not last longer where the clock is set back`() throws {
        let outbox = try HandOutbox()
        outbox.journal.change(alice)
        outbox.turn()
        outbox.answer(.failed("HTTP 500", waiting: nil))
        #expect(outbox.turn().isEmpty)
        outbox.journal.pass(-86_400)
        #expect(outbox.turn().count == 1)
    }

    @Test func `a state is told where what came after it is not visible`() throws {
        let outbox = try HandOutbox()
        outbox.journal.change(alice)
        outbox.journal.change(bob)
        _ = outbox.deliverAll()
        outbox.journal.stretchMax = 1
        outbox.journal.install()
        outbox.journal.change(alice, isVisible: false)
        outbox.journal.change(bob)
        let told = outbox.deliverAll()
        #expect(told.filter { $0.user == "alice" }.map(\.cause) == ["reconciled"])
        // The change says all, and comes in its place.
        #expect(told.filter { $0.user == "bob" }.map(\.cause) == ["notification"])
    }
}

extension HandOutbox {
    /// Lets a second pass in which a receiver takes everything but what is about those who are
    /// called refused; answers how many posts it took.
    fileprivate func tellGood(or failure: PostResult = .refused("HTTP 404")) -> Int {
        var told = 0
        var posts = turn()
        while !posts.isEmpty {
            told += posts.count { !$0.user.hasPrefix("refused") }
            answer { $0.user.hasPrefix("refused") ? failure : .delivered }
            posts = turn()
        }
        journal.pass(1)
        return told
    }
}
