/// Which daemon answers.
public struct DaemonVersion: Equatable, Sendable {
    /// The daemon's version.
    public let version: String
    /// Everything that it says about its versions.
    public let details: [String: String]

    init(_ members: Members) throws(ClientError) {
        version = try members.string("version")
        details = members.strings
    }
}
