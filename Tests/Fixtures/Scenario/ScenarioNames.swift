import Entitlements

/// Turns the short names and the moments of a scenario into those on the wire, and back.
package struct ScenarioNames: Hashable, Sendable {
    /// Tells one playing from all others; 0 for the story as it is written.
    package let unique: Int
    /// What is added to every moment, in milliseconds.
    package let shift: Int64
    private let base: Int64

    /// The story as it is written.
    package static var written: ScenarioNames {
        ScenarioNames(unique: 0, moving: Moment(0), to: Moment(0))
    }

    /// Names of their own for `unique` (0 to 999,999,999), with `from` moved to `now`.
    package init(unique: Int, moving from: Moment, to now: Moment) {
        precondition((0..<1_000_000_000).contains(unique), "ids keep one length")
        self.unique = unique
        shift = now.milliseconds - from.milliseconds
        base = 2_000_000_000_000_000 + Int64(unique) * 1000
    }

    /// Apple's id of transaction `word`, 1 to 999.
    ///
    /// All have one length, as Apple's do, so that their order is that of the numbers.
    package func transactionID(_ word: String) -> String? {
        guard let number = Int64(word), (1...999).contains(number) else { return nil }
        return String(base + number)
    }

    /// The user `word`; `@A` is the user whose name is token A.
    package func user(_ word: String) -> String {
        if word.hasPrefix("@") { return token(String(word.dropFirst())) }
        return unique == 0 ? word : "\(word)-\(unique)"
    }

    /// The token `word`; what has the length of a UUID stands for itself.
    package func token(_ word: String) -> String {
        if word == "malformed" { return "not-a-uuid" }
        if word == "zero" { return "00000000-0000-0000-0000-000000000000" }
        if word.utf8.count == 36 { return word }
        return uuid("token \(word)")
    }

    /// A UUID that is always the same for `text`, and another one in every playing.
    package func uuid(_ text: String) -> String {
        let digest = Digest256(fingerprintOf: Array("\(unique) \(text)".utf8))
        let token = Token(high: digest.words.0, low: digest.words.1 | 1)
        return token?.description ?? ""
    }

    /// When `moment` is.
    package func moment(_ moment: Moment) -> Moment {
        if moment == .distantFuture { return moment }
        return moment.advanced(byMilliseconds: shift)
    }

    /// The short name of a transaction id on the wire; as it is where it is none of this playing's.
    package func shortTransactionID(_ id: String) -> String {
        guard let number = Int64(id), (1...999).contains(number - base) else { return id }
        return String(number - base)
    }

    /// How the scenario writes the moment that the wire writes as `text`.
    package func shortMoment(_ text: String) -> String {
        guard let moment = ScenarioTime.moment(text) else { return text }
        return ScenarioTime.text(moment.advanced(byMilliseconds: -shift))
    }
}

extension Digest256 {
    /// A fingerprint for tests: FNV-1a over four lanes, no SHA-256; the core only compares.
    package init(fingerprintOf bytes: [UInt8]) {
        func lane(_ seed: UInt64) -> UInt64 {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (seed &* 0x9e37_79b9_7f4a_7c15)
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
            hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
            return hash ^ (hash >> 31)
        }
        self.init(lane(1), lane(2), lane(3), lane(4))
    }
}
