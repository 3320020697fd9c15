import Glibc
import Synchronization
import Testing
import Threads

@Suite(.timeLimit(.minutes(5))) struct TurnQueueTests {
    private func place(_ caller: UInt32, _ session: UInt64) -> TurnPlace {
        TurnPlace(caller: caller, session: session)
    }

    @Test func `of a session one is under way, and sessions take turns`() throws {
        let queue = TurnQueue<String>(TurnLimits(all: 100, perCaller: 100, perSession: 100))
        for number in 1...3 { #expect(queue.offer("a\(number)", from: place(1, 1)) == nil) }
        for number in 1...2 { #expect(queue.offer("b\(number)", from: place(1, 2)) == nil) }
        let first = try #require(queue.take())
        let second = try #require(queue.take())
        #expect([first.element, second.element] == ["a1", "b1"])
        // Both have more, and neither may go on; a third may.
        #expect(queue.offer("c1", from: place(1, 3)) == nil)
        let third = try #require(queue.take())
        #expect(third.element == "c1")
        queue.finish(second.place)
        queue.finish(third.place)
        queue.finish(first.place)
        var rest: [String] = []
        while queue.depth > 0, let (element, place) = queue.take() {
            rest.append(element)
            queue.finish(place)
        }
        #expect(rest == ["b2", "a2", "a3"])
    }

    @Test func `a caller with many sessions waits for itself`() throws {
        let queue = TurnQueue<String>(TurnLimits(all: 100, perCaller: 100, perSession: 1))
        for session in 1...5 { #expect(queue.offer("a", from: place(1, UInt64(session))) == nil) }
        #expect(queue.offer("b", from: place(2, 9)) == nil)
        var order = ""
        while queue.depth > 0, let (element, place) = queue.take() {
            order += element
            queue.finish(place)
        }
        #expect(order == "abaaaa")
    }

    @Test func `each bound is reached, and leaves room for others`() throws {
        let queue = TurnQueue<Int>(TurnLimits(all: 5, perCaller: 4, perSession: 2))
        #expect(queue.offer(1, from: place(1, 1)) == nil)
        #expect(queue.offer(2, from: place(1, 1)) == nil)
        #expect(queue.offer(3, from: place(1, 1)) == .full, "of a session")
        #expect(queue.offer(3, from: place(1, 2)) == nil)
        #expect(queue.offer(4, from: place(1, 3)) == nil)
        #expect(queue.offer(5, from: place(1, 4)) == .full, "of a caller")
        #expect(queue.offer(5, from: place(2, 5)) == nil)
        #expect(queue.offer(6, from: place(3, 6)) == .full, "of all")
        #expect(queue.depth == 5 && queue.refused == 3)
        let (_, taken) = try #require(queue.take())
        #expect(queue.offer(6, from: place(3, 6)) == nil)
        queue.finish(taken)
        queue.close()
        #expect(queue.offer(7, from: place(3, 7)) == .closed)
        #expect(queue.refused == 3)
    }

    /// What several threads took, by session, and whether two ever had the same session.
    private final class Book: Sendable {
        let seen = Mutex<[TurnPlace: [Int]]>([:])
        let overlaps = Atomic<Int>(0)
        private let underWay = Mutex<Set<TurnPlace>>([])

        func take(from queue: TurnQueue<Int>) {
            while let (element, place) = queue.take() {
                let isAlone = underWay.withLock { $0.insert(place).inserted }
                if !isAlone { overlaps.add(1, ordering: .relaxed) }
                seen.withLock { $0[place, default: []].append(element) }
                underWay.withLock { _ = $0.remove(place) }
                queue.finish(place)
            }
        }
    }

    @Test func `many threads take everything, each session in its order`() throws {
        let queue = TurnQueue<Int>(TurnLimits(all: 10_000, perCaller: 10_000, perSession: 500))
        let book = Book()
        var threads: [NamedThread] = []
        for _ in 0..<4 {
            threads.append(try NamedThread(named: "taker") { book.take(from: queue) })
        }
        for number in 0..<500 {
            for session in 1...12 {
                let place = place(UInt32(session % 3), UInt64(session))
                #expect(queue.offer(number, from: place) == nil)
            }
        }
        queue.close()
        for thread in threads { thread.join() }
        #expect(book.overlaps.load(ordering: .relaxed) == 0)
        let all = book.seen.withLock { $0 }
        #expect(all.count == 12 && all.values.allSatisfy { $0 == Array(0..<500) })
    }

    @Test func `whoever waits is woken, also while others take`() throws {
        let queue = TurnQueue<Int>(TurnLimits(all: 100, perCaller: 100, perSession: 100))
        let rounds = Rounds()
        let workers = try (1...2)
            .map { number in
                try NamedThread(named: "taker-\(number)") {
                    while let (round, place) = queue.take() {
                        rounds.started.add(1, ordering: .relaxed)
                        // Nobody else takes what the other worker sleeps through.
                        while rounds.allowed.load(ordering: .relaxed) < round { sched_yield() }
                        queue.finish(place)
                    }
                }
            }
        var isStuck = false
        for round in 1...30_000 where !isStuck {
            for session in 1...2 {
                #expect(queue.offer(round, from: place(1, UInt64(2 * round + session))) == nil)
            }
            let clock = ContinuousClock()
            let deadline = clock.now + .seconds(20)
            while rounds.started.load(ordering: .relaxed) < 2 * round, !isStuck {
                isStuck = clock.now > deadline
                sched_yield()
            }
            #expect(!isStuck, "in round \(round) one of two elements was left")
            rounds.allowed.store(round, ordering: .relaxed)
        }
        rounds.allowed.store(.max, ordering: .relaxed)
        queue.close()
        for worker in workers { worker.join() }
        #expect(queue.depth == 0)
    }
}

/// What two takers and who offers to them know of each other.
private final class Rounds: Sendable {
    /// How many elements were taken.
    let started = Atomic<Int>(0)
    /// Up to which round a taker may go on.
    let allowed = Atomic<Int>(0)
}
