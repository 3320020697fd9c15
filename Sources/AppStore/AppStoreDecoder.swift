import Entitlements
import JSON

/// Turns the payloads of verified documents into facts.
///
/// It is lenient about values that it does not need, because Apple adds values and types without a
/// new version, and strict about those that make a fact. It is pure: no clock, no signatures.
package enum AppStoreDecoder {
    /// The notification that these documents state, if they agree on the subscription.
    ///
    /// Throws `.wrongDocument` if one of them is of another kind, or they disagree. App and
    /// environment must have been checked before (`AppStoreIdentity`).
    package static func notification(
        outer: DecodedDocument,
        transaction: DecodedDocument?,
        renewal: DecodedDocument?
    ) throws(DocumentFault) -> Notification {
        let kind = try kind(of: outer)
        let signed = try outer.signed()
        var facts: [Fact] = []
        if let transaction {
            var fact = try fact(transaction: transaction, renewal: renewal)
            let code = outer.payload["data"]?["status"]?.int64 ?? kind.status
            if let code {
                let version = Version(signed: signed, digest: outer.digest)
                fact.status = StatusFact(version: version, code: code)
            }
            if kind.turnsRenewalOff(revoked: fact.transaction?.revoked != nil) {
                fact.renewalDisabled = signed
            }
            facts = [fact]
        }
        return Notification(
            id: NotificationID(signed: signed, digest: try uuidDigest(of: outer)),
            type: kind.type,
            subtype: kind.subtype,
            document: outer.digest,
            facts: facts
        )
    }

    /// The type of a notification that has none of the four known objects; nil for every other
    /// document.
    package static func typeOfUnknownShape(_ outer: DecodedDocument) -> String? {
        guard let type = try? type(of: outer) else { return nil }
        let isKnown = AppStoreIdentity.objects.contains { outer.payload[$0]?.object != nil }
        return isKnown ? nil : type
    }

    /// The type of a notification of another version than 2; nil for every other document.
    static func typeOfUnknownVersion(_ outer: DecodedDocument) -> String? {
        guard let version = outer.payload["version"], version.string?.hasPrefix("2.") != true else {
            return nil
        }
        return try? type(of: outer)
    }

    /// The type of a notification, `unknown` if it is no word; throws if there is none, because the
    /// document is then no notification.
    static func type(of outer: DecodedDocument) throws(DocumentFault) -> String {
        guard let type = outer.payload["notificationType"], type != .null else {
            throw .wrongDocument
        }
        if let kind = try? kind(of: outer) { return kind.type }
        return type.string.flatMap { isWord($0) ? $0 : nil } ?? "unknown"
    }

    /// What has not the form that is known in a notification, in its id, or in the place of one of
    /// its documents; nil if nothing is strange.
    static func strangeness(of outer: DecodedDocument) -> String? {
        if (try? kind(of: outer)) == nil { return "the type or subtype is no word" }
        if (try? uuidDigest(of: outer)) == nil { return "notificationUUID is no UUID" }
        let object = outer.holder
        let documents = [
            "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
        ]
        return documents.first { object?.stated($0).map { $0.string == nil } ?? false }
            .map { "\($0) is no text" }
    }

    /// Checks that the documents in a notification are not known to be something else than a
    /// transaction and renewal information of the same subscription.
    static func checkKinds(
        transaction: DecodedDocument?,
        renewal: DecodedDocument?
    ) throws(DocumentFault) {
        for document in [transaction, renewal].compactMap({ $0?.payload }) {
            guard document["notificationType"] == nil else { throw .wrongDocument }
        }
        guard let renewal else { return }
        guard isOfRenewal(renewal) else { throw .wrongDocument }
        guard let transaction else { return }
        for member in ["originalTransactionId", "environment"]
        where renewal.payload[member] != transaction.payload[member] {
            throw .wrongDocument
        }
    }

    /// The fact that a transaction states, with the renewal information beside it.
    package static func fact(
        transaction: DecodedDocument,
        renewal: DecodedDocument?
    ) throws(DocumentFault) -> Fact {
        guard let store = environment(named: transaction.payload["environment"]?.string) else {
            throw .environment
        }
        let key = SubscriptionKey(
            store: .appStore,
            environment: store,
            originalID: try transaction.name("originalTransactionId")
        )
        var fact = Fact(key: key)
        fact.transaction = try transactionFact(transaction)
        if let renewal {
            guard
                try renewal.name("originalTransactionId") == key.originalID,
                environment(named: renewal.payload["environment"]?.string) == store
            else { throw .wrongDocument }
            fact.renewal = try renewalFact(renewal)
        }
        return fact
    }

    /// `Production` and `Sandbox`; nothing else exists here.
    ///
    /// Apple's own libraries verify nothing in documents of Xcode and LocalTesting.
    package static func environment(named name: String?) -> StoreEnvironment? {
        name.flatMap { StoreEnvironment(name: $0) }
    }

    /// One version of a transaction, from the payload JWSTransactionDecodedPayload.
    private static func transactionFact(
        _ document: DecodedDocument
    ) throws(DocumentFault) -> TransactionFact {
        guard let purchased = document.moment("purchaseDate") else { throw .wrongDocument }
        var fact = TransactionFact(
            id: try document.name("transactionId"),
            version: Version(signed: try document.signed(), digest: document.digest),
            productID: try document.name("productId"),
            purchased: purchased
        )
        let payload = document.payload
        fact.expires = document.moment("expiresDate")
        if let expires = fact.expires, expires < purchased { throw .wrongDocument }
        fact.revoked = document.moment("revocationDate")
        fact.revocationReason = payload["revocationReason"]?.int64
        fact.isUpgraded = payload["isUpgraded"]?.bool ?? false
        fact.kind = payload["type"]?.string.map(shortened) ?? ""
        fact.ownership = payload["inAppOwnershipType"]?.string.map(shortened) ?? ""
        fact.offerType = payload["offerType"]?.int64
        fact.offerDiscount = payload["offerDiscountType"]?.string.map(shortened)
        fact.reason = payload["transactionReason"]?.string.map(shortened)
        fact.token = payload["appAccountToken"]?.string.flatMap { Token($0) }
        fact.terms = terms(of: document)
        fact.origin = TransactionOrigin(
            app: payload["bundleId"]?.string.flatMap(named),
            appTransactionID: payload["appTransactionId"]?.string.flatMap(named)
        )
        if let quantity = payload["quantity"], quantity != .null {
            guard let count = quantity.int64, (1...Int64(Int32.max)).contains(count) else {
                throw .wrongDocument
            }
            fact.quantity = count
        }
        return fact
    }

    /// Whether a document may be renewal information: a transaction in its place has a
    /// `transactionId` and none of the members that say how it goes on.
    ///
    /// Apple adds members, and this one might be the next.
    private static func isOfRenewal(_ document: DecodedDocument) -> Bool {
        let payload = document.payload
        return payload.stated("transactionId") == nil || payload["autoRenewStatus"] != nil
            || payload["autoRenewProductId"] != nil
    }

    /// One version of the renewal information, from the payload JWSRenewalInfoDecodedPayload.
    private static func renewalFact(
        _ document: DecodedDocument
    ) throws(DocumentFault) -> RenewalFact {
        let payload = document.payload
        guard isOfRenewal(document), payload["notificationType"] == nil else {
            throw .wrongDocument
        }
        var fact = RenewalFact(
            version: Version(signed: try document.signed(), digest: document.digest)
        )
        fact.autoRenew = payload["autoRenewStatus"]?.int64.map { $0 != 0 }
        fact.nextProductID = payload["autoRenewProductId"]?.string
            .flatMap {
                DecodedDocument.isName($0) ? $0 : nil
            }
        fact.isInBillingRetry = payload["isInBillingRetryPeriod"]?.bool ?? false
        fact.graceUntil = document.moment("gracePeriodExpiresDate")
        fact.expirationIntent = payload["expirationIntent"]?.int64
        fact.priceIncreaseStatus = payload["priceIncreaseStatus"]?.int64
        fact.renewalDate = document.moment("renewalDate")
        fact.terms = renewalTerms(of: document)
        return fact
    }

    /// The kind of the notification, under the names of Notifications V2.
    private static func kind(of outer: DecodedDocument) throws(DocumentFault) -> NotificationKind {
        guard let type = outer.payload["notificationType"]?.string, isWord(type) else {
            throw .wrongDocument
        }
        guard let subtype = outer.payload["subtype"], subtype != .null else {
            return NotificationKind(type: type, subtype: "")
        }
        guard let word = subtype.string, word.isEmpty || isWord(word) else { throw .wrongDocument }
        return NotificationKind(type: type, subtype: word)
    }

    private static func isWord(_ text: String) -> Bool {
        DecodedDocument.isName(text) && text.utf8.count <= 64
    }

    /// The notification's UUID as a digest.
    ///
    /// Apple repeats a delivery under the same UUID, which is compared without regard to case.
    private static func uuidDigest(of outer: DecodedDocument) throws(DocumentFault) -> Digest256 {
        guard let uuid = outer.payload["notificationUUID"]?.string.flatMap({ Token($0) }) else {
            throw .wrongDocument
        }
        // A UUID has a fixed size already and needs no hashing. The store's number keeps the ids of
        // different stores apart.
        return Digest256(UInt64(Store.appStore.rawValue), 0, uuid.high, uuid.low)
    }
}
