import Foundation

/// A directory of its own for one test, gone with it.
///
/// Short, because a socket's path has at most 107 bytes.
final class ScratchDirectory: Sendable {
    let path: String

    init() throws {
        path = "/tmp/entitld-" + UUID().uuidString.prefix(8).lowercased()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of `name` in it.
    func file(_ name: String) -> String { path + "/" + name }

    /// Writes `text` to the file `name`; answers its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}
