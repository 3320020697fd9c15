import JSON

/// A notification in parts: a good one to start from.
package struct HostileNotification: Sendable {
    package static let bundleID = "com.example.hostile"
    package static let appAppleID: Int64 = 987_654_321

    package var outer: JSONObject
    package var objectName = "data"
    package var object: JSONObject
    package var transaction: JSONObject?
    package var renewal: JSONObject?

    /// A renewal in Production, signed at `signed`.
    package init(signed: Int64, uuid: String = "7f4c2f1e-0000-4000-8000-000000000001") {
        outer = [
            "notificationType": "DID_RENEW",
            "notificationUUID": .string(uuid),
            "version": "2.0",
            "signedDate": .integer(signed),
        ]
        object = [
            "appAppleId": .integer(Self.appAppleID),
            "bundleId": .string(Self.bundleID),
            "bundleVersion": "1",
            "environment": "Production",
            "status": 1,
        ]
        transaction = [
            "transactionId": "2000000000000002",
            "originalTransactionId": "2000000000000001",
            "bundleId": .string(Self.bundleID),
            "productId": "monthly",
            "purchaseDate": .integer(signed - 1000),
            "originalPurchaseDate": .integer(signed - 86_400_000),
            "expiresDate": .integer(signed + 2_592_000_000),
            "quantity": 1,
            "type": "Auto-Renewable Subscription",
            "inAppOwnershipType": "PURCHASED",
            "signedDate": .integer(signed),
            "environment": "Production",
            "transactionReason": "RENEWAL",
            "price": 9990,
            "currency": "USD",
            "appAccountToken": "5d1e4a52-0000-4000-8000-000000000009",
        ]
        renewal = [
            "originalTransactionId": "2000000000000001",
            "productId": "monthly",
            "autoRenewProductId": "monthly",
            "autoRenewStatus": 1,
            "environment": "Production",
            "signedDate": .integer(signed),
        ]
    }

    /// The same in the Sandbox.
    package var inSandbox: HostileNotification {
        var copy = self
        copy.object["environment"] = "Sandbox"
        copy.transaction?["environment"] = "Sandbox"
        copy.renewal?["environment"] = "Sandbox"
        return copy
    }

    /// Without inner documents, as a TEST is.
    package var bare: HostileNotification {
        var copy = self
        copy.transaction = nil
        copy.renewal = nil
        copy.object["status"] = nil
        return copy
    }

    /// The payload, with the inner documents as `sign` writes them.
    package func payload(_ sign: ([UInt8]) throws -> String) rethrows -> [UInt8] {
        var object = object
        if let transaction {
            let text = try sign(JSONValue.object(transaction).bytes)
            object["signedTransactionInfo"] = .string(text)
        }
        if let renewal {
            object["signedRenewalInfo"] = .string(try sign(JSONValue.object(renewal).bytes))
        }
        var outer = outer
        outer[objectName] = .object(object)
        return JSONValue.object(outer).bytes
    }
}
