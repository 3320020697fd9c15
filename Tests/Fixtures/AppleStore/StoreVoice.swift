import CertificateAuthority
import Foundation
import JSON
import Synchronization

/// Speaks as the store does: every document signed by its own chain, in Apple's shape.
package final class StoreVoice: Sendable {
    package let authority: SigningAuthority
    private let lastSigned = Mutex<Int64>(0)

    package init() throws {
        let year = 365 * StoreLife.day
        authority = try SigningAuthority.mint(
            validFrom: Self.now - year,
            validUntil: Self.now + year
        )
    }

    /// One that signs by a chain that is there already.
    package init(by authority: SigningAuthority) { self.authority = authority }

    /// Now, in ms since 1970.
    package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// A signing time after every other one.
    package func signingTime() -> Int64 {
        lastSigned.withLock { last in
            last = max(Self.now, last + 1)
            return last
        }
    }

    /// `payload` as a signed document.
    package func sign(_ payload: JSONObject) throws -> String {
        try authority.sign(JSONValue.object(payload).bytes)
    }

    /// The signed transaction of `life`, as an app's device shows it.
    package func purchase(_ life: StoreLife) throws -> String {
        try sign(life.transaction(signed: signingTime()))
    }

    /// The signed transaction of credit packs, `com.example.pack`; refunded, or not, or in part, in
    /// thousandths of a percent.
    ///
    /// Or of something else that is bought once.
    package func pack(
        _ id: String,
        of token: String,
        quantity: Int64 = 1,
        isRefunded: Bool = false,
        refundedShare: Int64? = nil,
        product: String = "com.example.pack",
        kind: String = "Consumable"
    ) throws -> String {
        var payload: JSONObject = [
            "transactionId": .string(id),
            "originalTransactionId": .string(id),
            "bundleId": .string(ApplePayloads.bundleID),
            "productId": .string(product),
            "purchaseDate": .integer(StoreVoice.now - StoreLife.day),
            "quantity": .integer(quantity),
            "type": .string(kind),
            "inAppOwnershipType": "PURCHASED",
            "appAccountToken": .string(token),
            "signedDate": .integer(signingTime()),
            "environment": "Production",
        ]
        if isRefunded || refundedShare != nil {
            payload["revocationPercentage"] = refundedShare.map { .integer($0) }
            payload["revocationDate"] = .integer(StoreVoice.now)
            payload["revocationReason"] = 0
        }
        return try sign(payload)
    }

    /// The body of a notification about `life`.
    package func notification(
        _ type: String,
        _ subtype: String? = nil,
        about life: StoreLife,
        signed: Int64? = nil,
        id: String = UUID().uuidString.lowercased()
    ) throws -> [UInt8] {
        let signed = signed ?? signingTime()
        let data: JSONObject = [
            "appAppleId": .integer(ApplePayloads.appAppleID),
            "bundleId": .string(ApplePayloads.bundleID),
            "bundleVersion": "1",
            "environment": .string(life.environment),
            "signedTransactionInfo": .string(try sign(life.transaction(signed: signed))),
            "signedRenewalInfo": .string(try sign(life.renewal(signed: signed))),
            "status": .integer(life.status),
        ]
        return try body(type, subtype, saying: data, signed: signed, id: id)
    }

    /// The body of a notification with any object in it.
    package func body(
        _ type: String,
        _ subtype: String? = nil,
        holding name: String = "data",
        saying object: JSONObject,
        signed: Int64? = nil,
        id: String = UUID().uuidString.lowercased()
    ) throws -> [UInt8] {
        var outer: JSONObject = [
            "notificationType": .string(type),
            "notificationUUID": .string(id),
            "version": "2.0",
            "signedDate": .integer(signed ?? signingTime()),
        ]
        if let subtype { outer["subtype"] = .string(subtype) }
        outer[name] = .object(object)
        return Self.body(signedPayload: try sign(outer))
    }

    /// What Apple posts.
    package static func body(signedPayload: String) -> [UInt8] {
        JSONValue.object(["signedPayload": .string(signedPayload)]).bytes
    }
}
