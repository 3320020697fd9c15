import Testing

/// A function can be read at once.
struct FunctionTests {
    private static let linesMax = 70

    @Test func `a function of Sources has at most 70 lines, with these exceptions`() throws {
        var long: [String: Int] = [:]
        var count = 0
        for path in House.swiftFiles("Sources") {
            let functions = try Functions(House.text(path)).all
            count += functions.count
            for function in functions where function.lineCount > Self.linesMax {
                long["\(path): \(function.name)"] = function.lineCount
            }
        }
        #expect(count > 2000)
        for (function, lines) in long.sorted(by: { $0.key < $1.key }) {
            let allowed = Exceptions.longFunctions[function]?.lines ?? Self.linesMax
            #expect(lines <= allowed, "\(function) has \(lines) lines")
        }
        for function in Exceptions.longFunctions.keys where long[function] == nil {
            Issue.record("\(function) is short, or gone: take it off the exceptions")
        }
    }

    @Test func `functions are found with their lengths, so the check can fail`() {
        let text = """
            protocol Walker {
                func walk(_ steps: Int) -> Int
                var pace: Int { get }
            }
            struct Wolf: Walker {
                var pace: Int { 1 }
                let name = "func { not }"
                init(
                    _ pace: Int = [1].map { $0 }[0]
                ) {
                    self.init()
                }
                static func == (one: Wolf, other: Wolf) -> Bool { true }
                func walk(_ steps: Int) -> Int {
                    func inner() {
                        // }
                    }
                    return steps
                }
            }
            """
        let found = Functions(text).all
        #expect(found.map(\.name) == ["pace", "pace", "init", "=", "walk", "inner"])
        #expect(found.map(\.line) == [3, 6, 8, 13, 14, 15])
        #expect(found.map(\.lineCount) == [1, 1, 5, 1, 6, 3])
    }
}
