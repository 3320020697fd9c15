import Foundation
import Testing

/// A reader who meets a type finds it by its name.
struct TypeNameTests {
    private struct File {
        let path: String
        /// The types that begin in its first column.
        let types: [String]
        let words: Set<String>

        var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

        init(_ path: String, _ lines: [String]) {
            self.path = path
            let code = lines.map { line in
                line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
            }
            types = code.compactMap(Self.type)
            words = Set(
                code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
                    .map(String.init)
            )
        }

        private static func type(_ line: String) -> String? {
            guard line.first?.isWhitespace == false, !line.contains("private ") else { return nil }
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            let kinds = ["struct", "enum", "class", "protocol", "actor"]
            guard let place = words.firstIndex(where: { kinds.contains(String($0)) }),
                words[..<place].allSatisfy({ $0.first?.isLowercase ?? false }),
                words.indices.contains(place + 1)
            else { return nil }
            return String(words[place + 1])
        }
    }

    /// The types that ten other files use, and that stand in a file of another name.
    private static func misplaced(_ files: [File]) -> [String] {
        var homes: [String: [File]] = [:]
        for file in files { for type in file.types { homes[type, default: []].append(file) } }
        return homes.compactMap { type, homes in
            guard homes.count == 1, let home = homes.first, home.name != type,
                !home.name.hasPrefix(type + "+"), home.name != "Limits"
            else { return nil }
            let users = files.filter { $0.path != home.path && $0.words.contains(type) }
            return users.count >= 10 ? "\(type) in \(home.path)" : nil
        }
    }

    @Test func `a type that ten other files use stands in the file of its name`() throws {
        let files = try House.swiftFiles("Sources")
            .map { File($0, try House.lines($0).map(String.init)) }
        #expect(files.flatMap(\.types).count > 500)
        #expect(Self.misplaced(files) == [])
    }

    @Test func `a type in a file of another name is found, so the check can fail`() {
        let home = File("Room/Other.swift", ["package struct Thing {", "}"])
        let users = (0..<10).map { File("Room/User\($0).swift", ["let thing: Thing // Thing"]) }
        #expect(Self.misplaced([home] + users) == ["Thing in Room/Other.swift"])
        #expect(Self.misplaced([home] + users.dropLast()) == [])
        let named = File("Room/Thing.swift", ["@frozen package struct Thing {", "}"])
        #expect(Self.misplaced([named] + users) == [])
    }
}
