import Foundation
import JSON

/// The checkout as files.
enum House {
    /// The folder that holds Package.swift.
    static let root: URL = {
        var folder = URL(filePath: #filePath)
        while !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// Every Swift file below `folder`, by its path from the root.
    static func swiftFiles(_ folder: String) -> [String] { files(folder, [".swift"]) }

    /// Every file below `folder` whose name ends with one of `suffixes`, by its path from the root.
    static func files(_ folder: String, _ suffixes: [String]) -> [String] {
        let start = root.appending(path: folder)
        let walk = FileManager.default.enumerator(atPath: start.path)
        let paths = walk?.compactMap { $0 as? String } ?? []
        return paths.filter { path in suffixes.contains { path.hasSuffix($0) } }
            .map { "\(folder)/\($0)" }.sorted()
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func lines(_ path: String) throws -> [Substring] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The room of a source file.
    static func room(of path: String) -> String {
        String(path.split(separator: "/")[1])
    }

    /// The modules that a file imports.
    static func imports(_ path: String) throws -> [String] {
        try lines(path)
            .compactMap { line in
                let words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
                guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                    place == 0 || ["package", "public", "internal"].contains(words[place - 1])
                else { return nil }
                return String(words[place + 1])
            }
    }
}
