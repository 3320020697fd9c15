import Chance
import Entitlements
import Synchronization
import Testing

@testable import Methods

/// The writes of one connection.
struct WriteOrderingTests {
    /// Steps that a test ends by hand, and the order in which they began.
    private final class Log: Sendable {
        private let began = Mutex<[String]>([])
        private let open = Mutex<[String: @Sendable () -> Void]>([:])

        var names: [String] { began.withLock { $0 } }

        func step(_ name: String) -> WriteOrdering.Step {
            { done in
                self.began.withLock { $0.append(name) }
                self.open.withLock { $0[name] = done }
            }
        }

        func end(_ name: String) {
            let done = open.withLock { $0.removeValue(forKey: name) }
            done?()
        }

        /// Ends one after the other, the latest first, until nothing is under way.
        func endAll() {
            while let name = open.withLock({ $0.keys.max() }) { end(name) }
        }
    }

    private let ordering = WriteOrdering()
    private let log = Log()

    private func user(_ name: String) throws -> WriteOrdering.Scope {
        .users([try #require(UserID(name))])
    }

    @Test func `a write of two users waits for those of both, and both wait for it`() throws {
        let both = WriteOrdering.Scope.users(
            try ["alice", "bob"].map { try #require(UserID($0)) }
        )
        #expect(ordering.enter(try user("alice"), log.step("a1")))
        #expect(ordering.enter(try user("bob"), log.step("b1")))
        #expect(ordering.enter(both, log.step("both")))
        #expect(ordering.enter(try user("bob"), log.step("b2")))
        #expect(ordering.enter(try user("carol"), log.step("c1")))
        #expect(log.names == ["a1", "b1", "c1"])
        log.end("b1")
        #expect(log.names == ["a1", "b1", "c1"])
        log.end("a1")
        #expect(log.names == ["a1", "b1", "c1", "both"])
        #expect(try !ordering.isFree(for: user("alice")))
        log.end("both")
        #expect(log.names == ["a1", "b1", "c1", "both", "b2"])
        log.endAll()
        #expect(ordering.isEmpty)
    }

    @Test func `a write waits for those of the same user, and for no others`() throws {
        #expect(ordering.isEmpty)
        #expect(ordering.enter(try user("alice"), log.step("a1")))
        #expect(!ordering.isEmpty)
        #expect(try !ordering.isFree(for: user("alice")))
        #expect(try ordering.isFree(for: user("bob")))
        #expect(ordering.enter(try user("alice"), log.step("a2")))
        #expect(ordering.enter(try user("alice"), log.step("a3")))
        #expect(ordering.enter(try user("bob"), log.step("b1")))
        #expect(log.names == ["a1", "b1"])
        log.end("b1")
        #expect(log.names == ["a1", "b1"])
        log.end("a1")
        #expect(log.names == ["a1", "b1", "a2"])
        log.end("a2")
        #expect(log.names == ["a1", "b1", "a2", "a3"])
        #expect(try !ordering.isFree(for: user("alice")))
        log.end("a3")
        #expect(ordering.isEmpty)
    }

    @Test func `what may concern anybody comes after all before it, and before all behind it`()
        throws
    {
        #expect(ordering.isFree(for: .anybody))
        #expect(ordering.enter(try user("alice"), log.step("a1")))
        #expect(ordering.enter(try user("bob"), log.step("b1")))
        #expect(ordering.enter(.anybody, log.step("x")))
        #expect(ordering.enter(try user("bob"), log.step("b2")))
        #expect(ordering.enter(try user("carol"), log.step("c1")))
        #expect(ordering.enter(.anybody, log.step("y")))
        #expect(try !ordering.isFree(for: user("dora")))
        log.end("a1")
        #expect(log.names == ["a1", "b1"])
        log.end("b1")
        #expect(log.names == ["a1", "b1", "x"])
        log.end("x")
        #expect(log.names == ["a1", "b1", "x", "b2", "c1"])
        log.end("c1")
        log.end("b2")
        #expect(log.names == ["a1", "b1", "x", "b2", "c1", "y"])
        log.end("y")
        #expect(ordering.isEmpty)
    }

    @Test func `as many wait as may; whoever waits for nothing is taken all the same`() throws {
        #expect(ordering.enter(try user("alice"), log.step("0")))
        for number in 1...MethodLimits.waitingWritesMax {
            #expect(
                ordering.enter(
                    try user("alice"),
                    { done in
                        _ = number
                        done()
                    }
                )
            )
        }
        #expect(!ordering.enter(try user("alice"), log.step("too many")))
        #expect(!ordering.enter(.anybody, log.step("too many")))
        #expect(ordering.enter(try user("bob"), log.step("b")))
        log.end("0")
        log.end("b")
        #expect(log.names == ["0", "b"])
        #expect(ordering.isEmpty)
        #expect(ordering.enter(try user("alice"), log.step("again")))
        #expect(log.names.last == "again")
    }

    @Test(arguments: 1...20)
    func `writes of many users that end in any order keep each user's order`(round: Int) throws {
        var chance = SplitMix64(seed: Seed.told(round: round))
        var sent: [String: [String]] = [:]
        for number in 0..<200 {
            let name = ["alice", "bob", "carol", "*"].randomElement(using: &chance) ?? "*"
            let step = "\(number)"
            let scope: WriteOrdering.Scope = name == "*" ? .anybody : try user(name)
            #expect(ordering.enter(scope, log.step(step)))
            for user in name == "*" ? ["alice", "bob", "carol"] : [name] {
                sent[user, default: []].append(step)
            }
            if Bool.random(using: &chance), let last = log.names.randomElement(using: &chance) {
                log.end(last)
            }
        }
        log.endAll()
        let began = log.names
        #expect(began.count == 200 && ordering.isEmpty)
        for steps in sent.values {
            #expect(began.filter { steps.contains($0) } == steps)
        }
    }
}
