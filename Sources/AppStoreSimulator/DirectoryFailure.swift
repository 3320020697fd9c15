/// Why a store's directory cannot be used.
package struct DirectoryFailure: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    package let description: String

    /// A reason.
    package init(description: String) { self.description = description }
}
