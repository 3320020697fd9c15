import Entitlements

/// Where the names of people stand in the bytes of an entry, noted while it is read.
///
/// For erasure alone: names are written over in place, so that an entry keeps its length.
final class NameNotes {
    /// A name and its place.
    struct Note {
        let name: Name
        let place: Range<Int>
    }

    /// What stands there; the place is that of the bytes that are a name, without their length.
    enum Name {
        case user(UserID)
        case token(Token)
        /// The place is that of the original id.
        case subscription(SubscriptionKey)
        /// A transaction of the subscription that was named last.
        case transaction(String)
        case pack(PackKey)
        /// What an admin wrote about the user that was named last.
        case reason(String)
        /// The flag of an erasure that says whether it is rewritten.
        case rewritten(Bool)
    }

    private(set) var notes: [Note] = []

    func add(_ name: Name, _ place: Range<Int>) { notes.append(Note(name: name, place: place)) }
}

/// The names of one erased person, and what stands in their place.
struct Pseudonyms {
    /// The entries up to here are rewritten; later ones are of a person who came again.
    let seq: UInt64
    private let erasure: Erasure
    private let key: HashKey
    private let tokens: Set<Token>
    private let subscriptions: Set<SubscriptionKey>
    private let packs: Set<PackKey>
    private let subjects: [UInt64: UInt64]
    /// The names as they stand in keys and values.
    private let names: [[UInt8]]

    init(_ erasure: Erasure, seq: UInt64) {
        self.erasure = erasure
        self.seq = seq
        tokens = Set(erasure.traces.tokens)
        subscriptions = Set(erasure.traces.subscriptions)
        packs = Set(erasure.traces.packs)
        names =
            [erasure.user.bytes]
            + erasure.traces.tokens.flatMap { [$0.storedBytes, Array($0.description.utf8)] }
            + erasure.traces.subscriptions.map { Array($0.originalID.utf8) }
            + erasure.traces.packs.map { Array($0.transactionID.utf8) }
        let key = erasure.secret.ofErasure(at: seq)
        self.key = key
        var subjects = [
            ChainLink.subject(of: erasure.user):
                ChainLink.subject(of: key.pseudonym(of: erasure.user))
        ]
        for name in erasure.traces.subscriptions {
            subjects[ChainLink.subject(of: name)] = ChainLink.subject(of: key.pseudonym(of: name))
        }
        self.subjects = subjects
    }

    /// What `user` is called: the pseudonym, if it is the person.
    func name(_ user: UserID) -> UserID {
        user == erasure.user ? key.pseudonym(of: user) : user
    }

    /// Whether a row could name the person: false where none of their names stands in its bytes.
    func mayBeNamed(in key: [UInt8], _ value: [UInt8]) -> Bool {
        names.contains { key.holds($0) || value.holds($0) }
    }

    /// The links of an entry, under the pseudonyms' subjects.
    func links(_ links: [UInt64]) -> [UInt64] {
        links.enumerated()
            .map { place, link in
                place % 2 == 0 ? subjects[link] ?? link : link
            }
    }

    /// Writes over the names in `body`; nil where it has none of them.
    func body(_ body: [UInt8], _ notes: [NameNotes.Note], isErasure: Bool) -> [UInt8]? {
        var changed = body
        var isOwn = false
        var isOwnPurchase = false
        for note in notes {
            switch note.name {
            case .user(let user):
                isOwn = user == erasure.user
                if isOwn { put(key.pseudonym(of: user).bytes) }
            case .token(let token):
                guard tokens.contains(token) else { continue }
                put(key.pseudonym(of: token).storedBytes)
            case .subscription(let key):
                isOwnPurchase = subscriptions.contains(key)
                if isOwnPurchase { putStoreID() }
            case .transaction: if isOwnPurchase { putStoreID() }
            case .pack(let key): if packs.contains(key) { putStoreID() }
            case .reason:
                if isOwn { put([UInt8](repeating: UInt8(ascii: "-"), count: note.place.count)) }
            case .rewritten(let isRewritten):
                if isErasure, !isRewritten { put([1]) }
            }
            func putStoreID() {
                put(key.pseudonym(ofStoreID: Array(body[note.place])))
            }
            func put(_ bytes: [UInt8]) { changed.replaceSubrange(note.place, with: bytes) }
        }
        return changed == body ? nil : changed
    }
}

extension [UInt8] {
    /// Whether `bytes` stand somewhere in here.
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
        withUnsafeBytes { $0.holds(bytes) }
    }
}
