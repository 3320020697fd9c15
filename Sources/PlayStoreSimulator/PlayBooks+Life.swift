import AppStoreSimulator
import Randomness

extension PlayDirectory: LivingStore {}

extension PlayBooks: LivingBooks {
    package var time: StoreTime { settings.time }

    /// What happens to a customer in a month: something to the subscription, and now and then
    /// something beside it.
    package mutating func live(
        _ customer: String,
        through when: LifeMonth,
        _ chance: inout SplitMix64
    ) -> [PlayNotice] {
        var told: [PlayNotice] = []
        var moment = when.moment(Int64(chance.next() % 500), of: 1_000)
        let step = subscriptionStep(of: customer, &chance)
        let newest = newest(of: customer) { $0.isSubscription }
        if when.length > 0, let newest, let end = newest.expires {
            if step.action.isAtEnd(newest.state) {
                moment = max(moment, end)
            } else if newest.state == .active, newest.renews, end < moment {
                // Whatever else happens: what goes on is billed when its period is over.
                told += happen(to: customer, at: end, (.renew, nil))
            }
        }
        if when.length == 0 || moment <= when.moment(1, of: 1) {
            told += happen(to: customer, at: moment, step)
        }
        if chance.next() % 4 == 0 {
            let later = when.moment(500 + Int64(chance.next() % 500), of: 1_000)
            told += happen(to: customer, at: later, sideStep(&chance))
        }
        return told
    }

    /// What cannot happen now is left out.
    private mutating func happen(
        to customer: String,
        at now: Int64,
        _ step: (action: PlayAction, product: String?)
    ) -> [PlayNotice] {
        var words = PlayWords()
        words.accountID = customer
        words.product = step.product
        if step.action == .buy, step.product == "credits_10" { words.quantity = 3 }
        return (try? perform(step.action, customer, words, at: now)) ?? []
    }

    private func subscriptionStep(
        of customer: String,
        _ chance: inout SplitMix64
    ) -> (action: PlayAction, product: String?) {
        let newest = newest(of: customer) { $0.isSubscription }
        let steps: [(PlayAction, String?)]
        switch (newest?.state, newest?.item.plan) {
        case (nil, _):
            steps = [
                (.buy, nil), (.buy, "premium"), (.buy, "paid:yearly"), (.buyPending, nil),
                (.buy, "paid_prepaid"),
            ]
        case (.active, .prepaid): steps = [(.topUp, nil), (.topUp, nil), (.expire, nil)]
        case (.active, _):
            steps =
                Array(repeating: (.renew, nil), count: 10) + [
                    (.cancel, nil), (.cancel, nil), (.failToRenew, nil), (.failToRenew, nil),
                    (.hold, nil), (.pause, nil), (.schedulePause, nil), (.revoke, nil),
                    (.upgrade, "premium"), (.downgrade, "paid:monthly"), (.defer, nil),
                    (.cancelCommitment, nil), (.addItem, "premium"), (.priceChange, nil),
                    (.confirmPrice, nil), (.priceStepUp, nil), (.upgradePending, "premium"),
                ]
        case (.canceled, _): steps = [(.restart, nil), (.expire, nil), (.upgrade, "premium")]
        case (.grace, _): steps = [(.recover, nil), (.hold, nil), (.cancel, nil)]
        case (.hold, _): steps = [(.recover, nil), (.cancel, nil), (.expire, nil)]
        case (.paused, _): steps = [(.resume, nil), (.resume, nil), (.cancel, nil)]
        case (.pending, _): steps = [(.complete, nil), (.complete, nil), (.cancelPending, nil)]
        case (.expired, _), (.pendingCanceled, _):
            steps = [
                (.resubscribe, nil), (.resubscribeOutOfApp, nil), (.buy, "premium"),
                (.buyPending, nil),
            ]
        }
        return steps[Int(chance.next() % UInt64(steps.count))]
    }

    private func sideStep(_ chance: inout SplitMix64) -> (action: PlayAction, product: String?) {
        let steps: [(PlayAction, String?)] = [
            (.buy, "credits_10"), (.buy, "credits_10"), (.buyPending, "credits_10"),
            (.complete, nil), (.refundUnits, nil), (.void, nil), (.refundReview, nil),
            (.refund, nil),
        ]
        return steps[Int(chance.next() % UInt64(steps.count))]
    }
}

extension PlayAction {
    /// Whether it happens when a period is over.
    fileprivate func isAtEnd(_ state: SoldPurchase.State) -> Bool {
        switch self {
        case .renew, .failToRenew, .hold, .pause: true
        case .expire: state != .hold
        default: false
        }
    }
}
