/// The system gave no thread.
package struct ThreadFailure: Error, Equatable, Sendable {
    /// Why.
    package let errno: Int32
}
