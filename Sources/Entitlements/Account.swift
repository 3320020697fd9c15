/// Everything remembered about one user.
///
/// Its front is the answer record.
package struct Account: Hashable, Sendable {
    /// Whose it is.
    package let user: UserID
    /// When the first write named the user.
    package let opened: Moment
    /// The flat front.
    package var answer = Answer()
    /// The credits; `answer` holds their front.
    package var purse = Purse()
    /// The subscriptions and purchases owned, sorted; a slot's ordinal is a place in here.
    package var subscriptions: [SubscriptionKey] = []
    /// The user's tokens, sorted.
    package var tokens: [Token] = []
    /// The latest first answers, oldest first; earlier ones are rows of their own.
    package var firstAnswers: [FirstAnswer] = []
    /// The accounts that went into this one, in their order.
    package var formers: [UserID] = []
    /// The journal position of the last entry about this account; 0 before the first.
    package var lastSeq: UInt64 = 0
    /// Where the history of this account can be entered.
    package var chain = Chain()

    /// The account of a user of whom nothing else is known.
    package init(user: UserID, opened: Moment) {
        self.user = user
        self.opened = opened
    }

    /// Takes in what `event` says of the purse, and brings the front up to it.
    mutating func absorb(_ event: Event, at moment: Moment) {
        purse.absorb(event, at: moment)
        (answer.credits, answer.balances) = purse.front
    }

    /// Puts the eras of an owned subscription in the place of those that were there.
    mutating func put(_ eras: [Slot], of key: SubscriptionKey) {
        guard makesRoom(forDated: eras, of: key) else { return }
        defer { noteDated() }
        let eras = makesRoom(for: eras, of: key) ? eras : []
        let place = subscriptions.firstIndex { !($0 < key) } ?? subscriptions.endIndex
        if place == subscriptions.endIndex || subscriptions[place] != key {
            // One more is kept as facts, but no longer counts: a row must stay a row.
            guard subscriptions.count < Limits.subscriptionsMax else { return }
            // A user who buys many packs must not crowd out their own subscription.
            guard !eras.isEmpty || subscriptions.count - slotted < Limits.purchasesListedMax else {
                return
            }
            subscriptions.insert(key, at: place)
            for index in answer.slots.indices where answer.slots[index].ordinal >= place {
                answer.slots[index].ordinal += 1
            }
        }
        answer.slots.removeAll { $0.ordinal == place }
        let before = answer.slots.firstIndex { $0.ordinal > place } ?? answer.slots.endIndex
        let placed = eras.map { era in
            var slot = era
            slot.ordinal = UInt16(place)
            return slot
        }
        answer.slots.insert(contentsOf: placed, at: before)
    }

    /// Whether `eras` may count; makes room where there is none, by putting away what ended first.
    ///
    /// A pass that is bought each day is a purchase each day: a user who has had hundreds must not
    /// lose today's. What is put away stays listed for as long as the list has room.
    private mutating func makesRoom(for eras: [Slot], of key: SubscriptionKey) -> Bool {
        // Nearly always there is room, and each message about a purchase asks.
        if answer.slots.count + eras.count <= Limits.slotsMax,
            subscriptions.count < Limits.subscriptionsMax
        {
            return true
        }
        guard let end = eras.map(\.end).max() else { return true }
        while true {
            let own = subscriptions.firstIndex(of: key).map { UInt16($0) }
            let others = answer.slots.filter { $0.ordinal != own }
            let isListed = own != nil || subscriptions.count < Limits.subscriptionsMax
            if others.count + eras.count <= Limits.slotsMax, isListed { return true }
            var ends: [UInt16: Moment] = [:]
            for slot in others {
                ends[slot.ordinal] = max(ends[slot.ordinal] ?? .distantPast, slot.end)
            }
            let first = ends.min { ($0.value, $0.key) < ($1.value, $1.key) }
            guard let first, first.value < .distantFuture else { return false }
            let oldest = subscriptions[Int(first.key)]
            guard (first.value, oldest) < (end, key) else { return false }
            if isListed {
                answer.slots.removeAll { $0.ordinal == first.key }
            } else {
                remove(oldest)
            }
        }
    }

    /// How many subscriptions have a slot.
    private var slotted: Int {
        var (count, last) = (0, -1)
        for slot in answer.slots where Int(slot.ordinal) != last {
            last = Int(slot.ordinal)
            count += 1
        }
        return count
    }

    /// Forgets a subscription that has another owner now.
    ///
    /// Sticky flags stay.
    mutating func remove(_ key: SubscriptionKey) {
        guard let place = subscriptions.firstIndex(of: key) else { return }
        subscriptions.remove(at: place)
        answer.slots.removeAll { $0.ordinal == place }
        defer { noteDated() }
        for index in answer.slots.indices where answer.slots[index].ordinal > place {
            answer.slots[index].ordinal -= 1
        }
    }
}
