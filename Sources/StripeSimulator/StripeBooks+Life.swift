import AppStoreSimulator
import Randomness

extension StripeDirectory: LivingStore {}

extension StripeBooks: LivingBooks {
    package var time: StoreTime { settings.time }

    /// What happens to a customer in a month: something to the subscription, and now and then
    /// something beside it.
    package mutating func live(
        _ customer: String,
        through when: LifeMonth,
        _ chance: inout SplitMix64
    ) -> [KeptEvent] {
        var words = StripeWords()
        words.isTrial = chance.next() % 4 == 0
        var moment = when.moment(Int64(chance.next() % 500), of: 1_000) / 1_000
        let action = subscriptionAction(of: customer, &chance)
        var told: [KeptEvent] = []
        if when.length > 0, let sold = newest(of: customer), sold.isLive {
            if action.isAtEnd {
                let draft = action == .failToRenew ? settings.draftSeconds : 0
                moment = max(moment, sold.end + draft)
            } else if sold.renewsByItself, sold.end < moment {
                // Whatever else happens: what goes on is billed when its period is over.
                told += (try? perform(.renew, customer, words, at: sold.end)) ?? []
            }
        }
        // What cannot happen now is left out.
        if moment <= when.moment(1, of: 1) / 1_000 || when.length == 0 {
            told += (try? perform(action, customer, words, at: moment)) ?? []
        }
        if chance.next() % 3 == 0 {
            let late = when.moment(500 + Int64(chance.next() % 500), of: 1_000) / 1_000
            let beside: [StripeAction] = [
                .buy, .buyLater, .pay, .failToPay, .refund, .refundHalf, .failRefund, .dispute,
                .winDispute, .loseDispute,
            ]
            let side = beside[Int(chance.next() % UInt64(beside.count))]
            told += (try? perform(side, customer, StripeWords(), at: late)) ?? []
        }
        return told
    }

    private func subscriptionAction(
        of customer: String,
        _ chance: inout SplitMix64
    ) -> StripeAction {
        let actions: [StripeAction]
        if let sold = newest(of: customer), sold.isLive {
            actions = Self.actions(sold)
        } else {
            actions = [.subscribe, .subscribe, .subscribe, .subscribeUnpaid]
        }
        return actions[Int(chance.next() % UInt64(actions.count))]
    }

    private static func actions(_ sold: SoldSubscription) -> [StripeAction] {
        if sold.isEnding { return [.keep, .expire] }
        if sold.pause != nil { return [.unpause, .unpause, .cancelNow] }
        return switch sold.status {
        case "trialing":
            [.endTrial, .endTrial, .endTrialUnpaid, .cancel, .warnOfTrialEnd, .cancelInPortal]
        case "incomplete": [.confirm, .confirm, .abandon]
        case "past_due": [.recover, .giveUp, .cancelUnpaid, .voidInvoice]
        case "unpaid": [.recover, .cancelUnpaid]
        case "paused": [.resume, .cancelNow]
        default:
            Array(repeating: .renew, count: 10) + [
                .cancel, .cancelInPortal, .failToRenew, .failToRenew, .pause, .pauseCollection,
                .change, .cancelNow, .deleteCustomer, .pauseSubscription,
            ]
        }
    }
}

extension StripeAction {
    /// Whether it happens when a period is over.
    fileprivate var isAtEnd: Bool {
        [.renew, .failToRenew, .expire, .endTrial, .endTrialUnpaid].contains(self)
    }
}

extension SoldSubscription {
    fileprivate var renewsByItself: Bool { status == "active" && !isEnding && pause == nil }
}
