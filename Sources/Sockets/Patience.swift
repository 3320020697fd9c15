/// The time limits of connections, in milliseconds; shorter only in tests.
struct Patience: Sendable {
    /// For the rest of a frame.
    var frameMs = SocketLimits.frameSecondsMax * 1_000
    /// For a connection that holds too much.
    var stallMs = SocketLimits.stalledSecondsMax * 1_000
    /// For a connection that does not read.
    var unreadMs = SocketLimits.unreadSecondsMax * 1_000
    /// For a caller who may ask nothing.
    var refusalMs = SocketLimits.refusedSecondsMax * 1_000
    /// For a connection that was told why it is closed.
    var lingerMs = SocketLimits.lingerSecondsMax * 1_000
}
