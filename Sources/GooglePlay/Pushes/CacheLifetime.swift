/// For how long an answer may be kept, by its headers (RFC 9111, section 5.2.2).
package enum CacheLifetime {
    /// How many seconds a key set is valid.
    ///
    /// - Parameters:
    ///   - cacheControl: the value of Cache-Control; several fields are joined by commas.
    ///   - age: the value of Age, for how long a cache has kept the answer already.
    /// - Returns: the rest of `max-age`, within the limits of this room.
    package static func seconds(cacheControl: String?, age: String?) -> Int64 {
        let named = cacheControl.flatMap(maxAge) ?? PlayLimits.keySetSecondsUnnamed
        let spent = age.flatMap(number) ?? 0
        let left = named - min(spent, named)
        return min(max(left, PlayLimits.keySetSecondsMin), PlayLimits.keySetSecondsMax)
    }

    /// The shortest `max-age`; 0 with `no-store` or `no-cache`; nil if none is named.
    private static func maxAge(_ header: String) -> Int64? {
        var shortest: Int64?
        for directive in header.split(separator: ",") {
            let parts = directive.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let name = trimmed(parts[0]).lowercased()
            if name == "no-store" || name == "no-cache" { return 0 }
            guard name == "max-age", parts.count == 2 else { continue }
            // A number that cannot be read counts as a stale answer, as section 4.2.1 advises.
            let value = number(unquoted(trimmed(parts[1]))) ?? 0
            shortest = min(shortest ?? value, value)
        }
        return shortest
    }

    /// A whole number of seconds; more than 2^31 counts as that (RFC 9111, section 1.2.2).
    private static func number(_ text: String) -> Int64? {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text).map { min($0, 1 << 31) } ?? 1 << 31
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(text)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast())
    }
}
