import Entitlements

// The list of the tables: which type has the rows of each.

extension TableName {
    /// The type of its rows.
    var row: any TableRow.Type {
        switch self {
        case .accounts: AccountRow.self
        case .subscriptions: SubscriptionRow.self
        case .tokens: TokenRow.self
        case .unclaimed: UnclaimedRow.self
        case .notifications: NotificationRow.self
        case .settlements: SettlementRow.self
        case .reservations: ReservationRow.self
        case .leases: LeaseRow.self
        case .packs: PackRow.self
        case .alarms: AlarmRow.self
        case .ticks: TickRow.self
        case .tombstones: TombstoneRow.self
        case .meta: MetaRow.self
        case .appTransactions: AppTransactionRow.self
        case .merges: MergeRow.self
        }
    }

    /// Whether rows can be loaded; the others every ledger keeps for itself.
    package var isLoaded: Bool { !row.loadCodes.isEmpty }

    /// The types of the rows of all tables, in their order.
    static let rows = allCases.map { $0.row }
}

extension RowKey {
    /// The key of a row of `table`; nil where the bytes are none, and for the tables that every
    /// ledger keeps for itself.
    package init?(_ bytes: [UInt8], in table: TableName) {
        guard let key = table.row.rowKey(of: bytes) else { return nil }
        self = key
    }
}

extension LoadedRow {
    /// The row with its table; numbers in it are places in `names`.
    var row: any TableRow {
        switch self {
        case .account(let account, _): AccountRow(key: account.user, record: account)
        case .subscription(let subscription):
            SubscriptionRow(key: subscription.key, record: subscription)
        case .token(let token, let user): TokenRow(key: token, record: user)
        case .unclaimed(let waiting): UnclaimedRow(key: waiting, record: true)
        case .notification(let id, let first): NotificationRow(key: id, record: first)
        case .settlement(let key, let first): SettlementRow(key: key, record: first)
        case .reservation(let id, let kept): ReservationRow(key: id, record: kept)
        case .lease(let id, let lease): LeaseRow(key: id, record: lease)
        case .pack(let key, let kept): PackRow(key: key, record: kept)
        case .appTransaction(let mark, let shown): AppTransactionRow(key: mark, record: shown)
        case .merger(let user, let merger): MergeRow(key: user, record: merger)
        }
    }

    /// What the numbers in it stand for.
    fileprivate var names: [String] {
        if case .account(_, let names) = self { names } else { [] }
    }
}

// Rows that an admin loads, as the journal keeps them: 1, which table; its parts.

extension ByteWriter {
    mutating func loaded(_ row: LoadedRow) {
        let (row, names) = (row.row, row.names)
        integer(row.loadCode)
        row.writeLoaded(naming: names, to: &self)
    }
}

extension ByteReader {
    mutating func loaded() throws(Malformed) -> LoadedRow {
        let code = try integer(UInt8.self)
        let table = TableName.rows.first { $0.loadCodes.contains(code) }
        guard let table else { throw Malformed() }
        return try table.loaded(code, from: &self)
    }
}
