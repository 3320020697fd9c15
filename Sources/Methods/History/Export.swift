import Entitlements
import JSON
import Ledger
import Wire

/// One page of everything kept about one person.
///
/// It reads what it tells: lists before the cursor are not looked at, and those behind the end of
/// the page are left to the next.
struct Export {
    private let user: UserID
    private let reader: LedgerReader
    private let cursor: ExportCursor?
    private let bytesMax: Int
    private var bytes = 4096
    private var lists: [ExportList: [JSONValue]] = [:]
    private var last: ExportCursor?
    /// Whether something did not fit.
    private var isFull = false
    private let traces = Traces()
    /// The accounts that went into the person's.
    private var formers: [UserID] = []

    /// What was found by looking through tables, and therefore only once it is asked for.
    private final class Traces {
        var found: PersonTraces?
    }

    init(of user: UserID, _ reader: LedgerReader, after cursor: ExportCursor?, bytesMax: Int) {
        self.user = user
        self.reader = reader
        self.cursor = cursor
        self.bytesMax = bytesMax
    }

    /// The items after the cursor, as many as fit; the account stands on every page.
    mutating func page() throws(LedgerFailure) -> JSONObject {
        var page: JSONObject = ["userId": .string(user.description), "account": .null]
        let names = try reader.numbering().names
        guard let row = try reader.row(user.bytes, of: .accounts),
            case .account(let account) = row.value
        else { return page }
        formers = account.formers
        let shown = RowView.value(of: row, names)
        page["account"] = shown
        page["seq"] = .integer(Int64(reader.seq))
        bytes += shown.byteCount
        for list in ExportList.allCases where !isFull && list.rawValue >= cursor?.list ?? 0 {
            switch list {
            case .tokens: addTokens(of: account)
            case .subscriptions: try addPurchases(of: account)
            case .settlements: try addSettlements(of: account)
            case .reservations: try addReservations()
            case .packs: try addPacks()
            case .events: try addEvents()
            }
        }
        if let oldest = try oldest() { page["oldest"] = .exact(oldest) }
        for list in ExportList.allCases { page[list.name] = .array(lists[list] ?? []) }
        page["cursor"] = isFull ? last.map { .string($0.text) } ?? .null : .null
        return page
    }

    /// From when on the events are kept, where earlier ones are not.
    private func oldest() throws(LedgerFailure) -> Moment? { try reader.past(of: user).oldest }

    /// Whether an item stands before this page.
    private func isTold(_ list: ExportList, _ key: [UInt8]) -> Bool {
        guard let cursor else { return false }
        return !(cursor < ExportCursor(list: list, key: key))
    }

    /// Takes an item where it fits, in the order of lists and keys; answers whether it did, or was
    /// told before.
    private mutating func add(_ list: ExportList, _ key: [UInt8], _ value: JSONValue) -> Bool {
        if isTold(list, key) { return true }
        let size = value.byteCount + 1
        guard last == nil || bytes + size <= bytesMax else {
            isFull = true
            return false
        }
        bytes += size
        lists[list, default: []].append(value)
        last = ExportCursor(list: list, key: key)
        return true
    }

    /// A row as `dump` writes it, if it is there.
    private mutating func add(
        _ list: ExportList,
        _ key: [UInt8],
        _ table: TableName
    ) throws(LedgerFailure) -> Bool {
        guard !isTold(list, key), let row = try reader.row(key, of: table) else { return true }
        return add(list, key, ["key": RowView.key(key), "value": RowView.value(of: row, [])])
    }

    private func foundTraces() throws(LedgerFailure) -> PersonTraces {
        if let found = traces.found { return found }
        let found = try reader.tracesBesideAnswers(of: user)
        traces.found = found
        return found
    }

    private mutating func addTokens(of account: Account) {
        for token in account.tokens.sorted(by: { $0.description < $1.description }) {
            let key = Array(token.description.utf8)
            if !add(.tokens, key, .string(token.description)) { return }
        }
    }

    /// What is the person's or shared with them; not what merely carries a token of theirs.
    private mutating func addPurchases(of account: Account) throws(LedgerFailure) {
        // The account lists no more purchases than a row has room for; the tables have them all.
        let traces = try foundTraces()
        let keys = Set(traces.subscriptions + traces.shared + account.subscriptions)
        for (bytes, key) in inOrder(keys, \.description) where !isTold(.subscriptions, bytes) {
            guard let purchase = try reader.subscription(of: key), isTheirs(purchase) else {
                continue
            }
            if !add(.subscriptions, bytes, RowView.view(purchase)) { return }
        }
    }

    private func isTheirs(_ purchase: Subscription?) -> Bool {
        guard let purchase else { return false }
        return purchase.users.contains { $0 == user || formers.contains($0) }
    }

    /// Those that stand with the account, and those that have rows of their own.
    private mutating func addSettlements(of account: Account) throws(LedgerFailure) {
        let users = ([account.user] + account.formers)
            .sorted { ($0.bytes + [0]).lexicographicallyPrecedes($1.bytes + [0]) }
        for name in users where !isFull {
            let firsts = name == user ? account.firstAnswers : []
            try addSettlements(under: name, firsts)
        }
    }

    private mutating func addSettlements(
        under user: UserID,
        _ firstAnswers: [FirstAnswer]
    ) throws(LedgerFailure) {
        var firsts =
            firstAnswers
            .map { first -> (key: [UInt8], value: JSONValue) in
                let name = IdempotencyKey(user: user, digest: first.key)
                let key = name.rowKey
                return (
                    key, ["key": RowView.key(key), "value": RowView.view(name, first.settlement)]
                )
            }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }[...]
        let prefix = user.bytes + [0]
        var place = cursor.flatMap { $0.list == ExportList.settlements.rawValue ? $0.key : nil }
        if let told = place, !told.starts(with: prefix) {
            // Of another name: all of this one was told before, or nothing.
            if prefix.lexicographicallyPrecedes(told) { return }
            place = nil
        }
        while true {
            let rows = try reader.rows(
                of: .settlements,
                prefix: prefix,
                after: place,
                count: LedgerLimits.pageRowsMax
            )
            for row in rows {
                while let first = firsts.first, first.key.lexicographicallyPrecedes(row.key) {
                    if !add(.settlements, first.key, first.value) { return }
                    firsts.removeFirst()
                }
                let value: JSONValue = [
                    "key": RowView.key(row.key), "value": RowView.value(of: row, []),
                ]
                if !add(.settlements, row.key, value) { return }
            }
            place = rows.last?.key
            if place == nil { break }
        }
        for first in firsts where !add(.settlements, first.key, first.value) { return }
    }

    private mutating func addReservations() throws(LedgerFailure) {
        for (key, _) in inOrder(try foundTraces().reservations, ReservationName.text) {
            if try !add(.reservations, key, .reservations) { return }
        }
    }

    private mutating func addPacks() throws(LedgerFailure) {
        let names = try foundTraces().packs
            .map {
                SubscriptionKey(
                    store: $0.store,
                    environment: $0.environment,
                    originalID: $0.transactionID
                )
            }
        for (key, _) in inOrder(names, \.description) {
            if try !add(.packs, key, .packs) { return }
        }
    }

    /// What the journal tells, from the cursor on.
    private mutating func addEvents() throws(LedgerFailure) {
        var page = self
        var owned: Set<SubscriptionKey>?
        func purchases() throws(LedgerFailure) -> Set<SubscriptionKey> {
            if let owned { return owned }
            let traces = try foundTraces()
            var found = Set(traces.subscriptions)
            for key in traces.shared where try isTheirs(reader.subscription(of: key)) {
                found.insert(key)
            }
            owned = found
            return found
        }
        func add(_ place: HistoryPlace, _ step: HistoryStep) -> Bool {
            let events = step.events.compactMap { EventView.view($0, of: step.user) }
            guard !events.isEmpty else { return true }
            return page.add(
                .events,
                Self.key(of: place),
                [
                    "seq": .integer(Int64(step.seq)),
                    "at": .exact(step.at),
                    "cause": .string(step.cause.rawValue),
                    "by": step.author?.value ?? .null,
                    "detail": HistoryDetail(step, of: step.user).value,
                    "events": .array(events),
                ]
            )
        }
        try reader.tell(of: user, after: eventsCursor, owning: purchases, to: add)
        self = page
    }

    private static func key(of place: HistoryPlace) -> [UInt8] {
        [place.step, place.seq].flatMap { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }
    }

    /// The place that the cursor names, where it is one of an event.
    private var eventsCursor: HistoryPlace? {
        guard let cursor, cursor.list == ExportList.events.rawValue, cursor.key.count == 16 else {
            return nil
        }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        return HistoryPlace(step: number(cursor.key[..<8]), seq: number(cursor.key[8...]))
    }

    /// Names with the bytes by which a list is ordered, in that order.
    private func inOrder<Name>(
        _ names: some Sequence<Name>,
        _ text: (Name) -> String
    ) -> [(bytes: [UInt8], name: Name)] {
        names.map { (bytes: Array(text($0).utf8), name: $0) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
