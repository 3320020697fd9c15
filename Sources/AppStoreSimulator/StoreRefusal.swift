/// Why the store does not do what it was asked: the App Store would not either.
package struct StoreRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence.
    package let description: String

    package init(_ description: String) { self.description = description }
}
