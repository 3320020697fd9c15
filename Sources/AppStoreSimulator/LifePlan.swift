import Randomness

/// What one customer of a run does next: chance decides, with a seed.
struct LifePlan: Sendable {
    private var chance: SplitMix64
    private var monthsLeft: Int
    private var actionsLeft: Int
    /// Whether rarer things happen, too.
    private let hasStories: Bool

    /// The life of the customer of this number; with `stories` rarer things happen in it, too.
    init(seed: UInt64, number: UInt64, months: Int, stories: Bool = false) {
        hasStories = stories
        chance = SplitMix64(seed: seed, stream: number)
        monthsLeft = months
        actionsLeft = months * SimulatorLimits.actionsPerMonthMax + 1
    }

    /// Something to do, and when.
    struct Step: Sendable {
        var moment: Int64
        var action: StoreAction
        var words = ActionWords()
        /// The user of the app who buys from then on with the same Apple account; nil: as before.
        var token: String?

        /// Lets it happen to `subscriber`; where it is refused, nothing does.
        func happen(
            to subscriber: inout Subscriber,
            _ till: inout Till
        ) throws(StoreRefusal) -> SimulatedNotification {
            var changed = subscriber
            if let token { changed.token = token }
            let notification = try changed.perform(action, words, &till)
            subscriber = changed
            return notification
        }
    }

    /// The next step of this customer; nil at the end of the life.
    mutating func next(for subscriber: Subscriber, _ settings: StoreSettings, now: Int64) -> Step? {
        guard monthsLeft > 0, actionsLeft > 0 else { return nil }
        actionsLeft -= 1
        let step = step(for: subscriber, settings, now: now)
        switch step?.action {
        case .subscribe, .resubscribe, .renew, .recover, .upgrade: monthsLeft -= 1
        default: break
        }
        return step
    }

    private mutating func step(
        for subscriber: Subscriber,
        _ settings: StoreSettings,
        now: Int64
    ) -> Step? {
        let time = settings.time
        let end = subscriber.paidUntil(at: now) ?? now
        switch subscriber.status(at: now) {
        case nil:
            var step = Step(
                moment: moment(from: now, to: now + time.monthMilliseconds),
                action: .subscribe
            )
            if hasStories, let year = yearly(settings), chance.happens(0.1) {
                step.words.product = year
                step.words.isMonthly = true
            } else if chance.happens(0.5) {
                step.words.trial = Period(1, .week)
            }
            return step
        case 1: return paidStep(for: subscriber, settings, now: now, end: end)
        case 4:
            let graceEnd = subscriber.renewal?.graceUntil ?? now
            if chance.happens(0.7) {
                return Step(moment: moment(from: now, to: graceEnd), action: .recover)
            }
            return Step(moment: graceEnd + 1, action: .graceExpires)
        case 3:
            if chance.happens(0.6) {
                return Step(moment: now + time.milliseconds(days: 5), action: .recover)
            }
            return Step(moment: now + time.milliseconds(days: 30), action: .expire)
        case 2 where subscriber.renewal?.expirationIntent == nil:
            return endedStep(for: subscriber, time, now: now)
        default:
            guard chance.happens(0.6) else { return nil }
            return returnStep(time, now: now)
        }
    }

    /// A lapsed customer buys again.
    private mutating func returnStep(_ time: StoreTime, now: Int64) -> Step {
        var step = Step(moment: now, action: .resubscribe)
        if hasStories, chance.happens(0.3) {
            // A former life: a year goes by.
            step.moment += time.milliseconds(days: 360)
        } else {
            step.moment = moment(from: now, to: now + time.milliseconds(days: 20))
        }
        if hasStories, chance.happens(0.2) {
            // Another account of the app on the same device.
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
            step.token = Self.token(bytes)
        }
        return step
    }

    /// A UUID of these 16 bytes, as it stands in documents.
    private static func token(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return parts.joined(separator: "-")
    }

    /// The product for a year that comes first; nil where none is sold.
    private func yearly(_ settings: StoreSettings) -> String? {
        settings.products.first { $0.period == Period(1, .year) }?.id
    }

    /// Something rarer, in a paid period; nil where nothing of it is possible.
    private mutating func story(
        for subscriber: Subscriber,
        _ settings: StoreSettings,
        now: Int64
    ) -> Step? {
        let announced = subscriber.transactions.first { $0.purchaseDate > now && !$0.isUpgraded }
        if let announced {
            let before = moment(from: now, to: announced.purchaseDate - 1)
            if chance.happens(0.5) {
                let step = change(subscriber, settings, before)
                return step.action == .upgrade ? step : nil
            }
            guard announced.revocation == nil, chance.happens(0.3) else { return nil }
            var step = Step(moment: before, action: .refund)
            step.words.transaction = .announced
            return step
        }
        guard let current = subscriber.current(at: now), let end = current.expiresDate else {
            return nil
        }
        let during = moment(from: now, to: max(now, end - 1))
        switch Int.random(in: 0..<40, using: &chance) {
        case 0: return Step(moment: during, action: .migrate)
        case 1:
            var step = Step(moment: during, action: .refund)
            step.words.percentage = 40
            return step
        case 2:
            if let pack = subscriber.purchases.last, pack.quantity > 1, pack.revocation == nil {
                var step = Step(moment: during, action: .refund)
                step.words.transaction = .purchase
                step.words.units = 1
                return step
            }
            guard let pack = settings.products.first(where: { $0.kind == .consumable }) else {
                return nil
            }
            var step = Step(moment: during, action: .buy)
            step.words.product = pack.id
            step.words.quantity = 3
            return step
        case 3: return Step(moment: during, action: .refundItem)
        default: return nil
        }
    }

    /// In a paid period: usually the next one, sometimes something before it.
    private mutating func paidStep(
        for subscriber: Subscriber,
        _ settings: StoreSettings,
        now: Int64,
        end: Int64
    ) -> Step {
        if hasStories, let story = story(for: subscriber, settings, now: now) { return story }
        guard subscriber.renewal?.isOn == true else {
            if chance.happens(0.2) {
                return Step(moment: moment(from: now, to: end - 1), action: .resume)
            }
            return Step(moment: end + settings.time.milliseconds(hours: 1), action: .expire)
        }
        let during = moment(from: now, to: end - 1)
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<60:
            // Billing is attempted within the last day of a period.
            let day = settings.time.milliseconds(days: 1)
            return Step(
                moment: max(now, end - Int64.random(in: 0...day, using: &chance)),
                action: .renew
            )
        case 60..<70: return Step(moment: during, action: .cancel)
        case 70..<82:
            var step = Step(moment: end, action: .failToRenew)
            step.words.hasNoGrace = chance.happens(0.3)
            return step
        case 82..<88: return change(subscriber, settings, during)
        case 88..<91: return Step(moment: during, action: .refund)
        case 91..<94:
            guard let pack = settings.products.first(where: { $0.kind == .consumable }) else {
                return Step(moment: during, action: .consumptionRequest)
            }
            var step = Step(moment: during, action: .buy)
            step.words.product = pack.id
            return step
        case 94..<97: return Step(moment: during, action: .consumptionRequest)
        default: return Step(moment: during, action: .priceIncrease)
        }
    }

    /// A period is over and nothing was said yet.
    private mutating func endedStep(
        for subscriber: Subscriber,
        _ time: StoreTime,
        now: Int64
    ) -> Step {
        guard subscriber.renewal?.isOn == true else { return Step(moment: now, action: .expire) }
        return Step(moment: now, action: chance.happens(0.5) ? .renew : .failToRenew)
    }

    /// Up where there is something higher, else down.
    private func change(
        _ subscriber: Subscriber,
        _ settings: StoreSettings,
        _ moment: Int64
    ) -> Step {
        let product = subscriber.current(at: moment)?.product
        let others = settings.products.filter {
            $0.kind == .autoRenewable && $0.period == product?.period
        }
        var step = Step(moment: moment, action: .consumptionRequest)
        if let higher = others.first(where: { $0.rank > product?.rank ?? 0 }) {
            step.action = .upgrade
            step.words.product = higher.id
        } else if let lower = others.first(where: { $0.rank < product?.rank ?? 0 }) {
            step.action = .downgrade
            step.words.product = lower.id
        }
        return step
    }

    private mutating func moment(from start: Int64, to end: Int64) -> Int64 {
        Int64.random(in: start...max(start, end), using: &chance)
    }
}
