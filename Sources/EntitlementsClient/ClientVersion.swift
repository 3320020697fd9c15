/// Which release this client belongs to.
package enum ClientVersion {
    /// The version, as `entitlctl --version` prints it.
    package static let current = "0.1.0"
}
