/// What a connection decides, without a socket: which request is read, which is answered, and when
/// it is over.
///
/// Answers go out in the order of the requests, one at a time.
struct HTTPConnectionState {
    /// What waits for its turn.
    enum Work: Equatable {
        case request(HTTPRequest)
        case refusal(HTTPRefusal)
    }

    /// What a head leads to.
    enum HeadAction: Equatable {
        /// Its body is read.
        case read
        /// As `read`, after telling the client to send the body.
        case invite
        /// The rest of it is dropped.
        case ignore
        /// Close at once.
        case close(CloseReason)
    }

    /// What is to be done next.
    enum Step: Equatable {
        case answer(HTTPRequest)
        case refuse(HTTPRefusal)
        /// The next request, or the rest of one, has to come first.
        case wait
        /// An answer is on its way already.
        case busy
        /// Everything is answered, and nothing more is read.
        case finish
    }

    private enum Reading {
        case head(begun: Bool)
        case body(HTTPRequest)
        case stopped
    }

    private var reading: Reading = .head(begun: false)
    /// Whether what is read now is a HEAD.
    private var readsHead = false
    private var queue: [(work: Work, isHead: Bool)] = []
    private var isBusy = false
    /// Whether the answer that goes out now is one to a HEAD, which has no body.
    private(set) var answersHead = false
    private(set) var isDraining = false
    private let pipelinedMax: Int

    init(pipelinedMax: Int) {
        self.pipelinedMax = pipelinedMax
    }

    /// Whether the answer that goes out now is the last.
    var closesNext: Bool {
        guard queue.isEmpty else { return false }
        switch reading {
        case .stopped: return true
        case .head(let begun): return isDraining && !begun
        case .body: return false
        }
    }

    /// Whether a whole request waits or is answered, so that no more has to be read now.
    var hasWork: Bool { isBusy || !queue.isEmpty }

    /// Whether nothing of the next request has come.
    var isIdle: Bool {
        if case .head(begun: false) = reading { return true }
        return false
    }

    /// Whether a body is being read.
    var isReadingBody: Bool {
        if case .body = reading { return true }
        return false
    }

    /// True where a request begins with these bytes.
    @discardableResult
    mutating func bytesArrived() -> Bool {
        guard case .head(let begun) = reading else { return false }
        reading = .head(begun: true)
        return !begun
    }

    mutating func headArrived(_ verdict: HeadVerdict, isHead: Bool = false) -> HeadAction {
        guard case .head = reading else { return .ignore }
        // Kept with the request: the answers to earlier ones may not have gone out yet.
        readsHead = isHead
        guard queue.count + (isBusy ? 1 : 0) < pipelinedMax else {
            reading = .stopped
            return .ignore
        }
        switch verdict {
        case .accept(let request, let wantsContinue):
            reading = .body(request)
            // While other answers go out first, the client waits a moment and then sends the body
            // anyway.
            return wantsContinue && !hasWork ? .invite : .read
        case .refuse(let refusal):
            refuse(refusal)
            return .ignore
        case .close(let reason):
            reading = .stopped
            return .close(reason)
        }
    }

    mutating func bodyArrived(_ bytes: some Collection<UInt8>) {
        guard case .body(var request) = reading else { return }
        guard request.body.count + bytes.count <= request.bodyBytesMax else {
            refuse(.bodyTooLong)
            return
        }
        guard request.charge?.resize(to: request.body.count + bytes.count) ?? true else {
            refuse(.busy)
            return
        }
        // Leaves the array with one owner while it grows.
        reading = .stopped
        request.body.append(contentsOf: bytes)
        reading = .body(request)
    }

    mutating func endArrived() {
        guard case .body(let request) = reading else { return }
        queue.append((.request(request), readsHead))
        readsHead = false
        reading = request.keepsAlive && !isDraining ? .head(begun: false) : .stopped
    }

    /// The parser gave up; requests that were whole before are still answered.
    mutating func parserFailed(_ refusal: HTTPRefusal) {
        refuse(refusal)
    }

    /// The head's or the request's time is up.
    ///
    /// False if nothing was sent: then nothing is answered.
    mutating func timeIsUp() -> Bool {
        switch reading {
        case .head(begun: false):
            reading = .stopped
            return false
        case .head(begun: true), .body:
            refuse(.tooSlow)
            return true
        case .stopped:
            return true
        }
    }

    /// The client sends no more.
    mutating func inputClosed() {
        switch reading {
        case .head(begun: false): reading = .stopped
        case .head(begun: true), .body: refuse(.malformed)
        case .stopped: break
        }
    }

    /// The daemon stops: what was begun is finished, nothing new is begun.
    mutating func drain() {
        isDraining = true
        if case .head(begun: false) = reading { reading = .stopped }
    }

    /// Takes the next step; `answered()` must follow an answer or a refusal.
    mutating func next() -> Step {
        if isBusy { return .busy }
        guard let first = queue.first else {
            if case .stopped = reading { return .finish }
            return .wait
        }
        queue.removeFirst()
        isBusy = true
        answersHead = first.isHead
        switch first.work {
        case .request(let request): return .answer(request)
        case .refusal(let refusal): return .refuse(refusal)
        }
    }

    /// The answer was handed to the kernel.
    mutating func answered() {
        isBusy = false
    }

    private mutating func refuse(_ refusal: HTTPRefusal) {
        if case .stopped = reading { return }
        reading = .stopped
        queue.append((.refusal(refusal), readsHead))
    }
}
