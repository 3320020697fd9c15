import DaemonConfiguration
import Entitlements
import NIOCore
import NIOHTTP1

/// What a listener serves: it judges heads and answers whole requests, on the event loop.
package protocol HTTPService: Sendable {
    /// Whether the request may go on, from its head alone.
    func verdict(on head: HTTPRequestHead, from peer: IPAddress) -> HeadVerdict

    /// The answer to a whole request.
    ///
    /// It runs on `loop`, the connection's own, and may wait, because no event loop waits for it.
    /// Long computations belong on another thread.
    func reply(to request: HTTPRequest, on loop: any EventLoop) async -> HTTPReply

    /// Whether the task of an answer is cancelled when nobody waits for it any more.
    var cancelsUnawaited: Bool { get }

    /// Counts a refusal.
    func noteRefusal(_ refusal: HTTPRefusal)

    /// Counts a connection closed without an answer.
    func noteClose(_ reason: CloseReason)
}

extension HTTPService {
    package var cancelsUnawaited: Bool { false }
}

/// What a service keeps with a request from its head on: who sent it, and what is charged to them
/// for its bytes.
package protocol HTTPCharge: AnyObject, Sendable {
    /// Charges for so many bytes of a body instead of what was charged before; false, and nothing
    /// changes, where that is too much.
    func resize(to bytes: Int) -> Bool
}

/// What becomes of a request whose head was read.
package enum HeadVerdict: Equatable {
    case accept(HTTPRequest, wantsContinue: Bool)
    case refuse(HTTPRefusal)
    /// The connection is closed without an answer.
    case close(CloseReason)
}

/// A request that passed the rules for heads.
package struct HTTPRequest: Sendable {
    /// Without the query.
    package let path: String
    /// What stands after the first question mark.
    package let query: String
    /// Who sent it, a trusted proxy looked through.
    package let source: String
    /// Whether the client keeps the connection.
    package let keepsAlive: Bool
    /// How long its body may be.
    package let bodyBytesMax: Int
    /// Header fields that its route wants to see.
    package var fields: [HTTPField] = []
    /// What came of it so far.
    package var body: [UInt8] = []
    /// What its service keeps with it.
    package var charge: (any HTTPCharge)?

    /// A request whose body is still to come.
    package init(
        path: String,
        query: String,
        source: String,
        keepsAlive: Bool,
        bodyBytesMax: Int
    ) {
        self.path = path
        self.query = query
        self.source = source
        self.keepsAlive = keepsAlive
        self.bodyBytesMax = bodyBytesMax
    }
}

extension HTTPRequest {
    /// Keeps the fields `name` of its head.
    package mutating func keep(_ name: String, of head: HTTPRequestHead) {
        fields += head.headers[name].map { HTTPField(name, $0) }
    }

    /// The first field `name` that was kept.
    package func field(_ name: String) -> String? { fields.first(named: name) }
}

extension HTTPRequest: Equatable {
    /// Whether both are the same request, as far as it has come.
    package static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
        left.path == right.path && left.query == right.query && left.source == right.source
            && left.keepsAlive == right.keepsAlive && left.bodyBytesMax == right.bodyBytesMax
            && left.fields == right.fields && left.body == right.body
            && left.charge === right.charge
    }
}
