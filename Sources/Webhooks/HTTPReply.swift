import NIOCore

/// An answer as it goes out.
struct HTTPReply: Equatable {
    var status: Int
    var fields: [(name: String, value: String)] = []
    var body: [UInt8]

    init(status: Int, mediaType: String = "application/json", body: [UInt8]) {
        self.status = status
        fields = [("Content-Type", mediaType)]
        self.body = body
    }

    /// `{"error":"…"}` and nothing else: no detail leaves the house.
    init(status: Int, error: String) {
        self.init(status: status, body: Array("{\"error\":\"\(error)\"}".utf8))
    }

    static func == (one: HTTPReply, other: HTTPReply) -> Bool {
        one.status == other.status && one.body == other.body
            && one.fields.elementsEqual(other.fields) { $0 == $1 }
    }

    /// Status line, fields and body.
    func bytes(closing: Bool, allocator: ByteBufferAllocator) -> ByteBuffer {
        var head = "HTTP/1.1 \(status) \(HTTPReply.reason(of: status))\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\nCache-Control: no-store\r\n"
        if closing { head += "Connection: close\r\n" }
        head += "\r\n"
        var buffer = allocator.buffer(capacity: head.utf8.count + body.count)
        buffer.writeString(head)
        buffer.writeBytes(body)
        return buffer
    }

    private static func reason(of status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
