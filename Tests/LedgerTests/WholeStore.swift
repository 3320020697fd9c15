import Entitlements
import Journal
import Testing

@testable import Ledger

/// A store with at least two rows in every table, made by commands.
enum WholeStore {
    /// The commands, batch by batch; time passes between the batches, so that alarms fire.
    static func make(_ directory: String, hands: HandClock = HandClock()) throws {
        let now = hands.wall
        var batches: [[WriteOrder.Kind]] = [
            [.install(shop(), stamp(1))],
            try [registration(0, showing: 0), registration(1)].map { .command($0) },
            [
                notification(1, signed: now, [purchase(1, from: now, token: try token(0))]),
                notification(
                    2,
                    signed: now,
                    [purchase(2, from: now + 40 * day, token: try token(1))]
                ),
                notification(3, signed: now, [purchase(3, from: now, token: try token(77))]),
                notification(4, signed: now, [purchase(4, from: now, token: try token(78))]),
            ]
            .map { .command($0) },
            [.install(shop(), stamp(2))],
            try [pack(20, now), pack(21, now), grant("ann", key: 9)].map { .command($0) },
            try [credits("fred"), credits("gus")].map { .command($0) },
            [.install(shop(), stamp(3))],
            try [registration(60), registration(61)].map { .command($0) },
            try ["user 60", "user 61"]
                .map { name in
                    let order = ErasureOrder(user: try user(name), secret: HashKey(1, 2))
                    return .command(.erase(order))
                },
        ]
        do {
            let bench = try WriterBench(directory, clock: hands.clock, source: shop())
            #expect(bench.run(batches).gaveUp == nil)
        }
        batches = try [["cy", "dan"], ["eve"], ["fay"]]
            .map { names in try names.map { .command(try grant($0, key: 30)) } }
        batches[1].append(.command(try registration(1, showing: 1)))
        batches[1] += try [merger("cy", "ann"), merger("guest", "dan")].map { .command($0) }
        // Last, because a start returns what was held for connections.
        batches[2] += try [lease("fred", 1), lease("gus", 2)].map { .command($0) }
        batches[2] += try [refused("fred"), refused("gus")].map { .command($0) }
        for batch in batches {
            hands.advance(31 * day)
            let bench = try WriterBench(directory, clock: hands.clock)
            #expect(bench.run([batch]).gaveUp == nil)
        }
    }

    static func shop() -> Policy.Source {
        var source = tariff()
        source.creditPacks = ["pack.ten": 10]
        return source
    }

    static func credits(_ name: String) throws -> Command.Kind {
        let user = try user(name)
        return .credit(
            CreditOrder(
                user: user,
                amount: 10,
                key: IdempotencyKey(user: user, digest: digest(40)),
                fingerprint: digest(40),
                until: nil,
                source: "promo",
                reason: "",
                isAdjustment: false
            )
        )
    }

    /// Asks for more credits than are there: an answer that stands beside no account.
    static func refused(_ name: String) throws -> Command.Kind {
        let user = try user(name)
        let key = IdempotencyKey(user: user, digest: digest(60))
        return .charge(Charge(user: user, amount: 1_000, key: key, fingerprint: digest(name.count)))
    }

    /// One account goes into another.
    static func merger(_ from: String, _ into: String) throws -> Command.Kind {
        let into = try user(into)
        return .merge(
            MergeOrder(
                from: try user(from),
                into: into,
                token: nil,
                key: IdempotencyKey(user: into, digest: digest(70)),
                fingerprint: digest(70)
            )
        )
    }

    /// Holds a credit of a user whom nothing else lets in.
    static func lease(_ name: String, _ number: Int) throws -> Command.Kind {
        let user = try user(name)
        let charge = Charge(
            user: user,
            amount: 1,
            key: IdempotencyKey(user: user, digest: digest(50 + number)),
            fingerprint: digest(50 + number)
        )
        return .reserve(
            ReservationOrder(
                charge: charge,
                milliseconds: 400 * day,
                isLease: true,
                id: drawnID()
            )
        )
    }

    private static func pack(_ number: Int, _ now: Int64) throws -> Command.Kind {
        var fact = purchase(number, from: now, token: try token(0))
        fact.transaction?.productID = "pack.ten"
        fact.transaction?.kind = "Consumable"
        fact.transaction?.expires = nil
        fact.transaction?.quantity = Int64(number)
        return notification(number, signed: now, [fact])
    }
}
