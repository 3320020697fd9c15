import ArgumentParser
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

    /// Standard output did not take all that was to be shown: the rest is not worth asking for.
    struct Unwritten: Error {}

    /// Prints lines on standard output, at once: a reader may wait for them.
    ///
    /// The C library's buffer would not do: it drops what could not be written, goes on with what
    /// comes next, and its last flush succeeds.
    static func show(_ lines: String, end: String = "\n") throws(Unwritten) {
        try put(VisibleText.lines(lines) + end)
    }

    /// Prints each of `values` on a line of its own.
    static func show(rows values: [JSONValue]) throws(Unwritten) {
        try put(values.map { json($0) + "\n" }.joined())
    }

    private static func put(_ text: String) throws(Unwritten) {
        guard write(text, to: STDOUT_FILENO) else { throw Unwritten() }
    }

    /// Shows how far something is, on one line that it writes again and again; only to a person.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1B}[K\(safe(text))", to: STDERR_FILENO)
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
        write(shown + "\n", to: STDERR_FILENO)
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
        write("\(safe(question)) [y/N] ", to: STDERR_FILENO)
        let answer = readLine()?.lowercased()
        return answer == "y" || answer == "yes"
    }

    /// Writes all of `text`; false where the descriptor does not take it.
    ///
    /// A full pipe that does not block is waited for: whoever shares it chose that, not we.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
