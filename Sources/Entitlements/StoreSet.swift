/// Some of the stores.
@frozen
package struct StoreSet: OptionSet, Sendable {
    /// A bit for each store.
    package let rawValue: UInt8

    /// The stores with these bits.
    @inlinable
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// One store alone.
    @inlinable
    package init(_ store: Store) { self.init(rawValue: 1 << store.rawValue) }

    /// No store; unlike `[]`, which makes an array first, it costs nothing where canRender asks.
    @inlinable package static var none: Self { Self(rawValue: 0) }

    /// All stores that there are.
    @inlinable package static var all: Self { Self(rawValue: 0xff) }

    /// Whether `store` is one of them.
    @inlinable
    package func holds(_ store: Store) -> Bool { rawValue & Self(store).rawValue != 0 }
}
