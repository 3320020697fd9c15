import Entitlements

/// A catalog that was in force, from a moment on.
package struct InstalledCatalog: Hashable, Sendable {
    /// Where the journal installed it.
    package let seq: UInt64
    /// From when.
    package let from: Moment
    /// Which one.
    package let stamp: CatalogStamp
}

/// Reads what a catalog says that was installed; answers nil where it cannot be read.
package typealias CatalogReading = @Sendable (CatalogStamp) -> Policy.Source?
