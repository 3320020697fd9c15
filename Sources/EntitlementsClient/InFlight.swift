import JSON

/// The calls of one client that wait for their reply, and which of them are still to be sent.
///
/// It decides and does nothing: what it hands out is answered by the caller, outside of any lock.
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

        fileprivate var repeats = 0

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

    private var calls: [Int64: Call] = [:]
    private var unsent: [Int64] = []

    /// Whether as many calls wait as may.
    var isFull: Bool { calls.count >= ClientLimits.callsInFlightMax }

    /// Whether a call waits to be sent.
    var hasUnsent: Bool { unsent.contains { calls[$0] != nil } }

    /// When the first caller stops waiting.
    var earliestDeadline: Deadline? { calls.values.lazy.map(\.deadline).min() }

    /// Takes in the call `id`, to be sent next.
    mutating func admit(_ call: Call, id: Int64) {
        precondition(calls[id] == nil, "ids are given out once")
        calls[id] = call
        unsent.append(id)
    }

    /// The frames to send now, in the order of the calls; who gave up before is left out.
    mutating func takeUnsent() -> [UInt8] {
        defer { unsent = [] }
        return unsent.flatMap { calls[$0]?.frame ?? [] }
    }

    /// Takes out the call `id`; nil if nobody waits for it any more.
    mutating func take(_ id: Int64) -> Call? { calls.removeValue(forKey: id) }

    /// Takes out those whose deadline has passed.
    mutating func takeExpired() -> [Call] { take { $0.deadline.hasPassed } }

    /// Takes out all.
    mutating func takeAll() -> [Call] { take { _ in true } }

    /// Takes out those that the loss of the connection ends; the others are sent again.
    ///
    /// A call that was never sent goes on waiting, whatever it is.
    mutating func takeLost() -> [Call] {
        let waiting = Set(unsent)
        let lost = calls.keys.sorted().filter { !waiting.contains($0) }
        var again: [Int64] = []
        var ended: [Call] = []
        for id in lost {
            guard var call = calls.removeValue(forKey: id) else { continue }
            guard call.isRepeatable, call.repeats < ClientLimits.repeatsMax else {
                ended.append(call)
                continue
            }
            call.repeats += 1
            calls[id] = call
            again.append(id)
        }
        unsent = again + unsent
        return ended
    }

    private mutating func take(where isTaken: (Call) -> Bool) -> [Call] {
        let taken = calls.filter { isTaken($0.value) }.keys.sorted()
        return taken.compactMap { calls.removeValue(forKey: $0) }
    }
}
