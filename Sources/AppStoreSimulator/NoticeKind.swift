/// A notification's type and subtype.
package struct NoticeKind: Codable, Hashable, Sendable, CustomStringConvertible {
    /// For example `DID_RENEW`.
    package let type: String
    /// For example `BILLING_RECOVERY`.
    package let subtype: String?

    /// A kind under Apple's names.
    package init(_ type: String, _ subtype: String? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// `DID_RENEW/BILLING_RECOVERY`.
    package var description: String { subtype.map { "\(type)/\($0)" } ?? type }
}
