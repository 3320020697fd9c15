import Foundation
import JSON
import Synchronization
import Testing

/// What was answered 200 survives the death of the process, whenever it comes.
@Suite(.serialized)
struct CrashTests {
    private static let rounds = 20
    private static let answersMin = 100

    @Test func `kill -9 under a stream of notifications loses nothing that was answered`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var chance = Chance(seed: seed)
        let daemon = try DaemonUnderTest()
        var kept: [StoreVoice.Words] = []
        for round in 0..<Self.rounds {
            try daemon.start()
            let voice = StoreVoice(authority: daemon.authority, port: daemon.port)
            for words in kept.suffix(Self.answersMin) {
                let again = try voice.tell(words)
                #expect(again == (200, "duplicate"), "round \(round)")
            }
            let answered = stream(voice, round, until: daemon, extra: Int(chance.next() % 60))
            #expect(answered.count >= Self.answersMin, "round \(round)")
            kept += answered
        }
        try daemon.start()
        let kept2 = kept
        #expect(kept2.count >= Self.rounds * Self.answersMin)
        var found: Set<String> = []
        var cursor: JSONValue = .null
        repeat {
            var params: JSONObject = ["table": "subscriptions", "limit": 1000]
            if cursor != .null { params["cursor"] = cursor }
            let page = try daemon.ask("dump", params, asAdmin: true)
            for entry in page["entries"]?.array ?? [] {
                found.insert(entry["value"]?["originalTransactionId"]?.string ?? "")
            }
            cursor = page["cursor"] ?? .null
        } while cursor != .null
        #expect(kept2.allSatisfy { found.contains($0.original) })
        #expect(daemon.stop().code == 0)
        let verified = try DaemonUnderTest.run(
            "entitld",
            ["verify", "--config", daemon.configuration]
        )
        #expect(verified.code == 0, "\(verified.output)")
        print("kill -9: \(Self.rounds) rounds, \(kept2.count) answers, none lost")
    }

    @Test func `SIGTERM under load ends with 0 within 10 s and loses nothing answered`() throws {
        let daemon = try DaemonUnderTest()
        try daemon.start()
        let voice = StoreVoice(authority: daemon.authority, port: daemon.port)
        let stopping = Mutex<(code: Int32, seconds: Double)>((-1, 0))
        let answered = Mutex<[StoreVoice.Words]>([])
        let box = Box(daemon)
        ManyThreads.run(4) { number in
            if number == 0 {
                usleep(400_000)
                let end = box.value.stop()
                stopping.withLock { $0 = end }
                return
            }
            for index in 0..<400 {
                let words = Self.words(900 + number, index)
                guard let reply = try? voice.tell(words), reply.status == 200 else { break }
                answered.withLock { $0.append(words) }
            }
        }
        let end = stopping.withLock { $0 }
        #expect(end.code == 0)
        #expect(end.seconds < 10)
        let kept = answered.withLock { $0 }
        #expect(!kept.isEmpty)
        try daemon.start()
        let after = StoreVoice(authority: daemon.authority, port: daemon.port)
        for words in kept { #expect(try after.tell(words) == (200, "duplicate")) }
    }

    /// Sends from three threads until `answersMin + extra` were answered, then kills.
    private func stream(
        _ voice: StoreVoice,
        _ round: Int,
        until daemon: DaemonUnderTest,
        extra: Int
    ) -> [StoreVoice.Words] {
        let answered = Mutex<[StoreVoice.Words]>([])
        let box = Box(daemon)
        let goal = Self.answersMin + extra
        ManyThreads.run(4) { number in
            if number == 0 {
                for _ in 0..<3000 where answered.withLock({ $0.count < goal }) { usleep(10_000) }
                box.value.kill()
                return
            }
            for index in 0..<1000 {
                let words = Self.words(round * 10 + number, index)
                guard let reply = try? voice.tell(words), reply.status == 200 else { break }
                answered.withLock { $0.append(words) }
            }
        }
        return answered.withLock { $0 }
    }

    private static func words(_ line: Int, _ index: Int) -> StoreVoice.Words {
        var words = StoreVoice.Words()
        words.original = "2\(1_000_000 + line)\(100_000 + index)"
        words.transaction = words.original
        return words
    }
}

/// A seeded generator (SplitMix64).
struct Chance {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}

/// Carries a value to threads that agree among themselves who uses it.
struct Box<Value>: @unchecked Sendable {
    // SAFETY: one thread alone uses the daemon while the others send.
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Runs a body on several threads and waits for all of them.
enum ManyThreads {
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let running = Mutex(count)
        let shared = Shared(running)
        for number in 0..<count {
            Thread {
                body(number)
                shared.leave()
            }
            .start()
        }
        while shared.count > 0 { usleep(5_000) }
    }

    private final class Shared: Sendable {
        private let running: Mutex<Int>

        init(_ running: consuming Mutex<Int>) { self.running = running }

        var count: Int { running.withLock { $0 } }

        func leave() { running.withLock { $0 -= 1 } }
    }
}
