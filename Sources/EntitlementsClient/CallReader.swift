import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// What comes back over HTTPS for one call, and whether the call has left at all.
final class CallReader: HTTPClientResponseDelegate {
    /// A whole response.
    struct Response: Sendable {
        let status: HTTPResponseStatus
        /// How long the daemon asks to wait, in milliseconds.
        let retryAfterMilliseconds: Int64?
        let body: [UInt8]
    }

    private struct State {
        var wasSent = false
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    private let state = Mutex(State())

    /// Whether anything of the call was sent: else the daemon has certainly not carried it out.
    var wasSent: Bool { state.withLock { $0.wasSent } }

    func didSendRequestHead(task: HTTPClient.Task<Response>, _ head: HTTPRequestHead) {
        state.withLock { $0.wasSent = true }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Response>,
        _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        state.withLock { $0.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Response>,
        _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let length = state.withLock { state in
            state.body += buffer.readableBytesView
            return state.body.count
        }
        guard length <= ClientLimits.frameBytesCeiling else {
            return task.eventLoop.makeFailedFuture(HTTPClientError.bodyLengthMismatch)
        }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
        try state.withLock { state in
            guard let head = state.head else { throw HTTPClientError.remoteConnectionClosed }
            let seconds = head.headers.first(name: "Retry-After").flatMap { Int64($0) }
            return Response(
                status: head.status,
                retryAfterMilliseconds: seconds.map { min(max($0, 0), 3_600) * 1_000 },
                body: state.body
            )
        }
    }
}
