import Chance
import Entitlements
import Testing

@testable import Ledger

struct KeyTests {
    @Test func `no two keys of a table share an encoding, and each reads back`() throws {
        var maker = RecordMaker(random: .told())
        var users: [[UInt8]: UserID] = [:]
        var subscriptions: [[UInt8]: SubscriptionKey] = [:]
        var tokens: [[UInt8]: Token] = [:]
        var unclaimed: [[UInt8]: Unclaimed] = [:]
        var notifications: [[UInt8]: NotificationID] = [:]
        var settlements: [[UInt8]: IdempotencyKey] = [:]
        for _ in 0..<5_000 {
            let user = maker.user()
            check(user, AccountRow.bytes(of: user), &users) { try Keys.user(of: $0) }
            let key = maker.key()
            check(key, SubscriptionRow.bytes(of: key), &subscriptions) {
                try SubscriptionRow.key(of: $0)
            }
            let token = maker.token()
            check(token, TokenRow.bytes(of: token), &tokens) { try TokenRow.key(of: $0) }
            let waiting = Unclaimed(token: maker.token(), key: maker.key())
            check(waiting, UnclaimedRow.bytes(of: waiting), &unclaimed) {
                try UnclaimedRow.key(of: $0)
            }
            let id = maker.notificationID()
            check(id, NotificationRow.bytes(of: id), &notifications) {
                try NotificationRow.key(of: $0)
            }
            let once = maker.idempotencyKey()
            check(once, SettlementRow.bytes(of: once), &settlements) {
                try SettlementRow.key(of: $0)
            }
        }
        #expect(users.count > 500)
        #expect(subscriptions.count > 500)
    }

    @Test func `tuples whose texts run into each other have different keys`() throws {
        let plain = try user("a")
        let longer = try user("a" + String(repeating: "b", count: 33))
        let settlements = [plain, longer]
            .map {
                SettlementRow.bytes(of: IdempotencyKey(user: $0, digest: Digest256(0, 0, 0, 0)))
            }
        #expect(settlements[0] != settlements[1])
        let production = SubscriptionRow.bytes(
            of:
                SubscriptionKey(store: .appStore, environment: .production, originalID: "Sandbox/1")
        )
        let sandbox = SubscriptionRow.bytes(
            of:
                SubscriptionKey(store: .appStore, environment: .sandbox, originalID: "1")
        )
        #expect(production != sandbox)
        #expect(try SubscriptionRow.key(of: production).originalID == "Sandbox/1")
    }

    @Test func `notifications stand in the order of their signing time`() {
        var maker = RecordMaker(random: .told())
        let ids = maker.list(400..<401) { $0.notificationID() }.sorted()
        let keys = ids.map { NotificationRow.bytes(of: $0) }
        for (left, right) in zip(keys, keys.dropFirst()) where left != right {
            #expect(left.lexicographicallyPrecedes(right))
        }
    }

    @Test func `keys cut anywhere are malformed or shorter keys, never a trap`() {
        var maker = RecordMaker(random: .told())
        var malformed = 0
        for _ in 0..<200 {
            let unclaimed = UnclaimedRow.bytes(
                of: Unclaimed(token: maker.token(), key: maker.key())
            )
            for count in 0..<37 {
                #expect(throws: Malformed.self) {
                    try UnclaimedRow.key(of: Array(unclaimed[..<count]))
                }
            }
            let notification = NotificationRow.bytes(of: maker.notificationID())
            for count in 0..<40 {
                #expect(throws: Malformed.self) {
                    try NotificationRow.key(of: Array(notification[..<count]))
                }
            }
            let settlement = SettlementRow.bytes(of: maker.idempotencyKey())
            for count in 0..<settlement.count
            where (try? SettlementRow.key(of: Array(settlement[..<count]))) == nil {
                malformed += 1
            }
        }
        #expect(malformed > 200 * 16)
    }

    @Test func `the longest keys of every table fit into LMDB`() throws {
        let longest = try user(String(repeating: "u", count: Limits.userIDBytesMax))
        // No store's room takes a longer name, and neither does load.
        let purchase = SubscriptionKey(
            store: .googlePlay,
            environment: .production,
            originalID: String(repeating: "n", count: 255)
        )
        let waiting = Unclaimed(token: try token(1), key: purchase)
        // The longest name of a pack is that of an item's period.
        let item = String(repeating: "i", count: Limits.itemNameBytesMax)
        let period = PackKey(
            store: .googlePlay,
            environment: .production,
            transactionID: "\(purchase.originalID)@\(Int64.min)@\(item)"
        )
        let notice = NotificationID(signed: .distantFuture, digest: digest(1))
        let once = IdempotencyKey(user: longest, digest: digest(1))
        let shown = AppTransactionMark(Digest128(digest(1)))
        let keys: [TableName: [UInt8]] = [
            .accounts: AccountRow.bytes(of: longest),
            .subscriptions: SubscriptionRow.bytes(of: purchase),
            .tokens: TokenRow.bytes(of: waiting.token),
            .unclaimed: UnclaimedRow.bytes(of: waiting),
            .notifications: NotificationRow.bytes(of: notice),
            .settlements: SettlementRow.bytes(of: once),
            .reservations: ReservationRow.bytes(of: .max),
            .leases: LeaseRow.bytes(of: .max),
            .packs: PackRow.bytes(of: period),
            .alarms: AlarmRow.bytes(of: Tick.Passing(user: longest, due: .distantFuture)),
            .ticks: TickRow.bytes(of: .distantFuture),
            .tombstones: TombstoneRow.bytes(of: NameMark(low: .max, high: .max)),
            .meta: MetaRow.bytes(of: MetaRow.key(ofCatalog: .max)),
            .appTransactions: AppTransactionRow.bytes(of: shown),
            .merges: MergeRow.bytes(of: longest),
        ]
        for table in TableName.allCases {
            let key = try #require(keys[table], "\(table)")
            #expect((1...511).contains(key.count), "\(table): \(key.count) bytes")
        }
    }

    private func check<Tuple: Hashable>(
        _ tuple: Tuple,
        _ key: [UInt8],
        _ seen: inout [[UInt8]: Tuple],
        _ read: ([UInt8]) throws -> Tuple
    ) {
        #expect((try? read(key)) == tuple)
        if let other = seen.updateValue(tuple, forKey: key) { #expect(other == tuple) }
    }
}
