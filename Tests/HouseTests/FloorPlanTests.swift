import Foundation
import Testing

/// The floor plan is kept: by the manifest, by the import lines, in both directions.
struct FloorPlanTests {
    private static let rooms = Set(FloorPlan.floors.joined())

    @Test func `every folder of Sources is a room of the plan, and the other way round`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: House.root.appending(path: "Sources").path
        )
        #expect(Set(folders) == Self.rooms)
    }

    @Test func `every import of a room leads to a lower floor`() throws {
        var count = 0
        for path in House.swiftFiles("Sources") {
            let room = House.room(of: path)
            for module in try House.imports(path) where Self.rooms.contains(module) {
                count += 1
                #expect(FloorPlan.allows(room, module), "\(path) imports \(module)")
            }
        }
        #expect(count > 100)
    }

    @Test func `a forbidden arrow and an arrow upward are refused, so the check can fail`() {
        #expect(!FloorPlan.allows("Entitlements", "Ledger"))
        #expect(!FloorPlan.allows("entitlctl", "LMDB"))
        #expect(!FloorPlan.allows("Sockets", "Webhooks"))
        #expect(FloorPlan.allows("Ledger", "Journal"))
    }

    @Test func `docs/house.md forbids the same arrows as the plan`() throws {
        let table = try House.lines("docs/house.md").drop { $0 != "| from | to | because |" }
        var drawn: Set<[String]> = []
        for row in table.dropFirst(2).prefix(while: { $0.hasPrefix("|") }) {
            let cells = row.split(separator: "|").map { $0.replacing(" ", with: "") }
            for from in cells[0].split(separator: ",") {
                for to in cells[1].split(separator: ",") where to != "anything" {
                    drawn.insert([String(from), String(to)])
                }
            }
        }
        let planned = Set(FloorPlan.forbidden.map { [$0.from, $0.to] })
        #expect(drawn.subtracting(planned) == [], "the page forbids more")
        #expect(planned.subtracting(drawn) == [], "the plan forbids more")
    }

    @Test func `the core imports nothing but the standard library`() throws {
        for path in House.swiftFiles("Sources/Entitlements") {
            #expect(try House.imports(path).isEmpty, "\(path)")
        }
    }

    @Test func `the manifest names for each room just the rooms that it imports`() throws {
        let manifest = try House.text("Package.swift")
        for room in Self.rooms where !room.hasPrefix("C") || room == "CertificateAuthority" {
            guard !House.swiftFiles("Sources/\(room)").isEmpty else { continue }
            let declared = try #require(Self.dependencies(of: room, in: manifest), "\(room)")
            let imported = try Set(
                House.swiftFiles("Sources/\(room)").flatMap { try House.imports($0) }
            )
            let used = imported.intersection(Self.rooms)
            #expect(declared == used, "\(room): the manifest and the imports differ")
        }
    }

    /// The rooms in the call that declares `room`, from its text.
    private static func dependencies(of room: String, in manifest: String) -> Set<String>? {
        let calls = ["room", "program"]
            .flatMap { ["\($0)(\"\(room)\"", "\($0)(\n            \"\(room)\""] }
        guard let start = calls.compactMap({ manifest.range(of: $0) }).first else { return nil }
        var depth = 0
        var call = ""
        for character in manifest[start.lowerBound...] {
            call.append(character)
            if character == "(" { depth += 1 }
            if character == ")" {
                depth -= 1
                if depth == 0 { break }
            }
        }
        let words = call.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
        return Set(words.map { String($0.element) }).intersection(rooms).subtracting([room])
    }
}
