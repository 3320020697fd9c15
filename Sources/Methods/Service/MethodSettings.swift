/// What the methods need to know of the configuration.
package struct MethodSettings: Sendable {
    /// What derived tokens begin with.
    package var tokenNamespace: String
    /// The longest frame that may be answered.
    package var frameBytesMax: Int
    /// This program's version.
    package var version: String

    /// The settings of a daemon.
    package init(tokenNamespace: String, frameBytesMax: Int, version: String) {
        self.tokenNamespace = tokenNamespace
        self.frameBytesMax = frameBytesMax
        self.version = version
    }
}
