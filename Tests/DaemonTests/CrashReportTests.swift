import Glibc
import JSON
import Testing

/// A crash is over at once: whoever starts the daemon again waits for its end.
@Suite struct CrashReportTests {
    @Test(arguments: [
        (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"),
        (SIGFPE, "SIGFPE"), (SIGSEGV, "SIGSEGV"),
    ])
    func `a crash ends the daemon by its signal, with one line`(
        _ number: Int32,
        _ name: String
    ) throws {
        let daemon = try TestDaemon.started()
        let before = daemon.log
        let child = try #require(daemon.child)
        child.signal(number)
        // Swift's backtrace takes longer, and leaves a process running to which this was sent.
        #expect(child.wait(seconds: 10) == .killed(number))
        let said = daemon.log.dropFirst(before.count)
        #expect(said.split(separator: "\n").count == 1, "\(said)")
        #expect(said.hasPrefix("entitld crashed: \(name), "), "\(said)")
        // The guard of mapped pages passes its three on by raising them again.
        let isPassedOn = [SIGSEGV, SIGBUS, SIGABRT].contains(number)
        let cause = isPassedOn ? ", raised by itself" : ", sent by process \(getpid())"
        #expect(said.contains(cause + ", instruction ") && said.hasSuffix(")\n"), "\(said)")
        try daemon.start()
        #expect(try daemon.call("ping") == [:])
    }
}
