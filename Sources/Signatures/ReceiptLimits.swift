import JSON

/// The bounds of receipts.
///
/// Each is reached by a test.
package enum ReceiptLimits {
    /// Bytes of a receipt, decoded; a frame of the usual size holds no more.
    package static let containerBytesMax = 1 << 20
    /// Bytes of its base64 text.
    package static var textBytesMax: Int { Base64.digits(containerBytesMax) }
    /// Certificates in a receipt; genuine ones have leaf, intermediate, root.
    package static let certificatesMax = 4
    /// Bits of an RSA key: shorter ones can be broken, longer ones cost.
    package static let keyBits = 2048...4096
}
