/// Where a daemon is asked.
package enum DaemonPlace: Sendable {
    /// At the Unix socket of this path.
    case socket(String)
    /// At its HTTPS door.
    case door(RemoteDoor)
}
