import Entitlements
import Glibc
import Ledger
import Synchronization

/// A store with many rows of every kind, so that what a row takes can be measured: see
/// contrib/bench/rows.py.
struct RowStore {
    private static let day: Int64 = 86_400_000
    /// Commands that are submitted together.
    private static let batchMax = 2_000
    private let ledger: Ledger
    private let count: Int
    private let wall: Hand

    /// A clock that is set by hand.
    private final class Hand: Sendable {
        let wall = Atomic<Int64>(1_000 * Int64(time(nil)))
    }

    init(_ directory: String, count: Int) throws {
        self.count = count
        let hand = Hand()
        wall = hand
        var source = Policy.Source()
        source.plans = []
        source.creditPacks = ["pack": 100]
        let clock = LedgerClock(
            wall: { hand.wall.load(ordering: .relaxed) },
            monotonic: { hand.wall.load(ordering: .relaxed) }
        )
        let options = Ledger.Options(directory: directory, mapSizeGiB: 16, clock: clock)
        ledger = try Ledger.open(options, source: source) { fatalError("gave up: \($0)") }
    }

    /// Fills it, in the order in which apps do: nothing arrives sorted by user.
    func fill(charges: Int) {
        tell { .register(Registration(user: $0.user, token: $0.token)) }
        tell { .record($0.notification("sub", $0.token, at: now)) }
        tell { .record($0.notification("pack", $0.token, at: now)) }
        tell { .record($0.notification("nobody", $0.strange, at: now)) }
        for number in 0..<charges { tell { .charge($0.charge(number)) } }
        tell {
            .reserve(
                ReservationOrder(
                    charge: $0.charge(-1),
                    milliseconds: 60_000,
                    isLease: false,
                    id: Reservation.id(of: $0.mixed(7))
                )
            )
        }
        for person in 0..<min(count, 20) {
            let order = ErasureOrder(user: Person(person).user, secret: HashKey(1, 2))
            submit([.erase(order)])
        }
        // The subscriptions end, and the reservations: that is told of in ticks.
        wall.wall.add(31 * Self.day, ordering: .relaxed)
        for _ in 0..<(4 * count / 1_000 + 8) {
            submit([.revokeGrant(.init(user: Person(0).user, grant: 0, reason: ""))])
        }
        ledger.stop()
    }

    private var now: Moment { Moment(wall.wall.load(ordering: .relaxed)) }

    private func tell(_ kind: (Person) -> Command.Kind) {
        for first in stride(from: 0, to: count, by: Self.batchMax) {
            submit((first..<min(first + Self.batchMax, count)).map { kind(Person($0)) })
        }
    }

    private func submit(_ kinds: [Command.Kind]) {
        let turnstile = Turnstile()
        ledger.submit(
            kinds.map { kind in
                WriteOrder(kind) { result in
                    guard case .success = result else { fatalError("\(result)") }
                    turnstile.open()
                }
            }
        )
        for _ in kinds { turnstile.wait() }
    }
}

/// Somebody, with ids that look like an app's.
private struct Person {
    let number: Int

    init(_ number: Int) { self.number = number }

    var user: UserID {
        guard let user = UserID(name(number)) else { fatalError("no user id") }
        return user
    }

    var token: Token { made(1) }
    /// Of nobody.
    var strange: Token { made(2) }

    private func made(_ salt: UInt64) -> Token {
        guard let token = Token(high: mixed(salt), low: mixed(salt + 10) | 1 << 63) else {
            fatalError("no token")
        }
        return token
    }

    /// Bits that look drawn (Steele, Lea and Flood, 2014).
    func mixed(_ salt: UInt64) -> UInt64 {
        var bits = (UInt64(number) &+ salt << 40) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    private func digest(_ salt: UInt64) -> Digest256 {
        Digest256(mixed(salt), mixed(salt + 1), mixed(salt + 2), mixed(salt + 3))
    }

    func charge(_ key: Int) -> Charge {
        let salt = UInt64(1_000 + 10 * key)
        return Charge(
            user: user,
            amount: 1,
            key: IdempotencyKey(user: user, digest: digest(salt)),
            fingerprint: digest(salt + 4)
        )
    }

    func notification(_ kind: String, _ token: Token, at now: Moment) -> Notification {
        let salt = UInt64(kind.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFFF) + 100
        let id = String(2_000_000_000_000_000 + mixed(salt) % 1_000_000_000_000)
        var fact = TransactionFact(
            id: id,
            version: Version(signed: now, digest: digest(salt)),
            productID: kind == "pack" ? "pack" : "com.example.app.monthly",
            purchased: now
        )
        fact.token = token
        if kind == "pack" {
            fact.kind = "Consumable"
        } else {
            fact.kind = "Auto-Renewable Subscription"
            fact.expires = now.advanced(byMilliseconds: 30 * 86_400_000)
        }
        let key = SubscriptionKey(store: .appStore, environment: .production, originalID: id)
        return Notification(
            id: NotificationID(signed: now, digest: digest(salt + 4)),
            type: kind == "pack" ? "ONE_TIME_CHARGE" : "SUBSCRIBED",
            subtype: "",
            document: digest(salt),
            facts: [Fact(key: key, transaction: fact)]
        )
    }
}
