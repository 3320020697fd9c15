/// The bounds of this room.
///
/// Each is reached by a test.
package enum SignatureLimits {
    /// Bytes of a whole document.
    package static let documentBytesMax = 256 << 10
    /// Bytes of its header, decoded.
    package static let headerBytesMax = 16 << 10
    /// How deep a header's JSON goes.
    package static let headerDepthMax = 4
    /// Bytes of one certificate.
    package static let certificateBytesMax = 4 << 10
    /// How deep a certificate nests; a name's attribute stands at 6.
    package static let certificateDepthMax = 16
    /// Chains remembered.
    package static let chainsMax = 32
    /// Bytes of a serial number (RFC 5280, section 4.1.2.2).
    package static let serialBytesMax = 20
    /// Bits of an RSA key; fewer can be broken.
    package static let rsaBitsMin = 2048
    /// Bits of an RSA key; each more makes checking dearer.
    package static let rsaBitsMax = 4096
    /// The end of the year 9999, in ms since 1970.
    package static let timeMax: Int64 = 253_402_300_799_999
}
