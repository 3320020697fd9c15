import EntitlementsClient
import Foundation
import JSON
import Synchronization
import Testing

/// What was given, and every charge with its answer: what a daemon must still say after a crash.
struct ChargeBook {
    /// What each user was given.
    let given: [String: Int64]
    /// Every charge that was sent, answered by now.
    private(set) var kept: [ChargeStream.Charge] = []

    init(given: [String: Int64]) { self.given = given }

    /// Repeats `sent`, so that each charge has an answer; what was answered is answered the same.
    mutating func keep(
        _ sent: [ChargeStream.Charge],
        of daemon: TestDaemon,
        _ when: String
    ) {
        kept += Self.retried(sent, by: daemon, when)
    }

    /// Repeats everything: nothing is charged again.
    func expectKept(by daemon: TestDaemon, _ when: String) {
        let again = Self.retried(kept, by: daemon, when)
        #expect(again.count == kept.count, "\(when)")
        #expect(again.allSatisfy { $0.answer?["replayed"] == true }, "\(when)")
    }

    private static func retried(
        _ charges: [ChargeStream.Charge],
        by daemon: TestDaemon,
        _ when: String
    ) -> [ChargeStream.Charge] {
        let (socket, lanes) = (daemon.socket, 8)
        let results = Mutex<[ChargeStream.Charge]>([])
        let wrong = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: lanes) { lane in
            do {
                var connection = try Connection(to: socket, timeout: .seconds(60))
                var mine: [ChargeStream.Charge] = []
                for index in stride(from: lane, to: charges.count, by: lanes) {
                    var charge = charges[index]
                    let answer = try connection.call("consumeCredit", charge.parameters)
                    if let first = charge.answer, !isSame(answer, first) {
                        wrong.withLock { $0.append("\(charge.key): \(answer) after \(first)") }
                    }
                    charge.answer = answer
                    mine.append(charge)
                }
                results.withLock { $0 += mine }
            } catch {
                wrong.withLock { $0.append("\(error)") }
            }
        }
        let problems = wrong.withLock { $0 }
        #expect(problems == [], "\(when)")
        return results.withLock { $0 }
    }

    private static func isSame(_ answer: JSONValue, _ first: JSONValue) -> Bool {
        answer["replayed"] == true
            && ["outcome", "creditsRemaining", "seq"].allSatisfy { answer[$0] == first[$0] }
    }

    /// Everything given is spent by exactly one answered key, or still there; no hold is left.
    func expectBalances(of daemon: TestDaemon, _ when: String) throws {
        var spent: [String: Int64] = [:]
        for charge in kept where charge.answer?["outcome"] == "consumed" {
            spent[charge.user, default: 0] += charge.amount
        }
        for (user, amount) in given {
            let credits = try daemon.call("getCredits", ["userId": .string(user)])
            #expect(credits["balance"]?.int64 == amount - (spent[user] ?? 0), "\(user), \(when)")
            #expect(credits["held"]?.int64 == 0, "\(user), \(when)")
        }
    }
}
