import JSON
import Synchronization

/// Carries the calls of one client over HTTPS.
///
/// Until its deadline a call is sent again as long as the daemon has certainly not carried it out,
/// or may do so twice.
final class DoorExchange: CallCarrier {
    private struct State {
        var lastID: Int64 = 0
        var underWay: [Int64: RemoteDoor.Sending] = [:]
        var waiting = 0
        var isClosed = false
    }

    private let door: RemoteDoor
    private let frameBytesMax: Int
    private let state = Mutex(State())

    init(_ door: RemoteDoor, frameBytesMax: Int) {
        self.door = door
        self.frameBytesMax = frameBytesMax
    }

    func call(
        _ method: String,
        _ parameters: JSONObject,
        isRepeatable: Bool,
        timeout: Duration,
        isSlow: Bool
    ) async throws(ClientError) -> JSONValue {
        let deadline = Deadline(after: timeout)
        let id = try admit()
        defer { state.withLock { $0.waiting -= 1 } }
        let body = try Reply.body(of: method, parameters, id: id, bytesMax: frameBytesMax)
        var known: ClientError?
        var pause = 0
        while true {
            let failure: ClientError
            switch try await outcome(of: body, id: id, until: deadline, isSlow: isSlow) {
            case .success(let result): return result
            case .failure(let error): failure = error
            }
            if failure.isByCaller { throw failure.inDoubt(after: known) }
            // A doubt stays one, and a reason, whatever becomes of later sends.
            if known == nil || failure.isOutcomeUnknown, known?.isOutcomeUnknown != true {
                known = failure
            }
            let isAgain = failure.code == 0 ? failure.retryable : failure.isNotReady
            guard isAgain, isRepeatable || !failure.isOutcomeUnknown else {
                if failure.code == 0 { throw known ?? failure }
                throw failure.saysNothingOfEarlierSends ? failure.inDoubt(after: known) : failure
            }
            pause = ClientLimits.longerPause(pause)
            let milliseconds = failure.retryAfterMilliseconds ?? ClientLimits.jittered(pause)
            guard Int(deadline.millisecondsLeft) > milliseconds else { throw known ?? failure }
            do {
                try await Task.sleep(for: .milliseconds(milliseconds))
            } catch {
                throw Exchange.cancelled.inDoubt(after: known)
            }
        }
    }

    func close() {
        let underWay = state.withLock { state in
            state.isClosed = true
            return state.underWay.values
        }
        for sending in underWay { sending.cancel() }
    }

    private func admit() throws(ClientError) -> Int64 {
        let (id, refusal) = state.withLock { state -> (Int64, ClientError?) in
            if state.isClosed { return (0, Exchange.closed) }
            if state.waiting >= ClientLimits.callsInFlightMax { return (0, Exchange.tooManyCalls) }
            state.waiting += 1
            state.lastID += 1
            return (state.lastID, nil)
        }
        if let refusal { throw refusal }
        return id
    }

    /// What one send comes to.
    private func outcome(
        of body: [UInt8],
        id: Int64,
        until deadline: Deadline,
        isSlow: Bool
    ) async throws(ClientError) -> Result<JSONValue, ClientError> {
        guard !Task.isCancelled else { return .failure(Exchange.cancelled) }
        guard !state.withLock({ $0.isClosed }) else { return .failure(Exchange.closed) }
        let sending = try door.send(body, id: id, until: deadline, isSlow: isSlow)
        let isClosed = state.withLock { state in
            state.underWay[id] = sending
            return state.isClosed
        }
        if isClosed { sending.cancel() }
        defer { state.withLock { $0.underWay[id] = nil } }
        let said = await sending.outcome()
        guard case .failure(let error) = said, error.name == ClientError.LocalName.cancelled,
            state.withLock({ $0.isClosed })
        else { return said }
        let closed = Exchange.closed
        return .failure(error.isOutcomeUnknown ? closed.withUnknownOutcome : closed)
    }
}
