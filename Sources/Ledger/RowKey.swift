import Entitlements

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

    /// The key of a row of `table`; nil where the bytes are none, and for the tables that every
    /// ledger keeps for itself.
    package init?(_ bytes: [UInt8], in table: TableName) {
        do {
            switch table {
            case .accounts: self = .account(try Keys.user(of: bytes))
            case .subscriptions: self = .subscription(try Keys.subscription(of: bytes))
            case .tokens: self = .token(try Keys.token(of: bytes))
            case .unclaimed: self = .unclaimed(try Keys.unclaimed(of: bytes))
            case .notifications: self = .notification(try Keys.notification(of: bytes))
            case .settlements: self = .settlement(try Keys.settlement(of: bytes))
            case .reservations: self = .reservation(try Keys.reservation(of: bytes))
            case .leases: self = .lease(try Keys.reservation(of: bytes))
            case .packs: self = .pack(try Keys.pack(of: bytes))
            case .appTransactions: self = .appTransaction(try Keys.appTransaction(of: bytes))
            case .merges: self = .merger(try Keys.user(of: bytes))
            case .alarms, .ticks, .tombstones, .meta: return nil
            }
        } catch {
            return nil
        }
    }
}
