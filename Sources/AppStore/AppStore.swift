// AppStore is everything that only Apple says: its signed documents become facts, or are refused.
//
// In reading order:
//   AppStore            below: the Storefront; verdicts on notifications, purchases and receipts
//   AppStoreIdentity    which apps are ours, and in which environments
//   DecodedDocument     a verified payload as strict JSON
//   AppStoreDecoder     from payloads to facts; +Terms has what does not decide about access
//   NotificationKind    types and subtypes of notifications
//   AppStoreReceipts    the older documents: ReceiptAttributes, ReceiptDecoder
//   OfferSigner         signatures that StoreKit wants from the app's server
//   UnconfiguredAppStore  what is answered where no app is configured
//
// Its laws:
//   1. Nothing is decoded for use before its signature holds.
//   2. What is of another app, or of an environment that is not admitted, is refused by name.
//   3. Strict about what a fact is made of; lenient about the rest, for Apple adds to it. What is
//      signed and cannot be read is said to be so; refused is what contradicts itself or this app.
//
// It never opens a socket, remembers anything, or says what a product gives.

import Entitlements
import JSON
import Signatures

/// Apple's App Store: verifies its documents and turns them into facts.
///
/// Checks run from cheap to costly, and nothing is decoded for use before its signature holds. The
/// verdicts are those of Apple's own libraries (docs/app-store-facts.md, "Verification"), except
/// where Tests/Oracle/differences.json says why not.
package final class AppStore: Storefront {
    private let verifier: DocumentVerifier
    let identity: AppStoreIdentity
    private let receipts: AppStoreReceipts?

    /// Creates the App Store for the apps of `identity`; the verifiers hold the trusted roots.
    ///
    /// Without a verifier for receipts, receipts are not accepted.
    package init(
        verifier: DocumentVerifier,
        identity: AppStoreIdentity,
        receipts: ReceiptVerifier? = nil
    ) {
        self.verifier = verifier
        self.identity = identity
        self.receipts = receipts.map { AppStoreReceipts(verifier: $0, identity: identity) }
    }

    package func verdict(onReceipt text: [UInt8], at now: Moment) -> ReceiptVerdict {
        guard let receipts else {
            return .refused(.chain, detail: "no root for receipts is trusted")
        }
        return receipts.verdict(on: text, at: now)
    }

    package var figures: VerdictFigures {
        var figures = VerdictFigures()
        (figures.chainsRemembered, figures.chainsVerified) = verifier.cacheFigures
        (figures.genuine, figures.forged, figures.undecided) = verifier.verdictFigures
        return figures
    }

    package func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
        guard let payload = AppleWords.payload(ofNotification: delivery.body) else {
            return .malformed
        }
        return verdict(onNotification: payload, at: now)
    }

    /// The verdict on the signed payload of a notification, which the store's server also returns.
    package func verdict(
        onNotification payload: [UInt8],
        at now: Moment
    ) -> NotificationVerdict {
        do throws(Refusal) {
            let outer = try verified(payload)
            if let (type, detail) = try strangeness(of: outer) {
                try checkDate(of: outer, at: now)
                return .unreadable(type: type, detail: detail, document: payload)
            }
            let environment = try checking(outer) { (outer) throws(DocumentFault) in
                try identity.environment(of: outer)
            }
            let type = try checking(outer) { (outer) throws(DocumentFault) in
                try AppStoreDecoder.type(of: outer)
            }
            if let detail = AppStoreDecoder.strangeness(of: outer) {
                try checkDate(of: outer, at: now)
                return .unreadable(type: type, detail: detail, document: payload)
            }
            let object = outer.holder
            let transaction = try inner("signedTransactionInfo", of: object)
            let renewal = try inner("signedRenewalInfo", of: object)
            try checkAppTransaction(of: object, in: outer, environment, at: now)
            if let transaction { try check(transaction, in: outer, environment) }
            for document in [outer, transaction, renewal].compactMap({ $0 }) {
                try checkDate(of: document, at: now)
            }
            try checking(outer) { (_) throws(DocumentFault) in
                try AppStoreDecoder.checkKinds(transaction: transaction, renewal: renewal)
            }
            let notification: Notification
            do throws(DocumentFault) {
                notification = try AppStoreDecoder.notification(
                    outer: outer,
                    transaction: transaction,
                    renewal: renewal
                )
            } catch {
                // The documents are signed by Apple and agree with each other, but have unknown
                // values.
                return .unreadable(
                    type: type,
                    detail: "a document has values that are not known",
                    document: payload
                )
            }
            guard identity.environments.contains(environment) else {
                return .foreign(type: notification.type)
            }
            return .genuine(notification)
        } catch {
            return .refused(error.fault, detail: error.detail)
        }
    }

    package func verdict(
        onPurchase document: [UInt8],
        renewal: [UInt8]?,
        at now: Moment
    ) -> PurchaseVerdict {
        do throws(Refusal) {
            let transaction = try verifiedTransaction(document)
            let payload = transaction.payload
            guard payload["notificationType"] == nil, payload["transactionId"] != nil else {
                throw Refusal(.wrongDocument, "not a transaction")
            }
            let environment = AppStoreDecoder.environment(named: payload["environment"]?.string)
            try checking(transaction) { (document) throws(DocumentFault) in
                try identity.check(document)
            }
            guard let environment, identity.environments.contains(environment) else {
                throw Refusal(.environment, "not an environment of this daemon")
            }
            var info: DecodedDocument?
            if let renewal { info = try verified(renewal) }
            for document in [transaction, info].compactMap({ $0 }) {
                try checkDate(of: document, at: now)
            }
            return .genuine(
                try checking(transaction) { (transaction) throws(DocumentFault) in
                    try AppStoreDecoder.fact(transaction: transaction, renewal: info)
                }
            )
        } catch {
            guard error.fault == .chain,
                [document, renewal].compactMap({ $0 })
                    .contains(where: { Self.claimsXcode("environment", of: $0) })
            else { return .refused(error.fault, detail: error.detail) }
            return .refused(.xcode, detail: error.detail)
        }
    }

    /// Whether a document that is refused says that Xcode made it: a hint for a developer who sets
    /// up a test, and no more.
    static func claimsXcode(_ member: String, of compact: [UInt8]) -> Bool {
        DocumentVerifier.unverifiedText(member, of: compact) == xcode
    }

    static let xcode = "Xcode"

    /// Why a document is refused, with a sentence for the log.
    struct Refusal: Error {
        let fault: DocumentFault
        let detail: String

        init(_ fault: DocumentFault, _ detail: String) {
            self.fault = fault
            self.detail = detail
        }
    }

    func checking<Value>(
        _ document: DecodedDocument,
        _ body: (DecodedDocument) throws(DocumentFault) -> Value
    ) throws(Refusal) -> Value {
        do {
            return try body(document)
        } catch {
            throw Refusal(error, "the payload is not what belongs here")
        }
    }

    /// The type of a notification of which nothing can be read, and why; nil for every other
    /// document.
    private func strangeness(
        of outer: DecodedDocument
    ) throws(Refusal) -> (type: String, detail: String)? {
        if let type = AppStoreDecoder.typeOfUnknownShape(outer) {
            return (type, "none of the objects that are known")
        }
        guard let type = AppStoreDecoder.typeOfUnknownVersion(outer) else { return nil }
        try checking(outer) { (outer) throws(DocumentFault) in
            try identity.checkNames(in: outer)
        }
        return (type, "a version that is not known")
    }

    private func inner(
        _ member: String,
        of object: JSONValue?
    ) throws(Refusal) -> DecodedDocument? {
        try object?[member]?.string
            .map { (text) throws(Refusal) in
                try verified(Array(text.utf8))
            }
    }

    /// Checks that outer and inner documents agree on app and environment.
    private func check(
        _ transaction: DecodedDocument,
        in outer: DecodedDocument,
        _ environment: StoreEnvironment
    ) throws(Refusal) {
        try checking(transaction) { (document) throws(DocumentFault) in
            try identity.check(document, within: outer)
        }
        let named = transaction.payload["environment"]?.string
        guard AppStoreDecoder.environment(named: named) == environment else {
            throw Refusal(.environment, "the documents disagree on the environment")
        }
    }

    /// Checks the app transaction of a `RESCIND_CONSENT`, which has its own signature.
    private func checkAppTransaction(
        of object: JSONValue?,
        in outer: DecodedDocument,
        _ environment: StoreEnvironment,
        at now: Moment
    ) throws(Refusal) {
        guard let text = object?["signedAppTransactionInfo"]?.string else { return }
        let document = try verified(Array(text.utf8), dated: "receiptCreationDate")
        if let claim = document.claimAgainst(now) { throw Refusal(.signature, claim) }
        try checking(document) { (document) throws(DocumentFault) in
            try identity.check(document, within: outer)
        }
        let named = document.payload["receiptType"]?.string
        guard AppStoreDecoder.environment(named: named) == environment else {
            throw Refusal(.environment, "the documents disagree on the environment")
        }
    }

    /// Checks that the document was not signed in the future; clocks may differ by five minutes.
    private func checkDate(of document: DecodedDocument, at now: Moment) throws(Refusal) {
        if let claim = document.claimAgainst(now) { throw Refusal(.signature, claim) }
        guard let signed = document.moment("signedDate") else {
            throw Refusal(.wrongDocument, "no signedDate")
        }
        let latest = now.advanced(byMilliseconds: Limits.futureMilliseconds)
        if signed > latest { throw Refusal(.futureDate, "signed in the future") }
    }

    /// Verifies a transaction.
    ///
    /// An app transaction, which has no `signedDate`, may be genuine, but it is not a transaction.
    private func verifiedTransaction(_ compact: [UInt8]) throws(Refusal) -> DecodedDocument {
        do throws(Refusal) {
            return try verified(compact)
        } catch {
            if error.fault == .malformed,
                (try? verified(compact, dated: "receiptCreationDate")) != nil
            {
                throw Refusal(.wrongDocument, "an app transaction")
            }
            throw error
        }
    }

    func verified(
        _ compact: [UInt8],
        dated claim: String = "signedDate"
    ) throws(Refusal) -> DecodedDocument {
        switch verifier.verdict(on: compact, timeClaim: claim) {
        case .genuine(let document):
            return DecodedDocument(
                payload: document.payload,
                digest: Digest256(bytes: document.digest)
            )
        case .forged(let reason):
            throw Refusal(fault(of: reason, in: compact), "\(reason)")
        case .undecided(let detail):
            throw Refusal(.chain, detail)
        }
    }

    private func fault(of reason: ForgeryReason, in compact: [UInt8]) -> DocumentFault {
        switch reason.kind {
        case .malformed: DocumentFault(ofMalformed: compact)
        case .signature: .signature
        case .chain: .chain
        }
    }
}
