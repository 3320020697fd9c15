/// Batches: one reply frame for all, kept open for what comes later, and cut by the end of a turn.
extension FrameDriver {
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

    mutating func answerBatch(
        _ frame: UnsafeRawBufferPointer,
        elements: Int,
        of conversation: inout Conversation,
        into reply: inout ReplyBuffer,
        _ requestsMax: Int
    ) -> Int {
        let beginning = (frame.firstIndex(of: UInt8(ascii: "[")) ?? 0) + 1
        let reserve = self.reserve(for: elements, of: frame, from: beginning)
        guard reserve + 1 <= frameBytesMax else {
            // Before anything is carried out: a write must not be done and its answer lost.
            let message = "The answers to this batch would pass maxFrameBytes."
            refuse(RPCFailure(.invalidRequest, message), into: &reply)
            return 1
        }
        conversation.lastBatch = conversation.lastBatch == .max ? 1 : conversation.lastBatch + 1
        var batch = OpenBatch(number: conversation.lastBatch, reserve: reserve)
        let mark = reply.beginFrame()
        let first = mark + WireLimits.headerBytes
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
                batch: batch.number,
                of: &conversation,
                into: &reply
            )
            if disposition == .later, request.hasID {
                batch.remaining += 1
            } else {
                batch.reserve -= Self.reserve(for: request)
            }
            if reply.count == begin {
                reply.truncate(to: begin - 1)
                continue
            }
            let room = frameBytesMax - batch.reserve - (begin - first) - 1
            limitReply(from: begin, to: room, id: request.idBytes, &reply)
        }
        let left = elements - carried
        let isOpen = batch.remaining > 0 || left > 0
        if isOpen {
            batch.bytes = Array(reply.written[first...])
            let cut = CutBatch(number: batch.number, start: start, elements: left)
            conversation.open(batch, cut: left > 0 ? cut : nil)
        }
        if isOpen || reply.count == first {
            reply.truncate(to: mark)
        } else {
            reply.append("]")
            reply.endFrame(mark)
        }
        return carried
    }

    /// Carries out more of a batch that was cut.
    mutating func goOn(
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

    func takePart(
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
