import Chance
import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import Signatures
import TestSupport
import Testing

/// Another system is told of every change, whatever happens to it or to the daemon.
@Suite struct OutboxTests {
    private let scratch: Scratch
    private let port: UInt16
    private let book = ReceiverBook()

    /// How often the daemon is killed; `ENTITLD_TEST_CRASHES` sets another number.
    private static let rounds =
        ProcessInfo.processInfo.environment["ENTITLD_TEST_CRASHES"].flatMap { Int($0) } ?? 3

    init() throws {
        scratch = try Scratch()
        port = try StreamSocket.freePort()
        try scratch.write(Receiver.secret + "\n", to: "secret")
        chmod(scratch.file("secret"), 0o600)
    }

    private func made(settling seconds: Int = 0, more: String = "") throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        setup.extra = """
            outbox:
              - name: crm
                url: http://127.0.0.1:\(port)/hooks
                secretFile: \(scratch.file("secret"))
                settleSeconds: \(seconds)
            \(more)
            """
        return try TestDaemon(setup)
    }

    private func started(settling seconds: Int = 0, more: String = "") throws -> TestDaemon {
        let daemon = try made(settling: seconds, more: more)
        try daemon.start()
        return daemon
    }

    private func receiver() throws -> Receiver { try Receiver(port: port, book) }

    private func outbox(_ daemon: TestDaemon) throws -> JSONValue {
        try daemon.call("getOutboxes", admin: true)["outboxes"]?.array?.first ?? .null
    }

    private func give(_ user: String, _ daemon: TestDaemon, key: String = "grant") throws {
        let order: JSONObject = [
            "userId": .string(user), "plan": "paid", "idempotencyKey": .string(key),
        ]
        _ = try daemon.call("grantEntitlement", order, admin: true)
    }

    private func addCredits(_ user: String, _ key: String, _ daemon: TestDaemon) throws {
        let order: JSONObject = [
            "userId": .string(user), "amount": 1, "idempotencyKey": .string(key),
        ]
        _ = try daemon.call("grantCredits", order, admin: true)
    }

    private func ctl(
        _ daemon: TestDaemon,
        _ words: String...
    ) throws -> (code: ChildProcess.Ending, said: String) {
        let all = ["outbox"] + words + ["--socket", daemon.adminSocket]
        let child = try ChildProcess("entitlctl", all, in: scratch)
        let ending = child.wait(seconds: 60)
        return (ending, child.output + child.log)
    }

    @Test func `every change is told once, in order, signed, as getStatus says it`() throws {
        let receiver = try receiver()
        let daemon = try started()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        for key in ["a", "b", "c"] { try addCredits("alice", key, daemon) }
        try give("alice", daemon)
        _ = try daemon.call("registerAccount", ["userId": "bob"])
        #expect(eventually(within: 30) { receiver.posts.count >= 6 })
        let posts = receiver.posts
        #expect(
            posts.filter { $0.user == "alice" }.map(\.cause) == [
                "registered", "credits_granted", "credits_granted", "credits_granted", "granted",
            ]
        )
        #expect(posts.allSatisfy { $0.body["type"] == "entitlement.changed" })
        #expect(Set(posts.map(\.id)).count == 6 && receiver.forged == 0)
        let told = try #require(receiver.status(of: "alice")?.object)
        let asked = try #require(try daemon.status("alice").object)
        #expect(told.keys == asked.keys && told["plan"] == "paid" && told["isSubscriber"] == true)
        // Read again, it is the same change under the same id, and told no second time.
        try daemon.restart()
        try addCredits("bob", "d", daemon)
        #expect(eventually(within: 30) { receiver.posts.count >= 7 })
        #expect(receiver.posts.count == 7)
        #expect(try ctl(daemon, "test", "crm").code == .exited(0))
        #expect(try ctl(daemon, "test", "erp").code == .exited(1))
        #expect(try ctl(daemon).code == .exited(0))
        #expect(receiver.posts.last?.body["type"] == "entitlement.test")
        receiver.behave { $0.status = 302 }
        #expect(try ctl(daemon, "test", "crm").said.contains("HTTP 302"))
    }

    @Test func `while the system is away nothing is lost, over a kill -9 too`() throws {
        let daemon = try started()
        for number in 0..<400 {
            _ = try daemon.call("registerAccount", ["userId": .string("u\(number)")])
        }
        try addCredits("u7", "a", daemon)
        #expect(try eventually(within: 30) { try outbox(daemon)["state"] == "down" })
        let listed = try ctl(daemon, "list")
        #expect(listed.code == .exited(1), "\(listed.said)")
        // No more is read ahead than can soon be posted.
        #expect(try outbox(daemon)["waiting"]?.int64 ?? 0 < 200)
        #expect(try outbox(daemon)["behind"]?.int64 ?? 0 > 200)
        daemon.killAtOnce()
        try daemon.start()
        let receiver = try receiver()
        #expect(eventually(within: 90) { Set(receiver.posts.map(\.user)).count == 400 })
        #expect(eventually(within: 30) { receiver.status(of: "u7")?["creditsRemaining"] == 1 })
        let last = try outbox(daemon)
        #expect(last["state"] == "delivering")
        #expect(try eventually { try outbox(daemon)["waiting"] == 0 })
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `one user whose posts are refused stops nobody, and can be skipped`() throws {
        let receiver = try receiver()
        receiver.behave { $0.refusedUsers = ["poison"] }
        let daemon = try started()
        _ = try daemon.call("registerAccount", ["userId": "poison"])
        try addCredits("poison", "a", daemon)
        #expect(eventually(within: 30) { receiver.refusals.count == 1 })
        for number in 0..<50 {
            _ = try daemon.call("registerAccount", ["userId": .string("u\(number)")])
        }
        #expect(eventually(within: 30) { receiver.posts.count == 50 })
        let failing = try outbox(daemon)["failing"]?.array ?? []
        #expect(failing.map { $0["userId"]?.string } == ["poison"])
        #expect(failing.first?["failure"] == "HTTP 500")
        let id = failing.first?["id"]?.string ?? ""
        receiver.behave { $0.refusedUsers = [] }
        #expect(try ctl(daemon, "skip", "crm", id, "--yes").code == .exited(0))
        #expect(try ctl(daemon, "skip", "crm", id, "--yes").code == .exited(1))
        #expect(eventually(within: 30) { receiver.posts.last?.cause == "credits_granted" })
        // The pause grows from 5 s: the second attempt was not made meanwhile.
        #expect(receiver.refusals.allSatisfy { $0 == id })
        #expect(!receiver.posts.contains { $0.id == id })
    }

    @Test func `a system that never answers delays no other`() throws {
        let silentPort = try StreamSocket.freePort()
        let silent = try Receiver(port: silentPort)
        silent.behave { $0.milliseconds = 3_600_000 }
        let receiver = try receiver()
        let daemon = try started(
            more: """
                  - name: silent
                    url: http://127.0.0.1:\(silentPort)/hooks
                    secretFile: \(scratch.file("secret"))
                """
        )
        for number in 0..<40 {
            _ = try daemon.call("registerAccount", ["userId": .string("u\(number)")])
        }
        // As many as may be under way hang there.
        #expect(eventually(within: 30) { silent.posts.count >= 16 })
        #expect(eventually(within: 30) { receiver.posts.count == 40 })
        #expect(
            try eventually(within: 30) {
                let said = try daemon.call("getOutboxes", admin: true)["outboxes"]?.array ?? []
                return said.map { $0["waiting"] } == [0, 40]
            }
        )
        // An attempt takes 15 s: nobody waits for one to end.
        let begun = ContinuousClock.now
        try addCredits("u0", "a", daemon)
        #expect(eventually(within: 30) { receiver.posts.count == 41 })
        #expect(ContinuousClock.now - begun < .seconds(10))
        #expect(receiver.posts.last?.cause == "credits_granted")
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `a parked state is told again, and a parked erasure stays until it is told anew`()
        throws
    {
        let receiver = try receiver()
        let daemon = try started()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        #expect(eventually(within: 30) { receiver.posts.count == 1 })
        let seq = receiver.posts.first?.seq ?? 0
        let erased = try daemon.call("eraseUser", ["userId": "bob"], admin: true)["seq"]
        #expect(eventually(within: 30) { receiver.posts.count == 2 })
        #expect(daemon.stop() == .exited(0))
        // As if the system had refused both for three days.
        let file = daemon.storage + "/outbox-crm.json"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        var record = try #require(try JSONValue.parse(Array(bytes)).object)
        let salt = try #require(record["salt"]?.string.flatMap(Base64.bytes))
        func parked(_ origin: String, _ seq: Int64, _ user: String) -> JSONValue {
            let said = Array("\(origin) \(seq) 0 \(user)".utf8)
            let code = MessageAuthentication.sha256(of: said, key: salt).prefix(16)
            let digits = code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            return [
                "id": .string("msg_" + digits.joined()), "seq": .integer(seq), "at": 1,
                "failure": "HTTP 500", "origin": .string(origin),
            ]
        }
        record["parked"] = [
            parked("state 1", seq, "alice"), parked("erasure", erased?.int64 ?? 0, "bob"),
        ]
        try Data(JSONValue.object(record).bytes).write(to: URL(fileURLWithPath: file))
        try daemon.start()
        let retried = try ctl(daemon, "retry", "crm")
        #expect(retried.code == .exited(1))
        #expect(retried.said.contains("erase the person again"), "\(retried.said)")
        #expect(eventually(within: 30) { receiver.posts.last?.cause == "reconciled" })
        #expect(receiver.posts.last?.user == "alice" && receiver.posts.last?.seq == seq)
        let left = try outbox(daemon)["parkedChanges"]?.array ?? []
        #expect(left.map { $0["kind"]?.string } == ["erasure"])
        _ = try daemon.call("eraseUser", ["userId": "bob"], admin: true)
        #expect(eventually(within: 30) { receiver.posts.last?.user == "bob" })
        #expect(try outbox(daemon)["parked"] == 0)
        #expect(try ctl(daemon, "retry", "crm").code == .exited(0))
    }

    @Test func `an erasure is told, and no file names the person but for that`() throws {
        let person = "erin-\(UUID().uuidString)"
        let daemon = try started()
        _ = try daemon.call("registerAccount", ["userId": .string(person)])
        try addCredits(person, "a", daemon)
        #expect(try eventually(within: 30) { try outbox(daemon)["waiting"] == 2 })
        let file = daemon.storage + "/outbox-crm.json"
        func noted() -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        #expect(eventually { noted().contains("msg_") })
        #expect(!noted().contains(person))
        _ = try daemon.call("eraseUser", ["userId": .string(person)], admin: true)
        #expect(noted().contains(person))
        daemon.killAtOnce()
        try daemon.start()
        let receiver = try receiver()
        #expect(eventually(within: 60) { receiver.posts.contains { $0.user == person } })
        #expect(receiver.posts.filter { $0.user == person }.map(\.cause) == ["erased"])
        #expect(receiver.status(of: person)?["state"] == "no_account")
        #expect(eventually { !noted().contains(person) })
    }

    @Test func `who was erased is told of under every id that went into theirs`() throws {
        let daemon = try started()
        let merges = [("guest-1", "guest-2"), ("guest-2", "erin"), ("guest-3", "erin")]
        for user in ["guest-1", "guest-2", "guest-3", "erin"] {
            _ = try daemon.call("registerAccount", ["userId": .string(user)])
        }
        for (former, heir) in merges {
            _ = try daemon.call(
                "mergeAccounts",
                [
                    "fromUserId": .string(former), "intoUserId": .string(heir),
                    "idempotencyKey": .string(former),
                ],
                admin: true
            )
        }
        #expect(try eventually(within: 30) { try outbox(daemon)["behind"] == 0 })
        _ = try daemon.call("eraseUser", ["userId": "erin"], admin: true)
        daemon.killAtOnce()
        try daemon.start()
        let receiver = try receiver()
        let names = ["guest-1", "guest-2", "guest-3", "erin"]
        #expect(eventually(within: 60) { Set(receiver.posts.map(\.user)) == Set(names) })
        #expect(receiver.posts.map(\.cause) == names.map { _ in "erased" })
        #expect(try eventually(within: 30) { try outbox(daemon)["waiting"] == 0 })
    }

    @Test func `a system that says much beside its 200 has taken the change`() throws {
        let receiver = try receiver()
        receiver.behave { $0.answerBytes = 1 << 20 }
        let daemon = try started()
        for user in ["alice", "bob"] {
            _ = try daemon.call("registerAccount", ["userId": .string(user)])
        }
        #expect(eventually(within: 30) { receiver.posts.count == 2 })
        #expect(try eventually(within: 30) { try outbox(daemon)["waiting"] == 0 })
        #expect(try outbox(daemon)["failedAt"]?.isNull == true)
        #expect(Set(receiver.posts.map(\.user)) == ["alice", "bob"])
    }

    @Test func `a new catalog tells those whose status is another one now`() throws {
        let receiver = try receiver()
        let daemon = try started()
        for user in ["alice", "bob"] {
            _ = try daemon.call("registerAccount", ["userId": .string(user)])
        }
        try give("alice", daemon)
        #expect(eventually(within: 30) { receiver.posts.count == 3 })
        try daemon.configure { setup in
            setup.catalog = setup.catalog.replacing(
                "storageBytes: 5000",
                with: "storageBytes: 6000"
            )
        }
        try daemon.reload()
        let limits: JSONValue = ["storageBytes": 6_000]
        #expect(eventually(within: 30) { receiver.status(of: "alice")?["limits"] == limits })
        #expect(receiver.posts.count == 4 && receiver.posts.last?.cause == "reconciled")
        // For a system that begins empty.
        #expect(try ctl(daemon, "retry", "crm", "--everything").code == .exited(0))
        #expect(eventually(within: 30) { receiver.posts.count == 6 })
        #expect(try eventually { try outbox(daemon)["retelling"] == false })
    }

    @Test func `positions that the journal does not have hold up nothing`() throws {
        let receiver = try receiver()
        let daemon = try started()
        for user in ["alice", "bob"] {
            _ = try daemon.call("registerAccount", ["userId": .string(user)])
        }
        #expect(eventually(within: 30) { receiver.posts.count == 2 })
        #expect(daemon.stop() == .exited(0))
        // As if an older copy of the journal had been put in its place.
        let file = daemon.storage + "/outbox-crm.json"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        var record = try #require(try JSONValue.parse(Array(bytes)).object)
        record["through"] = 1_000_000
        record["waiting"] = [["id": "msg_1", "seq": 999_999, "failures": 0]]
        try Data(JSONValue.object(record).bytes).write(to: URL(fileURLWithPath: file))
        try daemon.start()
        // The states of both.
        #expect(eventually(within: 30) { receiver.posts.count == 4 })
        _ = try daemon.call("registerAccount", ["userId": "carol"])
        #expect(eventually(within: 30) { receiver.posts.last?.user == "carol" })
        #expect(try eventually { try outbox(daemon)["waiting"] == 0 })
    }

    @Test func `a loss that may be a late renewal is held back`() throws {
        let receiver = try receiver()
        let daemon = try started(settling: 600)
        let user = UUID().uuidString.lowercased()
        var life = StoreLife(token: user)
        _ = try daemon.call("registerAccount", ["userId": .string(user)])
        life.expires = StoreVoice.now + 4_000
        let bought = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        #expect(try daemon.deliver(bought) == (200, "applied"))
        #expect(eventually(within: 30) { receiver.status(of: user)?["isSubscriber"] == true })
        let count = receiver.posts.count
        #expect(try eventually(within: 30) { try daemon.status(user)["isSubscriber"] == false })
        #expect(try eventually(within: 30) { try outbox(daemon)["held"] == 1 })
        try addCredits(user, "a", daemon)
        #expect(try eventually(within: 30) { try outbox(daemon)["waiting"] == 2 })
        #expect(receiver.posts.count == count)
        // Kept over a restart, too.
        try daemon.restart()
        #expect(try eventually(within: 30) { try outbox(daemon)["held"] == 1 })
        life.renew()
        life.expires = StoreVoice.now + 86_400_000
        let renewed = try daemon.voice.notification("DID_RENEW", about: life)
        #expect(try daemon.deliver(renewed) == (200, "applied"))
        #expect(eventually(within: 30) { receiver.posts.count > count })
        #expect(receiver.posts.count == count + 1)
        let status = receiver.status(of: user)
        #expect(status?["isSubscriber"] == true && status?["creditsRemaining"] == 1)
        #expect(try eventually { try outbox(daemon)["waiting"] == 0 })
    }

    @Test func `kill -9 under load: in the end it was told what the ledger has, in order`() throws {
        let seed = Seed.told()
        var chance = SplitMix64(seed: seed)
        let receiver = try receiver()
        receiver.behave { $0.milliseconds = 5 }
        let daemon = try made()
        let users = (0..<40).map { "user\($0)" }
        var key = 0
        // An outbox tells what happens from its first start on.
        try daemon.start()
        for user in users { _ = try daemon.call("registerAccount", ["userId": .string(user)]) }
        for round in 0..<Self.rounds {
            let wanted = receiver.posts.count + 40
            let end = Date().addingTimeInterval(60)
            while receiver.posts.count < wanted, Date() < end {
                // As fast as a busy machine can tell it, and a little faster.
                for user in users.shuffled(using: &chance).prefix(4)
                where key < receiver.posts.count + 200 {
                    key += 1
                    try addCredits(user, "k\(key)", daemon)
                }
                usleep(100_000)
            }
            let state = try outbox(daemon)
            try #require(receiver.posts.count >= wanted, "seed \(seed), \(round): \(state)")
            usleep(UInt32(chance.next() % 30_000))
            daemon.killAtOnce()
            try daemon.start()
        }
        #expect(
            try eventually(within: 240) {
                let state = try outbox(daemon)
                return state["behind"] == 0 && state["waiting"] == 0
            }
        )
        var repeats = 0
        for user in users {
            let posts = receiver.posts.filter { $0.user == user }
            let status = try daemon.status(user)
            for member in ["creditsRemaining", "state", "hadSubscription"] {
                #expect(posts.last?.status[member] == status[member], "seed \(seed), \(user)")
            }
            // Repeats aside, in order and without a gap.
            var seen: Set<String> = []
            let first = posts.filter { seen.insert($0.id).inserted }
            repeats += posts.count - first.count
            let balances = first.map { $0.status["creditsRemaining"]?.int64 ?? -1 }
            #expect(balances == (0..<balances.count).map { Int64($0) }, "\(user)")
        }
        #expect(receiver.forged == 0)
        print("outbox: \(receiver.posts.count) posts, \(repeats) of them repeats")
    }
}
