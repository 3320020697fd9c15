/// Connections that are read again after a while, because their last read may have left bytes
/// behind: see `ConnectionState.Doubt`.
///
/// A request costs no system call more for this. A connection that is in use is never read again
/// here, because its next edge is due anyway; one that has become quiet is read again once.
extension RPCLoop {
    /// Enters the list of those in doubt.
    @inline(never)
    mutating func doubt(_ connection: UnsafeMutablePointer<Connection>) {
        if doubted.isEmpty { own.timer.start(milliseconds: SocketLimits.doubtMs) }
        doubted.append(connection.pointee.token)
    }

    /// Has those read again that have had no read for a while.
    mutating func takeDoubted() {
        var kept = 0
        for token in doubted {
            guard let connection = slab.find(token) else { continue }
            if connection.pointee.state.keepsDoubt() {
                doubted[kept] = token
                kept += 1
                continue
            }
            // Nothing is known of the cost; so many of them are a whole turn.
            let cost = SocketLimits.turnsBytesMax / SocketLimits.roundConnectionsMax
            connection.pointee.turnBytes = max(connection.pointee.turnBytes, cost)
            settle(connection)
        }
        doubted.removeSubrange(kept...)
        if !doubted.isEmpty { own.timer.start(milliseconds: SocketLimits.doubtMs) }
    }
}
