/// Carries a value to the one thread that uses it.
package struct Carried<Value>: @unchecked Sendable {
    // SAFETY: handed from one thread to one other, which alone uses it from then on.
    package let value: Value

    /// Hands `value` over.
    package init(_ value: Value) { self.value = value }
}
