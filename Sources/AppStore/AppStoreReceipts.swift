import Entitlements
import Signatures

/// The App Store's older documents, app receipts: verifies them and turns them into facts.
///
/// Apple's verifyReceipt is not called, because the signature proves the same. Nothing in a
/// receipt, not even an account token, binds it to the person who presents it; the caller must
/// judge to whom its purchases belong.
package struct AppStoreReceipts: Sendable {
    private let verifier: ReceiptVerifier
    private let identity: AppStoreIdentity

    /// Judges receipts for the apps of `identity`; `verifier` holds the trusted roots.
    package init(verifier: ReceiptVerifier, identity: AppStoreIdentity) {
        self.verifier = verifier
        self.identity = identity
    }

    /// The verdict on `text`, a receipt as base64, presented at `now`.
    ///
    /// Line breaks and spaces, which devices write into it, are ignored.
    ///
    /// The first match decides: no receipt by its first letters; malformed; chain; signature;
    /// content; the chain at the time of its creation; created in the future; another bundle;
    /// another environment; unreadable purchases.
    package func verdict(on text: [UInt8], at now: Moment) -> ReceiptVerdict {
        let text = text.filter { $0 > 0x20 || ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if let confusion = Self.confusion(text) {
            return .refused(confusion.fault, detail: confusion.detail)
        }
        let verdict = verifier.verdict(on: text) { payload in
            ReceiptAttributes(payload)
                .flatMap { attributes in
                    attributes.created.map { (created: $0, content: attributes) }
                }
        }
        switch verdict {
        case .genuine(let genuine): return self.verdict(on: genuine, at: now)
        case .forged(let reason): return .refused(Self.fault(of: reason, text), detail: "\(reason)")
        case .undecided(let detail): return .refused(.chain, detail: detail)
        }
    }

    private func verdict(
        on genuine: VerifiedContent<ReceiptAttributes>,
        at now: Moment
    ) -> ReceiptVerdict {
        let attributes = genuine.content
        let created = Moment(genuine.created)
        if created > now.advanced(byMilliseconds: Limits.futureMilliseconds) {
            return .refused(.futureDate, detail: "made in the future")
        }
        guard let app = identity.app(of: attributes.bundleID) else {
            return .refused(.bundle, detail: "a receipt of another app")
        }
        do throws(ReceiptDecoder.Fault) {
            let environment = try ReceiptDecoder.environment(named: attributes.environment)
            guard identity.environments.contains(environment) else {
                return .refused(.environment, detail: "not an environment of this daemon")
            }
            return .genuine(
                VerifiedReceipt(
                    bundleID: app.bundleID,
                    environment: environment,
                    created: created,
                    digest: Digest256(bytes: genuine.digest),
                    facts: try ReceiptDecoder.facts(
                        of: attributes,
                        in: environment,
                        created: created
                    )
                )
            )
        } catch {
            return .refused(error.fault, detail: error.detail)
        }
    }
}

// Documents that are often presented instead of a receipt (docs/app-store-facts.md, "Receipts").
extension AppStoreReceipts {
    /// The kind of document that the first letters show, if it is no receipt.
    ///
    /// A receipt begins with a SEQUENCE that is longer than 127 bytes, in base64 `MI`; that again
    /// in base64 is `TU`. A JWS begins with `{"`, in base64 `eyJ`; the text of older receipts with
    /// `{` and a line break.
    private static func confusion(_ text: [UInt8]) -> (fault: ReceiptFault, detail: String)? {
        if text.starts(with: Array("TU".utf8)) { return (.doubleBase64, "base64 of base64") }
        if text.starts(with: Array("eyJ".utf8)) { return (.jwsNotReceipt, "a JWS") }
        if text.starts(with: Array("ew".utf8)) {
            return (.malformed, "a receipt of the form before iOS 7")
        }
        return nil
    }

    /// The kind of a forgery, or that it is one of Xcode's.
    ///
    /// Looks for the name in Xcode's certificate. This only gives a developer who sets up a test a
    /// hint: the receipt is refused in any case.
    private static func fault(of reason: ForgeryReason, _ text: [UInt8]) -> ReceiptFault {
        if ReceiptVerifier.namesXcode(text) { return .xcode }
        return switch reason.kind {
        case .malformed: .malformed
        case .signature: .signature
        case .chain: .chain
        }
    }
}
