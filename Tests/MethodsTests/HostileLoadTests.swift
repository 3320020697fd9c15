import Chance
import Entitlements
import JSON
import Testing
import Threads

@testable import Ledger
@testable import Methods

/// Rows that an admin loads are taken as a dump writes them, or refused: what was taken traps
/// nothing later, whatever is asked and done with it.
///
/// Where something traps, this process ends by a signal.
struct HostileLoadTests {
    private static let start: Int64 = 1_750_000_000_000
    private static let people = 12

    @Test(arguments: 0..<4) func `whatever is loaded traps nothing later`(_ round: Int) throws {
        let seed = Seed.told(round: round)
        var random = SplitMix64(seed: seed)
        var life = YearOfLife(SplitMix64(seed: ~seed), users: Self.people)
        var source = life.catalog()
        // In some rounds a user id that is a UUID is a token: accounts may begin by themselves.
        source.userIDIsToken = round % 2 == 1
        let first = try Stage(startingAt: Self.start)
        try first.install(source)
        try Self.live(&life, on: first, commands: 600)
        let entries = try Self.dump(first)
        let second = try Stage(startingAt: first.now.milliseconds)
        try second.install(source)
        var (taken, refused) = (0, 0)
        for _ in 0..<4_000 {
            var entry = random.pick(entries)
            for _ in 0..<random.pick(4) { entry = Self.mutated(entry, among: entries, &random) }
            guard !RowReading.isPassedOver(entry) else { continue }
            guard let row = try? RowReading.row(entry).row else {
                refused += 1
                continue
            }
            if case .success = try second.say(.load([row])) { taken += 1 }
        }
        #expect(taken > 500 && refused > 500, "\(taken) taken, \(refused) refused")
        try Self.live(&life, on: second, commands: 600)
        try Self.look(at: second)
        for user in YearOfLife.users.prefix(Self.people / 2) {
            let order = ErasureOrder(user: user, secret: HashKey(random.next(), random.next()))
            _ = try second.say(.erase(order))
        }
        // What has an end has ended.
        second.pass(40 * YearOfLife.day)
        try Self.live(&life, on: second, commands: 200)
        try Self.look(at: second)
    }

    @Test func `what is no name, no amount and no id of a dump is refused`() {
        func isTaken(_ table: String, _ key: String, _ value: JSONValue) -> Bool {
            let entry: JSONValue = ["table": .string(table), "key": .string(key), "value": value]
            return (try? RowReading.row(entry)) != nil
        }
        func pack(_ amount: Int64, _ takenBack: Int64) -> JSONValue {
            [
                "userId": "ann", "source": "pack:p", "amount": .integer(amount),
                "takenBack": .integer(takenBack),
            ]
        }
        let key = "app_store/Production/1"
        #expect(isTaken("packs", key, pack(10, 10)))
        for (amount, takenBack) in [(10, 11), (10, -1), (-1, 0), (.max, .max)] as [(Int64, Int64)] {
            #expect(!isTaken("packs", key, pack(amount, takenBack)), "\(amount), \(takenBack)")
        }
        let lease: JSONValue = ["userId": "ann"]
        for name in ["r1", "r\(Int64.max)"] { #expect(isTaken("leases", name, lease)) }
        for name in ["r0", "r\(UInt64(Int64.max) + 1)", "r-1"] {
            #expect(!isTaken("leases", name, lease), "\(name)")
        }
        for name in [
            "", "\u{1}", String(repeating: "1", count: MethodLimits.loadedNameBytesMax + 1),
        ] {
            #expect(!isTaken("packs", "app_store/Production/" + name, pack(10, 0)), "\(name)")
        }
        func bearer(_ name: String) -> JSONValue {
            [
                "transactions": [], "everEntitled": true, "tokens": [], "sharedWith": [],
                "newestToken": [
                    "appAccountToken": "abcdabcd-0000-8000-8000-00000000000f",
                    "transactionId": .string(name), "purchaseDate": 1, "signedDate": 1,
                    "digest": .string(String(repeating: "0", count: 64)),
                ],
            ]
        }
        let most = MethodLimits.loadedNameBytesMax
        #expect(isTaken("subscriptions", key, bearer(String(repeating: "1", count: most))))
        for name in ["", "a\u{1b}", String(repeating: "1", count: most + 1)] {
            #expect(!isTaken("subscriptions", key, bearer(name)), "\(name)")
        }
    }

    /// What was dumped is read back: a row that is here is taken again only where it says the same.
    @Test func `every row of a dump is loaded as it was`() throws {
        let stage = try Stage(startingAt: Self.start)
        var life = YearOfLife(SplitMix64(seed: Seed.told()), users: Self.people)
        try stage.install(life.catalog())
        try Self.live(&life, on: stage, commands: 600)
        for entry in try Self.dump(stage) where !RowReading.isPassedOver(entry) {
            let text = String(decoding: entry.bytes, as: UTF8.self)
            let row: LoadedRow
            do {
                row = try RowReading.row(entry).row
            } catch {
                Issue.record("\(error.sentence): \(text)")
                continue
            }
            #expect(try stage.order(.load([row])).outcome == .loaded(count: 1), "\(text)")
        }
    }

    private static func live(
        _ life: inout YearOfLife,
        on stage: Stage,
        commands: Int
    ) throws {
        for _ in 0..<commands {
            stage.pass(3_600_000)
            let kind = life.command(at: stage.now)
            if case .success(let receipt) = try stage.say(kind) {
                life.heard(receipt.outcome, of: kind)
            }
        }
    }

    /// Every row, as `dump` writes it.
    private static func dump(_ stage: Stage) throws -> [JSONValue] {
        let reader = try LedgerReader(stage.ledger)
        try reader.wake()
        defer { reader.rest() }
        let names = try reader.numbering().names
        return try TableName.allCases.flatMap { table in
            try reader.rows(of: table, count: 1_000)
                .map { row in
                    [
                        "table": .string(table.rawValue), "key": RowView.key(row.key),
                        "value": RowView.value(of: row, names),
                    ]
                }
        }
    }

    /// Asks everything that can be asked about everybody.
    private static func look(at stage: Stage) throws {
        let users = try dump(stage).filter { $0["table"] == "accounts" }
            .compactMap { $0["value"]?["userId"]?.string.flatMap { UserID($0) } }
        let reader = try LedgerReader(stage.ledger)
        try reader.wake()
        defer { reader.rest() }
        for user in users {
            for moment in [stage.now, Moment(0), .distantPast, .distantFuture] {
                let view = try StatusView(of: user, reader, at: moment)
                _ = (view.status, view.entitlement, Explanation(view).object)
                _ = view.account?.purse.settled(at: moment).balance(at: moment)
                _ = view.account?.purse.held(at: moment)
            }
            // A history may say that it is not whole; it may not trap.
            guard var chronicle = try? Chronicle(of: user, reader) else { continue }
            _ = try? chronicle.turns(until: stage.now)
            _ = try? reader.tracesBesideAnswers(of: user)
        }
    }

    // MARK: Mutations

    private static let hostile: [JSONValue] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(-1), .integer(1),
        .integer(1 << 31), .integer(1_000_000_000), .integer(1_000_000_001), .integer(1 << 46),
        .integer((1 << 46) + 1), .integer(1 << 53), .integer((1 << 53) + 1), .integer(.max),
        .integer(.min), .string(""), .string("\u{1}basic"), .string("a\u{1b}[31m"),
        .string("app_store/Production/1"), .string("app_store/Production/"),
        .string(String(repeating: "x", count: 300)), .string(String(repeating: "y", count: 40_000)),
        .string("abcdabcd-0000-8000-8000-00000000000f"), .string("r1"), .string("g1"),
        .string("r\(UInt64.max)"), .string("g\(UInt64.max)"), .string("r\(Int64.max)"),
        .string("0000-01-01T00:00:00.000Z"), .string("9999-12-31T23:59:59.999Z"),
        .string("reserved"), .string("consumed"), .string("granted"), .string("committed"),
        .array([]), .object([:]),
    ]

    /// The value with one of its parts replaced, repeated, or taken from another row.
    private static func mutated(
        _ value: JSONValue,
        among entries: [JSONValue],
        _ random: inout SplitMix64
    ) -> JSONValue {
        switch value {
        case .object(var object) where !object.members.isEmpty && !random.isOne(in: 12):
            let name = random.pick(object.keys)
            switch random.pick(10) {
            case 0: object[name] = nil
            case 1: object[name] = random.pick(entries)["value"]?[name] ?? .null
            default: object[name] = mutated(object[name] ?? .null, among: entries, &random)
            }
            return .object(object)
        case .array(var list) where !list.isEmpty && !random.isOne(in: 12):
            let place = random.pick(list.count)
            switch random.pick(8) {
            case 0: list.remove(at: place)
            case 1: list.reverse()
            case 2: list += Array(repeating: list[place], count: random.pick([1, 9, 70, 5_000]))
            default: list[place] = mutated(list[place], among: entries, &random)
            }
            return .array(list)
        default: return random.pick(hostile)
        }
    }
}
