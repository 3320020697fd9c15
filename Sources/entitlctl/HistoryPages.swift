import EntitlementsClient
import JSON

/// The pages of a user's history.
struct HistoryPages {
    private let user: String
    private var after: Int64
    /// Since when it is kept, where something was before; known from the first page on.
    private(set) var oldest: String?

    init(of user: String, after: Int64?) {
        self.user = user
        self.after = after ?? 0
    }

    /// The next events; empty at the end.
    ///
    /// Where the past is gone, this is said once: events that begin in the middle of a life look
    /// like all of it.
    mutating func next(_ session: inout Session) throws(ClientError) -> [JSONValue] {
        let result = try session.call(
            "getHistory",
            ["userId": .string(user), "afterSeq": .integer(after), "limit": .integer(100)]
        )
        if oldest == nil, let beginning = result["oldest"]?.string {
            oldest = beginning
            Terminal.complain(
                "entitlctl: the history begins at \(Terminal.safe(beginning)): what was before is "
                    + "not kept"
            )
        }
        let events = result["events"]?.array ?? []
        guard let last = events.last else { return events }
        // A position that stands still would be walked for ever.
        guard let seq = last["seq"]?.int64, seq > after else {
            throw .malformedReply("the history does not move")
        }
        after = seq
        return events
    }
}
