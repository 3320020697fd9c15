import Entitlements
import Journal

/// The names of erased persons and the pseudonyms that replace them.
///
/// Every entry and row is examined once for all persons together.
///
/// A person may have been erased, have returned, and have been erased again. The first erasure
/// after an entry decides which pseudonyms that entry gets.
struct Pseudonyms {
    /// What the views still have, which replays have to make again under its name.
    struct Others {
        /// The entries of notifications of which the store has still to be asked.
        var awaiting: Set<UInt64> = []
        /// The periods of the persons' purchases that somebody else was credited.
        var periods: Set<PackKey> = []
    }

    private struct Person {
        /// Entries up to this position are rewritten; later ones belong to a person who returned.
        let seq: UInt64
        let key: HashKey
    }

    /// Ordered by seq; the tables below refer to persons by their index here.
    private var persons: [Person] = []
    private var users: [UserID: [Int]] = [:]
    private var tokens: [Token: [Int]] = [:]
    private var subscriptions: [SubscriptionKey: [Int]] = [:]
    private var packs: [PackKey: [Int]] = [:]
    private var subjects: [UInt64: [(person: Int, subject: UInt64)]] = [:]
    /// The positions of the erasures' own entries.
    private var ownEntries: Set<UInt64> = []
    /// The bytes of the names, as keys and values contain them.
    private var names: [[UInt8]] = []
    /// What keeps its name.
    private let others: Others

    var isEmpty: Bool { persons.isEmpty }

    /// The names in `erasures`, each with the seq of its entry.
    ///
    /// - Parameters:
    ///   - erasures: the erasures.
    ///   - others: what keeps its name, because the views have it.
    init(_ erasures: [(seq: UInt64, erasure: Erasure)], beside others: Others = Others()) {
        self.others = others
        for (seq, erasure) in erasures.sorted(by: { $0.seq < $1.seq }) { add(erasure, seq) }
    }

    private mutating func add(_ erasure: Erasure, _ seq: UInt64) {
        let (place, traces) = (persons.count, erasure.traces)
        let key = erasure.secret.ofErasure(at: seq)
        persons.append(Person(seq: seq, key: key))
        ownEntries.insert(seq)
        let names = [erasure.user] + traces.formers.map(\.user)
        for user in names { users[user, default: []].append(place) }
        for token in traces.tokens { tokens[token, default: []].append(place) }
        for name in traces.subscriptions { subscriptions[name, default: []].append(place) }
        for name in traces.packs { packs[name, default: []].append(place) }
        let pairs =
            names.map {
                (ChainLink.subject(of: $0), ChainLink.subject(of: key.pseudonym(of: $0)))
            }
            + traces.subscriptions.map {
                (ChainLink.subject(of: $0), ChainLink.subject(of: key.pseudonym(of: $0)))
            }
        for (old, new) in pairs { subjects[old, default: []].append((place, new)) }
        self.names +=
            names.map(\.bytes)
            + traces.tokens.flatMap { [$0.storedBytes, Array($0.description.utf8)] }
            + traces.subscriptions.map { Array($0.originalID.utf8) }
            + traces.packs.map { Array($0.transactionID.utf8) }
    }

    /// The entry without the persons' names; nil where it has none.
    func rewritten(_ entry: JournalEntry) throws -> JournalEntry? {
        guard let last = persons.last, entry.seq <= last.seq else { return nil }
        let notes = NameNotes()
        _ = try EntryBody.content(of: entry, noting: notes)
        let body = body(entry.body, notes, at: entry.seq)
        let links = links(entry.links, at: entry.seq)
        guard body != nil || links != entry.links else { return nil }
        return JournalEntry(
            seq: entry.seq,
            moment: entry.moment,
            kind: entry.kind,
            version: entry.version,
            links: links,
            body: body ?? entry.body
        )
    }

    /// The name of `user` in a rewritten row: the pseudonym if this is one of the persons.
    func name(_ user: UserID) -> UserID { key(users[user], 0)?.pseudonym(of: user) ?? user }

    /// Whether a row could name one of the persons.
    ///
    /// With few names, their bytes are searched for in the row. With many this is too slow: the
    /// answer is true, and the row must be decoded.
    func mayBeNamed(in key: [UInt8], _ value: [UInt8]) -> Bool {
        guard names.count <= LedgerLimits.namesSpelledMax else { return true }
        return names.contains { name in
            key.withUnsafeBytes { $0.holds(name) } || value.withUnsafeBytes { $0.holds(name) }
        }
    }

    /// `body` with pseudonyms in the place of names; nil if it has none of theirs.
    ///
    /// It is the body of an entry or, with `seq` 0, of a row.
    func body(_ body: [UInt8], _ notes: NameNotes, at seq: UInt64) -> [UInt8]? {
        // By where each begins: of two names in one place, the later one counts.
        var edits: [Int: Edit] = [:]
        var isOwn = false
        var ownPurchase: HashKey?
        var purchasePlace: Range<Int>?
        for note in notes.notes {
            func put(_ bytes: [UInt8]) { edits[note.place.lowerBound] = Edit(note, bytes) }
            func putStoreID(_ key: HashKey?) {
                if let key { put(key.pseudonym(ofStoreID: Array(body[note.place]))) }
            }
            switch note.name {
            case .user(let user):
                let key = key(users[user], seq)
                isOwn = key != nil
                if let key { put(key.pseudonym(of: user).bytes) }
            case .token(let token):
                if let key = key(tokens[token], seq) { put(key.pseudonym(of: token).storedBytes) }
            case .subscription(let name):
                let found = key(subscriptions[name], seq)
                // A message that waits names a purchase of either environment in one place.
                ownPurchase = note.place == purchasePlace ? found ?? ownPurchase : found
                purchasePlace = note.place
                putStoreID(found)
            case .transaction: putStoreID(ownPurchase)
            case .previous(let name): putStoreID(key(subscriptions[name], seq))
            case .pack(let name):
                // The row of a period that ended long ago is swept, and its entries are here.
                let isTheirs = packs[name] == nil && !others.periods.contains(name)
                let ofPeriod = isTheirs ? name.purchase.flatMap { subscriptions[$0] } : nil
                putStoreID(key(packs[name] ?? ofPeriod, seq))
            case .lead:
                // Nothing says whose purchase it led to, and nobody asks for it again.
                if seq > 0, !note.place.isEmpty, !others.awaiting.contains(seq) { put([]) }
            case .reason:
                if isOwn { put([UInt8](repeating: UInt8(ascii: "-"), count: note.place.count)) }
            case .rewritten(let isRewritten):
                if ownEntries.contains(seq), !isRewritten { put([1]) }
            }
        }
        if edits.isEmpty { return nil }
        let changed = body.with(Array(edits.values), in: notes.records)
        return changed == body ? nil : changed
    }

    /// The links of an entry, with the subjects of the persons replaced by those of their
    /// pseudonyms.
    private func links(_ links: [UInt64], at seq: UInt64) -> [UInt64] {
        links.enumerated()
            .map { place, link in
                guard place % 2 == 0, let found = subjects[link] else { return link }
                return found.first { persons[$0.person].seq >= seq }?.subject ?? link
            }
    }

    /// The key of the first of the persons at `places` who was erased at or after `seq`.
    private func key(_ places: [Int]?, _ seq: UInt64) -> HashKey? {
        places?.first { persons[$0].seq >= seq }.map { persons[$0].key }
    }
}

extension Views {
    /// What keeps its name where the persons with these purchases are gone.
    func others(than purchases: [SubscriptionKey]) throws -> Pseudonyms.Others {
        let stored = try Snapshot(self, Memtable(LedgerPulse(), seq: 0))
        defer { stored.rest() }
        try stored.renew()
        var others = Pseudonyms.Others()
        try stored.walk(.notifications) { key, sealed in
            if NotificationRow.isAwaiting(sealed) {
                others.awaiting.insert(try NotificationRow(key: key, sealed: sealed).record.seq)
            }
            return true
        }
        for purchase in purchases {
            let prefix = SubscriptionRow.bytes(of: purchase) + [UInt8(ascii: "@")]
            try stored.walk(.packs, from: prefix) { key, _ in
                guard key.starts(with: prefix) else { return false }
                others.periods.insert(try PackRow.key(of: Array(key)))
                return true
            }
        }
        return others
    }
}

/// What takes the place of some bytes.
private struct Edit {
    let place: Range<Int>
    let bytes: [UInt8]

    /// By how much it is longer than what stood there.
    var growth: Int { bytes.count - place.count }

    /// A name, with its length in front where it has one.
    init(_ note: NameNotes.Note, _ name: [UInt8]) {
        place = note.place.lowerBound - note.lengthBytes..<note.place.upperBound
        bytes = ByteWriter.bytes { writer in
            switch note.lengthBytes {
            case 1: writer.integer(UInt8(name.count))
            case 2: writer.integer(UInt16(name.count))
            default: break
            }
            writer.raw(name)
        }
    }

    /// The length of `record`, which stands in front of it, after `edits`.
    init(lengthOf record: Range<Int>, after edits: [Edit]) {
        let inside = edits.filter { record.contains($0.place.lowerBound) }
        let count = inside.reduce(record.count) { $0 + $1.growth }
        place = record.lowerBound - MemoryLayout<UInt32>.size..<record.lowerBound
        bytes = ByteWriter.bytes { $0.integer(UInt32(count)) }
    }
}

extension [UInt8] {
    /// The bytes with `edits`, and with the lengths of `records` that these change; no record lies
    /// in another.
    fileprivate func with(_ edits: [Edit], in records: [Range<Int>]) -> [UInt8] {
        let lengths = records.map { Edit(lengthOf: $0, after: edits) }
        var changed: [UInt8] = []
        var copied = 0
        for edit in (edits + lengths).sorted(by: { $0.place.lowerBound < $1.place.lowerBound }) {
            changed += self[copied..<edit.place.lowerBound]
            changed += edit.bytes
            copied = edit.place.upperBound
        }
        return changed + self[copied...]
    }
}
