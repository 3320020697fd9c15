import Entitlements
import FoundationEssentials
import JSON
import Ledger
import Wire

extension MethodWorker {
    /// `exportUser`: everything kept about a person, in pages where it does not fit one frame.
    func exporting(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        let user = try params.user(under: try awake().policy)
        var after: ExportCursor?
        if let text = try params.optionalText("cursor", bytesMax: MethodLimits.textBytesMax) {
            guard let cursor = ExportCursor(text) else {
                throw .invalid("cursor", "is what the page before answered")
            }
            after = cursor
        }
        let service = service
        let bytesMax = service.settings.frameBytesMax
        return .work(.questions) { [after] (reader) throws(RPCFailure) in
            do throws(LedgerFailure) {
                try reader.wake()
                return try Export(of: user, reader).page(after: after, bytesMax: bytesMax)
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}

/// The lists of an export, in the order in which pages walk them.
private enum ExportList: UInt8, CaseIterable {
    case tokens = 1
    case subscriptions = 2
    case settlements = 3
    case reservations = 4
    case packs = 5
    case events = 6

    var name: String {
        switch self {
        case .tokens: "tokens"
        case .subscriptions: "subscriptions"
        case .settlements: "settlements"
        case .reservations: "reservations"
        case .packs: "packs"
        case .events: "events"
        }
    }
}

/// The last item of the page before: its list, and its key there, so that what is written
/// meanwhile shifts nothing.
private struct ExportCursor: Comparable {
    let list: UInt8
    let key: [UInt8]

    init(list: ExportList, key: [UInt8]) {
        self.list = list.rawValue
        self.key = key
    }

    init?(_ text: String) {
        guard let bytes = Data(base64Encoded: text), let first = bytes.first else { return nil }
        list = first
        key = Array(bytes.dropFirst())
    }

    var text: String { Data([list] + key).base64EncodedString() }

    static func < (left: ExportCursor, right: ExportCursor) -> Bool {
        left.list == right.list
            ? left.key.lexicographicallyPrecedes(right.key) : left.list < right.list
    }
}

/// Everything kept about one person.
private struct Export {
    private let user: UserID
    private let seq: UInt64
    private let account: JSONValue
    /// From when on the events are kept, where earlier ones are not.
    private var oldest: Moment?
    private var items: [(place: ExportCursor, value: JSONValue)] = []

    init(of user: UserID, _ reader: LedgerReader) throws(LedgerFailure) {
        self.user = user
        seq = reader.seq
        let names = try reader.numbering().names
        guard let row = try reader.row(user.bytes, of: .accounts),
            case .account(let account) = row.value
        else {
            self.account = .null
            return
        }
        self.account = RowView.value(of: row, names)
        for token in account.tokens {
            add(.tokens, Array(token.description.utf8), .string(token.description))
        }
        // The account lists no more purchases than a row has room for; the tables have them all.
        let traces = try reader.traces(of: user)
        let candidates = traces.subscriptions + traces.shared + account.subscriptions
        let purchases = try addPurchases(Set(candidates), reader)
        for first in account.firstAnswers {
            let name = IdempotencyKey(user: user, digest: first.key)
            let key = Row.Value.settlement(name, first.settlement).key
            let value = RowView.view(name, first.settlement)
            add(.settlements, key, ["key": RowView.key(key), "value": value])
        }
        try addSettlements(reader)
        for id in traces.reservations {
            try add(.reservations, Array(ReservationName.text(id).utf8), .reservations, reader)
        }
        for key in traces.packs {
            let name = SubscriptionKey(
                store: key.store,
                environment: key.environment,
                originalID: key.transactionID
            )
            try add(.packs, Array(name.description.utf8), .packs, reader)
        }
        let (past, steps) = try reader.history(of: user, with: purchases)
        oldest = past.oldest
        for step in steps { add(step) }
        items.sort { $0.place < $1.place }
    }

    private mutating func add(_ list: ExportList, _ key: [UInt8], _ value: JSONValue) {
        items.append((ExportCursor(list: list, key: key), value))
    }

    /// A row as `dump` writes it, if it is there.
    private mutating func add(
        _ list: ExportList,
        _ key: [UInt8],
        _ table: TableName,
        _ reader: LedgerReader
    ) throws(LedgerFailure) {
        guard let row = try reader.row(key, of: table) else { return }
        add(list, key, ["key": RowView.key(key), "value": RowView.value(of: row, [])])
    }

    /// What is the person's or shared with them; not what merely carries a token of theirs.
    private mutating func addPurchases(
        _ keys: Set<SubscriptionKey>,
        _ reader: LedgerReader
    ) throws(LedgerFailure) -> Set<SubscriptionKey> {
        var found: Set<SubscriptionKey> = []
        for key in keys {
            guard let purchase = try reader.subscription(of: key),
                purchase.owner == user || purchase.sharers.contains(user)
            else { continue }
            add(.subscriptions, Array(key.description.utf8), RowView.view(purchase))
            found.insert(key)
        }
        return found
    }

    private mutating func addSettlements(_ reader: LedgerReader) throws(LedgerFailure) {
        var last: [UInt8]?
        while true {
            let rows = try reader.rows(
                of: .settlements,
                prefix: user.bytes + [0],
                after: last,
                count: LedgerLimits.pageRowsMax
            )
            guard let end = rows.last else { return }
            for row in rows {
                add(
                    .settlements,
                    row.key,
                    ["key": RowView.key(row.key), "value": RowView.value(of: row, [])]
                )
            }
            last = end.key
        }
    }

    private mutating func add(_ step: HistoryStep) {
        let events = step.events.compactMap { EventView.view($0, of: user) }
        guard !events.isEmpty else { return }
        let key = withUnsafeBytes(of: step.seq.bigEndian) { Array($0) }
        add(
            .events,
            key,
            [
                "seq": .integer(Int64(step.seq)),
                "at": RowView.exact(step.at),
                "cause": .string(step.cause.rawValue),
                "events": .array(events),
            ]
        )
    }

    /// The items after `cursor`, as many as fit; the account stands on every page.
    func page(after cursor: ExportCursor?, bytesMax: Int) -> JSONObject {
        var page: JSONObject = [
            "userId": .string(user.description),
            "account": account,
        ]
        guard account != .null else { return page }
        page["seq"] = .integer(Int64(seq))
        if let oldest { page["oldest"] = RowView.exact(oldest) }
        var bytes = 4096 + account.bytes.count
        var lists: [UInt8: [JSONValue]] = [:]
        var last: ExportCursor?
        var isWhole = true
        for item in items where cursor.map({ $0 < item.place }) ?? true {
            let size = item.value.bytes.count + 1
            guard last == nil || bytes + size <= bytesMax else {
                isWhole = false
                break
            }
            bytes += size
            lists[item.place.list, default: []].append(item.value)
            last = item.place
        }
        for list in ExportList.allCases {
            page[list.name] = .array(lists[list.rawValue] ?? [])
        }
        page["cursor"] = isWhole ? .null : last.map { .string($0.text) } ?? .null
        return page
    }
}
