import Entitlements

/// The App Store without an app in the configuration.
///
/// The form of a document is still judged, so that malformed documents get the same answer as
/// elsewhere. A well-formed document is refused, because no app is configured.
package struct UnconfiguredAppStore: Storefront {
    /// Creates a store without an app.
    package init() {}

    package var profile: StoreProfile { AppleWords.profile }

    package var hasApps: Bool { false }

    package func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
        guard let payload = AppleWords.payload(ofNotification: delivery.body) else {
            return .malformed
        }
        return .refused(fault(of: payload), detail: detail)
    }

    package func verdict(
        onPurchase document: [UInt8],
        renewal: [UInt8]?,
        at now: Moment
    ) -> PurchaseVerdict {
        .refused(fault(of: document), detail: detail)
    }

    /// A whole receipt begins with `MI`, as DER in base64 does.
    package func verdict(onReceipt text: [UInt8], at now: Moment) -> ReceiptVerdict {
        .refused(receiptFault(of: text), detail: detail)
    }

    package func verdict(
        onAppTransaction document: [UInt8],
        at now: Moment
    ) -> AppTransactionVerdict {
        .refused(fault(of: document), detail: detail)
    }

    package func sentence(on fault: DocumentFault, in document: ShownDocument) -> String? {
        fault == .environment ? Self.sentence : AppleWords.sentence(on: fault, in: document)
    }

    package func sentence(on fault: ReceiptFault) -> String? {
        fault == .environment ? Self.sentence : AppleWords.sentence(on: fault)
    }

    private static let sentence =
        "No app is configured here; the daemon's configuration has no section apple."

    private var detail: String { "no app is configured" }

    private func fault(of text: [UInt8]) -> DocumentFault {
        let segments = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isWhole =
            segments.count == 3
            && segments.allSatisfy { !$0.isEmpty && $0.allSatisfy(Self.isLetter) }
        return isWhole ? .environment : DocumentFault(ofMalformed: text)
    }

    private func receiptFault(of text: [UInt8]) -> ReceiptFault {
        if text.starts(with: Array("TU".utf8)) { return .doubleBase64 }
        if text.starts(with: Array("eyJ".utf8)) { return .jwsNotReceipt }
        let digits = text.reversed().drop { $0 == UInt8(ascii: "=") }
        let isWhole = text.starts(with: Array("MI".utf8)) && digits.allSatisfy(Self.isLetter)
        return isWhole ? .environment : .malformed
    }

    /// Whether a byte belongs to either alphabet of base64.
    private static func isLetter(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-_+/".utf8.contains(byte)
    }
}
