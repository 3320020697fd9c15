import Testing

/// Each room begins with a page that says what it is for.
struct HeadPageTests {
    @Test(arguments: FloorPlan.floors.joined())
    func `the main file of a room begins with a page about it`(room: String) throws {
        let path = "Sources/\(room)/\(FloorPlan.mainFile(of: room))"
        let page = try HeadPage(House.text(path))
        var names = Set(FloorPlan.folders[room] ?? [])
        for file in House.files("Sources/\(room)", [".swift", ".h"]) {
            names.formUnion(file.split(separator: "/").map(String.init))
            names.formUnion(try SwiftText(House.text(file)).tokens.map(String.init))
        }
        for fault in page.faults(room: room, names: names) { Issue.record("\(path) \(fault)") }
    }

    @Test func `docs/house.md names the main files that have not the name of their room`() throws {
        let text = try House.text("docs/house.md")
        for (room, file) in FloorPlan.mainFiles {
            #expect(text.contains("`\(room)/\(file)`"), "\(room)/\(file)")
        }
    }

    private static let page = """
        // Walls keep the wind out.
        //
        // In reading order:
        //   Stone   what all is made of
        //           and will be
        //   Wall    stones on each other
        //
        // Its laws:
        //   1. A wall stands.
        //
        // It never walks.

        import Stones
        """

    @Test func `a whole page has no faults`() {
        #expect(HeadPage(Self.page).faults(room: "Walls", names: ["Stone", "Wall"]) == [])
    }

    @Test(arguments: [
        ("// Walls keep", "/// Walls keep", "does not begin with a comment \"// Walls …\""),
        ("// Walls keep", "// They keep", "does not begin with a comment \"// Walls …\""),
        ("// Its laws:", "// Laws:", "has no \"Its laws:\""),
        ("//   Wall ", "//   Mud ", "there is no Mud"),
        ("//   ", "// ", "names nothing to read"),
        ("// Its laws:", "// It never moves.\n// Its laws:", "has its parts in another order"),
        ("//\n// It never", String(repeating: "//\n", count: 21) + "// It never", "has 31 lines"),
    ])
    func `a page that says less is found, so the check can fail`(
        part: String,
        instead: String,
        fault: String
    ) {
        let text = Self.page.replacing(part, with: instead)
        #expect(HeadPage(text).faults(room: "Walls", names: ["Stone", "Wall"]) == [fault])
    }
}
