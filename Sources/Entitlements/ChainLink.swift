/// Where the history of an account or a subscription goes on before an entry of the journal.
package struct ChainLink: Hashable, Sendable {
    /// Of what; see `subject(of:)`.
    package let subject: UInt64
    /// The journal position of the entry before; 0 where this is the first.
    package let previous: UInt64

    /// What the links of a user's account are known by.
    package static func subject(of user: UserID) -> UInt64 { hash("u", user.bytes) }

    /// What the links of a subscription are known by.
    package static func subject(of key: SubscriptionKey) -> UInt64 {
        hash("s", key.description.utf8)
    }

    /// FNV-1a: an entry has few links, so that 64 bits tell them apart.
    private static func hash(_ kind: Unicode.Scalar, _ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        take(UInt8(ascii: kind))
        for byte in bytes { take(byte) }
        return hash
    }
}
