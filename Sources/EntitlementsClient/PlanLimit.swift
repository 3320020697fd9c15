/// One limit of a plan, as the catalog has it.
public enum PlanLimit: Hashable, Sendable {
    /// There is no limit: `null` in the catalog.
    case unlimited
    /// A whole number.
    case integer(Int64)
    /// Another number.
    case decimal(Double)
    /// A word.
    case text(String)
    /// A yes or no.
    case flag(Bool)
}
