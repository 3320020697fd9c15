import Entitlements
import JSON

/// Where a story is told: whatever answers methods and takes notifications.
package protocol ScenarioDoor {
    /// A connection that is kept: what is held on it may end with it.
    associatedtype Line

    /// The result of `method`, or `{"error": …}` as JSON-RPC writes it.
    func reply(to method: String, _ parameters: JSONObject, asAdmin: Bool) throws -> JSONValue

    /// The same, on a connection of its own.
    func reply(to method: String, _ parameters: JSONObject, on line: Line) throws -> JSONValue

    /// Takes a notification; answers the body of the reply, or `{"error": …}`.
    func reply(toNotification body: [UInt8]) throws -> JSONValue

    /// Puts a catalog in force; back once it has been held against earlier purchases.
    func install(_ settings: ScenarioSettings) throws

    /// A new connection.
    func open() throws -> Line

    /// Ends a connection; back once the door has heard of it, which changes what `user` holds.
    func close(_ line: Line, ofHolder user: String) throws

    /// The payload as a document that the door believes.
    func sign(_ payload: JSONValue) throws -> String
}

/// Plays the acts of stories through a door, as an app, a store and an admin would.
package struct ScenarioPlayer<Door: ScenarioDoor> {
    /// Where it plays.
    package let door: Door
    private var grants: [String: String] = [:]
    /// Reservations by their keys, each with the connection that it goes with.
    private var reservations: [String: (name: String, line: Door.Line?)] = [:]
    private var bodies: [[UInt8]: [UInt8]] = [:]

    /// A player that nothing has happened to.
    package init(_ door: Door) { self.door = door }

    /// Does what `act` says; answers where the reply differs from what the story expects.
    ///
    /// A reply that refuses is a difference where no error is expected.
    package mutating func differences(of act: ScenarioAct) throws -> [String] {
        let reply = try perform(act)
        let differences = act.mismatches(in: reply)
        let expectsError = act.step.expected?.contains { $0.word == "error" } ?? false
        guard let error = reply["error"], !expectsError else { return differences }
        let text = String(decoding: error.bytes, as: UTF8.self)
        return differences + ["line \(act.step.line): refused: \(text)"]
    }

    private mutating func perform(_ act: ScenarioAct) throws -> JSONValue {
        switch act.action {
        case .register(let user, let token, let shown):
            // Without a token the daemon derives its own by SHA-256 and the core's stage another;
            // no story names it.
            var parameters: JSONObject = ["userId": .string(user)]
            parameters["appAccountToken"] = token.map { .string($0) }
            parameters["signedAppTransaction"] = try shown.map(signed)
            return try reply(to: "registerAccount", parameters)
        case .notify(let payloads):
            return try door.reply(toNotification: try body(of: payloads))
        case .verifyPurchase(let user, let payloads, let token):
            var parameters: JSONObject = ["userId": .string(user)]
            parameters["signedTransaction"] = try payloads.transaction.map(signed)
            parameters["signedRenewalInfo"] = try payloads.renewal.map(signed)
            parameters["appAccountToken"] = token.map { .string($0) }
            return try reply(to: "verifyPurchase", parameters)
        case .restore(let user, let payloads, let token):
            return try restore(user, payloads, token)
        case .grant(let grant): return try give(grant)
        case .revokeGrant(let user, let key):
            // A grant that was never given has a name that no grant has.
            let grant = grants["\(user) \(key)"] ?? "g0"
            return try reply(
                to: "revokeGrant",
                ["userId": .string(user), "grant": .string(grant)],
                asAdmin: true
            )
        case .merge(let from, let into, let key):
            return try reply(
                to: "mergeAccounts",
                [
                    "fromUserId": .string(from), "intoUserId": .string(into),
                    "idempotencyKey": .string(key),
                ]
            )
        case .move(let user, let original):
            return try reply(
                to: "movePurchase",
                [
                    "store": "app_store", "originalTransactionId": .string(original),
                    "toUserId": .string(user), "reason": "asked",
                ],
                asAdmin: true
            )
        case .install(let settings):
            try door.install(settings)
            return [:]
        case .canRender(let user, let cost):
            return try reply(to: "canRender", ["userId": .string(user), "cost": .integer(cost)])
        case .getStatus(let user):
            return try reply(to: "getStatus", ["userId": .string(user)])
        case .credits(let user, let deed): return try perform(deed, of: user)
        case .getCredits(let user):
            return try reply(to: "getCredits", ["userId": .string(user)])
        }
    }

    private func reply(
        to method: String,
        _ parameters: JSONObject,
        asAdmin: Bool = false
    ) throws -> JSONValue { try door.reply(to: method, parameters, asAdmin: asAdmin) }

    private func restore(
        _ user: String,
        _ payloads: ApplePayloads,
        _ token: String?
    ) throws -> JSONValue {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["signedTransactions"] = .array(
            try [payloads.transaction].compactMap { $0 }.map(signed)
        )
        parameters["appAccountToken"] = token.map { .string($0) }
        let answer = try reply(to: "restorePurchases", parameters)
        return answer["results"]?.array?.first ?? answer
    }

    private mutating func give(_ grant: ScenarioGrant) throws -> JSONValue {
        var parameters: JSONObject = [
            "userId": .string(grant.user),
            "plan": .string(grant.plan),
            "idempotencyKey": .string(grant.key),
            // Always named: where a story is rehearsed, now is later than the story's moment.
            "startsAt": .string(ScenarioTime.wireText(grant.from)),
        ]
        if grant.until < .distantFuture {
            parameters["expiresAt"] = .string(ScenarioTime.wireText(grant.until))
        }
        parameters["store"] = grant.store.map { .string($0) }
        let answer = try reply(to: "grantEntitlement", parameters, asAdmin: true)
        if let id = answer["grant"]?.string { grants["\(grant.user) \(grant.key)"] = id }
        return answer
    }

    /// What is posted; the same bytes when the same notification arrives again.
    private mutating func body(of payloads: ApplePayloads) throws -> [UInt8] {
        let unsigned = payloads.outer { String(decoding: $0.bytes, as: UTF8.self) }.bytes
        if let first = bodies[unsigned] { return first }
        let outer = try payloads.outer { try door.sign($0) }
        let body = JSONValue.object(["signedPayload": try signed(outer)]).bytes
        bodies[unsigned] = body
        return body
    }

    private func signed(_ payload: JSONValue) throws -> JSONValue {
        .string(try door.sign(payload))
    }
}

// Credits.

extension ScenarioPlayer {
    /// Does what `deed` says to the credits of `user`.
    private mutating func perform(_ deed: CreditDeed, of user: String) throws -> JSONValue {
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
            return try reply(to: method, parameters, asAdmin: true)
        case .consume(let amount, let key):
            parameters["amount"] = .integer(amount)
            parameters["idempotencyKey"] = .string(key)
            return try reply(to: "consumeCredit", parameters)
        case .reserve(let amount, let key, let seconds, let isLease):
            parameters["amount"] = .integer(amount)
            parameters["idempotencyKey"] = .string(key)
            parameters["ttlSeconds"] = .integer(seconds)
            parameters["releaseOnDisconnect"] = .bool(isLease)
            let line = try door.open()
            let answer = try door.reply(to: "reserveCredits", parameters, on: line)
            if let name = answer["reservation"]?.string {
                reservations["\(user) \(key)"] = (name, isLease ? line : nil)
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
            if let line = reservations["\(user) \(key)"]?.line {
                reservations["\(user) \(key)"]?.line = nil
                try door.close(line, ofHolder: user)
            }
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
}
