import NIOHTTP1

/// An answer as it goes out.
struct HTTPReply: Equatable {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]

    init(status: Int, mediaType: String = "application/json", body: [UInt8]) {
        self.status = status
        headers = ["Content-Type": mediaType]
        self.body = body
    }

    /// `{"error":"…"}` and nothing else: no detail leaves the house.
    init(status: Int, error: String) {
        self.init(status: status, body: Array("{\"error\":\"\(error)\"}".utf8))
    }

    /// Status line and fields.
    func head(closing: Bool) -> HTTPResponseHead {
        var headers = headers
        headers.add(name: "Content-Length", value: "\(body.count)")
        headers.add(name: "Cache-Control", value: "no-store")
        if closing { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: status),
            headers: headers
        )
    }
}
