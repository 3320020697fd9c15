import Testing

/// A folder of a large room uses only those named before it in the plan.
struct FolderTests {
    @Test(arguments: FloorPlan.folders.keys.sorted())
    func `no file names what a later folder declares`(room: String) throws {
        let order = try #require(FloorPlan.folders[room])
        let folders = try Folders(room: room)
        #expect(folders.files.count > order.count)
        #expect(folders.arrowsForward(order) == [])
        let missing = Set(order).subtracting(folders.files.map(\.folder))
        #expect(missing.isEmpty, "\(room) has no such folders")
    }

    @Test(arguments: FloorPlan.roomsWithoutCircles)
    func `no more than four files of one folder lead to each other`(room: String) throws {
        for circle in try Folders(room: room).circles() {
            let count = circle.count
            #expect(count <= FloorPlan.circleFilesMax, "\(room): \(circle.joined(separator: ", "))")
        }
    }

    /// A room in which all is well: names in comments and texts are none.
    private static let room = [
        "Low/Stone.swift": "struct Stone { enum Kind {} }\nprivate struct Wall {}",
        "Low/Brick.swift": "// Wall and House\nstruct Brick { let text = \"House \\(1 + 1)\" }",
        "High/Wall.swift": "final class Wall { let stones: [Stone] = [] }",
        "High/Stone+Wall.swift": "extension Stone { func wall() -> Wall { Wall() } }",
        "House.swift": "struct House { let walls: [Wall]; let one = Stone().wall() }",
    ]
    private static let order = ["Low", "High", ""]

    @Test func `a tree in order has no arrow forward`() {
        #expect(Folders(Self.room).arrowsForward(Self.order) == [])
        #expect(Folders(Self.room).circles() == [])
    }

    @Test(arguments: [
        ("struct Mud { let wall: Wall? }", "names Wall"),
        ("struct Mud { let text = \"a \\(House.self) house\" }", "names House"),
        ("func build(_ stone: Stone) { _ = stone.wall() }", "asks for .wall"),
        ("extension House { var isOld: Bool { true } }", "names House"),
    ])
    func `an arrow forward is found`(text: String, what: String) {
        var room = Self.room
        room["Low/Mud.swift"] = text
        #expect(Folders(room).arrowsForward(Self.order) == ["Low/Mud.swift \(what)"])
    }

    @Test func `a folder that is not in the plan is found, and the other order`() {
        var room = Self.room
        room["Cellar/Coal.swift"] = "struct Coal {}"
        let found = Folders(room).arrowsForward(Self.order)
        #expect(found == ["Cellar/Coal.swift: its folder is not in the plan"])
        #expect(!Folders(Self.room).arrowsForward(["High", "Low", ""]).isEmpty)
    }

    @Test func `files that lead to each other are a circle, in one folder alone`() {
        let circles = Folders([
            "Low/A.swift": "struct A { var b: B? }", "Low/B.swift": "final class B { var c: C? }",
            "Low/C.swift": "enum C { case a(A) }", "Low/D.swift": "struct D { let a: A }",
            "High/E.swift": "struct E { let f: F? }", "Low/F.swift": "struct F { let e: E? }",
        ])
        .circles()
        #expect(circles == [["Low/A.swift", "Low/B.swift", "Low/C.swift"]])
    }
}
