/// What a JSON text may cost at most.
package enum JSONLimits {
    /// How deep arrays and objects may nest; `[]` is one deep.
    package static let depthMax = 32
    /// How many members one object may have.
    package static let membersMax = 20_000
    /// Up to here duplicate keys are looked for pairwise, above with a table of hashes.
    static let pairwiseMembersMax = 16
    /// The longest key that is compared pairwise; with a longer one its object gets a table.
    static let pairwiseKeyBytesMax = 64
    /// How many members a scanner keeps room for between texts; what a longer one took is given
    /// back with the next.
    static let keptMembersMax = 4_096
    /// The longest text; offsets are kept in 32 bits.
    package static let textBytesMax = Int(Int32.max)
}
