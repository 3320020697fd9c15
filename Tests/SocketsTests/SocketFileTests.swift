import Foundation
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Sockets

@Suite(.serialized) struct SocketFileTests {
    /// A listening socket as an older or foreign daemon leaves it, without our lock.
    private func listener(at path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        _ = withUnsafePointer(to: &address) { address in
            // SAFETY: every sockaddr_un begins as a sockaddr does.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        listen(descriptor, 8)
        return descriptor
    }

    private func withDirectory(_ body: (String) throws -> Void) throws {
        let scratch = try Scratch()
        try withExtendedLifetime(scratch) { try body(scratch.path) }
    }

    @Test func `a socket gets its mode and is removed at the end`() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            let file = try SocketFile(path: path, mode: 0o640)
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
            #expect(TestClient(path) != nil)
            file.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["s.lock"])
            try SocketFile(path: path, mode: 0o600).close()
        }
    }

    @Test func `a stale socket is taken over`() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            close(listener(at: path))
            #expect(TestClient(path) == nil)
            let file = try SocketFile(path: path, mode: 0o600)
            #expect(TestClient(path) != nil)
            file.close()
        }
    }

    @Test func `a living socket is left alone, with our lock or without`() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            let foreign = listener(at: path)
            #expect(throws: SocketFailure.alreadyRunning(path: path)) {
                try SocketFile(path: path, mode: 0o600)
            }
            #expect(TestClient(path) != nil)
            close(foreign)
            try SocketFile.expectFree(path)
            let ours = try SocketFile(path: path, mode: 0o600)
            #expect(throws: SocketFailure.alreadyRunning(path: path)) {
                try SocketFile(path: path, mode: 0o600)
            }
            #expect(throws: SocketFailure.alreadyRunning(path: path)) {
                try SocketFile.expectFree(path)
            }
            #expect(TestClient(path) != nil)
            ours.close()
            try SocketFile.expectFree(path)
        }
    }

    @Test func `a living socket with a full queue is left alone`() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            let foreign = listener(at: path)
            defer { close(foreign) }
            listen(foreign, 0)
            let waiting = TestClient(path)
            #expect(throws: SocketFailure.alreadyRunning(path: path)) {
                try SocketFile(path: path, mode: 0o600)
            }
            #expect(waiting != nil)
        }
    }

    @Test func `what is no socket is left alone`() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            try Data("keep".utf8).write(to: URL(filePath: path))
            #expect(throws: SocketFailure.notASocket(path: path)) {
                try SocketFile(path: path, mode: 0o600)
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep")
            let link = directory + "/l"
            symlink(path, link)
            #expect(throws: SocketFailure.notASocket(path: link)) {
                try SocketFile(path: link, mode: 0o600)
            }
        }
    }

    @Test func `a lock that is a link is refused`() throws {
        try withDirectory { directory in
            symlink(directory + "/elsewhere", directory + "/s.lock")
            #expect(throws: SocketFailure.self) {
                try SocketFile(path: directory + "/s", mode: 0o600)
            }
            #expect(!FileManager.default.fileExists(atPath: directory + "/elsewhere"))
        }
    }

    @Test func `107 bytes of path work and 108 do not`() throws {
        try withDirectory { directory in
            let name = String(repeating: "p", count: 107 - directory.utf8.count - 1)
            let file = try SocketFile(path: directory + "/" + name, mode: 0o600)
            #expect(TestClient(directory + "/" + name) != nil)
            file.close()
            let long = directory + "/" + name + "q"
            #expect(throws: SocketFailure.pathLength(path: long, bytes: 108)) {
                try SocketFile(path: long, mode: 0o600)
            }
            #expect(throws: SocketFailure.self) { try SocketFile(path: "", mode: 0o600) }
        }
    }

    @Test func `a directory that is not there is named`() {
        #expect {
            try SocketFile(path: "/nonexistent/s", mode: 0o600)
        } throws: { failure in
            "\(failure)".contains("/nonexistent/s")
        }
    }

    @Test func `a file that another daemon has put there is not removed`() throws {
        try withDirectory { directory in
            let path = directory + "/s"
            let file = try SocketFile(path: path, mode: 0o600)
            unlink(path)
            let foreign = listener(at: path)
            defer { close(foreign) }
            file.close()
            #expect(TestClient(path) != nil)
        }
    }

    @Test func `of two that start at once exactly one wins`() throws {
        try withDirectory { directory in
            for round in 0..<30 {
                let path = directory + "/s\(round)"
                if round % 2 == 0 { close(listener(at: path)) }
                let race = Race()
                let threads = try (0..<2)
                    .map { index in
                        try NamedThread(named: "racer-\(index)") { race.run(path) }
                    }
                for thread in threads { thread.join() }
                let (files, refusals) = race.results.withLock { $0 }
                #expect(files.count == 1 && refusals == 1)
                #expect(TestClient(path) != nil)
                for file in files { file.close() }
            }
        }
    }
}

/// What became of the daemons that started at once.
private final class Race: Sendable {
    let results = Mutex<(files: [SocketFile], refusals: Int)>(([], 0))

    func run(_ path: String) {
        do throws(SocketFailure) {
            let file = try SocketFile(path: path, mode: 0o600)
            results.withLock { $0.files.append(file) }
        } catch {
            if error == .alreadyRunning(path: path) { results.withLock { $0.refusals += 1 } }
        }
    }
}
