import FoundationEssentials

/// Keys for callers who have none of their own.
package enum IdempotencyKey {
    /// A key that nobody has used.
    package static func fresh() -> String { UUID().uuidString.lowercased() }
}
