import Entitlements

/// The tables by name.
///
/// A new one has a case here, one for its rows, one for keys that can be loaded, a file, and a line
/// in each list of Tables.swift.
package enum TableName: String, CaseIterable, Sendable {
    case accounts
    case subscriptions
    case tokens
    case unclaimed
    case notifications
    case settlements
    case reservations
    case leases
    case packs
    case alarms
    case ticks
    case tombstones
    case meta
    case appTransactions
    case merges

    /// Its place among all, from 0.
    @inline(__always)
    var number: UInt8 {
        switch self {
        case .accounts: 0
        case .subscriptions: 1
        case .tokens: 2
        case .unclaimed: 3
        case .notifications: 4
        case .settlements: 5
        case .reservations: 6
        case .leases: 7
        case .packs: 8
        case .alarms: 9
        case .ticks: 10
        case .tombstones: 11
        case .meta: 12
        case .appTransactions: 13
        case .merges: 14
        }
    }
}

extension Row {
    /// What the rows of each table say.
    package enum Value: Hashable, Sendable {
        case account(Account)
        case subscription(Subscription)
        case token(Token, UserID)
        case unclaimed(Unclaimed)
        case notification(NotificationID, Sighting)
        case settlement(IdempotencyKey, Settlement)
        case reservation(UInt64, Reservation)
        case lease(UInt64, Lease)
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
        case datedProducts([String])
        case rules(UInt32)
    }
}

/// The key of a row that can be loaded, read from its bytes.
package enum RowKey: Hashable, Sendable {
    case account(UserID)
    case subscription(SubscriptionKey)
    case token(Token)
    case unclaimed(Unclaimed)
    case notification(NotificationID)
    case settlement(IdempotencyKey)
    case reservation(UInt64)
    case lease(UInt64)
    case pack(PackKey)
    case appTransaction(AppTransactionMark)
    case merger(UserID)
}
