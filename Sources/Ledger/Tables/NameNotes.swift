import Entitlements

/// Where the names of people stand in the bytes of an entry, noted while it is read.
///
/// For erasure alone, which puts pseudonyms in their places.
final class NameNotes {
    /// A name and its place.
    struct Note {
        let name: Name
        /// The bytes that are the name.
        let place: Range<Int>
        /// The bytes before them that say how many they are; 0 where their number is fixed.
        let lengthBytes: Int
    }

    /// What stands there.
    enum Name {
        case user(UserID)
        case token(Token)
        /// The place is that of the original id.
        case subscription(SubscriptionKey)
        /// A transaction of the subscription that was named last.
        case transaction(String)
        case pack(PackKey)
        /// The original id that a purchase had before it was migrated, or has since.
        case previous(SubscriptionKey)
        /// What led to a purchase that has another name: of no use once the store has answered.
        case lead(String)
        /// What an admin wrote about the user that was named last.
        case reason(String)
        /// The flag of an erasure that says whether it is rewritten.
        case rewritten(Bool)
    }

    private(set) var notes: [Note] = []
    /// The places of records; the four bytes before each say how long it is.
    private(set) var records: [Range<Int>] = []

    func add(_ note: Note) { notes.append(note) }

    func add(record place: Range<Int>) { records.append(place) }
}
