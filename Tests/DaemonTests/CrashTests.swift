import Chance
import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Whatever ends the process, what was answered stays.
@Suite(.serialized) struct CrashTests {
    private static let rounds = 20
    private static let answersMin = 100

    private static var setup: TestDaemon.Setup {
        var setup = TestDaemon.Setup()
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        setup.logLevel = "warning"
        return setup
    }

    @Test func `kill -9 under a stream of notifications loses nothing that was answered`() throws {
        let seed = Seed.told()
        var chance = SplitMix64(seed: seed)
        let daemon = try TestDaemon(Self.setup)
        var kept: [AnsweredNotifications.Notification] = []
        for round in 0..<Self.rounds {
            try daemon.start()
            let stream = AnsweredNotifications(from: daemon.voice, port: daemon.port, senders: 3)
            let isEnough = eventually(within: 60) { stream.count >= Self.answersMin }
            #expect(isEnough, "seed \(seed), round \(round): \(stream.others)")
            usleep(UInt32(chance.next() % 30_000))
            daemon.killAtOnce()
            stream.finish()
            #expect(stream.others == [], "seed \(seed), round \(round)")
            try daemon.start()
            try expectKept(stream.answered, by: daemon, "seed \(seed), round \(round)")
            kept += stream.answered
            daemon.killAtOnce()
        }
        try daemon.start()
        try expectListed(kept, by: daemon)
        #expect(kept.count >= Self.rounds * Self.answersMin)
        #expect(daemon.stop() == .exited(0))
        let check = try daemon.run("verify")
        #expect(check.ending == .exited(0), "seed \(seed): \(check.said)")
    }

    @Test func `SIGTERM under load ends with 0 and loses nothing that was answered`() throws {
        let daemon = try TestDaemon.started(Self.setup)
        let stream = AnsweredNotifications(from: daemon.voice, port: daemon.port, senders: 2)
        let accounts = AnsweredRegistrations(socket: daemon.socket)
        #expect(eventually(within: 60) { stream.count >= 50 && accounts.count >= 50 })
        #expect(daemon.stop(within: 10) == .exited(0))
        stream.finish()
        accounts.finish()
        #expect(stream.others.allSatisfy { $0 == 503 })
        #expect(TestDaemon.event("stopped", in: daemon.log) != nil)
        #expect(access(daemon.socket, F_OK) != 0, "the socket file is gone")
        try daemon.start()
        try expectKept(stream.answered, by: daemon, "after SIGTERM")
        try expectListed(stream.answered, by: daemon)
        for user in accounts.answered {
            let again = try daemon.call("registerAccount", ["userId": .string(user)])
            #expect(again["created"]?.bool == false, "\(user)")
        }
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    private func expectKept(
        _ answered: [AnsweredNotifications.Notification],
        by daemon: TestDaemon,
        _ when: String
    ) throws {
        var connection = try Connection(to: daemon.socket, timeout: .seconds(120))
        for notification in answered {
            let reply = try daemon.deliver(notification.body)
            #expect(reply == (200, "duplicate"), "\(when)")
            let answer = try connection.call("canRender", ["userId": .string(notification.user)])
            #expect(answer["canRender"]?.bool == true, "\(when)")
        }
    }

    private func expectListed(
        _ answered: [AnsweredNotifications.Notification],
        by daemon: TestDaemon
    ) throws {
        let rows = try daemon.rows(of: "subscriptions")
        let owners = rows.compactMap { row -> (String, String)? in
            guard let id = row["value"]?["originalTransactionId"]?.string,
                let owner = row["value"]?["owner"]?.string
            else { return nil }
            return (id, owner)
        }
        let listed = Dictionary(owners) { first, _ in first }
        #expect(listed.count == owners.count, "a subscription is listed once")
        let missing = answered.filter { listed[$0.originalID] != $0.user }
        #expect(missing.isEmpty, "\(missing.count) of \(answered.count) are not listed")
    }
}
