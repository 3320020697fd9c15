import JSON

/// The calls of one client that wait for their reply, and which of them are still to be sent.
///
/// It decides and does nothing: what it hands out is answered by the caller, outside of any lock.
/// A call stands in one of four places: unsent, sent, resting before it is sent again, or among the
/// suspects, each of which travels alone. On the side, where all are suspects, are those that may
/// be why connections end.
struct InFlight {
    /// One call.
    struct Call: Sendable {
        /// The request with its length in front.
        let frame: [UInt8]
        /// When the caller stops waiting.
        let deadline: Deadline
        /// Whether it may be sent a second time.
        let isRepeatable: Bool
        /// Hands the outcome to the caller; called once.
        let answer: @Sendable (Result<JSONValue, ClientError>) -> Void

        /// How many milliseconds it rests before it is sent again.
        fileprivate var pause = 0
        /// How many connections have ended under it without a word.
        fileprivate var losses = 0
        fileprivate var isSuspicious: Bool { losses >= ClientLimits.lossesMax }
        /// Why nobody knows what became of it, once it was sent without an answer.
        fileprivate var doubt: ClientError?
        /// What the daemon answered instead of carrying it out.
        fileprivate var refusal: ClientError?

        /// Hands the caller the daemon's reply.
        ///
        /// Where an earlier send is in doubt, an error that comes before the daemon looks for the
        /// key says nothing of that one.
        func settle(_ outcome: Result<JSONValue, ClientError>) {
            let isInDoubt = doubt != nil
            answer(
                outcome.mapError {
                    isInDoubt && $0.saysNothingOfEarlierSends ? $0.withUnknownOutcome : $0
                }
            )
        }

        init(
            frame: [UInt8],
            deadline: Deadline,
            isRepeatable: Bool,
            answer: @escaping @Sendable (Result<JSONValue, ClientError>) -> Void
        ) {
            self.frame = frame
            self.deadline = deadline
            self.isRepeatable = isRepeatable
            self.answer = answer
        }
    }

    /// A call that has ended without a result, and why.
    struct Ended: Sendable {
        let call: Call
        let error: ClientError
    }

    /// Whether all its calls are suspects, which were taken in from elsewhere.
    let isSide: Bool

    private var calls: [Int64: Call] = [:]
    private var unsent: [Int64] = []
    private var sent: Set<Int64> = []
    private var resting: [Int64: Deadline] = [:]
    private var suspects: [Int64] = []
    private var isSuspectUnderWay = false

    init(isSide: Bool = false) { self.isSide = isSide }

    /// Whether as many calls wait as may.
    var isFull: Bool { calls.count >= ClientLimits.callsInFlightMax }

    /// Whether a call may be sent now.
    var hasUnsent: Bool {
        if holdsBack { return false }
        return (suspects + unsent).contains { calls[$0] != nil }
    }

    /// When something happens by itself: a caller stops waiting, or a call has rested.
    var nextMoment: Deadline? {
        let deadlines = calls.values.lazy.map(\.deadline).min()
        return [deadlines, resting.values.min()].compactMap { $0 }.min()
    }

    /// Takes in the call `id`, to be sent next; a suspect rests first.
    mutating func admit(_ call: Call, id: Int64) {
        precondition(calls[id] == nil, "ids are given out once")
        calls[id] = call
        if isSide { rest(id) } else { unsent.append(id) }
    }

    /// The frames to send now, in the order of the calls; who gave up before is left out.
    mutating func takeUnsent() -> [UInt8] {
        if holdsBack { return [] }
        suspects.removeAll { calls[$0] == nil }
        isSuspectUnderWay = !suspects.isEmpty
        if isSuspectUnderWay { return send(suspects.removeFirst()) }
        defer { unsent = [] }
        return unsent.flatMap { send($0) }
    }

    /// Takes out the call `id`; nil if nobody waits for it any more.
    mutating func take(_ id: Int64) -> Call? {
        sent.remove(id)
        resting[id] = nil
        return calls.removeValue(forKey: id)
    }

    /// Takes out the call `id`, which ends with `error`.
    mutating func take(_ id: Int64, _ error: ClientError) -> Ended? {
        let wasSent = sent.contains(id)
        guard let call = take(id) else { return nil }
        let isDoubtful = wasSent || call.doubt != nil
        return Ended(call: call, error: isDoubtful ? error.withUnknownOutcome : error)
    }

    /// Takes out those whose deadline has passed, each with the best that is known about it.
    ///
    /// - Parameter refusal: Why there is no connection.
    /// - Returns: The calls, with what their callers get.
    mutating func takeExpired(_ refusal: ClientError?) -> [Ended] {
        take {
            $0.deadline.hasPassed
        } because: { call, wasSent in
            if wasSent { return .timedOut().withUnknownOutcome }
            return call.doubt ?? call.refusal ?? refusal ?? .timedOut()
        }
    }

    /// Takes out all.
    mutating func takeAll(_ error: ClientError) -> [Ended] {
        take { _ in
            true
        } because: { call, wasSent in
            wasSent ? error.withUnknownOutcome : call.doubt ?? error
        }
    }

    /// Lets a call rest that the daemon is not ready for: nothing of it was carried out, so that it
    /// may come again, whatever it is.
    mutating func rest(_ id: Int64, _ refusal: ClientError) {
        guard calls[id] != nil else { return }
        sent.remove(id)
        calls[id]?.refusal = refusal
        rest(id)
    }

    private mutating func rest(_ id: Int64) {
        let pause = calls[id]?.pause ?? 0
        calls[id]?.pause = ClientLimits.longerPause(pause)
        resting[id] = Deadline(after: .milliseconds(ClientLimits.jittered(pause)))
    }

    /// Makes those ready to be sent again that have rested.
    mutating func wake() {
        let awake = resting.filter { $0.value.hasPassed }.keys.sorted()
        for id in awake { resting[id] = nil }
        if isSide { suspects += awake } else { unsent += awake }
    }

    /// Takes out those that the loss of the connection ends; the others are sent again.
    ///
    /// From the second time on a call rests before, since it may be the reason. One that was never
    /// sent goes on waiting, whatever it is.
    mutating func takeLost(_ error: ClientError) -> [Ended] {
        let error = error.withUnknownOutcome
        var again: [Int64] = []
        var ended: [Ended] = []
        for id in sent.sorted() {
            guard let call = calls[id] else { continue }
            guard call.isRepeatable else {
                calls[id] = nil
                ended.append(Ended(call: call, error: error))
                continue
            }
            calls[id]?.doubt = error
            if !error.isPassing { calls[id]?.losses += 1 }
            if call.pause == 0 {
                calls[id]?.pause = ClientLimits.longerPause(0)
                again.append(id)
            } else {
                rest(id)
            }
        }
        sent = []
        unsent = again + unsent
        return ended
    }

    /// Whether some call has lost so many connections that it may be the reason.
    var hasSuspicious: Bool { !isSide && calls.values.contains { $0.isSuspicious } }

    /// Takes out those.
    ///
    /// On a connection of their own they end none on which others are under way, and nobody waits
    /// for them.
    mutating func takeSuspicious() -> [(id: Int64, call: Call)] {
        let ids = calls.filter { $0.value.isSuspicious }.keys.sorted()
        return ids.compactMap { id in take(id).map { (id, $0) } }
    }

    /// Takes out those about which nobody will know more, after an answer that is about one of
    /// those under way and does not say about which.
    ///
    /// Each of the others is sent again alone, so that the one that is guilty is found and no other
    /// fails with it.
    mutating func takeDoubted(_ error: ClientError) -> [Ended] {
        let error = error.withUnknownOutcome
        let doubted = sent.sorted()
        sent = []
        var ended: [Ended] = []
        for id in doubted {
            guard var call = calls[id] else { continue }
            call.doubt = error
            calls[id] = call
            if call.isRepeatable, doubted.count > 1 {
                suspects.append(id)
            } else {
                calls[id] = nil
                ended.append(Ended(call: call, error: error))
            }
        }
        return ended
    }

    /// Whether everything waits for a suspect's answer, or for those before it.
    private var holdsBack: Bool {
        guard !sent.isEmpty else { return false }
        return isSuspectUnderWay || suspects.contains { calls[$0] != nil }
    }

    private mutating func send(_ id: Int64) -> [UInt8] {
        guard let frame = calls[id]?.frame else { return [] }
        sent.insert(id)
        return frame
    }

    private mutating func take(
        where isTaken: (Call) -> Bool,
        because error: (_ call: Call, _ wasSent: Bool) -> ClientError
    ) -> [Ended] {
        let taken = calls.filter { isTaken($0.value) }.keys.sorted()
        return taken.compactMap { id in
            let wasSent = sent.contains(id)
            return take(id).map { Ended(call: $0, error: error($0, wasSent)) }
        }
    }
}
