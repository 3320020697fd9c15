// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// What changed for a user, when, why, and what was true before and after.
public struct HistoryEvent: Decodable, Equatable, Sendable {
    /// Who had it done.
    public struct Caller: Decodable, Equatable, Sendable {
        /// The role in which they called: `reader`, `app`, `support` or `admin`.
        public let role: String
        /// The user of the system, as the kernel says; absent for a caller over HTTPS.
        public let uid: Int64?
        /// The name of the caller's token; absent for a caller at a socket.
        public let token: String?
    }

    /// What was done: the members that apply.
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
        /// The currency, in letters of ISO 4217.
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
    /// When it changed.
    public let at: Date
    /// Why a status changed.
    public let cause: ChangeCause
    /// The account before it.
    public let before: AccountStatus
    /// The account after it.
    public let after: AccountStatus
    /// Who had it done; nil where a store, time or the daemon did.
    public let by: Caller?
    /// What was done: the members that apply.
    public let detail: Detail?
}
