import Chance
import Fixtures
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

/// A daemon and the simulated store with its API, in which notifications are lost: what the daemon
/// knows in the end is what one knows that heard them all.
@Suite(.serialized) struct LostNotificationTests {
    /// Customers of the long story; `ENTITLD_TEST_CUSTOMERS` sets another number.
    private static let customersCount =
        ProcessInfo.processInfo.environment["ENTITLD_TEST_CUSTOMERS"].flatMap { Int($0) } ?? 50

    /// Gives `daemon` every notification that was signed since the last time; answers how many.
    @discardableResult
    private func tell(_ daemon: TestDaemon, all store: PlayedStore) throws -> Int {
        let bodies = try store.newNotifications().map(StoreVoice.body(signedPayload:))
        let port = daemon.port
        let refusals = Mutex<[Int]>([])
        // A few at once share a flush, and the order does not matter.
        DispatchQueue.concurrentPerform(iterations: 4) { lane in
            for index in stride(from: lane, to: bodies.count, by: 4) {
                let status = (try? HTTPExchange.post(bodies[index], port: port).status) ?? 0
                if status != 200 { refusals.withLock { $0.append(status) } }
            }
        }
        #expect(refusals.withLock { $0 } == [])
        return bodies.count
    }

    /// Lets `life` go on to its end, and tells `truth` everything meanwhile; answers how many
    /// notifications there were, and how many of them were lost.
    private func watch(
        _ life: ChildProcess,
        _ store: PlayedStore,
        _ truth: TestDaemon
    ) throws -> (all: Int, lost: Int) {
        let end = Date(timeIntervalSinceNow: 900)
        while life.wait(seconds: 0.2) == .stillRunning, Date() < end {
            try tell(truth, all: store)
        }
        try tell(truth, all: store)
        // "7 notifications in 9 attempts, 5 delivered, 2 not"
        let counts = life.output.split { !$0.isWholeNumber }.compactMap { Int($0) }
        guard counts.count == 4 else { throw DaemonProblem("run: \(life.output)\(life.log)") }
        print("\(counts[0]) notifications, \(counts[3]) lost")
        return (counts[0], counts[3])
    }

    private func progress(_ daemon: TestDaemon) throws -> JSONValue {
        try daemon.call("stats", admin: true)["reconcile"] ?? .null
    }

    /// Whether both know the same within so many seconds.
    ///
    /// What is paid ends by the clock, and so between the two questions now and then.
    private func agree(
        _ daemon: TestDaemon,
        _ truth: TestDaemon,
        within seconds: Double
    ) throws -> [String] {
        var differences: [String] = []
        _ = try eventually(within: seconds) {
            differences = try KnownBooks(of: daemon).differences(from: KnownBooks(of: truth))
            return differences.isEmpty
        }
        return differences
    }

    /// With walks while it goes on; or with one at the end alone, at a store that forgets nothing.
    @Test(arguments: [true, false])
    func `half of all notifications lost in years, and walks and a sweep make it right`(
        isWalking: Bool
    ) throws {
        let seed = Seed.told()
        let scratch = try Scratch()
        let store = try PlayedStore(month: "1s", in: scratch)
        // The store forgets a notification after 180 days, 6 s: each is walked past before. Nothing
        // else is due by itself before the end.
        let rememberedDays = isWalking ? 180 : 100_000
        try store.serve("--quiet", "--trouble", "0.02", "--remember-days", "\(rememberedDays)")
        let daemon = try store.daemon(
            reconcile: """
                { failuresEverySeconds: \(isWalking ? 1 : 86400), askBeforeEndSeconds: 0, \
                askAfterSilenceSeconds: 36000, \
                sweepEverySeconds: 86400, requestsPerSecond: 100 }
                """,
            creditsPerPeriod: 10
        )
        try daemon.start()
        let count = isWalking ? Self.customersCount : Self.customersCount / 5
        let years = try store.live(
            "--subscribers",
            "\(count)",
            "--months",
            "24",
            "--stories",
            "--seed",
            "\(seed)",
            "--drop",
            "0.5",
            "--once",
            towards: daemon
        )
        let truth = try store.daemon(creditsPerPeriod: 10)
        try truth.start()
        let (all, lost) = try watch(years, store, truth)
        #expect(all > 10 * count)
        // A busy machine loses some more.
        #expect(lost > all * 2 / 5 && lost < all)
        let right = try KnownBooks(of: truth)
        // Some customers have another account of the app.
        #expect(right.statuses.count >= count)
        if isWalking {
            #expect(try #require(try progress(daemon)["applied"]?.int64) > 0)
        } else {
            #expect(!(try KnownBooks(of: daemon).differences(from: right).isEmpty))
        }

        #expect(try daemon.call("reconcile", admin: true) == ["running": true])
        #expect(try eventually(within: 120) { try progress(daemon)["running"] == false })
        let done = try progress(daemon)
        #expect(done["environments"]?["Production"]?["incomplete"] == 0)
        #expect(done["refused"] == 0)
        #expect(try #require(done["sweep"]?["asked"]?.int64) > 0)
        let differences = try agree(daemon, truth, within: 20)
        #expect(differences == [])
    }

    @Test func `down for a week, and right within one look at failed deliveries`() throws {
        let seed = Seed.told()
        let scratch = try Scratch()
        let store = try PlayedStore(month: "6s", in: scratch)
        // Apple's own limit of these days, of which the daemon takes half.
        try store.serve("--per-second", "10")
        let lookSeconds = 20.0
        let daemon = try store.daemon(
            reconcile: """
                { failuresEverySeconds: \(Int(lookSeconds)), askBeforeEndSeconds: 0, \
                askAfterSilenceSeconds: 36000, \
                sweepEverySeconds: 86400, requestsPerSecond: 5 }
                """
        )
        try daemon.start()
        // With Apple's repeats, which end after 157 of the week's 168 hours.
        let life = try store.live(
            "--subscribers",
            "150",
            "--months",
            "2",
            "--seed",
            "\(seed)",
            towards: daemon
        )
        let truth = try store.daemon()
        try truth.start()
        var told = 0
        let began = try eventually(within: 60) {
            told += try tell(truth, all: store)
            return told >= 150
        }
        #expect(began, "\(life.log)")
        #expect(daemon.stop() == .exited(0))
        let stopped = Date()
        let (_, lost) = try watch(life, store, truth)
        #expect(Date().timeIntervalSince(stopped) > 6.0 / 30 * 7, "a week of this store")
        #expect(lost > 20)

        try daemon.start()
        let ready = Date()
        let differences = try agree(daemon, truth, within: lookSeconds)
        #expect(differences == [])
        print("right after \(Date().timeIntervalSince(ready)) s")
        let asked = try progress(daemon)["environments"]?["Production"]
        #expect(try #require(asked?["requests"]?.int64) > 12)
        #expect(asked?["limited"] == 0)
        #expect(store.requests.filter { !$0.hasPrefix("200") } == [])
    }

    @Test func `a notification lost before a newer one is recovered by the regular walk`() throws {
        let scratch = try Scratch()
        let store = try PlayedStore(month: "10m", in: scratch)
        try store.serve()
        let daemon = try store.daemon(
            reconcile: """
                { failuresEverySeconds: 8, askBeforeEndSeconds: 0, \
                askAfterSilenceSeconds: 36000, \
                sweepEverySeconds: 86400 }
                """
        )
        try daemon.start()
        let user = UUID().uuidString.lowercased()
        try store.act("alice", "subscribe", "--token", user, to: daemon)
        // The walk that a start begins with is behind us.
        let walked = try eventually(within: 30) {
            try progress(daemon)["environments"]?["Production"]?["completedAt"]?.string != nil
        }
        #expect(walked)
        let before = try #require(try daemon.rows(of: "subscriptions").first?["value"])
        #expect(before["transactions"]?.array?.count == 1)
        try store.act("alice", "renew", "--lose", to: daemon)
        try store.act("alice", "buy", "--product", "credits.10", "--lose", to: daemon)
        try store.act("alice", "renew", to: daemon)
        let status = try daemon.status(user)
        #expect(status["creditsRemaining"] == 0)
        let recovered = try eventually(within: 30) {
            try daemon.status(user)["creditsRemaining"] == 10
                && daemon.rows(of: "subscriptions")
                    .contains { $0["value"]?["transactions"]?.array?.count == 3 }
        }
        #expect(recovered)
        let after = try daemon.status(user)
        // The newer period joins on to the first once the one between is known.
        #expect(after["expiresAt"]?.string ?? "" > status["expiresAt"]?.string ?? "")
        #expect(after["subscription"]?["autoRenew"] == true)
        // What a walk finds is kept before the walk ends.
        let isCompleted = try eventually(within: 30) {
            let walks = try progress(daemon)["environments"]?["Production"]
            return walks?["failuresCompletedAt"]?.string != nil
        }
        #expect(isCompleted)
        let truth = try store.daemon()
        try truth.start()
        try tell(truth, all: store)
        #expect(try agree(daemon, truth, within: 5) == [])
    }

    @Test func `readiness never waits for the store`() throws {
        let scratch = try Scratch()
        let store = try PlayedStore(month: "10m", in: scratch)
        // Minutes pass before an answer.
        try store.serve("--slow", "1", "--slow-max", "600s", "--seed", "1")
        let port = try StreamSocket.freePort()
        let daemon = try store.daemon(reconcile: "{ failuresEverySeconds: 1 }", metrics: port)
        try daemon.start()
        let user = UUID().uuidString.lowercased()
        try store.act("alice", "subscribe", "--token", user, to: daemon)
        #expect(try daemon.canRender(user)["canRender"] == true)
        #expect(try eventually { try progress(daemon)["phase"] == "history" })
        let environment = try progress(daemon)["environments"]?["Production"]
        #expect(environment?["completedAt"] == .null)
        #expect(environment?["walk"]?["pages"] == 0)
        let ready = try HTTPExchange.request("GET", "/readyz?verbose", [], port: port)
        #expect(ready.status == 200)
        #expect(ready.text.contains("store"))
        #expect(daemon.stop(within: 20) == .exited(0))
    }
}
