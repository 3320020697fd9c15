import ArgumentParser
import EntitlementsClient
import Foundation
import JSON
import Synchronization
import Threads

/// `import FILE`: brings over the users of another system.
struct ImportVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring over the users of another system, one JSON object a line.",
        discussion: """
            Nothing is done twice: after a failure, or to bring over what is new, import the same \
            file again. What is not taken, such as a purchase that nobody can prove, is printed, \
            one JSON object a line, and the exit code is 1. docs/importing.md has the format.
            """
    )

    static let door = Door.admin

    @Argument(help: "The file; - or nothing reads standard input.")
    var file = "-"

    @Option(help: "How many users at once, 1 to \(Self.connectionsMax).")
    var connections = 32

    @OptionGroup(title: "Global options") var global: GlobalOptions

    /// What the daemon lets one user have on the admin socket leaves room for others.
    static let connectionsMax = 64

    /// A purchase that is named by its id is asked for at its store.
    var callSeconds: Double { 60 }

    func validate() throws {
        guard (1...Self.connectionsMax).contains(connections) else {
            throw ValidationError("--connections is 1 to \(Self.connectionsMax)")
        }
    }

    func perform(_ session: inout Session) throws {
        // Who may not do this, and who reaches nobody, hears of it before anything is read.
        _ = try session.call("stats")
        let progress = ImportProgress()
        try bring(try LineReader(file), progress)
        Terminal.progress("")
        if let error = progress.failure { throw error }
        // Standard output has the users that were not taken, one a line.
        if session.isJSON {
            try Terminal.show(Terminal.json(.object(progress.summary)))
        } else {
            Terminal.complain(TextBlock(progress.summary).text)
        }
        if progress.hasFaults { throw ExitCode.negative }
    }

    /// Puts in what the lines say, by many threads; back once all of them have ended.
    private func bring(_ lines: consuming LineReader, _ progress: ImportProgress) throws {
        let work = BlockingQueue<(line: Int, record: ImportRecord)>(countMax: connections * 4)
        let threads = try (0..<connections)
            .map { _ in
                try NamedThread(named: "import") { [global] in
                    Self.put(work, progress) { () throws(ClientError) in
                        try global.session(to: Self.door, 60)
                    }
                }
            }
        defer {
            work.close()
            for thread in threads { thread.join() }
        }
        while let text = try lines.next() {
            let line = lines.line
            do throws(ImportRecord.Fault) {
                let record = try ImportRecord(text)
                while work.offer((line, record)) == .full, !progress.hasFailed { usleep(500) }
            } catch {
                try progress.tell([
                    "line": .integer(Int64(line)), "message": .string(error.sentence),
                ])
            }
            if progress.hasFailed { break }
            if line % 100 == 0 {
                Terminal.progress(Terminal.bar(lines.share) + "\(progress.users) users")
            }
        }
    }

    /// What each thread does: takes records and puts them in.
    private static func put(
        _ work: BlockingQueue<(line: Int, record: ImportRecord)>,
        _ progress: ImportProgress,
        _ connect: @escaping () throws(ClientError) -> Session
    ) {
        var importer = Importer(connect)
        while let taken = work.take(1)?.first, !progress.hasFailed {
            do {
                try progress.count(importer.put(taken.record), line: taken.line)
            } catch {
                progress.fail(error)
            }
        }
    }
}

/// How far an import is; shared by its threads.
private final class ImportProgress: Sendable {
    private struct State {
        var users = 0
        var purchases = 0
        var grants = 0
        var faults = 0
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    var users: Int { state.withLock(\.users) }
    var failure: (any Error)? { state.withLock(\.failure) }
    var hasFailed: Bool { failure != nil }
    var hasFaults: Bool { state.withLock { $0.faults > 0 } }

    var summary: JSONObject {
        state.withLock { state in
            [
                "users": .integer(Int64(state.users)),
                "purchases": .integer(Int64(state.purchases)),
                "grants": .integer(Int64(state.grants)),
                "notTaken": .integer(Int64(state.faults)),
            ]
        }
    }

    func count(_ outcome: Importer.Outcome, line: Int) throws(Terminal.Unwritten) {
        state.withLock { state in
            state.users += outcome.isBegun ? 1 : 0
            state.purchases += outcome.purchases
            state.grants += outcome.grants
        }
        for failure in outcome.failures {
            try tell(["line": .integer(Int64(line))] + failure.json)
        }
    }

    /// Prints what was not taken.
    func tell(_ fault: JSONObject) throws(Terminal.Unwritten) {
        try state.withLock { state throws(Terminal.Unwritten) in
            state.faults += 1
            try Terminal.show(Terminal.json(.object(fault)))
        }
    }

    func fail(_ error: any Error) {
        state.withLock { state in state.failure = state.failure ?? error }
    }
}

extension JSONObject {
    fileprivate static func + (left: JSONObject, right: JSONObject) -> JSONObject {
        JSONObject(left.members + right.members)
    }
}
