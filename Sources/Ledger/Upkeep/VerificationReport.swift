import Entitlements

/// What `entitld verify` found.
package struct VerificationReport: Sendable {
    /// The position of the views.
    package internal(set) var applied: UInt64 = 0
    /// The last entry of the journal.
    package internal(set) var lastSeq: UInt64 = 0
    /// The version of the rules that made the oldest rows.
    ///
    /// If it is not the present version, rows that have not changed since may differ.
    package internal(set) var rules: UInt32 = Rules.version
    /// Rows compared, by table.
    package internal(set) var rows: [(table: TableName, count: Int)] = []
    /// The differences; one sentence each, at most 20.
    package internal(set) var differences: [String] = []
    /// How many differences there are.
    package internal(set) var differencesCount = 0
    /// The first difference that older rules do not explain.
    package internal(set) var damage: String?
    /// The greatest size of rows and entries in memory, in bytes.
    var heldBytesMax = 0

    /// Notes a difference.
    ///
    /// - Parameters:
    ///   - sentence: what differs.
    ///   - mayBeOfRules: whether rows may differ like this because older rules made some of them.
    mutating func differ(_ sentence: String, mayBeOfRules: Bool = false) {
        differencesCount += 1
        if differences.count < 20 { differences.append(sentence) }
        if mayBeOfRules, rules != Rules.version { return }
        damage = damage ?? sentence
    }
}
