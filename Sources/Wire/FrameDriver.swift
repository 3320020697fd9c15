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
    private let frameBytesMax: Int
    private var reader = RequestReader()

    /// A driver that asks `worker`, and whose tickets go to `outlet`.
    package init(worker: any FrameWorker, outlet: any ReplyOutlet, frameBytesMax: Int) {
        self.worker = worker
        self.outlet = outlet
        self.frameBytesMax = frameBytesMax
    }

    /// Answers one frame: appends a whole reply frame, or nothing.
    package mutating func answer(
        _ frame: UnsafeRawBufferPointer,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) {
        let shape: RequestReader.Shape
        do throws(JSONFailure) {
            shape = try reader.shape(of: frame)
        } catch {
            let failure = RPCFailure(.parseError, "The frame is no strict JSON: \(error).")
            Self.appendFrame(failure, into: &reply)
            return
        }
        switch shape {
        case .single:
            let mark = reply.beginFrame()
            let request = reader.request(in: frame)
            let disposition = answer(request, batch: 0, of: &conversation, into: &reply)
            if disposition == .answered, reply.count > mark + WireLimits.headerBytes {
                reply.endFrame(mark)
            } else {
                reply.truncate(to: mark)
            }
        case .batch(let elements):
            guard elements >= 1, elements <= WireLimits.batchRequestsMax else {
                let message =
                    elements == 0
                    ? "A batch must not be empty."
                    : "A batch may hold \(WireLimits.batchRequestsMax) requests, not \(elements)."
                Self.appendFrame(RPCFailure(.invalidRequest, message), into: &reply)
                return
            }
            answerBatch(frame, elements: elements, of: &conversation, into: &reply)
        }
    }

    /// Takes in an answer that came later; appends the reply frame if it is now complete.
    package mutating func take(
        _ delivery: Delivery,
        for conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) {
        guard !delivery.isPush else {
            conversation.session.isPushing = false
            reply.append(bytes: delivery.response)
            return
        }
        forget(delivery)
        conversation.unanswered = max(0, conversation.unanswered - 1)
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
        guard !delivery.isPush else { return }
        unanswered = max(0, unanswered - 1)
    }

    /// Appends a whole frame with an error that belongs to no request.
    package static func appendFrame(_ failure: RPCFailure, into reply: inout ReplyBuffer) {
        let mark = reply.beginFrame()
        reply.appendError(failure, id: nil)
        reply.endFrame(mark)
    }

    /// Answers one request without a frame header; a notification leaves nothing behind.
    @inline(__always)
    private mutating func answer(
        _ request: RequestView,
        batch: UInt32,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) -> Disposition {
        let start = reply.count
        if let failure = refusal(of: request, in: conversation) {
            let isAnswered = request.hasID || request.fault?.isAnsweredWithoutID == true
            if isAnswered { reply.appendError(failure, id: request.idBytes) }
            return .answered
        }
        let ticket = ReplyTicket(
            outlet: outlet,
            connection: conversation.connection,
            batch: request.hasID ? batch : 0,
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
    private func limitReply(
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
        let failure = RPCFailure(.internalError, "The answer would pass maxFrameBytes.")
        reply.truncate(to: start)
        if let id {
            reply.appendError(failure, id: id)
        } else {
            let id = (try? JSONValue.parse(response))?["id"] ?? .null
            id.bytes.withUnsafeBytes { reply.appendError(failure, id: $0) }
        }
    }

    private mutating func answerBatch(
        _ frame: UnsafeRawBufferPointer,
        elements: Int,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) {
        conversation.lastBatch = conversation.lastBatch == .max ? 1 : conversation.lastBatch + 1
        let number = conversation.lastBatch
        let mark = reply.beginFrame()
        let first = mark + WireLimits.headerBytes
        var remaining = 0
        var start = (frame.firstIndex(of: UInt8(ascii: "[")) ?? 0) + 1
        for index in 0..<elements {
            let request = reader.element(of: frame, at: &start)
            // Behind the element stands its comma, or the closing bracket.
            start += 1
            reply.append(reply.count == first ? "[" : ",")
            let begin = reply.count
            let disposition = answer(request, batch: number, of: &conversation, into: &reply)
            if disposition == .later, request.hasID { remaining += 1 }
            if reply.count == begin {
                reply.truncate(to: begin - 1)
                continue
            }
            let reserve = (elements - index - 1 + remaining) * WireLimits.batchPartReserveBytes
            let room = frameBytesMax - reserve - (begin - first) - 1
            limitReply(from: begin, to: max(room, 0), id: request.idBytes, &reply)
        }
        if remaining > 0 {
            let bytes = Array(reply.written[first...])
            conversation.batches.append(
                OpenBatch(number: number, bytes: bytes, remaining: remaining)
            )
            reply.truncate(to: mark)
        } else if reply.count == first {
            reply.truncate(to: mark)
        } else {
            reply.append("]")
            reply.endFrame(mark)
        }
    }

    private func takePart(
        _ response: [UInt8],
        at place: Int,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) {
        var batch = conversation.batches[place]
        batch.remaining -= 1
        let start = reply.count
        reply.append(batch.bytes.isEmpty ? "[" : ",")
        let begin = reply.count
        reply.append(bytes: response)
        let reserve = batch.remaining * WireLimits.batchPartReserveBytes
        let room = frameBytesMax - reserve - batch.bytes.count - 2
        limitReply(from: begin, to: max(room, 0), id: nil, &reply)
        batch.bytes.append(contentsOf: reply.written[start...])
        reply.truncate(to: start)
        guard batch.remaining == 0 else {
            conversation.batches[place] = batch
            return
        }
        conversation.batches.remove(at: place)
        let mark = reply.beginFrame()
        reply.append(bytes: batch.bytes)
        reply.append("]")
        reply.endFrame(mark)
    }
}
