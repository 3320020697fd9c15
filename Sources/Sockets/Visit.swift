/// One connection in one round: the bytes that it sent, and its replies.
struct Visit {
    /// A `start` which says that the bytes are in the connection's own memory.
    static let ownInput = -1

    /// Valid during the round, because connections are added and removed only between rounds.
    let connection: UnsafeMutablePointer<Connection>
    /// Where its bytes begin in the thread's memory, and how many there are.
    let start: Int
    let count: Int
    /// Where its replies are in the reply buffer.
    var replyStart = 0
    var replyEnd = 0
}
