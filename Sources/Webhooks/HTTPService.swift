import DaemonConfiguration
import Entitlements
import NIOHTTP1

/// What a listener serves: it judges heads and answers whole requests, on the event loop.
protocol HTTPService: Sendable {
    /// Whether the request may go on, from its head alone.
    func verdict(on head: HTTPRequestHead, from peer: IPAddress) -> HeadVerdict

    /// The answer to a whole request.
    ///
    /// It may take its time, waiting: no event loop waits for it. What computes goes elsewhere.
    func reply(to request: HTTPRequest) async -> HTTPReply

    /// Counts a refusal.
    func noteRefusal(_ refusal: HTTPRefusal)

    /// Counts a connection closed without an answer.
    func noteClose(_ reason: CloseReason)
}

/// What becomes of a request whose head was read.
enum HeadVerdict: Equatable {
    case accept(HTTPRequest, wantsContinue: Bool)
    case refuse(HTTPRefusal)
    /// Not even an answer.
    case close(CloseReason)
}

/// A request that passed the rules for heads.
struct HTTPRequest: Sendable, Equatable {
    /// Without the query.
    let path: String
    /// What stands after the first question mark.
    let query: String
    /// Who sent it, a trusted proxy looked through.
    let source: String
    /// Whether the client keeps the connection.
    let keepsAlive: Bool
    /// How long its body may be.
    let bodyBytesMax: Int
    /// Header fields that its route wants to see.
    var fields: [HTTPField] = []
    /// What came of it so far.
    var body: [UInt8] = []
}
