import EntitlementsClient
import Foundation
import JSON
import Synchronization

/// Asks and charges until the standard input ends; see Tests/Conformance/storm.py.
final class Storm: Sendable {
    private struct Said {
        var counts: [String: Int64] = [:]
        var early: [String] = []
        var other: [String] = []
        /// The keys of charges.
        var doubtful: [String] = []
    }

    /// What a call came to, in one of storm.py's words or none, and why it failed.
    private typealias Outcome = (word: String?, failure: ClientError?)

    private let client: EntitlementsClient
    private let balances: [(user: String, balance: Int64)]
    private let prefix: String
    private let said = Mutex(Said())
    private let charges = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    init(_ client: EntitlementsClient, users: JSONValue, prefix: String) {
        self.client = client
        self.prefix = prefix
        balances = (users.object?.members ?? []).map { ($0.key, $0.value.int64 ?? 0) }
    }

    func run() async {
        Thread.detachNewThread {
            while readLine() != nil {}
            self.isOver.store(true, ordering: .relaxed)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.work(within: .seconds(2)) { await self.charge() } }
            for _ in 0..<31 {
                group.addTask {
                    await self.work(within: .milliseconds(300)) { await self.ask() }
                }
            }
        }
        await settle()
        let names = [
            "answered", "unanswered", "crossed", "late", "consumed", "doubtful", "failed",
        ]
        var object: JSONObject = [:]
        said.withLock { said in
            for name in names { object[name] = .integer(said.counts[name] ?? 0) }
            object["early"] = .array(said.early.map { .string($0) })
            object["other"] = .array(said.other.map { .string($0) })
        }
        print(String(decoding: JSONValue.object(object).bytes, as: UTF8.self))
    }

    private func work(within timeout: Duration, _ call: () async -> Outcome) async {
        while !isOver.load(ordering: .relaxed) {
            let begin = ContinuousClock.now
            let (word, failure) = await call()
            let spent = ContinuousClock.now - begin
            said.withLock { said in
                if let word { said.counts[word, default: 0] += 1 }
                if spent > timeout + .milliseconds(250) { said.counts["late", default: 0] += 1 }
                guard let failure else { return }
                if word == nil { said.other.append("\(failure)") }
                if spent < timeout * 4 / 5 { said.early.append("after \(spent): \(failure)") }
            }
        }
    }

    private func charge() async -> Outcome {
        let key = "\(prefix)-\(charges.wrappingAdd(1, ordering: .relaxed).newValue)"
        do throws(ClientError) {
            _ = try await client.consumeCredit(of: "spender", idempotencyKey: key)
            return ("consumed", nil)
        } catch {
            guard isPassing(error) else { return (nil, error) }
            guard error.isOutcomeUnknown else { return ("failed", error) }
            said.withLock { $0.doubtful.append(key) }
            return ("doubtful", error)
        }
    }

    private func ask() async -> Outcome {
        let (user, balance) = balances.randomElement() ?? ("", 0)
        do throws(ClientError) {
            let found = try await client.credits(of: user).balance
            return (found == balance ? "answered" : "crossed", nil)
        } catch {
            return (isPassing(error) ? "unanswered" : nil, error)
        }
    }

    /// The daemon's last word before the deadline may be that it starts or stops.
    private func isPassing(_ error: ClientError) -> Bool {
        error.code == 0 || error.code == -32002 || error.code == -32003
    }

    /// Repeats each doubtful charge under its key until it is answered.
    private func settle() async {
        for key in said.withLock({ $0.doubtful }) {
            var failure: ClientError?
            for _ in 0..<5 {
                do throws(ClientError) {
                    _ = try await client.consumeCredit(of: "spender", idempotencyKey: key)
                    failure = nil
                    break
                } catch {
                    failure = error
                }
            }
            guard let failure else { continue }
            said.withLock { $0.other.append("still doubtful: \(failure)") }
        }
    }
}
