import Chance
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
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

    @Test func `a journal that is gone ends with 65`() throws {
        let daemon = try stoppedDaemon()
        try FileManager.default.removeItem(atPath: daemon.storage + "/journal")
        try expectDamage(daemon, "verify")
        try expectDamage(daemon, "serve")
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

    @Test func `verify writes nothing, whatever it finds`() throws {
        let daemon = try stoppedDaemon()
        let before = try files(in: daemon.storage)
        #expect(before.keys.contains("lock.mdb") && before.keys.contains("entitld.lock"))
        #expect(try daemon.run("verify").ending == .exited(0))
        #expect(try files(in: daemon.storage) == before)
        // Nor are the two locks made where they are missing, as in a copy.
        for name in ["lock.mdb", "entitld.lock"] {
            try FileManager.default.removeItem(atPath: daemon.storage + "/" + name)
        }
        let copied = try files(in: daemon.storage)
        #expect(try daemon.run("verify").ending == .exited(0))
        #expect(try files(in: daemon.storage) == copied)
        #expect(truncate(daemon.storage + "/data.mdb", 8_192) == 0)
        let damaged = try files(in: daemon.storage)
        try expectDamage(daemon, "verify")
        #expect(try files(in: daemon.storage) == damaged)
    }

    @Test func `verify reads what may not be written`() throws {
        let daemon = try stoppedDaemon()
        let scratch = daemon.scratch.file("store")
        // A mount without writing is also one without the free space that a start needs.
        guard mount(scratch, scratch, nil, UInt(MS_BIND), nil) == 0 else {
            print("SKIPPED: nothing can be mounted here (errno \(errno)); run as root to test it")
            return
        }
        defer { umount2(scratch, Int32(MNT_DETACH)) }
        let readOnly = UInt(MS_BIND | MS_REMOUNT | MS_RDONLY)
        #expect(mount(nil, scratch, nil, readOnly, nil) == 0)
        let run = try daemon.run("verify")
        #expect(run.ending == .exited(0), "\(run.said)")
    }

    @Test func `verify gives way to a daemon, and names it`() throws {
        let daemon = try stoppedDaemon()
        try daemon.start()
        let run = try daemon.run("verify")
        #expect(run.ending == .exited(75))
        #expect(run.said.contains("\(daemon.child?.pid ?? 0)"))
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

    /// A file as verify must leave it.
    private struct File: Equatable {
        let bytes: Data
        let changed: Int
        let changedNanoseconds: Int
        let inode: UInt
    }

    /// Every file of the directory, with when it was changed.
    private func files(in directory: String) throws -> [String: File] {
        var files: [String: File] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            var status = stat()
            let path = directory + "/" + name
            try #require(stat(path, &status) == 0)
            files[name] = File(
                bytes: FileManager.default.contents(atPath: path) ?? Data(),
                changed: status.st_mtim.tv_sec,
                changedNanoseconds: status.st_mtim.tv_nsec,
                inode: status.st_ino
            )
        }
        return files
    }
}
