/// What the client allows itself, each with its unit.
package enum ClientLimits {
    /// The longest frame, unless the caller knows another `rpc.maxFrameBytes`.
    package static let frameBytesMax = 1 << 20
    /// The longest frame that `rpc.maxFrameBytes` can be raised to.
    package static let frameBytesCeiling = 16 << 20
    /// `sun_path` holds 108 bytes, the last of them NUL.
    package static let socketPathBytesMax = 107
    /// How deep a reply may nest: a dumped record stands three levels inside its reply.
    package static let replyDepthMax = 48
    /// How many calls of one client may wait for their reply.
    package static let callsInFlightMax = 1_024
    /// How many connections a call may lose beside others, of which it may be the reason.
    package static let lossesMax = 3
    /// The first pause before a connection is made again, or a call is sent again.
    package static let pauseMillisecondsFirst = 1
    /// The longest such pause.
    package static let pauseMillisecondsMax = 50
    /// What one read takes from the socket at most.
    package static let readBytesMax = 64 << 10
    /// How long a watch may hear nothing: three heartbeats of the daemon.
    package static let watchSilenceMillisecondsMax = 45_000
    /// How many quick calls over HTTPS are under way at a time, each on a connection.
    ///
    /// As many slow ones may be beside them, and as many watches.
    package static let doorConnectionsMax = 64
    /// How long a connection over HTTPS is kept without a call; the daemon ends it after 60 s.
    package static let doorIdleSecondsMax: Int64 = 30
    /// The pause before a watch connects again, once it has failed to.
    package static let watchPauseMillisecondsFirst = 50
    /// The longest such pause.
    package static let watchPauseMillisecondsMax = 5_000
    /// How many changes of one position a watch remembers to have told.
    package static let toldChangesMax = 100_000
    /// How many events of a watch wait for the task that iterates; then nothing more is read.
    package static let watchEventsMax = 256

    /// The pause after one of `milliseconds`.
    static func longerPause(_ milliseconds: Int) -> Int {
        min(max(milliseconds * 2, pauseMillisecondsFirst), pauseMillisecondsMax)
    }

    /// Half of a pause is random, so that a crowd does not come back together.
    static func jittered(_ milliseconds: Int) -> Int {
        Int.random(in: milliseconds / 2...milliseconds)
    }
}
