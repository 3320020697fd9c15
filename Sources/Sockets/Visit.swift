/// One connection in one round: what it sent, and what it is answered.
struct Visit {
    /// Says that what it sent stands in the connection's own memory.
    static let ownInput = -1

    /// Valid for the round: connections come and go only between rounds.
    let connection: UnsafeMutablePointer<Connection>
    /// Where in the thread's memory its bytes begin, and how many there are.
    let start: Int
    let count: Int
    /// Where in the reply buffer its replies stand.
    var replyStart = 0
    var replyEnd = 0
}
