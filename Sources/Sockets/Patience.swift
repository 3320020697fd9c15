/// How long connections are waited for, in milliseconds; shorter only in tests.
struct Patience: Sendable {
    /// For the rest of a frame.
    var frameMs = SocketLimits.frameSecondsMax * 1_000
    /// For one that holds too much.
    var stallMs = SocketLimits.stalledSecondsMax * 1_000
    /// For one that does not read.
    var unreadMs = SocketLimits.unreadSecondsMax * 1_000
    /// For one that may ask nothing.
    var refusalMs = SocketLimits.refusedSecondsMax * 1_000
    /// For one that was told why it is closed.
    var lingerMs = SocketLimits.lingerSecondsMax * 1_000
}
