/// Carries a value to the one thread that uses it.
struct Carried<Value>: @unchecked Sendable {
    // SAFETY: handed from one thread to one other, which alone uses it from then on.
    let value: Value

    init(_ value: Value) { self.value = value }
}
