/// One command and what it caused, as the journal keeps it; the body is the ledger's business.
package struct JournalEntry: Sendable, Equatable {
    /// The place in the order of everything; consecutive, from 1.
    package let seq: UInt64
    /// When it was decided, in milliseconds since 1970.
    package let moment: Int64
    /// What kind of command the body holds.
    package let kind: UInt8
    /// The version of the body's layout.
    package let version: UInt8
    /// The previous seq of each account this entry touches, for walking an account's history.
    package let links: [UInt64]
    /// The command and its events.
    package let body: [UInt8]

    /// An entry with all its parts.
    package init(
        seq: UInt64,
        moment: Int64,
        kind: UInt8,
        version: UInt8,
        links: [UInt64],
        body: [UInt8]
    ) {
        self.seq = seq
        self.moment = moment
        self.kind = kind
        self.version = version
        self.links = links
        self.body = body
    }
}
