import CertificateAuthority
import Entitlements
import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport

/// Plays scenarios on a daemon: what `CoreStage` does to the core, done over sockets and HTTP with
/// signed documents.
struct LiveStage {
    /// For how long after its moment a check must have the same answer to be put to a daemon, whose
    /// clock goes on.
    static let steadyMilliseconds: Int64 = 2_000
    /// How long after the one before a story begins that is played beside it.
    private static let staggerMilliseconds: Int64 = 80
    /// How late a step may be of a story that is played as it happens.
    static let latenessMillisecondsMax: Int64 = 700
    /// A rehearsal that took longer than its check is steady says nothing; it is made again.
    private static let rehearsalsMax = 5

    let daemon: TestDaemon
    private let authority: SigningAuthority
    private var rehearsals = 0
    private var grants: [String: String] = [:]
    var reservations: [String: Held] = [:]
    private var bodies: [[UInt8]: [UInt8]] = [:]

    /// A new daemon under these settings, which trusts the chain of this stage alone.
    init(_ settings: ScenarioSettings) throws {
        // Rehearsals move documents up to years into the past.
        let decade = 3_653 * StoreLife.day
        authority = try SigningAuthority.mint(
            validFrom: StoreVoice.now - decade,
            validUntil: StoreVoice.now + decade
        )
        var setup = TestDaemon.Setup()
        setup.catalog = settings.catalogYAML
        setup.environments = "[\(settings.environments.joined(separator: ", "))]"
        setup.sandbox = settings.sandboxAccess
        let transfers = settings.source.transferPolicy.rawValue
        setup.accounts =
            "{ userIdIsAppAccountToken: \(settings.source.userIDIsToken), "
            + "transferPolicy: \(transfers) }"
        setup.logLevel = "warning"
        daemon = try TestDaemon(setup)
        try daemon.scratch.write(authority.rootPEM, to: "root.pem")
        try daemon.start()
    }

    /// Stops the daemon and has its store checked; answers what is wrong.
    func end() throws -> [String] {
        let ending = daemon.stop()
        guard ending == .exited(0) else { return ["stopped with \(ending): \(daemon.log)"] }
        let check = try daemon.run("verify")
        return check.ending == .exited(0) ? [] : ["verify: \(check.ending): \(check.said)"]
    }

    /// How the daemon differs from the story in the check at `index` and in all that leads to it;
    /// nil where this machine was too slow to say.
    mutating func differences(
        inCheck index: Int,
        of scenario: Scenario
    ) throws -> [String]? {
        for _ in 0..<Self.rehearsalsMax {
            rehearsals += 1
            let now = StoreVoice.now
            let rehearsal = try scenario.rehearsal(
                ofCheck: index,
                at: Moment(now),
                unique: rehearsals
            )
            guard let acts = rehearsal else { throw DaemonProblem("step \(index) is no check") }
            var differences: [String] = []
            for act in acts { differences += Self.differences(of: act, try perform(act)) }
            if StoreVoice.now - now < Self.steadyMilliseconds { return differences }
        }
        return nil
    }

    /// How the daemon differs from these stories, all played side by side as they happen, each step
    /// at its moment; nil where this machine was too slow to say.
    mutating func differences(playing scenarios: [Scenario]) throws -> [String]? {
        for _ in 0..<Self.rehearsalsMax {
            // They begin one after the other: most steps are written for whole seconds.
            var start = Moment(StoreVoice.now)
            var acts: [(String, ScenarioAct)] = []
            for scenario in scenarios {
                rehearsals += 1
                acts += try scenario.playing(from: start, unique: rehearsals)
                    .map { (scenario.name, $0) }
                start = start.advanced(byMilliseconds: Self.staggerMilliseconds)
            }
            let inOrder = acts.enumerated()
                .sorted { ($0.element.1.at, $0.offset) < ($1.element.1.at, $1.offset) }
            var differences: [String] = []
            var isLate = false
            for (_, (name, act)) in inOrder {
                let wait = act.at.milliseconds - StoreVoice.now
                if wait > 0 { usleep(UInt32(wait) * 1_000) }
                differences += Self.differences(of: act, try perform(act)).map { "\(name), \($0)" }
                let lateness = StoreVoice.now - act.at.milliseconds
                isLate = isLate || lateness > Self.latenessMillisecondsMax
            }
            if differences.isEmpty || !isLate { return differences }
        }
        return nil
    }

    /// How the daemon differs in what a story does, its last step made now.
    ///
    /// For a story that goes on after its last check; these answers wait for no clock.
    mutating func differences(inDeedsOf scenario: Scenario) throws -> [String] {
        guard let last = scenario.steps.last else { return [] }
        rehearsals += 1
        let names = ScenarioNames(
            unique: rehearsals,
            moving: last.at,
            to: Moment(StoreVoice.now)
        )
        return try scenario.acts(under: names).filter { !$0.step.verb.isCheck }
            .flatMap { Self.differences(of: $0, try perform($0)) }
    }

    private static func differences(of act: ScenarioAct, _ reply: JSONValue) -> [String] {
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
            let reply = try HTTPExchange.post(try body(of: payloads), port: daemon.port)
            if reply.status == 200, let json = reply.json { return json }
            return [
                "error": ["status": .integer(Int64(reply.status)), "body": .string(reply.text)]
            ]
        case .verifyPurchase(let user, let payloads, let token):
            var parameters: JSONObject = ["userId": .string(user)]
            parameters["signedTransaction"] = try payloads.transaction.map(signed)
            parameters["signedRenewalInfo"] = try payloads.renewal.map(signed)
            parameters["appAccountToken"] = token.map { .string($0) }
            return try reply(to: "verifyPurchase", parameters)
        case .restore(let user, let payloads, let token):
            var parameters: JSONObject = ["userId": .string(user)]
            parameters["signedTransactions"] = .array(
                try [payloads.transaction].compactMap { $0 }.map(signed)
            )
            parameters["appAccountToken"] = token.map { .string($0) }
            let answer = try reply(to: "restorePurchases", parameters)
            guard let result = answer["results"]?.array?.first else { return answer }
            return result
        case .grant(let grant): return try give(grant)
        case .revokeGrant(let user, let key):
            // A grant that was never given has a name that no grant has.
            let grant = grants["\(user) \(key)"] ?? "g0"
            return try reply(
                to: "revokeGrant",
                ["userId": .string(user), "grant": .string(grant)],
                admin: true
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
                admin: true
            )
        case .canRender(let user, let cost):
            return try reply(to: "canRender", ["userId": .string(user), "cost": .integer(cost)])
        case .getStatus(let user):
            return try reply(to: "getStatus", ["userId": .string(user)])
        case .credits(let user, let deed): return try perform(deed, of: user)
        case .getCredits(let user):
            return try reply(to: "getCredits", ["userId": .string(user)])
        }
    }

    private mutating func give(_ grant: ScenarioGrant) throws -> JSONValue {
        var parameters: JSONObject = [
            "userId": .string(grant.user),
            "plan": .string(grant.plan),
            "idempotencyKey": .string(grant.key),
            // Always named: the daemon's own now is later than the story's moment.
            "startsAt": .string(ScenarioTime.wireText(grant.from)),
        ]
        if grant.until < .distantFuture {
            parameters["expiresAt"] = .string(ScenarioTime.wireText(grant.until))
        }
        parameters["store"] = grant.store.map { .string($0) }
        let answer = try reply(to: "grantEntitlement", parameters, admin: true)
        if let id = answer["grant"]?.string { grants["\(grant.user) \(grant.key)"] = id }
        return answer
    }

    /// The result, or the error as JSON-RPC writes it.
    func reply(
        to method: String,
        _ parameters: JSONObject,
        admin: Bool = false
    ) throws -> JSONValue {
        do {
            return try daemon.call(method, parameters, admin: admin)
        } catch let error as ClientError where error.code != 0 {
            return ["error": .object(error.object)]
        }
    }

    /// What is posted; the same bytes when the same notification arrives again.
    private mutating func body(of payloads: ApplePayloads) throws -> [UInt8] {
        let unsigned = payloads.outer { String(decoding: $0.bytes, as: UTF8.self) }.bytes
        if let first = bodies[unsigned] { return first }
        let outer = try payloads.outer { try authority.sign($0.bytes) }
        let body = StoreVoice.body(signedPayload: try authority.sign(outer.bytes))
        bodies[unsigned] = body
        return body
    }

    private func signed(_ payload: JSONValue) throws -> JSONValue {
        .string(try authority.sign(payload.bytes))
    }
}
