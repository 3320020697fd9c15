import Entitlements
import Signatures

/// The App Store's older documents, app receipts: verifies them and turns them into facts.
///
/// No call to Apple's verifyReceipt: the signature says as much. Nothing in a receipt binds it to
/// who shows it, not even an account token; whose its purchases are is for the caller to judge.
package struct AppStoreReceipts: Sendable {
    private let verifier: ReceiptVerifier
    private let identity: AppStoreIdentity

    /// Receipts as seen by the apps of `identity`; `verifier` holds the trusted roots.
    package init(verifier: ReceiptVerifier, identity: AppStoreIdentity) {
        self.verifier = verifier
        self.identity = identity
    }

    /// The verdict on `text`, a receipt as base64, shown at `now`; the line breaks and spaces that
    /// devices write into it count for nothing.
    ///
    /// First match wins: what is no receipt by its first letters, malformed, chain, signature, the
    /// content, the chain at the time when it was made, a time to come, another bundle, another
    /// environment, purchases that cannot be read.
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

// What is often shown in the place of a receipt (docs/app-store-facts.md, "Receipts").
extension AppStoreReceipts {
    /// What the first letters tell.
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
    /// Looks for the name in Xcode's certificate. That is no more than a hint for who set up a
    /// test: what comes here is refused either way.
    private static func fault(of reason: ForgeryReason, _ text: [UInt8]) -> ReceiptFault {
        if ReceiptVerifier.namesXcode(text) { return .xcode }
        return switch reason.kind {
        case .malformed: .malformed
        case .signature: .signature
        case .chain: .chain
        }
    }
}
