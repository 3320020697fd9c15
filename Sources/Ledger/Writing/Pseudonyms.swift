import Entitlements
import Journal

/// The names of erased persons and the pseudonyms that replace them.
///
/// Every entry and row is examined once for all persons together.
///
/// A person may have been erased, have returned, and have been erased again. The first erasure
/// after an entry decides which pseudonyms that entry gets.
struct Pseudonyms {
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

    var isEmpty: Bool { persons.isEmpty }

    /// The names in `erasures`, each with the seq of its entry.
    init(_ erasures: [(seq: UInt64, erasure: Erasure)]) {
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
        var edits: [Int: NameEdit] = [:]
        var isOwn = false
        var ownPurchase: HashKey?
        var purchasePlace: Range<Int>?
        for note in notes.notes {
            func put(_ bytes: [UInt8]) {
                edits[note.place.lowerBound] = NameEdit(note: note, bytes: bytes)
            }
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
            case .pack(let name): putStoreID(key(packs[name], seq))
            case .reason:
                if isOwn { put([UInt8](repeating: UInt8(ascii: "-"), count: note.place.count)) }
            case .rewritten(let isRewritten):
                if ownEntries.contains(seq), !isRewritten { put([1]) }
            }
        }
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

/// What takes the place of a name.
private struct NameEdit {
    let note: NameNotes.Note
    let bytes: [UInt8]

    /// By how much it is longer than the name.
    var growth: Int { bytes.count - note.place.count }
}

extension [UInt8] {
    /// The bytes with `edits`, and with the lengths that these change: their own, and those of
    /// `records`, none of which lies in another.
    fileprivate func with(_ edits: [NameEdit], in records: [Range<Int>]) -> [UInt8] {
        let edits = edits.sorted { $0.note.place.lowerBound < $1.note.place.lowerBound }
        var changed: [UInt8] = []
        changed.reserveCapacity(count + edits.reduce(0) { $0 + $1.growth })
        var copied = 0
        for edit in edits {
            let (place, lengthBytes) = (edit.note.place, edit.note.lengthBytes)
            changed += self[copied..<place.lowerBound - lengthBytes]
            changed.append(edit.bytes.count, inBytes: lengthBytes)
            changed += edit.bytes
            copied = place.upperBound
        }
        changed += self[copied...]
        for record in records {
            let before = edits.prefix { $0.note.place.lowerBound < record.lowerBound }
            let inside = edits.dropFirst(before.count)
                .prefix { $0.note.place.lowerBound < record.upperBound }
            let growth = inside.reduce(0) { $0 + $1.growth }
            if growth == 0 { continue }
            let start = record.lowerBound + before.reduce(0) { $0 + $1.growth }
            var length: [UInt8] = []
            length.append(record.count + growth, inBytes: 4)
            changed.replaceSubrange(start - 4..<start, with: length)
        }
        return changed
    }

    /// Appends `value` as so many bytes, the least significant first.
    private mutating func append(_ value: Int, inBytes count: Int) {
        for byte in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
}
