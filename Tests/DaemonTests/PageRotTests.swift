import Foundation
import Glibc
import JSON
import Testing

/// Pages of data.mdb that rot while the daemon has them open.
@Suite struct PageRotTests {
    private static let users = 60

    private func name(_ index: Int) -> String { "user-number-\(index)" }

    /// Sends look-ups astray in every leaf that has two rows or more.
    private func wound(_ path: String) throws -> Int {
        let bytes = try #require(FileManager.default.contents(atPath: path))
        func u16(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        let descriptor = open(path, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var wounds = 0
        for page in stride(from: 8_192, to: bytes.count - 4_095, by: 4_096)
        where u16(page + 10) == 2 && u16(page + 12) > 18 {
            // Node 1 is said to be where node 0 is.
            let offset = [bytes[page + 16], bytes[page + 17]]
            #expect(pwrite(descriptor, offset, 2, page + 18) == 2)
            wounds += 1
        }
        return wounds
    }

    @Test func `nobody is called unknown, and the daemon ends with 65`() throws {
        let daemon = try TestDaemon.started()
        for index in 0..<Self.users {
            _ = try daemon.call("registerAccount", ["userId": .string(name(index))])
        }
        // So that everything is in data.mdb.
        #expect(daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try wound(daemon.storage + "/data.mdb") > 0)
        var isEnded = false
        for index in 0..<Self.users where !isEnded {
            do {
                let answer = try daemon.call("canRender", ["userId": .string(name(index))])
                #expect(answer["reason"]?.string != "no_account", "\(name(index))")
                let account = try daemon.call("registerAccount", ["userId": .string(name(index))])
                #expect(account["created"]?.bool == false, "\(name(index))")
            } catch {
                isEnded = true
            }
        }
        #expect(isEnded)
        #expect(daemon.child?.wait(seconds: 120) == .exited(65), "\(daemon.log)")
        #expect(daemon.log.contains("is damaged"), "\(daemon.log)")
    }
}
