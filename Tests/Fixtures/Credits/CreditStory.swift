/// Random steps about few users, keys, reservations and packs, so that they meet.
package struct CreditStory<Random: RandomNumberGenerator>: Sendable where Random: Sendable {
    /// How many users there are.
    package static var users: Int { 3 }
    private static var packsMax: Int { 40 }

    private var random: Random
    private var earlier: [CreditStep] = []
    private var reservations = 0
    private var charges: [[String]]
    private var numbers = 0
    private var opening = 1
    /// Ms that pass at once, seldom.
    private static var leap: Int64 { 5 * 86_400_000 }
    /// Nothing ends while it is told: for a daemon, whose clock is not ours.
    private let isTimeless: Bool

    /// A story that `random` tells.
    package init(_ random: Random, isTimeless: Bool = false) {
        self.random = random
        self.isTimeless = isTimeless
        charges = (0..<Self.users).map { _ in [] }
    }

    /// How long it is until the next step, in ms.
    package mutating func pause() -> Int64 {
        switch pick(400) {
        case 0: Self.leap
        case 1..<200: 0
        case 200..<230: 1
        default: Int64(pick(3_000))
        }
    }

    /// A moment to look forward to, in ms from now; nil after most steps.
    package mutating func outlook() -> Int64? { pick(4) == 0 ? Int64(pick(30_000)) : nil }

    /// Counts a reservation that was made.
    package mutating func made(_ answer: CreditAnswer) {
        if case .reserved(_, let number?, _, false) = answer {
            reservations = max(reservations, number)
        }
    }

    /// The next step, at `now`.
    package mutating func step(at now: Int64) -> CreditStep {
        if !earlier.isEmpty, pick(10) == 0 {
            return earlier[max(0, earlier.count - 1 - pick(40))]
        }
        let step = fresh(now)
        earlier.append(step)
        if earlier.count > 400 { earlier.removeFirst(200) }
        return step
    }

    private mutating func fresh(_ now: Int64) -> CreditStep {
        let user = pick(Self.users)
        switch pick(24) {
        case 0: return .register(user: user)
        case 1...3:
            let span = isTimeless ? (pick(9) + 1) * 86_400_000 : pick(20_000) / 500 * 500
            let until = pick(2) == 0 ? nil : now + Int64(span)
            let source = ["gift", "promo", "bonus"][pick(3)]
            return .grant(
                user: user,
                amount: Int64(pick(9) + 1),
                until: until,
                source: source,
                key: key()
            )
        case 4:
            return .adjust(user: user, amount: [-9, -3, -1, 1, 4][pick(5)], key: key())
        case 5...9:
            let key = key()
            charges[user].append(key)
            if charges[user].count > 60 { charges[user].removeFirst(30) }
            return .consume(user: user, amount: Int64(pick(7) + 1), key: key)
        case 10...12:
            return .reserve(
                user: user,
                amount: Int64(pick(6) + 1),
                milliseconds: Int64(pick(20) + 1) * (isTimeless ? 3_600_000 : 500),
                isLease: pick(2) == 0,
                key: key()
            )
        case 13, 14:
            let amount: Int64? = pick(3) == 0 ? nil : Int64(pick(5) + 1)
            return .commit(reservation: reservation(), amount: amount)
        case 15: return .release(reservation: reservation())
        case 16: return .disconnect(reservation: reservation())
        case 17, 18:
            let charge =
                charges[user].isEmpty || pick(20) == 0
                ? "never" : charges[user][max(0, charges[user].count - 1 - pick(12))]
            return .reverse(user: user, charge: charge, key: key())
        case 19:
            guard !isTimeless, pick(6) == 0 else { return .notice(id: number(), words(1)) }
            return .unlimited(user: user, until: now + Int64(pick(4_000) + 1), key: key())
        case 20, 21: return .notice(id: number(), words(pick(8) == 0 ? 2 : 1))
        case 22: return .verify(user: user, word())
        default:
            let words = words(3).filter { $0.buyer == user }
            return words.isEmpty ? .notice(id: number(), words) : .restore(user: user, words)
        }
    }

    private mutating func words(_ count: Int) -> [CreditPackWord] {
        (0..<count).map { _ in word() }
    }

    /// About one of the packs bought lately; now and then a new one is.
    private mutating func word() -> CreditPackWord {
        if pick(16) == 0 { opening += 1 }
        let pack = max(1, opening - pick(Self.packsMax) / 4)
        // Mostly newer than what was said before, sometimes older, never at the same moment.
        let number = number()
        let place = number - (pick(6) == 0 ? pick(40) : 0)
        let signed = Int64(place * 10_000 + number % 10_000)
        return CreditPackWord(
            pack: pack,
            buyer: pack % Self.users,
            product: pack % 5 == 0 ? "pack.ten" : "pack.two",
            quantity: pack % 7 == 0 ? 3 : 1,
            signed: signed,
            isRevoked: pick(3) == 0,
            share: [100_000, 100_000, 100_000, 33_333, 66_667, 0][pick(6)]
        )
    }

    private mutating func number() -> Int {
        numbers += 1
        return numbers
    }

    /// A new key, or one that was used.
    private mutating func key() -> String {
        "k\(pick(25) == 0 ? max(0, numbers - pick(30)) : number())"
    }

    /// One of the last that were made; 0 is none.
    private mutating func reservation() -> Int { max(0, reservations - pick(6)) }

    private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
}
