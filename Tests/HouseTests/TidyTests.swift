import Foundation
import Testing

/// House rules that the formatter cannot say.
///
/// Each rule has its reason.
struct TidyTests {
    @Test(arguments: [
        ("try!", "a failure is typed and handled"),
        (" as!", "a wrong guess must not end the daemon"),
        ("fatalError(", "bugs are preconditions with a sentence; the world's failures are thrown"),
        ("DispatchQueue", "state lives in a Mutex, an Atomic or an actor"),
        ("Task.detached", "tasks belong to somebody"),
        ("TO" + "DO", "what is left for later is an issue"),
        ("FIX" + "ME", "what is left for later is an issue"),
    ])
    func `a banned word is not in Sources`(word: String, reason: String) throws {
        for path in House.swiftFiles("Sources") {
            for (number, line) in try House.lines(path).enumerated() {
                let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
                #expect(!code.contains(word), "\(path):\(number + 1): \(reason)")
            }
        }
    }

    @Test(arguments: ["Date(", "ContinuousClock", "clock_gettime", "random", "print(", "await "])
    func `the core has no clock, no chance, no output and no waiting`(word: String) throws {
        for path in House.swiftFiles("Sources/Entitlements") {
            #expect(try !House.text(path).contains(word), "\(path)")
        }
    }

    @Test func `the admin's client writes in one place, where texts are made harmless`() throws {
        for path in House.swiftFiles("Sources/entitlctl") where !path.hasSuffix("/Terminal.swift") {
            for word in [" print(", "standardOutput", "standardError", "fputs("] {
                #expect(try !House.text(path).contains(word), "\(path): \(word)")
            }
        }
    }

    @Test func `a file has at most 500 lines, and one of tests 800`() throws {
        for (folder, most) in [("Sources", 500), ("Tests", 800)] {
            for path in House.swiftFiles(folder) {
                // What is written by a program is read by none.
                guard try !House.text(path).contains("swift-format-ignore-file") else { continue }
                #expect(try House.lines(path).count <= most, "\(path)")
            }
        }
    }

    @Test func `no line is longer than 100 columns`() throws {
        for path in House.swiftFiles("Sources") + House.swiftFiles("Tests") {
            let text = try House.text(path)
            guard !text.contains("swift-format-ignore-file") else { continue }
            for (number, line) in try House.lines(path).enumerated() {
                #expect(line.count <= 100, "\(path):\(number + 1)")
            }
        }
    }

    @Test func `the tree has no symbolic links`() throws {
        #expect(try Self.links(in: House.root) == [])
    }

    @Test func `a symbolic link is found, so the check can fail`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "links-\(UInt64.random(in: 0 ... .max))")
        let files = FileManager.default
        let room = folder.appending(path: "Room")
        try files.createDirectory(at: room, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }
        try Data().write(to: room.appending(path: "A.swift"))
        #expect(try Self.links(in: folder) == [])
        try files.createSymbolicLink(
            atPath: room.appending(path: "B.swift").path,
            withDestinationPath: "A.swift"
        )
        #expect(try Self.links(in: folder) == ["Room/B.swift"])
    }

    /// The symbolic links below `folder`, but for what a build or a checkout makes.
    private static func links(in folder: URL) throws -> [String] {
        let walk = FileManager.default.enumerator(atPath: folder.path)
        var found: [String] = []
        while let path = walk?.nextObject() as? String {
            if path.hasPrefix(".") && path != ".ci" {
                walk?.skipDescendants()
                continue
            }
            let place = folder.appending(path: path).path
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil {
                found.append(path)
            }
        }
        return found
    }

    @Test(arguments: ["Manager", "Helper", "Utils", "Common", "Util"])
    func `no file is named after nothing in particular`(word: String) {
        for path in House.swiftFiles("Sources") + House.swiftFiles("Tests") {
            #expect(!path.contains(word), "\(path)")
        }
    }
}
