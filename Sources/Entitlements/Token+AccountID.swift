extension Token {
    /// What stands for an account id that an app has given a store, as Google's
    /// `obfuscatedExternalAccountId`.
    ///
    /// A UUID is itself. 64 lower-case hex digits are taken for the SHA-256 that `registerAccount`
    /// answers as `obfuscatedAccountId`: the token is the one derived from the same digest. Of any
    /// other text it is made from the digest of the text.
    ///
    /// - Parameters:
    ///   - text: the account id.
    ///   - digest: its SHA-256.
    package init?(accountID text: String, sha256 digest: Digest256) {
        guard !text.isEmpty else { return nil }
        if let token = Token(text) {
            self = token
            return
        }
        self.init(derivedFrom: Self.digest(ofHex: text) ?? digest)
    }

    /// The first 16 bytes of a digest as a UUID of version 8 and variant 10 (RFC 9562).
    package init?(derivedFrom digest: Digest256) {
        self.init(
            high: digest.words.0 & ~0xf000 | 0x8000,
            low: digest.words.1 & ~(0b11 << 62) | 0b10 << 62
        )
    }

    private static func digest(ofHex text: String) -> Digest256? {
        let digits = Array(text.utf8)
        guard digits.count == 64, !digits.contains(where: { (65...90).contains($0) }) else {
            return nil
        }
        var words: [UInt64] = []
        for start in stride(from: 0, to: 64, by: 16) {
            var word: UInt64 = 0
            for digit in digits[start..<start + 16] {
                guard let value = value(ofHexDigit: digit) else { return nil }
                word = word << 4 | value
            }
            words.append(word)
        }
        return Digest256(words[0], words[1], words[2], words[3])
    }
}
