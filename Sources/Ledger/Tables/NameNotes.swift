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
        /// The original id that a purchase had before it was migrated, or has since.
        case previous(SubscriptionKey)
        /// What an admin wrote about the user that was named last.
        case reason(String)
        /// The flag of an erasure that says whether it is rewritten.
        case rewritten(Bool)
    }

    private(set) var notes: [Note] = []

    func add(_ name: Name, _ place: Range<Int>) { notes.append(Note(name: name, place: place)) }
}
