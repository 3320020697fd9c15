import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// What the service manager is told (sd_notify), on a real datagram socket.
@Suite struct ServiceNoticeTests {
    /// Starts a daemon that is told of this socket, and takes it through its life.
    private func expectLife(_ daemon: TestDaemon, _ manager: ManagerSocket) throws {
        try daemon.start(environment: ["NOTIFY_SOCKET": manager.name])
        #expect(manager.next() == "READY=1")
        // A reload begins with the moment that notify-reload wants, and ends either way.
        for catalog in [TestDaemon.Setup().catalog, "plans: ["] {
            try daemon.configure { $0.catalog = catalog }
            daemon.child?.signal(SIGHUP)
            let lines = manager.next()?.split(separator: "\n").map(String.init) ?? []
            try #require(lines.count == 2)
            #expect(lines[0] == "RELOADING=1")
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let microseconds = lines[1].split(separator: "=").last.flatMap { Int($0) } ?? 0
            #expect(lines[1].hasPrefix("MONOTONIC_USEC=") && microseconds > 0)
            #expect(microseconds <= now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)
            #expect(manager.next() == "READY=1")
        }
        #expect(daemon.stop() == .exited(0))
        #expect(manager.next() == "STOPPING=1")
        #expect(manager.next(withinMilliseconds: 0) == nil)
    }

    @Test func `ready, reloading and stopping are told to a socket file`() throws {
        let daemon = try TestDaemon()
        try expectLife(daemon, ManagerSocket(path: daemon.scratch.file("notify")))
    }

    @Test func `an abstract socket is found too`() throws {
        let daemon = try TestDaemon()
        let name = "@entitld-\(UUID().uuidString.prefix(8))"
        try expectLife(daemon, ManagerSocket(path: name))
    }

    @Test func `ready waits for room where the manager has not read what others have sent it`()
        throws
    {
        let daemon = try TestDaemon()
        let manager = try ManagerSocket(path: daemon.scratch.file("notify"))
        let others = try manager.fill()
        try daemon.start(environment: ["NOTIFY_SOCKET": manager.name])
        // Long enough to have tried, short enough to be waited for.
        usleep(200_000)
        for _ in 0..<others { #expect(manager.next() == "STATUS=busy") }
        #expect(manager.next() == "READY=1")
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `a manager that reads nothing keeps nobody from serving`() throws {
        let daemon = try TestDaemon()
        let manager = try ManagerSocket(path: daemon.scratch.file("notify"))
        _ = try manager.fill()
        try daemon.start(environment: ["NOTIFY_SOCKET": manager.name])
        #expect(try daemon.call("ping") == [:])
        #expect(daemon.stop(within: 30) == .exited(0))
    }

    @Test(arguments: ["/nowhere/notify", "relative", "", "@"])
    func `a socket that is not there keeps nobody from serving`(_ name: String) throws {
        let daemon = try TestDaemon()
        try daemon.start(environment: ["NOTIFY_SOCKET": name])
        #expect(try daemon.call("ping") == [:])
        #expect(daemon.stop() == .exited(0))
    }

    @Test func `a daemon that does not come up never says ready`() throws {
        let daemon = try TestDaemon()
        let manager = try ManagerSocket(path: daemon.scratch.file("notify"))
        try daemon.configure { $0.catalog = "plans: [" }
        let child = try daemon.spawn(environment: ["NOTIFY_SOCKET": manager.name])
        #expect(child.wait() == .exited(78))
        #expect(manager.next(withinMilliseconds: 0) == nil)
    }
}

/// Where a service manager would listen.
private final class ManagerSocket {
    let name: String
    private let descriptor: Int32

    init(path: String) throws {
        name = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard Self.reach(path, with: bind, from: descriptor) else {
            throw DaemonProblem("bind \(path): errno \(errno)")
        }
    }

    /// Sends datagrams until there is no room for more; how many that were.
    func fill() throws -> Int {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let sender = socket(AF_UNIX, kind, 0)
        defer { close(sender) }
        guard Self.reach(name, with: connect, from: sender) else {
            throw DaemonProblem("connect \(name): errno \(errno)")
        }
        let line = Array("STATUS=busy".utf8)
        var count = 0
        while send(sender, line, line.count, Int32(MSG_DONTWAIT)) > 0 { count += 1 }
        return count
    }

    /// Binds or connects `descriptor` to a name.
    private static func reach(
        _ path: String,
        with call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32,
        from descriptor: Int32
    ) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let count = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
        return withUnsafePointer(to: &address) { pointer in
            // SAFETY: the address is read as the sockaddr it begins with, within its own size.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(count)) == 0
            }
        }
    }

    deinit { close(descriptor) }

    /// The next datagram; nil where none comes.
    func next(withinMilliseconds limit: Int32 = 20_000) -> String? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, limit) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
