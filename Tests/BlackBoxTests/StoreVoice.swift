import CertificateAuthority
import Foundation
import Glibc
import JSON

/// Speaks as the App Store does: signed notifications, posted over HTTP.
struct StoreVoice: Sendable {
    let authority: SigningAuthority
    let port: Int

    /// What a notification says, beside what is the same in all of them.
    struct Words: Sendable {
        var type = "SUBSCRIBED"
        var subtype: String? = "INITIAL_BUY"
        var uuid = UUID().uuidString
        var original = "2000000000000001"
        var transaction = "2000000000000001"
        var product = "com.example.app.monthly"
        var purchased = DaemonUnderTest.now - 60_000
        var expires = DaemonUnderTest.now + 3_600_000
        var signed = DaemonUnderTest.now
        var token: String?
        var status: Int64 = 1
        var autoRenew: Int64 = 1
        var environment = "Production"
        var bundle = "com.example.app"
        var revoked: Int64?
        var grace: Int64?
        var isRetrying: Bool?
    }

    func transaction(_ words: Words) throws -> String {
        var payload: JSONObject = [
            "transactionId": .string(words.transaction),
            "originalTransactionId": .string(words.original),
            "bundleId": .string(words.bundle),
            "productId": .string(words.product),
            "purchaseDate": .integer(words.purchased),
            "originalPurchaseDate": .integer(words.purchased),
            "expiresDate": .integer(words.expires),
            "quantity": 1,
            "type": "Auto-Renewable Subscription",
            "inAppOwnershipType": "PURCHASED",
            "signedDate": .integer(words.signed),
            "environment": .string(words.environment),
        ]
        if let token = words.token { payload["appAccountToken"] = .string(token) }
        if let revoked = words.revoked { payload["revocationDate"] = .integer(revoked) }
        return try authority.sign(JSONValue.object(payload).bytes)
    }

    func notification(_ words: Words) throws -> String {
        var renewal: JSONObject = [
            "originalTransactionId": .string(words.original),
            "productId": .string(words.product),
            "autoRenewProductId": .string(words.product),
            "autoRenewStatus": .integer(words.autoRenew),
            "signedDate": .integer(words.signed),
            "environment": .string(words.environment),
        ]
        if let grace = words.grace { renewal["gracePeriodExpiresDate"] = .integer(grace) }
        if let isRetrying = words.isRetrying {
            renewal["isInBillingRetryPeriod"] = .bool(isRetrying)
        }
        let data: JSONObject = [
            "appAppleId": 1_234_567_890,
            "bundleId": .string(words.bundle),
            "environment": .string(words.environment),
            "status": .integer(words.status),
            "signedTransactionInfo": .string(try transaction(words)),
            "signedRenewalInfo": .string(try authority.sign(JSONValue.object(renewal).bytes)),
        ]
        var outer: JSONObject = [
            "notificationType": .string(words.type),
            "notificationUUID": .string(words.uuid),
            "version": "2.0",
            "signedDate": .integer(words.signed),
            "data": .object(data),
        ]
        if let subtype = words.subtype { outer["subtype"] = .string(subtype) }
        return try authority.sign(JSONValue.object(outer).bytes)
    }

    /// Posts a notification; answers the status and the `result` or `error` of the body.
    func tell(_ words: Words) throws -> (status: Int, word: String) {
        let body: JSONValue = ["signedPayload": .string(try notification(words))]
        return try post(body.bytes)
    }

    func post(
        _ body: [UInt8],
        path: String = "/webhooks/apple"
    ) throws -> (status: Int, word: String) {
        let head =
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let answer = try exchange(Array(head.utf8) + body)
        let text = String(decoding: answer, as: UTF8.self)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let parts = text.components(separatedBy: "\r\n\r\n")
        let value = try? JSONValue.parse(Array((parts.last ?? "").utf8))
        return (status, value?["result"]?.string ?? value?["error"]?.string ?? "")
    }

    /// Sends bytes and reads to the end; nothing comes from a daemon that is gone.
    private func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw DaemonFailure(description: "no socket") }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw DaemonFailure(description: "not connected") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw DaemonFailure(description: "not sent") }
            rest = rest.dropFirst(sent)
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }
}
