import Testing
import Threads

@testable import Wire

/// Bytes that wait are charged to who left them waiting, and given back.
@Suite struct ByteBudgetTests {
    private let budget = ByteBudget(callerBytesMax: 1_000, totalBytesMax: 1_500)

    private func session(_ uid: UInt32) -> Session {
        let caller = Caller(uid: uid, gid: 1, pid: 1, role: .app)
        return Session(caller: caller, budget: budget.enter(uid))
    }

    @Test func `what is held is charged to the caller, on all its connections, and to all`() throws
    {
        let (first, second, other) = (session(1), session(1), session(2))
        let holds = try [first, second, other].map { try #require($0.hold(400)) }
        #expect(first.budget === second.budget && first.budget !== other.budget)
        #expect(first.budget?.heldBytes == 800 && other.budget?.heldBytes == 400)
        #expect(budget.heldBytes == 1_200 && budget.watchedBytes == 1_200)
        // The caller's share is full, then that of all.
        #expect(second.hold(201) == nil)
        #expect(other.hold(301) == nil)
        #expect(budget.heldBytes == 1_200)
        #expect(first.budget?.isOver == false)
        withExtendedLifetime(holds) {}
    }

    @Test func `what is released, or grows and shrinks, is given back`() throws {
        let session = session(1)
        do {
            let hold = try #require(session.hold(100))
            #expect(hold.resize(to: 1_000))
            #expect(!hold.resize(to: 1_001))
            #expect(hold.bytes == 1_000 && budget.heldBytes == 1_000)
            #expect(hold.resize(to: 300))
            #expect(session.watchedBytes == 300 && budget.watchedBytes == 300)
        }
        #expect(session.watchedBytes == 0 && budget.heldBytes == 0 && budget.watchedBytes == 0)
    }

    @Test func `what waits already is charged beyond the share, which says so`() throws {
        let caller = budget.enter(7)
        caller.charge(1_001)
        #expect(caller.isOver && budget.heldBytes == 1_001)
        caller.release(1)
        #expect(!caller.isOver)
        caller.release(1_000)
        #expect(budget.heldBytes == 0)
    }

    @Test func `one connection holds no more than its own limit`() throws {
        let large = ByteBudget(callerBytesMax: .max, totalBytesMax: .max)
        let caller = Caller(uid: 1, gid: 1, pid: 1, role: .app)
        let session = Session(caller: caller, budget: large.enter(1))
        let most = WireLimits.watchedBytesPerConnectionMax
        let hold = try #require(session.hold(most))
        #expect(session.hold(1) == nil)
        #expect(hold.resize(to: most - 1) && session.hold(1) != nil)
    }

    @Test func `a caller is forgotten with its last connection`() {
        let first = budget.enter(5)
        let second = budget.enter(5)
        #expect(first === second && budget.callersCount == 1)
        budget.leave(first)
        #expect(budget.enter(5) === first)
        budget.leave(first)
        budget.leave(second)
        #expect(budget.callersCount == 0)
        #expect(budget.enter(5) !== first)
    }

    @Test func `many threads that charge and release leave nothing behind`() throws {
        let budget = ByteBudget(callerBytesMax: 100_000, totalBytesMax: 100_000)
        let threads = try (0..<4)
            .map { number in
                try NamedThread(named: "charge-\(number)") {
                    let caller = Caller(uid: UInt32(number % 2), gid: 1, pid: 1, role: .app)
                    for round in 1...2_000 {
                        let share = budget.enter(caller.uid)
                        let session = Session(caller: caller, budget: share)
                        let hold = session.hold(round)
                        if round % 3 == 0 { _ = hold?.resize(to: 1) }
                        budget.leave(share)
                    }
                }
            }
        for thread in threads { thread.join() }
        #expect(budget.heldBytes == 0 && budget.watchedBytes == 0 && budget.callersCount == 0)
    }
}
