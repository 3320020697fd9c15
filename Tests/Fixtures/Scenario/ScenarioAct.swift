import Entitlements
import JSON

/// A step with the names and moments of one playing: what is sent, and what must come back.
package struct ScenarioAct: Sendable {
    /// What is sent.
    package enum Action: Sendable {
        /// `registerAccount` with the token, or the derived one; the payload is that of the app
        /// transaction shown.
        case register(user: String, token: String?, showing: JSONValue?)
        /// A notification.
        case notify(ApplePayloads)
        /// `verifyPurchase`; the token is what the caller names.
        case verifyPurchase(user: String, ApplePayloads, token: String?)
        /// `restorePurchases` of one document; the token is what the caller names.
        case restore(user: String, ApplePayloads, token: String?)
        /// `grantEntitlement`.
        case grant(ScenarioGrant)
        /// `revokeGrant` of the grant made under this key.
        case revokeGrant(user: String, key: String)
        /// `mergeAccounts`.
        case merge(from: String, into: String, key: String)
        /// `movePurchase` of the purchase with this original id.
        case move(user: String, original: String)
        /// Another catalog is in force from now on.
        case install(ScenarioSettings)
        /// `canRender`.
        case canRender(user: String, cost: Int64)
        /// `getStatus`.
        case getStatus(user: String)
        /// A command about credits.
        case credits(user: String, CreditDeed)
        /// `getCredits`.
        case getCredits(user: String)
    }

    /// The line it comes from.
    package let step: ScenarioStep
    /// When it happens.
    package internal(set) var at: Moment
    /// What is sent.
    package let action: Action
    /// The names of this playing.
    package let names: ScenarioNames

    init(
        _ step: ScenarioStep,
        after earlier: [ScenarioAct],
        under names: ScenarioNames,
        _ settings: ScenarioSettings
    ) throws(ScenarioFailure) {
        self.step = step
        self.names = names
        at = names.moment(step.at)
        let user = names.user(step.subject)
        let token = step.words["token"].map { names.token($0) }
        switch step.verb {
        case .register:
            let shown = try ApplePayloads.appTransaction(shownBy: step, names: names)
            action = .register(user: user, token: token, showing: shown)
        case .notify: action = .notify(try ApplePayloads(notification: step, names: names))
        case .again:
            let first = earlier.first {
                $0.step.verb == .notify && $0.step.words["uuid"] == step.subject
            }
            guard let first else {
                throw ScenarioFailure(line: step.line, "no notification uuid=\(step.subject)")
            }
            action = first.action
        case .verifyPurchase:
            let payloads = try ApplePayloads(purchase: step, names: names)
            action = .verifyPurchase(
                user: user,
                payloads,
                token: step.words["names"].map { names.token($0) }
            )
        case .restore:
            action = .restore(
                user: user,
                try ApplePayloads(purchase: step, names: names),
                token: step.words["names"].map { names.token($0) }
            )
        case .grant: action = .grant(try ScenarioGrant(step, names: names))
        case .revokeGrant: action = .revokeGrant(user: user, key: step.words["key"] ?? "grant")
        case .merge:
            guard let into = step.words["into"] else {
                throw ScenarioFailure(line: step.line, "a merger names into whom")
            }
            let key = step.words["key"] ?? "merge"
            action = .merge(from: user, into: names.user(into), key: key)
        case .move:
            guard let original = names.transactionID(step.words["original"] ?? "1") else {
                throw ScenarioFailure(line: step.line, "original: 1 to 999")
            }
            action = .move(user: user, original: original)
        case .pack: action = .install(settings)
        case .canRender:
            action = .canRender(user: user, cost: try step.number("cost") ?? 1)
        case .getStatus: action = .getStatus(user: user)
        case .getCredits: action = .getCredits(user: user)
        case .grantCredits, .adjustCredits, .consume, .reserve, .commit, .release, .disconnect,
            .reverse:
            action = .credits(user: user, try CreditDeed(step, names: names))
        }
    }

    /// What this reply says, in the words of the scenario: those that the step names.
    ///
    /// A reply is a result, or `{"error": …}` as JSON-RPC writes it, or the body of an HTTP answer.
    package func words(of reply: JSONValue) -> [ScenarioStep.Expectation] {
        var expected = step.expected ?? []
        if expected.isEmpty { expected = ReplyWord.usual(for: step.verb) }
        return expected.map { expectation in
            let value = ReplyWord.value(of: expectation.word, in: reply, for: step.verb, names)
            return ScenarioStep.Expectation(word: expectation.word, value: value)
        }
    }

    /// Where `reply` differs from what the step expects; empty where nothing is expected.
    package func mismatches(in reply: JSONValue) -> [String] {
        guard let expected = step.expected else { return [] }
        return zip(expected, words(of: reply)).filter { $0 != $1 }
            .map { wanted, met in
                "line \(step.line): \(wanted.word) is \(met.value), not \(wanted.value)"
            }
    }
}

/// A grant as a scenario writes it.
package struct ScenarioGrant: Sendable {
    /// To whom.
    package let user: String
    /// The plan.
    package let plan: String
    /// The idempotency key.
    package let key: String
    /// When it begins; a rehearsal has to name it, since its own now is later than the step's.
    package let from: Moment
    /// When it ends; `distantFuture` for never.
    package let until: Moment
    /// The store named in it.
    package let store: String?

    init(_ step: ScenarioStep, names: ScenarioNames) throws(ScenarioFailure) {
        guard let plan = step.words["plan"] else {
            throw ScenarioFailure(line: step.line, "a grant names its plan")
        }
        user = names.user(step.subject)
        self.plan = plan
        key = step.words["key"] ?? "grant"
        from = names.moment(try step.moment("from") ?? step.at)
        until = names.moment(try step.moment("until") ?? .distantFuture)
        store = step.words["store"]
    }
}
