/// The rules by which facts become subscriptions, owners and what accounts say of them.
///
/// What is stored follows from the journal under the rules of the release that absorbed an entry.
/// Newer rules make other rows of the same entries, and hold for an account from the next entry
/// about it on; the others keep what the old ones made until the views are made anew. What rules
/// never change of a row is in `TableRow.agreesBesideRules`.
package enum Rules {
    /// Raised by each change after which the journal makes other rows: of `Subscription` and its
    /// eras, of ownership, or of `Desk.absorb`.
    ///
    /// 1: a subscription is its first link's, whatever is bought later. 2: the latest link or
    /// purchase decides; what was superseded or is of a former life does not count; purchases for a
    /// number of days. 3: of transactions with equal moments the digest decides before the id.
    /// 4: and product, end and refund before the id.
    /// 5: what was migrated gives access under its new name alone; a grace without a date needs
    /// status 4 alone.
    /// 6: a part of the money for something bought once takes whole items, except at Apple.
    /// 7: an item of a subscription at Stripe that is paid ahead has no billing problem.
    /// 8: what was renewed at Google or Stripe was paid before; a receipt does not take the place
    /// of a signed transaction.
    /// 9: an account that is full puts away what ended first; several products that were bought
    /// once with one purchase hold side by side; a bundle may be left again; a pause leaves the end
    /// of what is paid; what was bought once, and is revoked in the newest state, was bought; an
    /// item at Google gives once for a payment, whatever its number is; of an order's items twenty
    /// count.
    /// 10: a newer receipt revokes what a signed transaction said.
    /// 11: the newest word on the money for a period at Stripe is about each invoice that names it;
    /// an order at Google and an item of it are withdrawn together, and a share of all is all.
    /// 12: what is told to go on under another original id later goes on under its own until then;
    /// a renewal that was announced before that, and begins behind it, does not count; fifty items
    /// of a subscription at Google do.
    /// 13: what went on under another original id stays gone when that one renews; what is bought
    /// under the old one again counts from then on.
    /// 14: of two original ids with one moment the one that was told of later holds, also when the
    /// other one's person is erased; what a receipt tells of a period is older than what is signed;
    /// what was bought for good is refunded with all of its copies; whoever leaves a family has
    /// nothing of it, also where the next period was announced.
    /// 15: what a family shared, or somebody bought, after it shared no more counts at once; a
    /// receipt that has an id of its own for a period revokes it, too; what Google took back keeps
    /// the end that it had.
    package static let version: UInt32 = 15
    /// Those of rows that do not say by which they were made.
    package static let unnamed: UInt32 = 1
}
