import AppStore
import Entitlements
import JSON

/// Plays a scenario on the pure core, and answers in the shapes of proto/openrpc.json.
package struct CoreStage {
    /// What is remembered.
    package private(set) var ledger = MemoryLedger()
    private var source: Policy.Source
    private var grants: [String: UInt64] = [:]
    var reservations: [IdempotencyKey: UInt64] = [:]

    /// An empty stage under these settings.
    package init(_ settings: ScenarioSettings) {
        source = settings.source
    }

    /// The policy at this moment, for the products that have numbers now.
    package var policy: Policy { Policy(source, numbering: ledger.numbering) }

    /// Performs one act; the reply is what a daemon would send.
    package mutating func perform(_ act: ScenarioAct) throws(ScenarioFailure) -> JSONValue {
        switch act.action {
        case .register(let name, let token, let shown): try register(name, token, shown, act)
        case .notify(let payloads): try record(payloads, act)
        case .verifyPurchase(let name, let payloads, let token):
            try verify(name, payloads, token, act)
        case .restore(let name, let payloads, let token):
            try restore(name, payloads, token, act)
        case .grant(let grant): try give(grant, act)
        case .revokeGrant(let name, let key):
            reply(
                to: .revokeGrant(
                    GrantRevocation(
                        user: try user(name, act),
                        grant: grants["\(name) \(key)"] ?? 0,
                        reason: ""
                    )
                ),
                act
            )
        case .merge(let from, let into, let key): try merge(from, into, key, act)
        case .move(let name, let original):
            reply(
                to: .move(
                    PurchaseMove(
                        store: .appStore,
                        originalID: original,
                        to: try user(name, act),
                        reason: "asked"
                    )
                ),
                act
            )
        case .install(let settings): install(settings, act)
        case .canRender(let name, let cost): decision(name, cost, act)
        case .getStatus(let name): status(name, act)
        case .credits(let name, let deed): perform(deed, of: try user(name, act), act)
        case .getCredits(let name): credits(of: try user(name, act), act)
        }
    }

    private mutating func register(
        _ name: String,
        _ token: String?,
        _ shown: JSONValue?,
        _ act: ScenarioAct
    ) throws(ScenarioFailure) -> JSONValue {
        let user = try user(name, act)
        let derived = Token(act.names.token("derived from \(name)"))
        guard let token = token.map({ Token($0) }) ?? Token(name) ?? derived else {
            throw ScenarioFailure(line: act.step.line, "no token")
        }
        let appTransaction = shown.map { shown in
            let name = Array((shown["appTransactionId"]?.string ?? "").utf8)
            return AppTransaction(
                environment: shown["receiptType"] == "Sandbox" ? .sandbox : .production,
                mark: AppTransactionMark(Digest128(Digest256(fingerprintOf: name)))
            )
        }
        let order = Registration(user: user, token: token, showing: appTransaction)
        return reply(to: .register(order), act)
    }

    private mutating func record(
        _ payloads: ApplePayloads,
        _ act: ScenarioAct
    ) throws(ScenarioFailure) -> JSONValue {
        let notification: Notification
        let outer = Self.document(payloads.outer(signing: Self.unsigned))
        do {
            guard AppStoreDecoder.typeOfUnknownShape(outer) == nil else {
                throw DocumentFault.wrongDocument
            }
            notification = try AppStoreDecoder.notification(
                outer: outer,
                transaction: payloads.transaction.map(Self.document),
                renewal: payloads.renewal.map(Self.document)
            )
        } catch {
            // Genuine, but of a shape that is not known: taken, and nothing follows from it.
            return ["result": "ignored"]
        }
        return reply(to: .record(notification), act)
    }

    /// Puts a catalog in force, and looks at every purchase again behind it.
    private mutating func install(_ settings: ScenarioSettings, _ act: ScenarioAct) -> JSONValue {
        source = settings.source
        for key in ledger.subscriptions.keys.sorted() {
            _ = ledger.submit(.learn([Fact(key: key)]), at: act.at, under: policy)
        }
        return [:]
    }

    private mutating func verify(
        _ name: String,
        _ payloads: ApplePayloads,
        _ token: String?,
        _ act: ScenarioAct
    ) throws(ScenarioFailure) -> JSONValue {
        let purchase = Purchase(
            user: try user(name, act),
            facts: [try fact(payloads, act)],
            claimed: claims(name, token, act)
        )
        return reply(to: .link(purchase), act)
    }

    private mutating func restore(
        _ name: String,
        _ payloads: ApplePayloads,
        _ token: String?,
        _ act: ScenarioAct
    ) throws(ScenarioFailure) -> JSONValue {
        let order = Restoration(
            user: try user(name, act),
            facts: [try fact(payloads, act)],
            claimed: claims(name, token, act)
        )
        return reply(to: .restore(order), act)
    }

    /// Tokens that are the user's though nobody registered them.
    private func claims(_ name: String, _ token: String?, _ act: ScenarioAct) -> [Token] {
        [token, act.names.token("derived from \(name)")].compactMap { $0.flatMap { Token($0) } }
    }

    /// What a purchase document states.
    private func fact(
        _ payloads: ApplePayloads,
        _ act: ScenarioAct
    ) throws(ScenarioFailure) -> Fact {
        do {
            guard let transaction = payloads.transaction else { throw DocumentFault.wrongDocument }
            return try AppStoreDecoder.fact(
                transaction: Self.document(transaction),
                renewal: payloads.renewal.map(Self.document)
            )
        } catch {
            throw ScenarioFailure(line: act.step.line, "not a purchase: \(error)")
        }
    }

    private mutating func merge(
        _ from: String,
        _ into: String,
        _ key: String,
        _ act: ScenarioAct
    ) throws(ScenarioFailure) -> JSONValue {
        let user = try user(into, act)
        let order = MergeOrder(
            from: try self.user(from, act),
            into: user,
            token: Token(from) ?? Token(act.names.token("derived from \(from)")),
            key: IdempotencyKey(
                user: user,
                digest: Digest256(fingerprintOf: Array(key.utf8))
            ),
            fingerprint: Digest256(fingerprintOf: Array("merge \(from)".utf8))
        )
        return reply(to: .merge(order), act)
    }

    private mutating func give(
        _ grant: ScenarioGrant,
        _ act: ScenarioAct
    ) throws(ScenarioFailure) -> JSONValue {
        let user = try user(grant.user, act)
        let order = GrantOrder(
            user: user,
            plan: grant.plan,
            key: IdempotencyKey(
                user: user,
                digest: Digest256(fingerprintOf: Array(grant.key.utf8))
            ),
            fingerprint: Digest256(fingerprintOf: Array("\(grant)".utf8)),
            from: grant.from,
            until: grant.until == .distantFuture ? nil : grant.until,
            store: nil,
            reason: ""
        )
        let answer = reply(to: .grant(order), act)
        if let id = answer["grant"]?.int64 { grants["\(grant.user) \(grant.key)"] = UInt64(id) }
        return answer
    }

    mutating func reply(to kind: Command.Kind, _ act: ScenarioAct) -> JSONValue {
        let outcome = ledger.submit(kind, at: act.at, under: policy)
        if let answer = Self.reply(aboutCredits: outcome) { return answer }
        return switch outcome {
        case .registered(let token, let created, let credits):
            [
                "appAccountToken": .string(token.description), "created": .bool(created),
                "creditsRemaining": .integer(credits),
            ]
        case .recorded(let reception):
            ["success": true, "received": true, "result": .string(reception.rawValue)]
        case .linked(let applied): ["applied": .bool(applied)]
        case .restored(let results): ["outcome": .text(results.first?.outcome.rawValue)]
        case .merged(_, let replayed): ["replayed": .bool(replayed)]
        case .granted(let id, let replayed):
            ["grant": .integer(Int64(id)), "replayed": .bool(replayed)]
        case .grantRevoked, .moved, .installed, .loaded, .loadRefused: [:]
        case .tokenTaken: Self.error("ownership_conflict", reason: "token")
        case .conflict(let why): Self.error("ownership_conflict", reason: why.rawValue)
        case .keyReused: Self.error("idempotency_mismatch")
        case .planUnknown, .grantsFull: Self.error("invalid_params")
        case .grantUnknown, .purchaseUnknown: Self.error("not_found")
        default: preconditionFailure("no step of a scenario asks for this")
        }
    }

    private func decision(_ name: String, _ cost: Int64, _ act: ScenarioAct) -> JSONValue {
        guard let user = UserID(name), let account = ledger.accounts[user] else {
            return [
                "canRender": false, "via": nil, "state": "no_account", "reason": "no_account",
                "nextChangeAt": nil,
            ]
        }
        let policy = policy
        let decision = account.answer.decision(
            ofCost: cost,
            at: act.at,
            under: policy,
            sandboxes: policy.sandboxes(of: user)
        )
        return [
            "canRender": .bool(decision.canRender),
            "via": .text(decision.via?.rawValue),
            "state": .string(decision.state.rawValue),
            "reason": .text(decision.reason?.rawValue),
            "nextChangeAt": .moment(decision.nextChange),
        ]
    }

    private func status(_ name: String, _ act: ScenarioAct) -> JSONValue {
        let user = UserID(name)
        return CoreStatus(
            account: user.flatMap { ledger.accounts[$0] },
            policy: policy,
            at: act.at,
            subscriptions: ledger.subscriptions
        )
        .reply
    }

    private func user(_ name: String, _ act: ScenarioAct) throws(ScenarioFailure) -> UserID {
        guard let user = UserID(name) else {
            throw ScenarioFailure(line: act.step.line, "no user id: \(name)")
        }
        return user
    }

    /// A stand-in for a signed document: the core sees only what the verifier has opened.
    private static func unsigned(_ payload: JSONValue) -> String {
        String(decoding: payload.bytes, as: UTF8.self)
    }

    private static func document(_ payload: JSONValue) -> DecodedDocument {
        DecodedDocument(payload: payload, digest: Digest256(fingerprintOf: payload.bytes))
    }

    static func error(_ code: String, reason: String? = nil) -> JSONValue {
        ["error": ["data": ["code": .string(code), "reason": .text(reason)]]]
    }
}

extension JSONValue {
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    static func moment(_ moment: Moment?) -> JSONValue {
        guard let moment, moment > .distantPast, moment < .distantFuture else { return .null }
        return .string(ScenarioTime.wireText(moment))
    }
}
