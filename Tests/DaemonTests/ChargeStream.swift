import EntitlementsClient
import Foundation
import JSON
import Synchronization

/// Many clients that spend credits at once, each charge under a key of its own, until the daemon is
/// gone.
final class ChargeStream: Sendable {
    /// A charge that was sent, and its answer if one came.
    struct Charge: Sendable {
        let user: String
        let key: String
        let amount: Int64
        var answer: JSONValue?

        var parameters: JSONObject {
            [
                "userId": .string(user), "idempotencyKey": .string(key),
                "amount": .integer(amount),
            ]
        }
    }

    private let charges = Mutex<[Charge]>([])
    private let acknowledged = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let clients = DispatchGroup()

    /// Lets `count` clients spend the credits of `users`; `round` makes their keys their own.
    init(socket: String, users: [String], clients count: Int, round: Int) {
        for number in 0..<count {
            clients.enter()
            Thread { [self] in
                defer { clients.leave() }
                spend(socket, users, number, "r\(round)-c\(number)")
            }
            .start()
        }
    }

    /// The answers that came so far.
    var count: Int { acknowledged.load(ordering: .relaxed) }

    /// Waits until nothing is sent any more; answers everything that was.
    func finish() -> [Charge] {
        isOver.store(true, ordering: .relaxed)
        clients.wait()
        return charges.withLock { $0 }
    }

    private func spend(_ socket: String, _ users: [String], _ number: Int, _ prefix: String) {
        guard var connection = try? Connection(to: socket, timeout: .seconds(120)) else { return }
        var sent: [Charge] = []
        defer { charges.withLock { $0 += sent } }
        while !isOver.load(ordering: .relaxed) {
            let turn = sent.count
            var charge = Charge(
                user: users[(number + turn) % users.count],
                key: "\(prefix)-\(turn)",
                amount: Int64(turn % 3) + 1
            )
            if turn % 16 == 15 {
                // A hold that nobody ends: it must be gone with its connection.
                let hold: JSONObject = [
                    "userId": .string(charge.user), "idempotencyKey": .string(charge.key + "-h"),
                    "amount": 2, "ttlSeconds": 600_000, "releaseOnDisconnect": true,
                ]
                _ = try? connection.call("reserveCredits", hold)
            }
            charge.answer = try? connection.call("consumeCredit", charge.parameters)
            sent.append(charge)
            guard charge.answer != nil else { return }
            acknowledged.add(1, ordering: .relaxed)
        }
    }
}
