/// What is wrong with a scenario, or with what it met.
package struct ScenarioFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// One clause.
    package let problem: String

    /// The problem at `line`.
    package init(line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    package var description: String { "line \(line): \(problem)" }
}
