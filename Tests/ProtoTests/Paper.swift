import Foundation
import JSON

/// The files that people read, as text.
enum Paper {
    /// The folder that holds Package.swift.
    static let root: URL = {
        var folder = URL(filePath: #filePath)
        while !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
            precondition(folder.pathComponents.count > 1, "the tests stand in the repository")
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func json(_ path: String) throws -> JSONValue {
        try JSONValue.parse(Array(text(path).utf8))
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// Every file below `folder` whose name ends with `suffix`, by its path from the root.
    static func files(_ folder: String, _ suffix: String) -> [String] {
        let walk = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        let paths = walk?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
    }

    /// Every page that people read, by its path from the root.
    static let pages =
        ["README.md", "SECURITY.md", "CONTRIBUTING.md"]
        + ["docs", "contrib", "proto"].flatMap { files($0, ".md") }

    /// The anchors of a page's titles, as GitHub makes them.
    static func anchors(in path: String) throws -> Set<String> {
        let titles = try text(path).split(separator: "\n").filter { $0.hasPrefix("#") }
        return Set(
            titles.map { title in
                title.drop { $0 == "#" || $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            }
        )
    }

    /// The words of a text in small letters: runs of ASCII letters, so that names in the source
    /// fall apart at their capitals.
    static func words(_ text: String) -> Set<[UInt8]> {
        var words: Set<[UInt8]> = []
        var word: [UInt8] = []
        var isInsideCapitals = false
        for byte in text.utf8 {
            let isCapital = (0x41...0x5A).contains(byte)
            guard isCapital || (0x61...0x7A).contains(byte) else {
                if !word.isEmpty { words.insert(word) }
                word.removeAll(keepingCapacity: true)
                continue
            }
            if isCapital, !isInsideCapitals, !word.isEmpty {
                words.insert(word)
                word.removeAll(keepingCapacity: true)
            }
            isInsideCapitals = isCapital
            word.append(byte | 0x20)
        }
        if !word.isEmpty { words.insert(word) }
        return words
    }

    /// The part of a page under the heading `title`, up to the next heading of its kind.
    static func section(_ title: String, of path: String) throws -> Substring? {
        let page = try text(path)
        guard let start = page.range(of: "\n## \(title)\n") else { return nil }
        let rest = page[start.upperBound...]
        return rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    }

    /// What stands between backticks on one line.
    static func quoted(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n")
            .flatMap { line in
                line.split(separator: "`", omittingEmptySubsequences: false)
                    .enumerated()
                    .filter { $0.offset % 2 == 1 }
                    .map { String($0.element) }
            }
    }

    /// The texts that stand in a file directly behind `mark`, up to the next quotation mark.
    static func strings(behind mark: String, in path: String) throws -> [String] {
        try text(path).components(separatedBy: mark).dropFirst()
            .compactMap { $0.split(separator: "\"", omittingEmptySubsequences: false).first }
            .map(String.init)
    }
}
