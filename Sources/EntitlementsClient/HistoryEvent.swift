import FoundationEssentials

/// Something that changed for a user.
public struct HistoryEvent: Decodable, Equatable, Sendable {
    /// Who had it done.
    public struct Caller: Decodable, Equatable, Sendable {
        /// The role in which they called: `reader`, `app`, `support` or `admin`.
        public let role: String
        /// The user of the system, as the kernel says; nil for a caller over HTTPS.
        public let uid: Int64?
        /// The name of the caller's token; nil for a caller at a socket.
        public let token: String?
    }

    /// What was done: the members that apply, and nil for the others.
    public struct Detail: Decodable, Equatable, Sendable {
        /// The store.
        public let store: String?
        /// The store's word for what happened.
        public let type: String?
        /// The store's word for how.
        public let subtype: String?
        /// What was bought.
        public let productID: String?
        /// The store's name for the transaction.
        public let transactionID: String?
        /// The price, in thousandths of the currency.
        public let price: Int64?
        /// The currency, in the letters of ISO 4217.
        public let currency: String?
        /// How many credits.
        public let amount: Int64?
        /// The plan that was given.
        public let plan: String?
        /// The name of the grant.
        public let grant: String?
        /// Why an admin did it.
        public let reason: String?
        /// Where credits come from.
        public let source: String?
    }

    /// Its place in the journal.
    public let seq: Int64
    /// When.
    public let at: Date
    /// Why.
    public let cause: ChangeCause
    /// The account before it.
    public let before: AccountStatus
    /// The account after it.
    public let after: AccountStatus
    /// Who had it done; nil where a store, time or the daemon did.
    public let by: Caller?
    /// What was done; nil where the daemon does not say, which one of an older version does not.
    public let detail: Detail?
}
