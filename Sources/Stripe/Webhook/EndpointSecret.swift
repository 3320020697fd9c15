/// The signing secret of one webhook endpoint.
///
/// The whole text, including `whsec_`, is the key. No part of it is decoded.
package struct EndpointSecret: Sendable {
    /// The key of the signatures.
    let key: [UInt8]

    /// The secret in a file; nil if the file is empty, too long, or has several words.
    ///
    /// Surrounding blanks and line breaks are ignored.
    package init?(file: [UInt8]) {
        guard let start = file.firstIndex(where: { !Self.isBlank($0) }),
            let end = file.lastIndex(where: { !Self.isBlank($0) })
        else { return nil }
        let key = Array(file[start...end])
        guard key.count <= StripeLimits.secretBytesMax,
            key.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        self.key = key
    }

    /// Whether this is an API key in the wrong place.
    package var isAPIKey: Bool {
        ["sk_", "rk_", "pk_"].contains { key.starts(with: $0.utf8) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte)
    }
}
