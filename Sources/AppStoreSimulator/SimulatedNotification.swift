import CertificateAuthority
import JSON

/// A notification before it is signed: the outer payload and what stands inside, in Apple's shape.
package struct SimulatedNotification: Sendable {
    /// The outer payload's one object, without the signed documents in it.
    package enum Body: Sendable {
        case data(JSONObject)
        case summary(JSONObject)
        case appData(JSONObject)
        case externalPurchaseToken(JSONObject)

        var member: (key: String, object: JSONObject) {
            switch self {
            case .data(let object): ("data", object)
            case .summary(let object): ("summary", object)
            case .appData(let object): ("appData", object)
            case .externalPurchaseToken(let object): ("externalPurchaseToken", object)
            }
        }
    }

    /// Type and subtype.
    package let kind: NoticeKind
    /// Its id; repeats have the same.
    package let uuid: String
    /// When it was signed.
    package let signedDate: Int64
    /// Its one object.
    package let outer: Body
    /// The transaction's payload.
    package internal(set) var transaction: JSONObject?
    /// The renewal information's payload.
    package internal(set) var renewal: JSONObject?
    /// The app transaction's payload.
    package internal(set) var appTransaction: JSONObject?

    /// The outer payload, with these documents in it.
    package func payload(
        transaction: String? = nil,
        renewal: String? = nil,
        appTransaction: String? = nil
    ) -> JSONObject {
        var (key, object) = outer.member
        let status = object["status"]
        let reason = object["consumptionRequestReason"]
        object["status"] = nil
        object["consumptionRequestReason"] = nil
        object["signedTransactionInfo"] = transaction.map { .string($0) }
        object["signedRenewalInfo"] = renewal.map { .string($0) }
        object["signedAppTransactionInfo"] = appTransaction.map { .string($0) }
        object["status"] = status
        object["consumptionRequestReason"] = reason
        var payload: JSONObject = ["notificationType": .string(kind.type)]
        payload["subtype"] = kind.subtype.map { .string($0) }
        payload["notificationUUID"] = .string(uuid)
        payload[key] = .object(object)
        payload["version"] = "2.0"
        payload["signedDate"] = .integer(signedDate)
        return payload
    }

    /// The signed notification, the documents inside signed each for itself.
    package func signed(
        by authority: SigningAuthority
    ) throws(AuthorityFailure) -> SignedNotification {
        let inner = try [transaction, renewal, appTransaction]
            .map { (payload) throws(AuthorityFailure) -> String? in
                guard let payload else { return nil }
                return try authority.sign(JSONValue.object(payload).bytes)
            }
        let outer = payload(transaction: inner[0], renewal: inner[1], appTransaction: inner[2])
        return SignedNotification(
            kind: kind,
            uuid: uuid,
            signedDate: signedDate,
            transactionID: transaction?["transactionId"]?.string,
            originalID: transaction?["originalTransactionId"]?.string,
            signedPayload: try authority.sign(JSONValue.object(outer).bytes)
        )
    }
}

/// A notification as it goes over the wire.
package struct SignedNotification: Sendable {
    /// Type and subtype.
    package let kind: NoticeKind
    /// Its id.
    package let uuid: String
    /// When it was signed.
    package let signedDate: Int64
    /// The transaction in it.
    package let transactionID: String?
    /// The line that it is about.
    package let originalID: String?
    /// The document.
    package let signedPayload: String

    /// What is posted.
    package var body: [UInt8] {
        JSONValue.object(["signedPayload": .string(signedPayload)]).bytes
    }
}
