/// Which catalog came into force.
package struct CatalogStamp: Hashable, Sendable {
    /// Counts the catalogs installed.
    package let version: UInt32
    /// SHA-256 of what was compiled.
    package let digest: Digest256
    /// The catalog and the configuration that bears on decisions, as text for the history.
    package let text: String

    /// The stamp of a catalog.
    package init(version: UInt32, digest: Digest256, text: String) {
        self.version = version
        self.digest = digest
        self.text = text
    }
}
