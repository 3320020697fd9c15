import HTTPServer
import NIOCore
import NIOHTTP1
import Wire

// `GET /watch`: the notifications of the method `watch` as server-sent events.
extension APIService {
    /// The reply to a request that watches; it goes on until one of both sides ends it.
    func watch(
        _ request: HTTPRequest,
        of holder: TokenHolder,
        on loop: any EventLoop
    ) async -> HTTPReply {
        let last = request.field(Self.lastEventID)
        guard let query = WatchQuery(request.query, lastEventID: last) else {
            return HTTPRefusal.malformed.reply
        }
        guard let desk = desks[loop] else { return HTTPRefusal.tooLate.reply }
        let number = desks.nextNumber()
        // A reload may take the token away at any moment from here on.
        let hasRoom = holder.follow(number) { loop.execute { desk.value.abandon(number) } }
        guard hasRoom else { return Self.comeAgain(HTTPReply(status: 503, error: "overloaded")) }
        let beginning = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let stream = WatchStream(
                    of: holder,
                    number: number,
                    isFromNow: query.fromSeq == nil,
                    unread: waiting.unread,
                    continuation
                )
                desk.value.begin(stream, query.call)
            }
        } onCancel: {
            loop.execute { desk.value.abandon(number) }
        }
        switch beginning {
        case .begun(let stream):
            return HTTPReply(
                streaming: stream.value,
                mediaType: ServerSentEvents.mediaType,
                on: loop
            )
        case .refused(let code, let reply): return Self.refusal(code, reply)
        case .over: return HTTPRefusal.tooLate.reply
        }
    }

    /// The status of HTTP that says what an error of the method says.
    private static func refusal(_ code: ErrorCode?, _ body: [UInt8]) -> HTTPReply {
        let status =
            switch code {
            case .invalidParams, .invalidRequest: 400
            case .permissionDenied: 403
            case .notReady, .shuttingDown, .overloaded: 503
            default: 500
            }
        let reply = HTTPReply(status: status, body: body)
        return status == 503 ? comeAgain(reply) : reply
    }

    private static func comeAgain(_ reply: HTTPReply) -> HTTPReply {
        var reply = reply
        reply.headers.add(name: "Retry-After", value: "1")
        return reply
    }
}
