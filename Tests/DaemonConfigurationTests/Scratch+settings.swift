import DaemonConfiguration
import Foundation
import TestSupport

extension Scratch {
    /// Writes a file and says where it is.
    @discardableResult
    func file(_ name: String, _ content: String, mode: Int = 0o600) throws -> String {
        try write(content, to: name, mode: UInt32(mode))
    }
}

/// The settings of this text, or why there are none.
func settings(
    _ yaml: String,
    _ environment: [String: String] = [:]
) throws(ConfigurationFailure) -> Settings {
    try Settings.load(yaml: Array(yaml.utf8), path: "test.yaml", environment: environment)
}

/// The key that a refusal names; nil if there is no refusal.
func refusedKey(_ yaml: String, _ environment: [String: String] = [:]) -> String? {
    do {
        _ = try settings(yaml, environment)
        return nil
    } catch {
        return error.key
    }
}

/// The file at `path` of the repository, found from this source file.
func repositoryFile(_ path: String) throws -> String {
    try String(contentsOf: repositoryURL(path), encoding: .utf8)
}

/// Where it is.
func repositoryURL(_ path: String) -> URL {
    let source = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    let root = source.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return root.appendingPathComponent(path)
}
