import Foundation

/// What a text cites: pages of this repository, and numbered sections of documents.
struct Citations {
    /// The files that may be cited, by their paths from the root.
    let files: Set<String>
    /// The titles of the sections of each page, by its path.
    let titles: [String: Set<String>]

    /// Why the citations in `text` do not hold, one sentence each; empty where all do.
    ///
    /// A page is cited by its path or the end of it, and its section by the title in quotation
    /// marks behind a comma.
    func faults(in text: String) -> [String] {
        let text = Self.unwrapped(text)
        var faults: [String] = []
        if text.contains("\u{A7}") { faults.append("a section is named by its title") }
        let parts = text.components(separatedBy: ".md")
        for (part, rest) in zip(parts, parts.dropFirst()) {
            let name = String(part.reversed().prefix(while: Self.isOfPath).reversed()) + ".md"
            guard name != ".md", rest.first.map({ !$0.isLetter && !$0.isNumber }) ?? true else {
                continue
            }
            let end = name.replacing("../", with: "").replacing("./", with: "")
            let cited = files.filter { $0 == end || $0.hasSuffix("/" + end) }
            if cited.isEmpty { faults.append("there is no \(name)") }
            guard rest.hasPrefix(", \""), let page = cited.first else { continue }
            let title = String(rest.dropFirst(3).prefix { $0 != "\"" })
            if cited.count > 1 { faults.append("\(name) is more than one page") }
            if titles[page]?.contains(title) != true {
                faults.append("\(name) has no section \(title)")
            }
        }
        return faults + Self.nameless(in: text)
    }

    /// Numbered sections of what is no RFC and no recommendation of the ITU.
    private static func nameless(in text: String) -> [String] {
        var faults: [String] = []
        for word in [", section ", ", sections ", "(section ", "(sections "] {
            let parts = text.components(separatedBy: word)
            for (before, behind) in zip(parts, parts.dropFirst())
            where behind.first?.isNumber == true {
                let document = before.suffix(24)
                if !document.contains("RFC") && !document.contains("X.690") {
                    faults.append("\(document)\(word)… is of no document that can be found")
                }
            }
        }
        return faults
    }

    /// The text with the lines of each comment joined.
    private static func unwrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " || $0 == "/" || $0 == "#" || $0 == "*" } }
            .joined(separator: " ")
    }

    private static func isOfPath(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || "_-./".contains(character))
    }
}

extension Citations {
    /// Those of this checkout.
    static func ofTheHouse() throws -> Citations {
        let top = try FileManager.default.contentsOfDirectory(atPath: House.root.path)
        let pages =
            top.filter { $0.hasSuffix(".md") }
            + ["Sources", "Tests", "contrib", "docs", "proto"].flatMap { House.files($0, [".md"]) }
        var titles: [String: Set<String>] = [:]
        for page in pages {
            titles[page] = try Set(
                House.lines(page).filter { $0.hasPrefix("#") }
                    .map { String($0.drop { $0 == "#" }.drop { $0 == " " }) }
            )
        }
        return Citations(files: Set(pages), titles: titles)
    }
}
