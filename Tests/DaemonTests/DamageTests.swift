import Foundation
import Glibc
import JSON
import Testing

/// Damage ends with 65 and a sentence that says what to do, never with a crash.
@Suite struct DamageTests {
    /// A daemon that kept a few things and was stopped.
    private func stoppedDaemon() throws -> TestDaemon {
        let daemon = try TestDaemon.started()
        for index in 0..<50 {
            let user = "user-number-\(index)"
            let account = try daemon.call("registerAccount", ["userId": .string(user)])
            let life = StoreLife(token: account["appAccountToken"]?.string)
            let body = try daemon.voice.notification("SUBSCRIBED", about: life)
            #expect(try daemon.deliver(body) == (200, "applied"))
        }
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
        return daemon
    }

    private func expectDamage(_ daemon: TestDaemon, _ command: String) throws {
        let run = try daemon.run(command)
        #expect(run.ending == .exited(65), "\(command): \(run.said)")
        #expect(run.said.contains(daemon.storage), "\(command): \(run.said)")
    }

    @Test(arguments: [0, 100, 4_096, 8_192, 40_000])
    func `a cut data file ends with 65, and the journal rebuilds it`(_ length: Int) throws {
        let daemon = try stoppedDaemon()
        let path = daemon.storage + "/data.mdb"
        let whole = try #require(FileManager.default.contents(atPath: path))
        try #require(length < whole.count)
        #expect(truncate(path, length) == 0)
        try expectDamage(daemon, "serve")
        try expectDamage(daemon, "verify")
        try FileManager.default.removeItem(atPath: path)
        try daemon.start()
        #expect(try daemon.canRender("user-number-49")["canRender"]?.bool == true)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `noise in place of the data file ends with 65`() throws {
        let daemon = try stoppedDaemon()
        let path = daemon.storage + "/data.mdb"
        let count = FileManager.default.contents(atPath: path)?.count ?? 0
        var chance = SplitMix64(seed: 7)
        let noise = Data((0..<count).map { _ in UInt8(truncatingIfNeeded: chance.next()) })
        try noise.write(to: URL(fileURLWithPath: path))
        try expectDamage(daemon, "serve")
        try expectDamage(daemon, "verify")
    }

    @Test func `damage in the middle of the journal ends with 65`() throws {
        let daemon = try stoppedDaemon()
        let segment = try firstSegment(of: daemon)
        try change(segment) { bytes in
            guard let place = Self.places(of: "user-number-20", in: bytes).first else {
                return false
            }
            bytes[place + 5] ^= 0x01
            return true
        }
        try expectDamage(daemon, "verify")
        // The views must be rebuilt from it, so it is read whole.
        try FileManager.default.removeItem(atPath: daemon.storage + "/data.mdb")
        try expectDamage(daemon, "serve")
    }

    @Test func `a view that says something else than the journal is found by verify`() throws {
        let daemon = try stoppedDaemon()
        try change(daemon.storage + "/data.mdb") { bytes in
            let places = Self.places(of: "user-number-20", in: bytes)
            for place in places { bytes[place + 13] = UInt8(ascii: "x") }
            return !places.isEmpty
        }
        try expectDamage(daemon, "verify")
    }

    @Test func `verify writes nothing`() throws {
        let daemon = try stoppedDaemon()
        let before = try contents(of: daemon.storage)
        #expect(try daemon.run("verify").ending == .exited(0))
        #expect(try contents(of: daemon.storage) == before)
    }

    @Test func `a torn tail of the journal is cut`() throws {
        let daemon = try stoppedDaemon()
        try daemon.start()
        daemon.killAtOnce()
        #expect(try daemon.run("verify").ending == .exited(0))
        try daemon.start()
        #expect(try daemon.canRender("user-number-49")["canRender"]?.bool == true)
    }

    private func firstSegment(of daemon: TestDaemon) throws -> String {
        let directory = daemon.storage + "/journal"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        let first = try #require(
            names.first { name in
                let bytes = FileManager.default.contents(atPath: directory + "/" + name) ?? Data()
                return !Self.places(of: "user-number-20", in: Array(bytes)).isEmpty
            }
        )
        return directory + "/" + first
    }

    private func change(_ path: String, _ body: (inout [UInt8]) -> Bool) throws {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        try #require(body(&bytes), "nothing was changed in \(path)")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    private static func places(of text: String, in bytes: [UInt8]) -> [Int] {
        let text = Array(text.utf8)
        guard bytes.count >= text.count else { return [] }
        return bytes.withUnsafeBufferPointer { bytes in
            (0...bytes.count - text.count)
                .filter { place in
                    bytes[place] == text[0]
                        && bytes[place..<place + text.count].elementsEqual(text)
                }
        }
    }

    /// Every file but LMDB's lock, which readers write to.
    private func contents(of directory: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory)
        where !name.hasSuffix("lock.mdb") && !name.hasSuffix(".lock") {
            contents[name] = FileManager.default.contents(atPath: directory + "/" + name) ?? Data()
        }
        return contents
    }
}
