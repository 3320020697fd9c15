import NIOCore
import Synchronization
import Wire

/// Answers the requests that come in on one event loop, by the same code as the sockets: a
/// `FrameDriver`, and a worker that never leaves the loop.
///
/// Confined to its event loop.
final class APIDesk {
    private let loop: any EventLoop
    private let mail: DeskMail
    private var driver: FrameDriver
    private var exchanges: [UInt64: Exchange] = [:]
    private var watches: [UInt64: WatchStream] = [:]
    private var reply = ReplyBuffer()
    /// Checks the bodies that are short, one after the other.
    private let reader = AheadReader()
    private var restIsDue = false

    /// A desk on `loop`, to be made there.
    init(on loop: any EventLoop, _ service: any FrameService, frameBytesMax: Int) {
        self.loop = loop
        mail = DeskMail(loop)
        driver = FrameDriver(
            worker: service.makeWorker(),
            outlet: mail,
            frameBytesMax: frameBytesMax
        )
        mail.open(for: self)
    }

    /// Answers `body`, unless its sender asks too much.
    ///
    /// `ahead` has checked the body; without it the body is checked here.
    func begin(_ exchange: Exchange, _ body: [UInt8], checkedBy ahead: AheadReader?) {
        if ahead == nil { body.withUnsafeBytes { reader.check($0) } }
        let ahead = ahead ?? reader
        let (holder, requests) = (exchange.visit.holder, ahead.requests)
        // What is longer than any batch may be is refused by the driver, in its own words.
        if requests > 1, requests <= WireLimits.batchRequestsMax {
            guard requests <= holder.burst else {
                let message = "A batch may hold \(holder.burst) requests: api.requestsPerSecond."
                driver.refuse(RPCFailure(.invalidRequest, message), into: &reply)
                return collect(exchange)
            }
            // The first was counted before the body was looked at.
            if let pause = holder.admit(requests - 1) { return exchange.end(.limited(pause)) }
        }
        exchanges[exchange.conversation.connection] = exchange
        body.withUnsafeBytes { frame in
            driver.answer(
                frame,
                checkedBy: ahead,
                of: &exchange.conversation,
                into: &reply,
                requestsMax: APILimits.requestsPerTurnMax
            )
        }
        if exchange.conversation.isCut { exchange.rest = body }
        proceed(exchange)
    }

    /// Begins a watch with the call `body`.
    func begin(_ watch: WatchStream, _ body: [UInt8]) {
        let number = watch.number
        watches[number] = watch
        watch.whenOver { [weak self] in self?.leave(number) }
        body.withUnsafeBytes { frame in
            _ = driver.answer(frame, of: &watch.conversation, into: &reply)
        }
        restSoon()
        collect(watch)
    }

    /// Nobody waits for the reply any more: jobs that have not begun are dropped, a watch ends.
    func abandon(_ number: UInt64) {
        exchanges[number]?.end(.abandoned)
        leave(number)
    }

    private func leave(_ number: UInt64) {
        watches.removeValue(forKey: number)?.end()
    }

    /// Answers that came later.
    func take(_ deliveries: [Delivery]) {
        for delivery in deliveries {
            if delivery.isPush {
                watches[delivery.connection]?.push(delivery.response)
                continue
            }
            if let watch = watches[delivery.connection] {
                driver.take(delivery, for: &watch.conversation, into: &reply)
                collect(watch)
                continue
            }
            guard let exchange = exchanges[delivery.connection] else {
                driver.forget(delivery)
                continue
            }
            driver.take(delivery, for: &exchange.conversation, into: &reply)
            collect(exchange)
        }
    }

    /// Nothing comes any more.
    func end() {
        mail.close()
        for exchange in exchanges.values { exchange.end(.abandoned) }
        exchanges.removeAll()
        for number in watches.keys { leave(number) }
    }

    /// Carries out more of a batch that was cut.
    private func goOn(_ number: UInt64) {
        guard let exchange = exchanges[number], exchange.conversation.isCut else { return }
        exchange.rest.withUnsafeBytes { frame in
            _ = driver.answer(
                frame,
                of: &exchange.conversation,
                into: &reply,
                requestsMax: APILimits.requestsPerTurnMax
            )
        }
        proceed(exchange)
    }

    private func proceed(_ exchange: Exchange) {
        restSoon()
        if exchange.conversation.isCut {
            let number = exchange.conversation.connection
            let desk = NIOLoopBound(self, eventLoop: loop)
            loop.execute { desk.value.goOn(number) }
        }
        collect(exchange)
    }

    private func collect(_ watch: WatchStream) {
        let goesOn = watch.take(reply, on: loop)
        reply.removeAll(keeping: APILimits.replyBytesKept)
        if !goesOn { leave(watch.number) }
    }

    private func collect(_ exchange: Exchange) {
        exchange.take(reply)
        reply.removeAll(keeping: APILimits.replyBytesKept)
        guard exchange.isOver else { return }
        exchanges[exchange.conversation.connection] = nil
        exchange.end()
    }

    /// Gives the worker's snapshot back once the loop has done what is due now: those that ask at
    /// the same time share it, and the writer is woken once for their writes.
    private func restSoon() {
        guard !restIsDue else { return }
        restIsDue = true
        let desk = NIOLoopBound(self, eventLoop: loop)
        loop.execute {
            desk.value.restIsDue = false
            desk.value.driver.worker.rest()
        }
    }
}

/// Where answers that come later are left for a desk.
private final class DeskMail: ReplyOutlet {
    private let loop: any EventLoop
    private let desk = Mutex<NIOLoopBound<APIDesk>?>(nil)

    init(_ loop: any EventLoop) { self.loop = loop }

    func open(for desk: APIDesk) {
        let bound = NIOLoopBound(desk, eventLoop: loop)
        self.desk.withLock { $0 = bound }
    }

    func close() { desk.withLock { $0 = nil } }

    func post(_ deliveries: [Delivery]) {
        guard let desk = desk.withLock({ $0 }) else { return }
        loop.execute { desk.value.take(deliveries) }
    }
}
