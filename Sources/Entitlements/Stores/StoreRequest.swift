/// One request to a store's server, as a value.
///
/// Whoever asks sends it, once or, where it may be repeated, again; it adds `Accept`, `User-Agent`
/// and what the scope's access is.
package struct StoreRequest: Hashable, Sendable {
    /// What HTTP calls it.
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// What HTTP calls it.
    package let method: Method
    /// Whose server it goes to.
    package let host: StoreHost
    /// The path and the query, encoded.
    package let target: String
    /// Header fields that only this request has.
    package var fields: [HTTPField] = []
    /// What it carries.
    package let body: StoreBody?
    /// Which limit it counts against.
    package let budget: StoreBudget
    /// Whether the same request once more changes nothing.
    package let isRepeatable: Bool
    /// Whether it carries what `StoreQuestions.access` says.
    package let isAuthorised: Bool

    /// A request; `path` is encoded already, the query is not.
    package init(
        _ method: Method,
        _ host: StoreHost,
        _ path: String,
        query: [(name: String, value: String)] = [],
        body: StoreBody? = nil,
        budget: StoreBudget = .ordinary,
        isRepeatable: Bool = true,
        isAuthorised: Bool = true
    ) {
        self.method = method
        self.host = host
        self.body = body
        self.budget = budget
        self.isRepeatable = isRepeatable
        self.isAuthorised = isAuthorised
        target = query.isEmpty ? path : path + "?" + Self.pairs(query)
    }

    /// The whole address.
    package var url: String { host.base + target }

    /// Everything but the unreserved characters, as bytes in hexadecimal (RFC 3986, section 2): for
    /// a segment of a path, or a part of a query.
    package static func encoded(_ text: String) -> String {
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

    fileprivate static func pairs(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
    }
}

/// What a request carries.
package struct StoreBody: Hashable, Sendable {
    /// Its media type.
    package let mediaType: String
    /// The bytes.
    package let bytes: [UInt8]

    /// JSON, written already.
    package static func json(_ bytes: [UInt8]) -> StoreBody {
        StoreBody(mediaType: "application/json", bytes: bytes)
    }

    /// Names and values, as forms send them.
    package static func form(_ pairs: [(name: String, value: String)]) -> StoreBody {
        StoreBody(
            mediaType: "application/x-www-form-urlencoded",
            bytes: Array(StoreRequest.pairs(pairs).utf8)
        )
    }
}

/// What a store's server replied, whatever the status.
package struct StoreReply: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The header fields.
    package let fields: [HTTPField]
    /// The body; bounded by whoever asked.
    package let body: [UInt8]

    /// A reply with these parts.
    package init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the status is one of 200 to 299.
    package var isSuccess: Bool { (200...299).contains(status) }

    /// The first field of this name, in whatever case it was written.
    package func field(_ name: String) -> String? { fields.first(named: name) }
}

/// One header field of HTTP.
package struct HTTPField: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: String

    /// A field.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPField] {
    /// The first value under this name, in whatever case it was written.
    package func first(named name: String) -> String? {
        let name = name.lowercased()
        return first { $0.name.lowercased() == name }?.value
    }
}

/// A limit of a store's on requests; each has a rate of its own.
package struct StoreBudget: Hashable, Sendable {
    /// What it is called.
    package let name: String

    /// The budget that a room of a store calls so.
    package init(_ name: String) { self.name = name }

    /// What has no limit of its own.
    package static let ordinary = StoreBudget("ordinary")
}
