import Foundation

/// The files of one room and what they declare and name, to see which folder uses which.
struct Folders {
    /// One file.
    struct File {
        let path: String
        /// The folder below the room; empty for the room itself.
        let folder: String
        /// Types that others may name.
        let types: Set<String>
        /// What its extensions add to types.
        let members: Set<String>
        /// Everything else that has a name in it.
        let others: Set<String>
        /// The words in it that follow no dot and name no type of its own.
        let words: Set<String>
        /// Words behind a dot.
        let asked: Set<String>
    }

    let files: [File]
    /// Names of which nobody can say whose they are meant to be: other rooms have them, too.
    private let strange: Set<String>

    /// - Parameters:
    ///   - texts: Swift files, by their path below the room.
    ///   - strange: names that other rooms declare.
    init(_ texts: [String: String], strange: Set<String> = []) {
        files = texts.keys.sorted().map { File($0, texts[$0] ?? "") }
        self.strange = strange
    }

    /// Those of a room of this checkout.
    init(room: String) throws {
        let others = try Set(House.swiftFiles("Sources/\(room)").flatMap { try House.imports($0) })
        let known = try others.map { Folders(try Self.texts(of: $0)) }.flatMap(\.files)
        let names = known.reduce(into: Set<String>()) {
            $0.formUnion($1.members)
            $0.formUnion($1.others)
        }
        self.init(try Self.texts(of: room), strange: names)
    }

    private static func texts(of room: String) throws -> [String: String] {
        var texts: [String: String] = [:]
        for path in House.swiftFiles("Sources/\(room)") {
            texts[String(path.dropFirst("Sources/\(room)/".count))] = try House.text(path)
        }
        return texts
    }

    /// The arrows from a folder to one that comes later in `order`, a sentence each.
    func arrowsForward(_ order: [String]) -> [String] {
        let shared = files.reduce(into: strange) { $0.formUnion($1.others) }
        let types = homes(\.types)
        let members = homes(\.members).filter { !shared.contains($0.key) }
        var found: [String] = []
        for file in files {
            guard let place = order.firstIndex(of: file.folder) else {
                found.append("\(file.path): its folder is not in the plan")
                continue
            }
            let later = Set(order[(place + 1)...])
            for (name, folder) in types where later.contains(folder) {
                if file.words.contains(name) { found.append("\(file.path) names \(name)") }
            }
            for (name, folder) in members where later.contains(folder) {
                if file.asked.contains(name) { found.append("\(file.path) asks for .\(name)") }
            }
        }
        return found.sorted()
    }

    /// The folder of each name that is declared in one folder alone.
    private func homes(_ names: KeyPath<File, Set<String>>) -> [String: String] {
        var homes: [String: Set<String>] = [:]
        for file in files {
            for name in file[keyPath: names] { homes[name, default: []].insert(file.folder) }
        }
        return homes.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    /// Files of one folder that lead to each other by the types that they name, more than one.
    func circles() -> [[String]] {
        var places: [String: [Int]] = [:]
        for (place, file) in files.enumerated() {
            for name in file.types { places[name, default: []].append(place) }
        }
        let ways = files.map { file in
            file.words.flatMap { places[$0] ?? [] }
                .filter { files[$0].folder == file.folder && files[$0].path != file.path }
        }
        let reached = files.indices.map { Self.reachable(from: $0, ways) }
        var circles: Set<[String]> = []
        for place in files.indices {
            let circle = reached[place].filter { reached[$0].contains(place) }
            if circle.count > 1 { circles.insert(circle.map { files[$0].path }.sorted()) }
        }
        return circles.sorted { $0.count > $1.count }
    }

    private static func reachable(from start: Int, _ ways: [[Int]]) -> Set<Int> {
        var reached: Set<Int> = []
        var waiting = ways[start]
        while let place = waiting.popLast() {
            if reached.insert(place).inserted { waiting += ways[place] }
        }
        return reached
    }
}

extension Folders.File {
    fileprivate init(_ path: String, _ text: String) {
        self.path = path
        let parts = path.split(separator: "/")
        folder = parts.count > 1 ? String(parts[0]) : ""
        let tokens = SwiftText(text).tokens
        var (types, own): (Set<String>, Set<String>) = ([], [])
        var (members, others): (Set<String>, Set<String>) = ([], [])
        var (words, asked): (Set<String>, Set<String>) = ([], [])
        // What each open brace belongs to.
        var blocks: [Block] = []
        var next = Block.code
        var isPrivate = false
        for (place, token) in tokens.enumerated() {
            let following = place + 1 < tokens.count ? String(tokens[place + 1]) : ""
            let isBehindDot = place > 0 && tokens[place - 1] == "."
            if isBehindDot { asked.insert(String(token)) } else { words.insert(String(token)) }
            switch token {
            case "private", "fileprivate": isPrivate = true
            case "struct", "enum", "class", "actor", "protocol", "typealias", "extension":
                guard !isBehindDot, following.first?.isUppercase == true else { break }
                next = token == "extension" ? .extended : token == "typealias" ? .code : .type
                if token != "extension" {
                    own.insert(following)
                    if blocks.isEmpty, !isPrivate { types.insert(following) }
                }
                isPrivate = false
            case "func", "var", "let", "case":
                if blocks == [.extended], token != "case" {
                    if !isPrivate { members.insert(following) }
                } else {
                    others.insert(following)
                }
                isPrivate = false
            case "{":
                blocks.append(next)
                next = .code
                isPrivate = false
            case "}":
                _ = blocks.popLast()
                isPrivate = false
            default: break
            }
        }
        (self.types, self.words) = (types, words.subtracting(own))
        (self.members, self.others, self.asked) = (members, others, asked)
    }

    private enum Block {
        case type
        case extended
        case code
    }
}
