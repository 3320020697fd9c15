import Entitlements

/// What `entitld verify` found.
package struct VerificationReport: Sendable {
    /// How far the views are.
    package internal(set) var applied: UInt64 = 0
    /// The last entry of the journal.
    package internal(set) var lastSeq: UInt64 = 0
    /// The rules by which the first of the rows were made; where those are not the present ones,
    /// rows may differ that nothing has changed since.
    package internal(set) var rules: UInt32 = Rules.version
    /// Rows compared, by table.
    package internal(set) var rows: [(table: TableName, count: Int)] = []
    /// What does not agree; one sentence each, at most 20.
    package internal(set) var differences: [String] = []
    /// How many differences there are.
    package internal(set) var differencesCount = 0
    /// The most rows and entries that were in memory at once, in bytes.
    var heldBytesMax = 0

    mutating func differ(_ sentence: String) {
        differencesCount += 1
        if differences.count < 20 { differences.append(sentence) }
    }
}
