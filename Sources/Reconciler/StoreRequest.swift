import Entitlements
import JSON

/// One question to Apple's App Store Server API.
package struct StoreRequest: Sendable {
    /// Which limit it counts against.
    enum Kind: Sendable {
        case ordinary
        /// Extensions of renewals, of which Apple allows fewer.
        case `extension`
        /// About test notifications.
        case test
    }

    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    let kind: Kind
    let method: Method
    /// The path and the query, encoded.
    let target: String
    let body: [UInt8]?
    /// Whether the same request once more changes nothing.
    let isRepeatable: Bool

    private init(
        _ method: Method,
        _ path: String,
        query: [(String, String)] = [],
        body: JSONObject? = nil,
        kind: Kind = .ordinary,
        isRepeatable: Bool = true
    ) {
        self.method = method
        self.kind = kind
        self.isRepeatable = isRepeatable
        var target = path
        for (index, item) in query.enumerated() {
            target += index == 0 ? "?" : "&"
            target += Self.encoded(item.0) + "=" + Self.encoded(item.1)
        }
        self.target = target
        self.body = body.map { JSONValue.object($0).bytes }
    }

    /// Get All Subscription Statuses.
    static func statuses(of id: StoreName) -> StoreRequest {
        StoreRequest(.get, "/inApps/v1/subscriptions/\(id.text)")
    }

    /// Get Transaction Info.
    static func transaction(_ id: StoreName) -> StoreRequest {
        StoreRequest(.get, "/inApps/v1/transactions/\(id.text)")
    }

    /// Get Transaction History, version 2, the least lately changed first.
    static func history(of id: StoreName, revision: String?) -> StoreRequest {
        var query = [("sort", "ASCENDING")]
        if let revision { query.append(("revision", revision)) }
        return StoreRequest(.get, "/inApps/v2/history/\(id.text)", query: query)
    }

    /// Get Notification History.
    ///
    /// The body is the same for every page.
    static func notifications(
        in window: Range<Moment>,
        onlyFailures: Bool,
        paginationToken: String?
    ) -> StoreRequest {
        var body: JSONObject = [
            "startDate": .integer(window.lowerBound.milliseconds),
            "endDate": .integer(window.upperBound.milliseconds),
        ]
        if onlyFailures { body["onlyFailures"] = true }
        return StoreRequest(
            .post,
            "/inApps/v1/notifications/history",
            query: paginationToken.map { [("paginationToken", $0)] } ?? [],
            body: body
        )
    }

    /// Request a Test Notification.
    static func test() -> StoreRequest {
        StoreRequest(.post, "/inApps/v1/notifications/test", kind: .test)
    }

    /// Get Test Notification Status.
    static func testStatus(_ token: StoreName) -> StoreRequest {
        StoreRequest(.get, "/inApps/v1/notifications/test/\(token.text)", kind: .test)
    }

    /// Set App Account Token.
    static func setToken(_ token: Token, of original: StoreName) -> StoreRequest {
        StoreRequest(
            .put,
            "/inApps/v1/transactions/\(original.text)/appAccountToken",
            body: ["appAccountToken": .string("\(token)")]
        )
    }

    /// Send Consumption Information, version 2.
    static func consumption(_ info: ConsumptionInfo, of id: StoreName) -> StoreRequest {
        StoreRequest(.put, "/inApps/v2/transactions/consumption/\(id.text)", body: info.object)
    }

    /// Extend a Subscription Renewal Date.
    static func extend(_ wish: RenewalWish, of original: StoreName) -> StoreRequest {
        StoreRequest(
            .put,
            "/inApps/v1/subscriptions/extend/\(original.text)",
            body: [
                "extendByDays": .integer(wish.days),
                "extendReasonCode": .integer(wish.reason),
                "requestIdentifier": .string(wish.requestID),
            ],
            kind: .extension,
            isRepeatable: false
        )
    }

    /// Everything but the unreserved characters, as bytes in hexadecimal (RFC 3986, section 2).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if StoreName.isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// An id as it may stand in a path: letters, digits, `-`, `_`, `.` and `~`, at most 128 of them,
/// and not only dots.
///
/// What somebody passes as a transaction id cannot lead to another path.
package struct StoreName: Hashable, Sendable {
    let text: String

    /// The id `text`, or nil where it is none.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...ReconcilerLimits.nameBytesMax).contains(bytes.count),
            bytes.allSatisfy(Self.isPlain), !bytes.allSatisfy({ $0 == UInt8(ascii: ".") })
        else { return nil }
        self.text = text
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
