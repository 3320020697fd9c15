/// A closure that others set.
///
/// What `Mutex` gives out of itself must not be a closure alone: each reading wraps it in one more
/// thunk, until the stack ends.
struct Hook<Value>: Sendable {
    let call: @Sendable (Value) -> Void
}
