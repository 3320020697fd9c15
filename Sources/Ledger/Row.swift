import Entitlements

/// One row of a view, decoded, for dumps and for `verify`.
package struct Row: Sendable {
    /// Where it stands.
    package let table: TableName
    /// Its key, as stored.
    package let key: [UInt8]
    /// What it says.
    package let value: Value

    /// What the rows of each table say.
    package enum Value: Hashable, Sendable {
        case account(Account)
        case subscription(Subscription)
        case token(Token, UserID)
        case unclaimed(Unclaimed)
        case notification(NotificationID, Sighting)
        case settlement(IdempotencyKey, Settlement)
        case reservation(UInt64, Reservation)
        case lease(UInt64, UserID)
        case pack(PackKey, Pack)
        case appTransaction(AppTransactionMark, shown: Moment)
        case merger(UserID, MergedAccount)
        case alarm(Tick.Passing)
        case tick(Moment, seq: UInt64)
        case applied(seq: UInt64, group: UInt64, at: Moment, now: Moment)
        case numbering([String])
        case catalog(CatalogStamp)
        case installed(InstalledCatalog)
        case idFloor(UInt64)
        case tombstone(NameMark, Tombstone)
        case secret(HashKey)
    }

    init(table: TableName, key: [UInt8], value bytes: [UInt8]) throws {
        self.table = table
        self.key = key
        do {
            value = try Self.value(table, key, bytes)
        } catch {
            throw Damage(table: table)
        }
    }

    private static func value(
        _ table: TableName,
        _ key: [UInt8],
        _ bytes: [UInt8]
    ) throws(Malformed) -> Value {
        var reader = ByteReader(bytes)
        let value: Value
        switch table {
        case .accounts:
            return .account(try AccountRecord.account(of: try Keys.user(of: key), bytes))
        case .subscriptions:
            let key = try Keys.subscription(of: key)
            return .subscription(try SubscriptionRecord.subscription(of: key, bytes))
        case .tokens: return .token(try Keys.token(of: key), try Keys.user(of: bytes))
        case .unclaimed: value = .unclaimed(try Keys.unclaimed(of: key))
        case .notifications:
            value = .notification(try Keys.notification(of: key), try reader.sighting())
        case .settlements:
            value = .settlement(try Keys.settlement(of: key), try reader.firstAnswer())
        case .reservations:
            value = .reservation(try Keys.reservation(of: key), try reader.reservation())
        case .leases: value = .lease(try Keys.reservation(of: key), try reader.user())
        case .packs: value = .pack(try Keys.pack(of: key), try reader.packRecord())
        case .alarms: value = .alarm(try Keys.alarm(of: key))
        case .ticks: value = .tick(try Keys.tick(of: key), seq: try reader.integer())
        case .tombstones:
            value = .tombstone(try Keys.tombstone(of: key), try reader.tombstone())
        case .appTransactions:
            value = .appTransaction(try Keys.appTransaction(of: key), shown: try reader.moment())
        case .merges: value = .merger(try Keys.user(of: key), try reader.mergedAccount())
        case .meta: value = try meta(String(decoding: key, as: UTF8.self), &reader)
        }
        guard reader.isAtEnd else { throw Malformed() }
        return value
    }

    private static func meta(
        _ name: String,
        _ reader: inout ByteReader
    ) throws(Malformed) -> Value {
        switch name {
        case "applied":
            _ = try reader.integer(UInt32.self)
            let (seq, group) = (try reader.integer(UInt64.self), try reader.integer(UInt64.self))
            let at = try reader.moment()
            let now = reader.isAtEnd ? at : try reader.moment()
            return .applied(seq: seq, group: group, at: at, now: now)
        case "numbering":
            return .numbering(
                try reader.longList { (reader) throws(Malformed) in try reader.text() }
            )
        case "ids": return .idFloor(try reader.integer())
        case "secret": return .secret(try reader.hashKey())
        case "catalog": return .catalog(try reader.catalogStamp())
        default:
            guard name.hasPrefix("catalog/") else { throw Malformed() }
            return .installed(try reader.installedCatalog())
        }
    }
}
