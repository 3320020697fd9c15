/// Who had something done.
package struct Author: Hashable, Sendable {
    /// What a caller may ask for; the raw value is stored.
    package enum Role: UInt8, CaseIterable, Sendable {
        case reader = 1
        case app = 2
        case support = 3
        case admin = 4

        /// How the role is written.
        package var name: String {
            switch self {
            case .reader: "reader"
            case .app: "app"
            case .support: "support"
            case .admin: "admin"
            }
        }
    }

    /// How the caller is known.
    package enum Name: Hashable, Sendable {
        /// A user of the system, as the kernel says.
        case uid(UInt32)
        /// The name of a token of the configuration.
        case token(String)
    }

    /// What the caller might ask for.
    package let role: Role
    /// How the caller is known.
    package let name: Name

    /// The caller with this role and name.
    package init(_ role: Role, _ name: Name) {
        self.role = role
        self.name = name
    }
}
