/// What is said of a signed document.
package enum Verdict<Value: Sendable>: Sendable {
    /// The signature holds, and the chain leads to a trusted root.
    case genuine(Value)
    /// It does not.
    case forged(ForgeryReason)
    /// It could not be found out: our own trouble, not the document's.
    case undecided(String)
}
