/// A reply, as far as a load cares.
struct ReplyScan {
    /// How it came out.
    enum Verdict {
        /// The answer that the load counts on: yes, found, consumed, applied.
        case positive
        /// Another answer.
        case negative
        /// Refused because there is too much to do.
        case overloaded
        /// Anything else.
        case error
    }

    /// How many bytes it has.
    let count: Int
    /// Which request it belongs to, where replies say so.
    var slot = 0
    /// How it came out.
    let verdict: Verdict
}
