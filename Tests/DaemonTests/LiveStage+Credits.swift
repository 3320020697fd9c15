import Entitlements
import EntitlementsClient
import Fixtures
import JSON

extension LiveStage {
    /// Does what `deed` says to the credits of `user`.
    mutating func perform(_ deed: CreditDeed, of user: String) throws -> JSONValue {
        var parameters: JSONObject = ["userId": .string(user)]
        switch deed {
        case .give(let amount, let key, let until, let source, let isAdjustment):
            parameters["amount"] = .integer(amount)
            parameters["idempotencyKey"] = .string(key)
            parameters["source"] = source.map { .string($0) }
            if until < .distantFuture {
                parameters["expiresAt"] = .string(ScenarioTime.wireText(until))
            }
            let method = isAdjustment ? "adjustCredits" : "grantCredits"
            return try reply(to: method, parameters, admin: true)
        case .consume(let amount, let key):
            parameters["amount"] = .integer(amount)
            parameters["idempotencyKey"] = .string(key)
            return try reply(to: "consumeCredit", parameters)
        case .reserve(let amount, let key, let seconds, let isLease):
            parameters["amount"] = .integer(amount)
            parameters["idempotencyKey"] = .string(key)
            parameters["ttlSeconds"] = .integer(seconds)
            parameters["releaseOnDisconnect"] = .bool(isLease)
            let holder = try Holder(daemon.socket)
            let answer = try holder.reply(to: "reserveCredits", parameters)
            if let name = answer["reservation"]?.string {
                reservations["\(user) \(key)"] = Held(name: name, by: isLease ? holder : nil)
            }
            return answer
        case .commit(let key, let amount):
            parameters = ["reservation": .string(reservation(key, of: user))]
            parameters["amount"] = amount.map { .integer($0) }
            return try reply(to: "commitReservation", parameters)
        case .release(let key):
            parameters = ["reservation": .string(reservation(key, of: user))]
            return try reply(to: "releaseReservation", parameters)
        case .disconnect(let key):
            let before = try reply(to: "getCredits", parameters)["held"]
            reservations["\(user) \(key)"]?.holder = nil
            // The daemon hears of it when its loop comes round.
            _ = try eventually { try reply(to: "getCredits", parameters)["held"] != before }
            return ["outcome": "released"]
        case .reverse(let key, let charge):
            parameters["idempotencyKey"] = .string(key)
            parameters["consumeKey"] = .string(charge)
            return try reply(to: "reverseCredits", parameters)
        }
    }

    /// The name of the reservation made under `key`; one that was never made has a name that none
    /// has.
    private func reservation(_ key: String, of user: String) -> String {
        reservations["\(user) \(key)"]?.name ?? "r0"
    }

    /// A reservation, and the connection it goes with.
    struct Held {
        let name: String
        fileprivate var holder: Holder?

        fileprivate init(name: String, by holder: Holder?) {
            self.name = name
            self.holder = holder
        }
    }
}

/// A connection that lasts as long as this does.
private final class Holder {
    private var connection: Connection

    init(_ socket: String) throws {
        connection = try Connection(to: socket, timeout: .seconds(120))
    }

    func reply(to method: String, _ parameters: JSONObject) throws -> JSONValue {
        do {
            return try connection.call(method, parameters)
        } catch  where error.code != 0 {
            return ["error": .object(error.object)]
        }
    }
}
