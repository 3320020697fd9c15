import Entitlements

/// Where records come from that are laid on a desk: the views, the base, or a test's memory.
package protocol RecordSource {
    /// The record of `key` in one table.
    func record<T: TableRow>(of type: T.Type, at key: T.Key) throws -> T.Record?
    /// Purchases that wait for the user of `token`.
    func unclaimed(with token: Token) throws -> [Unclaimed]
    /// Everything about `user` beside the account.
    func traces(of user: UserID) throws -> PersonTraces
}
