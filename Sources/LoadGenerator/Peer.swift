/// A server to be loaded: how a request is written, and where a reply ends.
///
/// One small type for each; all share one loop, so that the client's cost is the same for all.
protocol Peer {
    /// Whether replies name the request that they belong to; else they come in order.
    static var namesReplies: Bool { get }
    /// The longest request.
    var requestBytesMax: Int { get }
    /// How many operations one request asks for.
    var operationsPerRequest: Int { get }
    /// How many requests there are at most.
    var requestsMax: Int { get }

    /// Writes the request that `slot` of its connection waits for.
    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer)

    /// Finds the reply at the beginning of `bytes`, if it is whole.
    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan?
}

extension Peer {
    static var namesReplies: Bool { false }
    var operationsPerRequest: Int { 1 }
    var requestsMax: Int { .max }
}
