import CertificateAuthority
import Foundation
import JSON
import SimulatorSupport
import Testing

@testable import AppStoreSimulator

/// What an open store remembers.
struct BooksTests {
    @Test func `what one process writes the other reads`() throws {
        let store = try OpenStore()
        let other = try StoreBooks(store.directory)
        #expect(try other.notices().isEmpty)
        let first = try store.act("alice", .subscribe)
        #expect(try other.customer(of: try #require(first.transactionID))?.name == "alice")
        let notice = try #require(try other.notices().first)
        #expect(notice.uuid == first.uuid && notice.customer == "alice" && notice.isDelivered)
        #expect(try other.signedPayload(of: notice) == first.signedPayload)
        var till = Till(other.settings)
        let renewed = try other.change("alice", &till) { customer, till in
            till.advance(to: customer.paidUntil(at: till.now))
            return try customer.perform(.renew, .init(), &till)
        }
        let id = try #require(renewed.transaction?["transactionId"]?.string)
        #expect(try store.books.customer(of: id)?.transactions.count == 2)
    }

    @Test func `every number leads to the customer`() throws {
        let store = try OpenStore()
        try store.act("alice", .subscribe)
        try store.act("alice", .buy) { $0.product = "credits.10" }
        try store.act("bob", .subscribe)
        let before = try #require(try store.directory.subscriber("alice")?.originalID)
        try store.act("alice", .migrate)
        let alice = try #require(try store.directory.subscriber("alice"))
        let numbers =
            alice.transactions.flatMap { [$0.id, $0.originalID] } + alice.purchases.map(\.id)
            + [alice.appTransactionID, before]
        for number in numbers { #expect(try store.books.customer(of: number) == alice) }
        #expect(try store.books.customer(of: "123") == nil)
    }

    @Test func `what is refused changes nothing`() throws {
        let store = try OpenStore()
        #expect(throws: StoreRefusal.self) { try store.act("alice", .cancel) }
        #expect(try store.directory.subscriber("alice") == nil)
        try store.act("alice", .subscribe)
        let before = try store.directory.subscriber("alice")
        #expect(throws: StoreRefusal.self) { try store.act("alice", .recover) }
        #expect(try store.directory.subscriber("alice") == before)
    }

    @Test func `a notification is listed with its first attempt, whatever came of it`() throws {
        let store = try OpenStore()
        let waiting = try store.act("alice", .subscribe, attempts: [])
        let lost = try store.act("alice", .cancel, attempts: [.noResponse, .timedOut])
        let late = try store.act("alice", .resume, attempts: [.unsuccessful, .success])
        var notices = try store.books.notices()
        #expect(notices.map(\.uuid) == [lost.uuid, late.uuid])
        #expect(notices.map(\.isDelivered) == [false, true])
        #expect(notices[0].attempts.map(\.result) == [.noResponse, .timedOut])
        try store.books.noteLoss(of: waiting)
        notices = try store.books.notices()
        #expect(notices.map(\.uuid) == [lost.uuid, late.uuid, waiting.uuid])
    }

    @Test func `no change is lost between two processes`() async throws {
        let store = try OpenStore()
        let other = try StoreBooks(store.directory)
        await withThrowingTaskGroup(of: Void.self) { group in
            for books in [store.books, other] {
                group.addTask {
                    var till = Till(books.settings)
                    for _ in 0..<50 {
                        let notification = try books.change("alice", &till) { customer, till in
                            try customer.buyOnce("credits.10", &till)
                        }
                        let signed = try notification.signed(by: books.authority)
                        try books.note(signed, about: "alice")
                        try books.noteLoss(of: signed)
                    }
                }
            }
        }
        let alice = try #require(try store.directory.subscriber("alice"))
        #expect(Set(alice.purchases.map(\.id)).count == 100)
        let notices = try store.books.notices()
        #expect(notices.count == 100 && Set(notices.map(\.signedDate)).count == 100)
        #expect(try other.notices().map(\.uuid) == notices.map(\.uuid))
        for notice in notices {
            let payload = try store.genuine(.string(try other.signedPayload(of: notice)))
            #expect(payload["notificationUUID"]?.string == notice.uuid)
        }
    }

    @Test func `a line torn by a crash costs nothing but itself`() throws {
        let store = try OpenStore()
        try store.act("alice", .subscribe)
        let path = store.directory.path + "/history.jsonl"
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(#"{"attempt":{"uu"#.utf8))
        try file.close()
        #expect(try store.books.notices().count == 1)
        let next = try store.act("alice", .cancel)
        #expect(try store.books.notices().last?.uuid == next.uuid)
        #expect(try StoreBooks(store.directory).notices().count == 2)
    }

    @Test func `numbers are unique over all tills of a process`() {
        let settings = StoreSettings()
        var ids: Set<String> = []
        for _ in 0..<1_000 {
            var till = Till(settings, now: Counter.start)
            #expect(ids.insert(till.nextNumber()).inserted)
        }
    }
}
