/// What breaks a rule of the house today, and why.
///
/// These lists only get shorter: a test fails where something on them keeps its rule again.
enum Exceptions {
    /// Functions of more than 70 lines, and the most that each may have.
    static let longFunctions: [String: (lines: Int, reason: String)] = [
        "Sources/Ledger/Tables/SubscriptionRow.swift: record": (
            76, "reads the fields of a row in their order"
        )
    ]

    /// Files of which no other names anything.
    static let unusedFiles: [String: String] = [:]
}
