/// Whether money was real.
///
/// The raw value is stored; facts of the two never merge.
package enum StoreEnvironment: UInt8, Sendable, Comparable {
    case production = 1
    case sandbox = 2

    package static func < (left: StoreEnvironment, right: StoreEnvironment) -> Bool {
        left.rawValue < right.rawValue
    }

    /// How Apple writes it.
    package var name: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }

    /// The environment that is written `name`.
    package init?(name: some StringProtocol) {
        switch name {
        case "Production": self = .production
        case "Sandbox": self = .sandbox
        default: return nil
        }
    }
}
