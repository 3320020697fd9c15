import Wire

/// The rules of `rpc.access`: they lower what a socket gives, by what the kernel attests.
package struct AccessRules: Sendable, Equatable {
    /// Whom a rule names.
    package enum Subject: Sendable, Equatable {
        /// A user.
        case uid(UInt32)
        /// A primary group.
        case gid(UInt32)
    }

    /// One rule.
    package struct Rule: Sendable, Equatable {
        /// Whom it names.
        package let subject: Subject
        /// What they may ask for.
        package let role: Role

        /// A rule.
        package init(_ subject: Subject, _ role: Role) {
            self.subject = subject
            self.role = role
        }
    }

    private let rules: [Rule]

    /// These rules, in this order.
    package init(_ rules: [Rule] = []) { self.rules = rules }

    /// What a caller may ask for; nil for one who may ask nothing.
    ///
    /// First match wins: no rules at all give the socket's role; the first rule that names the uid
    /// or gid gives its own, never above the socket's; whom no rule names is refused.
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
