/// One limit of a plan, as the catalog has it.
public enum PlanLimit: Decodable, Hashable, Sendable {
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

    /// The limit as the catalog has it: any value but a list or a map.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .unlimited
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let decimal = try? value.decode(Double.self) {
            self = .decimal(decimal)
        } else {
            self = .text(try value.decode(String.self))
        }
    }
}
