/// Credits as a clerk with pencil and paper would keep them: lists, and one thing after another.
///
/// Time passes step by step: every hold and every pile ends at its own moment, in order, before
/// anything else happens. It shares no code with the core.
package struct CreditModel: Sendable {
    /// Credits of one source and one end.
    package struct Pile: Hashable, Sendable {
        /// Where they came from.
        package let source: String
        /// When they end; `Int64.max` for never.
        package let until: Int64
        /// How many.
        package var amount: Int64

        /// So many credits.
        package init(source: String, until: Int64, amount: Int64) {
            self.source = source
            self.until = until
            self.amount = amount
        }
    }

    struct Held: Sendable {
        let user: Int
        let until: Int64
        let isLease: Bool
        let parts: [Pile]
        /// How it ended; nil while it holds.
        var ending: (word: String, remaining: Int64)?
    }

    struct First: Sendable {
        let at: Int64
        /// Its place among first answers and refunds.
        let place: Int
        let fingerprint: String
        let answer: CreditAnswer
        /// Of a charge: what it took, until it is put back.
        var taken: [Pile]?
        var isCharge = false
    }

    struct Purse: Sendable {
        var piles: [Pile] = []
        var debt: Int64 = 0
        /// Of refunded packs, oldest refund first: what had been spent.
        var forgiven: [(pack: Int, place: Int, amount: Int64)] = []
        var isRegistered = false
        var freeUntil: Int64 = .min
        var firsts: [String: First] = [:]
    }

    struct PackPage: Sendable {
        var word: CreditPackWord
        var owner: Int?
        var credited: Int64?
        var creditedTo = 0
        var takenBack: Int64?
        /// Of so many credits there was a refund.
        var refunded: Int64 = 0
    }

    /// Sums over everybody, for the law.
    package struct Sums: Hashable, Sendable {
        /// Came in, by whatever way.
        package var given: Int64 = 0
        /// Went out for renders, or was taken by an admin; what was put back is subtracted.
        package var spent: Int64 = 0
        /// Ended unspent.
        package var ended: Int64 = 0
        /// Taken back, or owed, for refunded packs.
        package var takenBack: Int64 = 0
    }

    static let kept: Int64 = 30 * 86_400_000

    let freeCredits: Int64
    let owesRefunds: Bool
    var purses: [Purse]
    var held: [Held] = []
    /// The places in `held` of those that hold.
    var open: [Int] = []
    var packs: [Int: PackPage] = [:]
    var claimed: Set<Int> = []
    var notices: Set<Int> = []
    var now: Int64 = .min
    /// First answers and refunds so far.
    var places = 0
    /// What the law adds up.
    package internal(set) var sums = Sums()

    /// The books of so many users, all empty.
    package init(users: Int, freeCredits: Int64, owesRefunds: Bool) {
        self.freeCredits = freeCredits
        self.owesRefunds = owesRefunds
        purses = (0..<users).map { _ in Purse() }
    }

    /// What `user` can spend.
    package func balance(_ user: Int) -> Int64 {
        var sum: Int64 = 0
        for pile in purses[user].piles { sum += pile.amount }
        return sum
    }

    /// What is set aside of `user`.
    package func held(_ user: Int) -> Int64 {
        var sum: Int64 = 0
        for index in open where held[index].user == user {
            for part in held[index].parts { sum += part.amount }
        }
        return sum
    }

    /// What `user` owes.
    package func debt(_ user: Int) -> Int64 { purses[user].debt }

    /// The piles of `user`, soonest end first.
    package func piles(_ user: Int) -> [Pile] { purses[user].piles }

    /// The reservations that hold, by number.
    package var reservations: [Int] { open.map { $0 + 1 } }

    /// The reservations that hold and end with their connection, by number.
    package var leases: [Int] { open.filter { held[$0].isLease }.map { $0 + 1 } }

    /// Whether the books add up, and nobody has less than nothing.
    package var isLawful: Bool {
        let users = purses.indices
        let there = users.reduce(0) { $0 + balance($1) + held($1) - debt($1) }
        return sums.given - sums.spent - sums.ended - sums.takenBack == there
            && users.allSatisfy { balance($0) >= 0 && held($0) >= 0 && debt($0) >= 0 }
            && users.allSatisfy { debt($0) == 0 || balance($0) == 0 }
    }

    /// Time passes to `later`: whatever ends until then ends, one after the other.
    package mutating func pass(to later: Int64) {
        while true {
            var next = later
            var hold: Int?
            for index in open where held[index].until <= next {
                // Of those that end at once the oldest is first.
                if hold == nil || held[index].until < next { hold = index }
                next = held[index].until
            }
            var isPile = false
            for purse in purses {
                guard let end = purse.piles.first?.until, end <= next else { continue }
                next = end
                isPile = true
            }
            guard isPile || hold != nil else { break }
            now = next
            if isPile { dropEnded() } else if let hold { finish(hold, "expired", spending: 0) }
        }
        now = later
    }

    private mutating func dropEnded() {
        for user in purses.indices {
            while let pile = purses[user].piles.first, pile.until <= now {
                sums.ended += pile.amount
                purses[user].piles.removeFirst()
            }
        }
    }

    /// Puts credits in: dead ones are lost, a debt is paid, the rest joins its like.
    mutating func put(_ pile: Pile, _ user: Int) {
        guard pile.until > now else {
            sums.ended += pile.amount
            return
        }
        let paid = min(purses[user].debt, pile.amount)
        purses[user].debt -= paid
        let rest = pile.amount - paid
        guard rest > 0 else { return }
        for index in purses[user].piles.indices
        where purses[user].piles[index].source == pile.source
            && purses[user].piles[index].until == pile.until
        {
            purses[user].piles[index].amount += rest
            return
        }
        let place = purses[user].piles.filter { $0.until <= pile.until }.count
        purses[user].piles
            .insert(
                Pile(source: pile.source, until: pile.until, amount: rest),
                at: place
            )
    }

    /// Takes up to `amount`, soonest end first; those of `source` before, where one is named.
    mutating func take(_ amount: Int64, _ user: Int, first source: String? = nil) -> [Pile] {
        var missing = amount
        var parts: [Pile] = []
        let old = purses[user].piles
        let order = old.filter { $0.source == source } + old.filter { $0.source != source }
        for pile in order where missing > 0 {
            let taken = min(pile.amount, missing)
            missing -= taken
            parts.append(Pile(source: pile.source, until: pile.until, amount: taken))
        }
        for part in parts {
            for index in purses[user].piles.indices
            where purses[user].piles[index].source == part.source
                && purses[user].piles[index].until == part.until
            {
                purses[user].piles[index].amount -= part.amount
            }
        }
        purses[user].piles.removeAll { $0.amount == 0 }
        return parts
    }

    /// A hold ends; all but the first `amount` of it goes back.
    mutating func finish(_ index: Int, _ word: String, spending amount: Int64) {
        var spent = amount
        sums.spent += amount
        // From here on it no longer holds; what remains is known below.
        held[index].ending = (word, 0)
        open.removeAll { $0 == index }
        for part in held[index].parts {
            let gone = min(spent, part.amount)
            spent -= gone
            guard gone < part.amount else { continue }
            let back = Pile(source: part.source, until: part.until, amount: part.amount - gone)
            put(back, held[index].user)
        }
        held[index].ending = (word, balance(held[index].user))
    }
}
