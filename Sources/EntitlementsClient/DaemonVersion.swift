/// Which daemon answers.
public struct DaemonVersion: Equatable, Sendable {
    /// The daemon's version.
    public let daemon: String
    /// The major version of the protocol.
    public let `protocol`: String
    /// The version of what is on disk.
    public let format: Int64

    init(_ members: Members) throws(ClientError) {
        daemon = try members.string("entitld")
        `protocol` = try members.string("protocol")
        format = try members.integer("format")
    }
}
