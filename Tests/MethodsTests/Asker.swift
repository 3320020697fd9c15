import JSON
import Methods
import TestSupport
import Testing
import Threads

@testable import Wire

/// One connection to a service, without a socket.
struct Asker: ~Copyable {
    /// Where answers that come later arrive.
    private final class Mail: ReplyOutlet {
        let deliveries = BlockingQueue<Delivery>(countMax: 100_000)

        func post(_ deliveries: [Delivery]) {
            for delivery in deliveries { _ = self.deliveries.offer(delivery) }
        }
    }

    let session: Session
    private let mail = Mail()
    private var driver: FrameDriver
    private var conversation: Conversation
    private var reply = ReplyBuffer()
    private var lastID: Int64 = 0

    init(_ service: MethodService, uid: UInt32 = 1, role: Role = .admin) {
        session = Session(caller: Caller(uid: uid, gid: 1, pid: 1, role: role))
        conversation = Conversation(session: session, connection: 1)
        driver = FrameDriver(
            worker: service.makeWorker(),
            outlet: mail,
            frameBytesMax: WireLimits.frameBytesMax
        )
    }

    /// Who answers.
    var worker: any FrameWorker { driver.worker }

    /// How many requests wait for their answer.
    var unanswered: Int { conversation.unanswered }

    /// Asks; answers the response where it was given at once.
    @discardableResult
    mutating func ask(_ method: String, _ params: JSONObject = [:]) -> JSONValue? {
        lastID += 1
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method),
            "params": .object(params),
        ]
        _ = request.bytes.withUnsafeBytes {
            driver.answer($0, of: &conversation, into: &reply)
        }
        driver.worker.rest()
        return taken()
    }

    /// The next response that comes later; nil for one that nobody is sent.
    ///
    /// Where a store is asked, a task does it. Tasks share two threads with all tests of the room
    /// that run meanwhile, so it may take long to come.
    mutating func next() throws -> JSONValue? {
        let delivery = try #require(
            mail.deliveries.take(1, waiting: Listener.patienceMilliseconds)?.first,
            "no answer"
        )
        driver.take(delivery, for: &conversation, into: &reply)
        return taken()
    }

    /// Asks, and waits for the response if it is not given at once.
    @discardableResult
    mutating func call(_ method: String, _ params: JSONObject = [:]) throws -> JSONValue {
        let response = try ask(method, params) ?? #require(try next())
        // One that a test adds is not described.
        if let result = response["result"], OpenRPC.document.knows(method) {
            #expect(OpenRPC.document.faults(inResult: result, of: method) == [])
        }
        return response
    }

    private mutating func taken() -> JSONValue? {
        defer { reply.removeAll() }
        guard reply.count > WireLimits.headerBytes else { return nil }
        return try? JSONValue.parse(Array(reply.written[WireLimits.headerBytes...]))
    }
}
