import JSON

extension DocumentVerifier {
    /// What a document that is not genuine says of itself: a hint for people, nothing more.
    package static func unverifiedText(_ member: String, of compact: [UInt8]) -> String? {
        let segments = compact.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64.decoded(segments[1], .url),
            let value = try? JSONValue.parse(payload)
        else { return nil }
        return value[member]?.string
    }
}
