import Wire

/// The rules of `rpc.access`: they lower the role that a socket gives, depending on the uid and gid
/// that the kernel reports.
package struct AccessRules: Sendable, Equatable {
    /// The callers to whom a rule applies.
    package enum Subject: Sendable, Equatable {
        /// A user.
        case uid(UInt32)
        /// A primary group.
        case gid(UInt32)
    }

    /// One rule.
    package struct Rule: Sendable, Equatable {
        /// The callers to whom it applies.
        package let subject: Subject
        /// The role that they get.
        package let role: Role

        /// Creates a rule.
        package init(_ subject: Subject, _ role: Role) {
            self.subject = subject
            self.role = role
        }
    }

    private let rules: [Rule]

    /// Creates the rules, to be tried in this order.
    package init(_ rules: [Rule] = []) { self.rules = rules }

    /// The role of a caller; nil for one who may ask nothing.
    ///
    /// Without any rules, a caller gets the socket's role. Otherwise the first rule that names the
    /// uid or gid gives its role, never above the socket's; a caller whom no rule names is refused.
    package func role(uid: UInt32, gid: UInt32, ceiling: Role) -> Role? {
        if rules.isEmpty { return ceiling }
        let first = rules.first { rule in
            switch rule.subject {
            case .uid(let named): named == uid
            case .gid(let named): named == gid
            }
        }
        return first.map { min($0.role, ceiling) }
    }
}
