// Made by contrib/clients/generate.py from proto/openrpc.json.

/// Which daemon answers.
public struct DaemonVersion: Decodable, Equatable, Sendable {
    /// The daemon's version.
    public let daemon: String
    /// The major version of the protocol: of frames, methods and words.
    public let `protocol`: String
    /// The version of what is on disk.
    public let format: Int64

    private enum CodingKeys: String, CodingKey {
        case daemon = "entitld"
        case `protocol`, format
    }
}
