import FoundationEssentials

/// The two alphabets of base64 that documents need.
package enum Base64 {
    /// Standard, padded: for x5c.
    package static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// URL-safe, without padding: for the segments (RFC 7515, section 2).
    package static func urlText(_ bytes: [UInt8]) -> String {
        text(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of standard base64.
    package static func bytes(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { Array($0) }
    }
}
