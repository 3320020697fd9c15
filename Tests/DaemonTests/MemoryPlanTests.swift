import Foundation
import Testing

/// The unit's MemoryMax=, the table in docs/sizing.md and the limits in the code say the same.
@Suite struct MemoryPlanTests {
    private static let root: URL = {
        var folder = URL(filePath: #filePath)
        while !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// In MiB, rounded up, with a comma before three digits.
    private static func mebibytes(_ bytes: Int) -> String {
        let count = (bytes + (1 << 20) - 1) >> 20
        let small = count % 1_000
        guard count >= 1_000 else { return "\(count)" }
        return "\(count / 1_000)," + String(repeating: "0", count: 3 - "\(small)".count)
            + "\(small)"
    }

    /// The value of `MemoryMax=`, in bytes.
    private static func memoryMax() throws -> Int {
        let line = try #require(
            try text("contrib/systemd/entitld.service").split(separator: "\n")
                .first { $0.hasPrefix("MemoryMax=") }
        )
        let value = line.dropFirst("MemoryMax=".count)
        let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
        let shift = try #require(value.last.flatMap { shifts[$0] })
        return try #require(Int(value.dropLast())) << shift
    }

    @Test func `MemoryMax of the unit is what the limits sum up to, and little more`() throws {
        let most = try Self.memoryMax()
        #expect(most >= MemoryPlan.sumBytes)
        #expect(most <= MemoryPlan.sumBytes + MemoryPlan.sumBytes / 4)
    }

    @Test func `the table in docs is the sum in the code`() throws {
        let rows = try Self.text("docs/sizing.md").split(separator: "\n")
            .drop { !$0.hasPrefix("| part | MiB |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
            .map(String.init)
        let expected =
            MemoryPlan.parts.map { "| \($0.name) | \(Self.mebibytes($0.bytes)) |" }
            + ["| **sum** | **\(Self.mebibytes(MemoryPlan.sumBytes))** |"]
        #expect(rows == expected)
    }
}
