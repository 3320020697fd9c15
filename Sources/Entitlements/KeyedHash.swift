/// The secret of the ledger's keyed hashes; made once, with the first erasure.
package struct HashKey: Hashable, Sendable {
    /// The first half.
    package let first: UInt64
    /// The second half.
    package let second: UInt64

    /// The key with these halves.
    package init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }
}

/// What a name of an erased person is known by: its keyed hash.
package struct NameMark: Hashable, Comparable, Sendable {
    /// The first eight bytes, as a little-endian number.
    package let low: UInt64
    /// The other eight.
    package let high: UInt64

    /// The mark with these halves.
    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    package static func < (left: NameMark, right: NameMark) -> Bool {
        (left.low, left.high) < (right.low, right.high)
    }
}

/// A name that a person is known by, here or at a store.
package enum PersonName: Hashable, Sendable {
    case user(UserID)
    case token(Token)
    case subscription(SubscriptionKey)
    case pack(PackKey)

    /// What is hashed: a letter for the kind, then the name as it is written in keys.
    var bytes: [UInt8] {
        switch self {
        case .user(let user): [UInt8(ascii: "u")] + user.bytes
        case .token(let token): [UInt8(ascii: "t")] + Array(token.description.utf8)
        case .subscription(let key): [UInt8(ascii: "s")] + Array(key.description.utf8)
        case .pack(let key):
            [UInt8(ascii: "p")]
                + Array("\(key.store.name)/\(key.environment.name)/\(key.transactionID)".utf8)
        }
    }
}

extension HashKey {
    /// The mark of `name`.
    package func mark(of name: PersonName) -> NameMark { hash(name.bytes) }

    /// The key of the pseudonyms of the erasure at `seq`.
    ///
    /// Each erasure has its own, so that two lives of one person have nothing in common.
    package func ofErasure(at seq: UInt64) -> HashKey {
        let mark = hash([UInt8(ascii: "e")] + Array("\(seq)".utf8))
        return HashKey(mark.low, mark.high)
    }

    /// What stands in the place of `user` where the journal is rewritten: the same every time, and
    /// the id of nobody, because no id has control characters.
    package func pseudonym(of user: UserID) -> UserID {
        UserID(pseudonym: pseudonym(of: user.bytes, "U")) ?? user
    }

    /// What stands in the place of a store's id, and is no id of a store; nothing for nothing.
    package func pseudonym(ofStoreID id: [UInt8]) -> [UInt8] { pseudonym(of: id, "S") }

    /// What stands in the place of a token.
    package func pseudonym(of token: Token) -> Token {
        let mark = hash([UInt8(ascii: "T")] + Array(token.description.utf8))
        return Token(high: mark.high, low: mark.low | 1) ?? token
    }

    /// What stands in the place of a subscription's key.
    package func pseudonym(of key: SubscriptionKey) -> SubscriptionKey {
        SubscriptionKey(
            store: key.store,
            environment: key.environment,
            originalID: text(key.originalID)
        )
    }

    private func text(_ id: String) -> String {
        String(decoding: pseudonym(ofStoreID: Array(id.utf8)), as: UTF8.self)
    }

    /// As long as `name`, and never so short that two names might have one pseudonym: user ids of a
    /// few digits are common.
    private func pseudonym(of name: [UInt8], _ kind: Unicode.Scalar) -> [UInt8] {
        if name.isEmpty { return [] }
        let count = max(name.count, Limits.pseudonymBytesMin)
        var bytes: [UInt8] = []
        var block: UInt8 = 0
        while bytes.count < count {
            let mark = hash([UInt8(ascii: kind), block] + name)
            for half in [mark.low, mark.high] {
                for place in 0..<8 { bytes.append(Self.letter(half >> UInt64(8 * place))) }
            }
            block &+= 1
        }
        return Array(bytes.prefix(count))
    }

    /// One of the 32 control characters of ASCII that are not 0.
    private static func letter(_ bits: UInt64) -> UInt8 {
        let bits = UInt8(truncatingIfNeeded: bits) & 31
        return bits == 0 ? 0x7f : bits
    }
}

extension HashKey {
    /// SipHash-2-4 with 128 bits.
    ///
    /// Aumasson and Bernstein, "SipHash: a fast short-input PRF": nobody without the key can tell
    /// whose a mark is.
    package func hash(_ bytes: [UInt8]) -> NameMark {
        var state = SipState(self)
        var word: UInt64 = 0
        for (place, byte) in bytes.enumerated() {
            word |= UInt64(byte) << UInt64(8 * (place % 8))
            guard place % 8 == 7 else { continue }
            state.compress(word)
            word = 0
        }
        state.compress(word | UInt64(truncatingIfNeeded: bytes.count) << 56)
        state.v2 ^= 0xee
        for _ in 0..<4 { state.round() }
        let low = state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        state.v1 ^= 0xdd
        for _ in 0..<4 { state.round() }
        return NameMark(low: low, high: state.v0 ^ state.v1 ^ state.v2 ^ state.v3)
    }
}

private struct SipState {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    init(_ key: HashKey) {
        v0 = key.first ^ 0x736f_6d65_7073_6575
        v1 = key.second ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key.first ^ 0x6c79_6765_6e65_7261
        v3 = key.second ^ 0x7465_6462_7974_6573
    }

    mutating func compress(_ word: UInt64) {
        v3 ^= word
        for _ in 0..<2 { round() }
        v0 ^= word
    }

    mutating func round() {
        v0 = v0 &+ v1
        v1 = (v1 << 13 | v1 >> 51) ^ v0
        v0 = v0 << 32 | v0 >> 32
        v2 = v2 &+ v3
        v3 = (v3 << 16 | v3 >> 48) ^ v2
        v0 = v0 &+ v3
        v3 = (v3 << 21 | v3 >> 43) ^ v0
        v2 = v2 &+ v1
        v1 = (v1 << 17 | v1 >> 47) ^ v2
        v2 = v2 << 32 | v2 >> 32
    }
}
