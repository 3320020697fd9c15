/// Access that an admin gave, until it ends or is revoked.
@frozen
package struct Grant: Hashable, Sendable {
    /// The journal position that gave it; printed as `g<number>`.
    package var id: UInt64
    /// The plan's number in `Numbering`.
    package var plan: UInt32
    /// When it begins.
    package var from: Moment
    /// When it ends; `distantFuture` for never.
    package var until: Moment
    /// The store named in it, 0 for none.
    package var storeCode: UInt8

    /// A grant with these parts.
    @inlinable
    package init(id: UInt64, plan: UInt32, from: Moment, until: Moment, storeCode: UInt8) {
        self.id = id
        self.plan = plan
        self.from = from
        self.until = until
        self.storeCode = storeCode
    }
}
