import Foundation
import JSON
import Testing

/// Every file under proto/vectors can be read as what it says it is.
///
/// What comes of them is tested where they are played.
struct VectorFileTests {
    @Test func `there are vectors, and only of known kinds`() {
        let all = Paper.files("proto/vectors", "")
            .filter { path in
                var isFolder: ObjCBool = false
                let full = Paper.root.appending(path: path).path
                return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        let known = [".json", ".txt", ".segment", "README.md"]
        for path in all {
            #expect(known.contains { path.hasSuffix($0) }, "\(path)")
        }
        #expect(all.count > 60)
    }

    @Test(arguments: Paper.files("proto/vectors", ".json"))
    func `a file of cases names each of them once`(path: String) throws {
        let file = try Paper.json(path)
        #expect(file["about"]?.string?.hasSuffix(".") == true)
        let cases = try #require(file["cases"]?.array)
        let names = cases.compactMap { $0["name"]?.string }
        #expect(!cases.isEmpty)
        #expect(names.count == cases.count)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: Paper.files("proto/vectors/scenarios", ".txt"))
    func `a scenario has a title, settings, then steps in the order of time`(path: String) throws {
        let lines = try Paper.text(path).split(separator: "\n")
        #expect(lines.first?.hasPrefix("# ") == true)
        var moments: [String] = []
        for line in lines.dropFirst() {
            guard line.first?.isNumber == true else {
                let isSetting = ["catalog ", "plan ", "pack "].contains { line.hasPrefix($0) }
                #expect(line.hasPrefix("#") || (isSetting && moments.isEmpty), "\(line)")
                continue
            }
            let moment = line.prefix { $0 != " " }
            #expect(moment.hasSuffix("Z"), "\(line)")
            // Seconds may be left out; without the Z a moment sorts before those that have them.
            moments.append(String(moment.dropLast()))
        }
        #expect(moments == moments.sorted())
        #expect(
            lines.contains { $0.contains("  => ") },
            "a story that expects nothing proves nothing"
        )
    }
}
