/// What a caller may ask for.
///
/// Roles nest: reader, app, support, admin.
@usableFromInline
package enum Role: UInt8, Comparable, Sendable, CaseIterable {
    /// Asks.
    case reader
    /// Asks and writes on behalf of users.
    case app
    /// Helps customers: gives, takes back, asks the store on their behalf.
    case support
    /// Everything.
    case admin

    /// The role that is written `name`.
    package init?(name: String) {
        guard let role = Role.allCases.first(where: { $0.name == name }) else { return nil }
        self = role
    }

    /// How the role is written.
    package var name: String {
        switch self {
        case .reader: "reader"
        case .app: "app"
        case .support: "support"
        case .admin: "admin"
        }
    }

    /// Whether `left` may ask for less than `right`.
    @inlinable
    package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
}
