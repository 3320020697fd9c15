import EntitlementsClient
import Foundation
import JSON
import TestSupport
import Testing

@testable import entitld

/// Clients that take every connection they get leave the daemon the files that it needs.
@Suite struct DescriptorTests {
    @Test func `the doors share what there is, and leave some for the rest`() throws {
        #expect(DescriptorShare(of: 255) == nil)
        for limit in [256, 300, 1_024, 4_096, 17_000, 20_000, 1 << 20] {
            let share = try #require(DescriptorShare(of: limit))
            #expect(share.sockets + share.admin + 2 * share.http <= limit - 192, "\(limit)")
            #expect(share.sockets >= 40 && share.admin >= 8 && share.http >= 8, "\(limit)")
        }
        #expect(DescriptorShare(of: 1 << 20)?.sockets == 16_384)
        #expect(DescriptorShare(of: 1 << 20)?.admin == 128)
        #expect(DescriptorShare(of: 1 << 20)?.http == 512)
    }

    @Test
    func `who comes when a caller has taken what it may is turned away, and a backup is made`()
        throws
    {
        var setup = TestDaemon.Setup()
        setup.descriptorsMax = 300
        let daemon = try TestDaemon.started(setup)
        let share = try #require(DescriptorShare(of: 300))
        var crowd: [StreamSocket] = []
        var answered = 0
        for _ in 0..<250 {
            let socket = try StreamSocket.unix(daemon.socket)
            socket.sendFrame(
                #"{"jsonrpc":"2.0","id":1,"method":"canRender","params":{"userId":"u"}}"#
            )
            let reply = try socket.receiveReply()
            if reply["result"] == nil {
                #expect(reply["error"]?["code"] == -32_029)
            } else {
                answered += 1
            }
            crowd.append(socket)
        }
        // All of them are one caller, who may have three quarters.
        #expect(answered == (3 * share.sockets + 3) / 4)
        // The admin socket has places of its own.
        var admin = try Connection(to: daemon.adminSocket, timeout: .seconds(120))
        let path = daemon.scratch.file("backup")
        #expect(try admin.call("backup", ["path": .string(path)])["path"]?.string == path)
        let pid = try #require(daemon.child).pid
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
        #expect(open < 300 - 64)
        #expect(daemon.stop() == .exited(0))
        extendLifetime(crowd)
    }

    @Test func `too few files for a daemon end with 78`() throws {
        var setup = TestDaemon.Setup()
        setup.descriptorsMax = 200
        let daemon = try TestDaemon(setup)
        let child = try daemon.spawn()
        #expect(child.wait() == .exited(78))
        #expect(child.log.contains("ulimit -n"), "\(child.log)")
    }
}
