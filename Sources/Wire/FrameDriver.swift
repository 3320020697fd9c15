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
    private mutating func answer(
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
    private static let tooLongBytes: Int = {
        var reply = ReplyBuffer()
        reply.appendError(tooLong, id: nil)
        return reply.count - "null".utf8.count
    }()

    /// The `id` of a response, as it is written: the second member of each.
    private static func id(in response: [UInt8]) -> ArraySlice<UInt8> {
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

    /// What is kept free in a batch's reply for a part still to come: an error, its id, a comma.
    private static func reserve(forID bytes: Int) -> Int { tooLongBytes + bytes + 1 }

    private static func reserve(for request: RequestView) -> Int {
        let isAnswered = request.hasID || request.fault?.isAnsweredWithoutID == true
        return isAnswered ? reserve(forID: request.idBytes.count) : 0
    }

    /// The same for all parts of a batch.
    private mutating func reserve(
        for elements: Int,
        of frame: UnsafeRawBufferPointer,
        from beginning: Int
    ) -> Int {
        var start = beginning
        var reserve = 0
        for _ in 0..<elements {
            reserve += Self.reserve(for: reader.element(of: frame, at: &start))
            start += 1
        }
        return reserve
    }

    private mutating func answerBatch(
        _ frame: UnsafeRawBufferPointer,
        elements: Int,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer,
        _ requestsMax: Int
    ) -> Int {
        conversation.lastBatch = conversation.lastBatch == .max ? 1 : conversation.lastBatch + 1
        let number = conversation.lastBatch
        let mark = reply.beginFrame()
        let first = mark + WireLimits.headerBytes
        let beginning = (frame.firstIndex(of: UInt8(ascii: "[")) ?? 0) + 1
        var reserve = self.reserve(for: elements, of: frame, from: beginning)
        guard reserve + 1 <= frameBytesMax else {
            // Before anything is carried out: a write must not be done and its answer lost.
            let message = "The answers to this batch would pass maxFrameBytes."
            reply.truncate(to: mark)
            refuse(RPCFailure(.invalidRequest, message), into: &reply)
            return 1
        }
        var remaining = 0
        var reserveOfRemaining = 0
        var start = beginning
        let carried = min(elements, requestsMax)
        for _ in 0..<carried {
            let place = start
            let request = reader.element(of: frame, at: &start)
            let length = start - place
            // Behind the element stands its comma, or the closing bracket.
            start += 1
            reply.append(reply.count == first ? "[" : ",")
            let begin = reply.count
            let disposition = answer(
                request,
                of: length,
                batch: number,
                of: &conversation,
                into: &reply
            )
            let own = Self.reserve(for: request)
            reserve -= own
            if disposition == .later, request.hasID {
                remaining += 1
                reserveOfRemaining += own
            }
            if reply.count == begin {
                reply.truncate(to: begin - 1)
                continue
            }
            let room = frameBytesMax - reserve - reserveOfRemaining - (begin - first) - 1
            limitReply(from: begin, to: room, id: request.idBytes, &reply)
        }
        let isCut = carried < elements
        if remaining > 0 || isCut {
            let bytes = Array(reply.written[first...])
            conversation.unansweredBytes += bytes.count
            conversation.batches.append(
                OpenBatch(
                    number: number,
                    bytes: bytes,
                    // What is cut off counts as one until all of it was carried out.
                    remaining: remaining + (isCut ? 1 : 0),
                    reserve: reserveOfRemaining + reserve
                )
            )
            if isCut {
                conversation.cut = CutBatch(
                    number: number,
                    start: start,
                    elements: elements - carried
                )
            }
            reply.truncate(to: mark)
        } else if reply.count == first {
            reply.truncate(to: mark)
        } else {
            reply.append("]")
            reply.endFrame(mark)
        }
        return carried
    }

    /// Carries out more of a batch that was cut.
    private mutating func goOn(
        _ cut: CutBatch,
        _ frame: UnsafeRawBufferPointer,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer,
        _ requestsMax: Int
    ) -> Int {
        guard let place = conversation.batches.firstIndex(where: { $0.number == cut.number })
        else { preconditionFailure("a batch that was cut is open") }
        reader.begin()
        var start = cut.start
        let carried = min(cut.elements, requestsMax)
        for _ in 0..<carried {
            let element = start
            let request = reader.element(of: frame, at: &start)
            let length = start - element
            start += 1
            let begin = reply.count
            let disposition = answer(
                request,
                of: length,
                batch: cut.number,
                of: &conversation,
                into: &reply
            )
            if disposition == .later, request.hasID { conversation.batches[place].remaining += 1 }
            guard reply.count > begin else { continue }
            let response = Array(reply.written[begin...])
            reply.truncate(to: begin)
            add(response, at: place, of: &conversation, &reply)
        }
        if carried < cut.elements {
            conversation.cut = CutBatch(
                number: cut.number,
                start: start,
                elements: cut.elements - carried
            )
        } else {
            conversation.cut = nil
            conversation.batches[place].remaining -= 1
            sendIfWhole(at: place, of: &conversation, into: &reply)
        }
        return carried
    }

    /// Takes in one response of an open batch, or an error in its place where it has no room.
    private func add(
        _ response: [UInt8],
        at place: Int,
        of conversation: inout Conversation,
        _ reply: inout ReplyBuffer
    ) {
        var batch = conversation.batches[place]
        let start = reply.count
        reply.append(batch.bytes.isEmpty ? "[" : ",")
        let begin = reply.count
        reply.append(bytes: response)
        batch.reserve -= Self.reserve(forID: Self.id(in: response).count)
        let room = frameBytesMax - batch.reserve - batch.bytes.count - 2
        limitReply(from: begin, to: room, id: nil, &reply)
        batch.bytes.append(contentsOf: reply.written[start...])
        conversation.unansweredBytes += reply.count - start
        reply.truncate(to: start)
        conversation.batches[place] = batch
    }

    private func takePart(
        _ response: [UInt8],
        at place: Int,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) {
        add(response, at: place, of: &conversation, &reply)
        conversation.batches[place].remaining -= 1
        sendIfWhole(at: place, of: &conversation, into: &reply)
    }

    /// Appends the reply frame of a batch of which nothing is to come.
    private func sendIfWhole(
        at place: Int,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer
    ) {
        guard conversation.batches[place].remaining == 0 else { return }
        let batch = conversation.batches.remove(at: place)
        conversation.unansweredBytes -= batch.bytes.count
        guard !batch.bytes.isEmpty else { return }
        let mark = reply.beginFrame()
        reply.append(bytes: batch.bytes)
        reply.append("]")
        reply.endFrame(mark)
    }
}
