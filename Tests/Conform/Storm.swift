import EntitlementsClient
import Foundation
import JSON
import Synchronization

/// Asks and charges until the standard input ends; see Tests/Conformance/storm.py.
final class Storm: Sendable {
    private struct Said {
        var counts: [String: Int64] = [:]
        var other: [String] = []
    }

    private let client: EntitlementsClient
    private let balances: [(user: String, balance: Int64)]
    private let said = Mutex(Said())
    private let isOver = Atomic<Bool>(false)

    init(_ client: EntitlementsClient, users: JSONValue) {
        self.client = client
        balances = (users.object?.members ?? []).map { ($0.key, $0.value.int64 ?? 0) }
    }

    func run() async {
        Thread.detachNewThread {
            while readLine() != nil {}
            self.isOver.store(true, ordering: .relaxed)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.work(within: .seconds(2)) { try await self.charge() } }
            for _ in 0..<31 {
                group.addTask {
                    await self.work(within: .milliseconds(300)) { try await self.ask() }
                }
            }
        }
        let names = [
            "answered", "unanswered", "crossed", "late", "consumed", "doubtful", "failed",
        ]
        var object: JSONObject = [:]
        said.withLock { said in
            for name in names { object[name] = .integer(said.counts[name] ?? 0) }
            object["other"] = .array(said.other.map { .string($0) })
        }
        print(String(decoding: JSONValue.object(object).bytes, as: UTF8.self))
    }

    private func work(within timeout: Duration, _ call: () async throws -> String) async {
        while !isOver.load(ordering: .relaxed) {
            let begin = ContinuousClock.now
            do {
                count(try await call())
            } catch {
                said.withLock { $0.other.append("\(error)") }
            }
            if ContinuousClock.now - begin > timeout + .milliseconds(250) { count("late") }
        }
    }

    private func charge() async throws -> String {
        do throws(ClientError) {
            _ = try await client.consumeCredit(of: "spender")
            return "consumed"
        } catch {
            guard error.code == 0 else { throw error }
            return error.isOutcomeUnknown ? "doubtful" : "failed"
        }
    }

    private func ask() async throws -> String {
        let (user, balance) = balances.randomElement() ?? ("", 0)
        do throws(ClientError) {
            return try await client.credits(of: user).balance == balance ? "answered" : "crossed"
        } catch {
            guard error.code == 0 else { throw error }
            return "unanswered"
        }
    }

    private func count(_ name: String) {
        said.withLock { $0.counts[name, default: 0] += 1 }
    }
}
