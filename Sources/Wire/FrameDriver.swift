// Wire turns bytes into requests and answers into bytes, and knows no socket, no thread and no
// method. Everything here is fed from outside, so every split of every byte can be tested.
//
// In reading order:
//   FrameDecoder    finds frames: a 4-byte big-endian length, then so many bytes
//   RequestReader   checks a frame strictly and finds the requests in it
//   RequestView     one request, and ParamsView its parameters: windows on the frame's bytes
//   FrameDriver     below: from a frame to calls of the worker, and to the reply frame
//   FrameWorker     who answers: `answered` at once into the buffer, or `later` by a ticket
//   ReplyBuffer     replies behind each other, with a length in front of each
//   ReplyTicket     an answer that comes later, from any thread, exactly once
//   Conversation    what one connection has asked and not been told, open batches among it
//   Session         a connection as the methods see it; Caller and Role say who is there
//   ByteBudget      what the callers of one socket may leave waiting, by caller and in all
//   Pusher          what is sent unasked: one chunk at a time
//
// Its laws:
//   1. A frame is checked once, whole, before any of it is carried out.
//   2. An id is echoed byte for byte. A notification is never answered.
//   3. No reply passes the longest frame. A batch that could not keep that is refused before any
//      part of it is carried out.
//   4. What waits is bounded for each connection and each thread, and charged to who asked.
//   5. Answering allocates nothing where the worker answers at once.
//
// It never copies a frame, never keeps a view beyond the call, and never decides what a method
// means.

import JSON

/// From a frame to calls of the worker, and from their answers to reply frames.
///
/// Pure: it knows no socket. One per RPC thread.
package struct FrameDriver: ~Copyable {
    /// The thread's worker.
    package let worker: any FrameWorker
    /// How many requests of this thread wait for their answer, closed connections included.
    package private(set) var unanswered = 0

    private let outlet: any ReplyOutlet
    let frameBytesMax: Int
    var reader = RequestReader()

    /// A driver that asks `worker`, and whose tickets go to `outlet`.
    package init(worker: any FrameWorker, outlet: any ReplyOutlet, frameBytesMax: Int) {
        self.worker = worker
        self.outlet = outlet
        self.frameBytesMax = frameBytesMax
    }

    /// Answers one frame: appends a whole reply frame, or nothing.
    ///
    /// A batch of more than `requestsMax` requests is cut: while `conversation.isCut`, the same
    /// frame is to be shown again before any other of this connection.
    ///
    /// - Returns: how many requests were carried out, at least 1.
    @discardableResult
    package mutating func answer(
        _ frame: UnsafeRawBufferPointer,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer,
        requestsMax: Int = .max
    ) -> Int {
        if let cut = conversation.cut {
            return goOn(cut, frame, of: &conversation, into: &reply, requestsMax)
        }
        let shape: RequestReader.Shape
        do throws(JSONFailure) {
            shape = try reader.shape(of: frame)
        } catch {
            refuse(error, into: &reply)
            return 1
        }
        return answer(shape, frame, of: &conversation, into: &reply, requestsMax)
    }

    /// The same of a frame that `ahead` has checked, and of no batch that was cut.
    package mutating func answer(
        _ frame: UnsafeRawBufferPointer,
        checkedBy ahead: AheadReader,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer,
        requestsMax: Int
    ) {
        switch ahead.shape {
        case .failure(let failure): refuse(failure, into: &reply)
        case .success(let shape):
            swap(&reader, &ahead.reader)
            _ = answer(shape, frame, of: &conversation, into: &reply, requestsMax)
            swap(&reader, &ahead.reader)
        }
    }

    private func refuse(_ failure: JSONFailure, into reply: inout ReplyBuffer) {
        refuse(RPCFailure(.parseError, "The frame is no strict JSON: \(failure)."), into: &reply)
    }

    /// Answers a frame that `reader` has just checked.
    @inline(__always)
    private mutating func answer(
        _ shape: RequestReader.Shape,
        _ frame: UnsafeRawBufferPointer,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer,
        _ requestsMax: Int
    ) -> Int {
        switch shape {
        case .single:
            let mark = reply.beginFrame()
            let request = reader.request(in: frame)
            let disposition = answer(
                request,
                of: frame.count,
                batch: 0,
                of: &conversation,
                into: &reply
            )
            if disposition == .answered, reply.count > mark + WireLimits.headerBytes {
                reply.endFrame(mark)
            } else {
                reply.truncate(to: mark)
            }
            return 1
        case .batch(let elements):
            guard elements >= 1, elements <= WireLimits.batchRequestsMax else {
                let message =
                    elements == 0
                    ? "A batch must not be empty."
                    : "A batch may hold \(WireLimits.batchRequestsMax) requests, not \(elements)."
                refuse(RPCFailure(.invalidRequest, message), into: &reply)
                return 1
            }
            return answerBatch(
                frame,
                elements: elements,
                of: &conversation,
                into: &reply,
                requestsMax
            )
        }
    }

    /// Takes in an answer that came later; appends the reply frame if it is now complete.
    package mutating func take(
        _ delivery: Delivery,
        for conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) {
        forget(delivery)
        conversation.unanswered = max(0, conversation.unanswered - 1)
        conversation.unansweredBytes -= Int(delivery.cost)
        guard !delivery.response.isEmpty else { return }
        guard delivery.batch != 0 else {
            let mark = reply.beginFrame()
            reply.append(bytes: delivery.response)
            limitReply(from: mark + WireLimits.headerBytes, to: frameBytesMax, id: nil, &reply)
            reply.endFrame(mark)
            return
        }
        guard let place = conversation.batches.firstIndex(where: { $0.number == delivery.batch })
        else { return }
        takePart(delivery.response, at: place, of: &conversation, into: &reply)
    }

    /// Takes in an answer whose connection is gone.
    package mutating func forget(_ delivery: Delivery) {
        unanswered = max(0, unanswered - 1)
    }

    /// Appends a whole frame with an error that belongs to no request.
    package static func appendFrame(_ failure: RPCFailure, into reply: inout ReplyBuffer) {
        let mark = reply.beginFrame()
        reply.appendError(failure, id: nil)
        reply.endFrame(mark)
    }

    /// Answers a whole frame with an error, and lets the worker know.
    package func refuse(_ failure: RPCFailure, into reply: inout ReplyBuffer) {
        Self.appendFrame(failure, into: &reply)
        worker.notice(failure)
    }

    /// Answers one request without a frame header; a notification leaves nothing behind.
    ///
    /// `bytes` is its length as it was sent.
    @inline(__always)
    mutating func answer(
        _ request: RequestView,
        of bytes: Int,
        batch: UInt32,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) -> Disposition {
        let start = reply.count
        if let failure = refusal(of: request, in: conversation) {
            let isAnswered = request.hasID || request.fault?.isAnsweredWithoutID == true
            if isAnswered { reply.appendError(failure, id: request.idBytes) }
            worker.notice(failure)
            return .answered
        }
        let ticket = ReplyTicket(
            outlet: outlet,
            connection: conversation.connection,
            batch: request.hasID ? batch : 0,
            cost: UInt32(truncatingIfNeeded: bytes + WireLimits.unansweredBytesEach),
            wantsReply: request.hasID
        )
        let disposition = worker.answer(
            request,
            from: conversation.session,
            ticket: ticket,
            into: &reply
        )
        switch disposition {
        case .later:
            reply.truncate(to: start)
            conversation.unanswered += 1
            conversation.unansweredBytes += Int(ticket.cost)
            unanswered += 1
        case .answered where !request.hasID:
            reply.truncate(to: start)
        case .answered:
            if reply.count == start {
                let failure = RPCFailure(.internalError, "The method gave no answer.")
                reply.appendError(failure, id: request.idBytes)
            }
            limitReply(from: start, to: frameBytesMax, id: request.idBytes, &reply)
        }
        return disposition
    }

    /// Why the worker is not asked: no request, a refused caller, too many waiting.
    @inline(__always)
    private func refusal(
        of request: RequestView,
        in conversation: borrowing Conversation
    ) -> RPCFailure? {
        if let fault = request.fault { return fault.failure }
        if conversation.isRefused {
            return RPCFailure(
                .permissionDenied,
                "No rule of rpc.access names this caller's uid or gid."
            )
        }
        if conversation.unanswered >= WireLimits.unansweredPerConnectionMax
            || unanswered >= WireLimits.unansweredPerThreadMax
        {
            return .overloaded("Too many requests wait for their answer.")
        }
        return nil
    }

    /// Puts an error in the place of an answer that is too long for its frame.
    @inline(__always)
    func limitReply(
        from start: Int,
        to bytesMax: Int,
        id: UnsafeRawBufferPointer?,
        _ reply: inout ReplyBuffer
    ) {
        guard reply.count - start > bytesMax else { return }
        Self.replaceLongReply(from: start, id: id, &reply)
    }

    @inline(never)
    private static func replaceLongReply(
        from start: Int,
        id: UnsafeRawBufferPointer?,
        _ reply: inout ReplyBuffer
    ) {
        let response = Array(reply.written[start...])
        reply.truncate(to: start)
        if let id {
            reply.appendError(tooLong, id: id)
        } else {
            Self.id(in: response).withUnsafeBytes { reply.appendError(tooLong, id: $0) }
        }
    }

    /// What stands in the place of an answer that is too long for its frame.
    private static let tooLong = RPCFailure(
        .internalError,
        "The answer would pass maxFrameBytes."
    )

    /// How long that is without its id.
    static let tooLongBytes: Int = {
        var reply = ReplyBuffer()
        reply.appendError(tooLong, id: nil)
        return reply.count - "null".utf8.count
    }()

    /// The `id` of a response, as it is written: the second member of each.
    static func id(in response: [UInt8]) -> ArraySlice<UInt8> {
        let rest = response.dropFirst(#"{"jsonrpc":"2.0","id":"#.utf8.count)
        var isEscaped = false
        let isText = rest.first == UInt8(ascii: "\"")
        for index in rest.indices.dropFirst() {
            let byte = rest[index]
            if isText, !isEscaped, byte == UInt8(ascii: "\"") { return rest[...index] }
            if !isText, byte == UInt8(ascii: ",") { return rest[..<index] }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return rest
    }
}
