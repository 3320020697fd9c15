import Entitlements
import JSON
import Wire

/// Why a status is what it is: the facts used, the rule that decided, the catalog version.
struct Explanation {
    private let view: StatusView
    private let heir: UserID?

    /// Explains `view`; `heir` has the account that was this user's, if it was merged.
    init(_ view: StatusView, wentInto heir: UserID? = nil) {
        self.view = view
        self.heir = heir
    }

    var object: JSONObject {
        [
            "at": .string(TimeText.text(view.now.milliseconds)),
            "rule": .string(rule.word),
            "because": .string(rule.sentence + word),
            "catalogVersion": .integer(Int64(view.policy.source.version)),
            "facts": .array(facts),
            "grants": .array(grants),
            "credits": credits,
            "status": .object(view.status),
            "seq": .integer(Int64(view.seq)),
        ]
    }

    /// The rule that decided: its name, and what it says.
    private var rule: (word: String, sentence: String) {
        let decision = view.decision
        guard view.account != nil else {
            let sentence = heir.map { "The account went into that of \($0)." }
            return ("no_account", sentence ?? "No write has named this user.")
        }
        switch decision.via {
        case .subscription:
            return ("paid", "A subscription is paid, and its plan renders without counting.")
        case .grace: return ("grace", "The store grants a grace period while it charges the card.")
        case .grant: return ("grant", "An admin gave access to a plan that renders freely.")
        case .credits: return ("credits", "The credits cover the cost.")
        case .free: return ("free", "The plan free renders without counting.")
        case nil: break
        }
        if decision.reason == .neverSubscribed, view.hadSubscription {
            return ("never_subscribed", "No subscription that the user had is theirs any more.")
        }
        return (decision.reason?.rawValue ?? "", decision.reason.map(sentence) ?? "")
    }

    /// What the store itself calls the state of the subscription shown.
    private var word: String {
        guard let word = view.storeWord, let store = view.store else { return "" }
        return " \(store.name) says \(word)."
    }

    private func sentence(_ reason: Decision.Reason) -> String {
        switch reason {
        case .notInPlan: "There is access, by a plan without rendering, and too few credits."
        case .unknownProduct: "The user pays for a product that no plan of the catalog names."
        case .sandboxNotAdmitted:
            "The purchase is of the sandbox, which does not let this user in, as the configuration"
                + " of its store says."
        case .revoked: "The store refunded or withdrew the purchase."
        case .pending: "Nothing is paid yet."
        case .paused: "The subscription is paused."
        case .billingRetry: "The period is over and the store still tries to charge."
        case .expired: "The period is over."
        case .creditsExhausted: "All credits are spent or held."
        case .neverSubscribed: "There was never a subscription nor a credit."
        case .noAccount: "No write has named this user."
        }
    }

    private var facts: [JSONValue] {
        guard let account = view.account else { return [] }
        // One pass over the slots: an account has as many of them as subscriptions.
        var current: [Int: Slot] = [:]
        for (index, slot) in view.answer.slots.enumerated()
        where view.answer.isCurrent(index, at: view.now) && !slot.marks.isBeside {
            current[Int(slot.ordinal)] = slot
        }
        return account.subscriptions.enumerated()
            .compactMap { index, key in
                guard let subscription = view.lookup(key) else { return nil }
                let standing = current[index]?.standing(at: view.now, under: view.policy)
                guard case .object(var object) = RowView.view(subscription) else { return nil }
                object["standing"] = standing.map { .string("\($0)") } ?? .null
                if let slot = current[index], slot.marks.contains(.dated) {
                    // By the catalog: the store names no end.
                    object["paidFrom"] = .time(slot.from)
                    object["paidUntil"] = .time(slot.paidUntil)
                }
                return .object(object)
            }
    }

    private var grants: [JSONValue] {
        (view.account?.answer.grants ?? [])
            .map { grant in
                [
                    "grant": .string(GrantName.text(grant.id)),
                    // Null where the catalog has no such plan any more.
                    "plan": planName(ofNumber: grant.plan),
                    "from": .time(grant.from),
                    "until": .time(grant.until),
                    "holds": .bool(grant.from <= view.now && view.now < grant.until),
                ]
            }
    }

    private func planName(ofNumber number: UInt32) -> JSONValue {
        let plan = view.policy.plan(ofNumber: number)
        return plan < 0 ? .null : .string(view.policy.plans[plan].name)
    }

    private var credits: JSONValue {
        let purse = view.account?.purse ?? Purse()
        return [
            "balance": .integer(purse.balance(at: view.now)),
            "held": .integer(purse.held(at: view.now)),
            "owed": .integer(purse.debt),
            // Those of paid periods that are to come, too.
            "buckets": .array(
                purse.settled(at: view.now).buckets.map { RowView.view($0) }
            ),
        ]
    }
}
