/// The keys of an example of a configuration file, commented ones included.
///
/// Reads what such a file needs and no more: a key a line, indented by its depth.
struct ConfigurationExample {
    /// Every path in the file, sections included, in order.
    let paths: [String]

    init(_ path: String) throws {
        var found: [String] = []
        var parents: [(indent: Int, key: Substring)] = []
        for line in try Paper.text(path).split(separator: "\n") {
            let line = Self.uncommented(String(line))
            let indent = line.prefix { $0 == " " }.count
            let rest = line.dropFirst(indent)
            let key = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." }
            let behind = rest.dropFirst(key.count)
            guard !key.isEmpty, behind == ":" || behind.hasPrefix(": ") else { continue }
            parents.removeAll { $0.indent >= indent }
            parents.append((indent, key))
            found.append(parents.map { String($0.key) }.joined(separator: "."))
        }
        paths = found
    }

    /// The paths that are no section.
    var leaves: [String] {
        paths.filter { path in !paths.contains { $0.hasPrefix(path + ".") } }
    }

    /// The line without a `#` near its beginning; one further right begins a remark.
    private static func uncommented(_ line: String) -> String {
        var line = line
        while true {
            let indent = line.prefix { $0 == " " }.count
            guard indent <= 4, line.dropFirst(indent).hasPrefix("# ") else { return line }
            line = String(repeating: " ", count: indent) + line.dropFirst(indent + 2)
        }
    }
}
