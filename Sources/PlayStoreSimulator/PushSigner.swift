import CertificateAuthority
import JSON

/// Writes pushes as Pub/Sub does: the wrapped message, and the bearer token beside it.
package struct PushSigner: Sendable {
    private let key: RS256Key
    private let settings: PlaySettings

    init(_ key: RS256Key, _ settings: PlaySettings) {
        self.key = key
        self.settings = settings
    }

    /// What the key is called.
    static let keyName = "playstoresim-1"

    /// The key set, as Google publishes it.
    package var keySet: [UInt8] {
        let (modulus, exponent) = key.publicNumbers
        let keys: JSONValue = [
            "keys": [
                [
                    "kty": "RSA", "alg": "RS256", "use": "sig", "kid": .string(Self.keyName),
                    "n": .string(Base64.urlText(modulus)), "e": .string(Base64.urlText(exponent)),
                ]
            ]
        ]
        return keys.bytes
    }

    /// The same under the older address: by name, in PEM.
    package var certificates: [UInt8] {
        let object: JSONObject = [Self.keyName: .string(key.publicPEM)]
        return JSONValue.object(object).bytes
    }

    /// A bearer token issued at `now`, in ms since 1970; it counts for an hour.
    package func token(at now: Int64) throws -> String {
        let header: JSONValue = ["alg": "RS256", "kid": .string(Self.keyName), "typ": "JWT"]
        let claims: JSONValue = [
            "aud": .string(settings.audience), "azp": "110000000000000000000",
            "email": .string(settings.pushAccount), "email_verified": true,
            "exp": .integer(now / 1_000 + 3_600), "iat": .integer(now / 1_000),
            "iss": "https://accounts.google.com", "sub": "110000000000000000000",
        ]
        let input = Base64.urlText(header.bytes) + "." + Base64.urlText(claims.bytes)
        let signature = try key.signature(over: Array(input.utf8))
        return input + "." + Base64.urlText(signature)
    }

    /// The body of a push.
    package func body(_ notice: PlayNotice, id: String, at now: Int64) -> [UInt8] {
        var data: JSONObject = [
            "version": "1.0", "packageName": .string(settings.packageName),
            // Documented as a number, and sent as a text.
            "eventTimeMillis": .string("\(now)"),
        ]
        let (name, value) = Self.member(notice)
        data[name] = .object(value)
        let text = Base64.text(JSONValue.object(data).bytes)
        let published = PlayMoment.text(now)
        let body: JSONValue = [
            "message": [
                "data": .string(text), "messageId": .string(id), "message_id": .string(id),
                "publishTime": .string(published), "publish_time": .string(published),
            ],
            "subscription": .string(settings.subscription),
        ]
        return body.bytes
    }

    private static func member(_ notice: PlayNotice) -> (String, JSONObject) {
        switch notice {
        case .subscription(let type, let token):
            (
                "subscriptionNotification",
                [
                    "version": "1.0", "notificationType": .integer(type),
                    "purchaseToken": .string(token),
                ]
            )
        case .oneTime(let type, let token, let sku):
            (
                "oneTimeProductNotification",
                [
                    "version": "1.0", "notificationType": .integer(type),
                    "purchaseToken": .string(token), "sku": .string(sku),
                ]
            )
        case .voided(let token, let order, let isSubscription, let isPartial):
            (
                "voidedPurchaseNotification",
                [
                    "purchaseToken": .string(token), "orderId": .string(order),
                    "productType": .integer(isSubscription ? 1 : 2),
                    "refundType": .integer(isPartial ? 2 : 1),
                ]
            )
        case .refundReview(let order):
            ("pendingRefundReviewNotification", ["version": "1.0", "orderId": .string(order)])
        case .test: ("testNotification", ["version": "1.0"])
        }
    }
}
