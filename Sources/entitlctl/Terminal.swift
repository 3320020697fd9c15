import ArgumentParser
import Foundation
import Glibc
import JSON

/// What this program writes: all of it goes through here, so that nothing from the daemon, from a
/// file or from the command line is sent to a terminal that would obey it.
enum Terminal {
    /// Whether every word of the command line is UTF-8.
    ///
    /// Swift puts U+FFFD in the place of what is not: two ids would become one.
    static var hasReadableArguments: Bool {
        (0..<Int(CommandLine.argc))
            .allSatisfy { number in
                // SAFETY: there are `argc` words; each ends with NUL and stays for good.
                guard let word = CommandLine.unsafeArgv[number] else { return true }
                return String(validatingCString: word) != nil
            }
    }

    /// `text` on one line, with control characters, and those that turn the direction, written as
    /// `\u{…}`.
    static func safe(_ text: String) -> String { VisibleText.line(text) }

    /// The compact JSON of `value`, on one line; escapes what JSON allows and a terminal obeys.
    static func json(_ value: JSONValue) -> String {
        VisibleText.json(String(decoding: value.bytes, as: UTF8.self))
    }

    /// Prints lines on standard output.
    static func show(_ lines: String, end: String = "\n") {
        print(VisibleText.lines(lines), terminator: end)
    }

    /// Prints `value` on a line of its own, for a reader that waits for it.
    static func line(_ value: JSONValue) throws {
        show(json(value))
        guard fflush(nil) == 0 else {
            complain("entitlctl: the output could not be written")
            throw ExitCode.negative
        }
    }

    /// Shows how far something is, on one line that it writes again and again; only to a person.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(safe(text))".utf8))
    }

    /// A bar that shows how much is done, for `progress`; empty where nobody knows.
    static func bar(_ share: Double?) -> String {
        guard let share else { return "" }
        let done = Int(share * 20)
        let bar = String(repeating: "#", count: done) + String(repeating: ".", count: 20 - done)
        return "[\(bar)] \(Int(share * 100)) %  "
    }

    /// Prints lines on standard error; the words of the command line are quoted on one.
    static func complain(_ lines: String) {
        let shown = VisibleText.lines(lines, quoted: CommandLine.arguments)
        FileHandle.standardError.write(Data((shown + "\n").utf8))
    }

    /// Asks `question`, unless it was answered by an option.
    ///
    /// - Throws: `ExitCode.negative` where the answer is no, behind a line that says `refused`.
    static func confirm(_ question: String, unless isAnswered: Bool, refused: String) throws {
        guard isAnswered || confirms(question) else {
            complain("entitlctl: \(refused)")
            throw ExitCode.negative
        }
    }

    /// Asks a question that only `y` or `yes` answers with yes.
    static func confirms(_ question: String) -> Bool {
        FileHandle.standardError.write(Data("\(safe(question)) [y/N] ".utf8))
        let answer = readLine()?.lowercased()
        return answer == "y" || answer == "yes"
    }
}
