import NIOCore
import NIOHTTP1

/// An answer as it goes out.
package struct HTTPReply: Sendable {
    /// The status code.
    package var status: Int
    /// All fields but those that the connection adds.
    package var headers: HTTPHeaders
    /// What follows them.
    package var body: [UInt8]
    /// What is released once the kernel has taken the reply.
    package var charge: (any HTTPCharge)?
    /// What comes in the place of a body, if the reply goes on.
    let stream: NIOLoopBound<HTTPStream>?

    /// A reply with a body of this type.
    package init(status: Int, mediaType: String = "application/json", body: [UInt8]) {
        self.status = status
        headers = ["Content-Type": mediaType]
        self.body = body
        stream = nil
    }

    /// A reply that goes on until `stream` ends; to be made on the event loop of its connection.
    ///
    /// Only for clients of HTTP/1.1, because it is sent in chunks.
    package init(streaming stream: HTTPStream, mediaType: String, on loop: any EventLoop) {
        status = 200
        headers = ["Content-Type": mediaType]
        body = []
        self.stream = NIOLoopBound(stream, eventLoop: loop)
    }

    /// `{"error":"…"}` and nothing else: no detail leaves the house.
    package init(status: Int, error: String) {
        self.init(status: status, body: Array("{\"error\":\"\(error)\"}".utf8))
    }

    /// Status line and fields.
    func head(closing: Bool) -> HTTPResponseHead {
        var headers = headers
        if status == 204 {
            // RFC 9110, section 8.6: no length, not even of nothing.
            headers.remove(name: "Content-Type")
        } else if stream == nil {
            headers.add(name: "Content-Length", value: "\(body.count)")
        }
        headers.add(name: "Cache-Control", value: "no-store")
        if closing { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: status),
            headers: headers
        )
    }
}
