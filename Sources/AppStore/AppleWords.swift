import Entitlements
import JSON
import Signatures

/// Apple's own terms, which are the same whether an app is configured or not.
enum AppleWords {
    static let profile = {
        var profile = StoreProfile(
            .appStore,
            section: "apple",
            webhook: StoreWebhook(
                paths: StoreWebhook.paths(to: "apple"),
                challenge: "JWS realm=\"App Store\"",
                bodyBytesMax: Limits.notificationBytesMax
            ),
            managementURL: "https://apps.apple.com/account/subscriptions"
        )
        profile.platform = "ios"
        profile.documents = [.purchase, .receipt, .appTransaction]
        profile.hints = [.transaction]
        profile.errands = [.offers, .consumption, .extensions, .testNotification]
        return profile
    }()

    /// The three segments of `signedPayload`, or nil where the body is not what Apple sends.
    static func payload(ofNotification body: [UInt8]) -> [UInt8]? {
        guard let text = (try? JSONValue.parse(body))?.object?["signedPayload"]?.string else {
            return nil
        }
        let bytes = Array(text.utf8)
        return Segments.dots(in: bytes).count == 2 ? bytes : nil
    }

    static func sentence(on fault: DocumentFault, in document: ShownDocument) -> String? {
        switch (fault, document) {
        case (.unsigned, .purchase):
            "The document is JSON that nobody has signed (StoreKit's jsonRepresentation); send"
                + " jwsRepresentation, or with apple.api the transactionId alone."
        case (.unsigned, .appTransaction):
            "The document is JSON that nobody has signed; send the app transaction's"
                + " jwsRepresentation."
        case (.xcode, _): "The document was made by Xcode, which anybody can do."
        case (.unsigned, .receipt), (.malformed, _), (.signature, _), (.chain, _), (.bundle, _),
            (.environment, _), (.app, _), (.wrongDocument, _), (.futureDate, _):
            nil
        }
    }

    static func sentence(on fault: ReceiptFault) -> String? {
        switch fault {
        case .jwsNotReceipt:
            "That is a document of StoreKit 2 and no receipt; verifyPurchase takes signed"
                + " transactions."
        case .xcode: "The receipt was made by Xcode, which anybody can do."
        case .malformed, .signature, .chain, .bundle, .environment, .futureDate, .doubleBase64: nil
        }
    }
}

extension AppStore {
    package var profile: StoreProfile { AppleWords.profile }

    package func sentence(on fault: DocumentFault, in document: ShownDocument) -> String? {
        AppleWords.sentence(on: fault, in: document)
    }

    package func sentence(on fault: ReceiptFault) -> String? { AppleWords.sentence(on: fault) }
}
