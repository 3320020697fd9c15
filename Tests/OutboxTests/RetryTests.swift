import Entitlements
import JSON
import Testing

@testable import Outbox

/// What becomes of what was given up: told again, or listed until somebody skips it.
@Suite struct RetryTests {
    private let outbox: HandOutbox
    private let alice: UserID
    private let bob: UserID

    init() throws {
        outbox = try HandOutbox()
        alice = try #require(UserID("alice"))
        bob = try #require(UserID("bob"))
    }

    private var parkedKinds: [String?] {
        outbox.shown("parkedChanges")?.array?.map { $0["kind"]?.string } ?? []
    }

    private func retry(_ id: LetterID? = nil) throws -> [Int] {
        let (retried, stillParked) = try #require(outbox.courier).retry(id)
        return [retried, stillParked]
    }

    @Test func `of a parked change the newest one of its user is told`() throws {
        outbox.journal.change(alice)
        outbox.refuse()
        #expect(parkedKinds == ["change"])
        outbox.journal.change(alice)
        #expect(outbox.deliverAll().map(\.seq) == [2])
        #expect(try retry() == [1, 0])
        #expect(outbox.deliverAll().map(\.seq) == [2])
        #expect(parkedKinds.isEmpty)
    }

    @Test func `a parked change is told under its own id, whatever happened to others`() throws {
        outbox.journal.change(alice)
        let parked = try #require(outbox.turn().first)
        outbox.refuse()
        outbox.journal.change(bob)
        #expect(outbox.deliverAll().map(\.user) == ["bob"])
        #expect(try retry() == [1, 0])
        let told = outbox.deliverAll()
        #expect(told.map(\.id) == [parked.id] && told.map(\.cause) == ["notification"])
    }

    @Test func `of a change from before a new catalog the present state is told`() throws {
        func catalogs(_ posts: [HandOutbox.Post]) -> [Int64?] {
            posts.map { $0.body["data"]?["status"]?["catalog"]?.int64 }
        }
        outbox.journal.change(alice)
        outbox.refuse()
        outbox.journal.install()
        #expect(catalogs(outbox.deliverAll()) == [1])
        #expect(try retry() == [1, 0])
        #expect(catalogs(outbox.deliverAll()) == [1])
        #expect(parkedKinds.isEmpty)
    }

    @Test func `a change that waits is not told twice by a retry`() throws {
        outbox.journal.change(alice)
        outbox.refuse()
        outbox.journal.change(alice)
        outbox.turn()
        outbox.answer(.failed("HTTP 500", waiting: nil))
        #expect(try retry() == [1, 0])
        #expect(outbox.deliverAll().map(\.seq) == [2])
    }

    @Test func `of a parked state the present one is told, under an id of its own`() throws {
        outbox.journal.change(alice)
        outbox.journal.change(bob)
        _ = outbox.deliverAll()
        outbox.journal.install()
        let former = outbox.turn().map(\.id)
        #expect(former.count == 2)
        outbox.refuse()
        #expect(parkedKinds == ["state", "state"])
        // What bob's last position was about is not visible.
        outbox.journal.change(bob, isVisible: false)
        let one = try #require(outbox.shown("parkedChanges")?.array?.first?["id"]?.string)
        #expect(try retry(LetterID(one)) == [1, 0])
        #expect(try retry() == [1, 0])
        let posts = outbox.turn()
        #expect(posts.map(\.cause) == ["reconciled", "reconciled"])
        #expect(Set(posts.map(\.user)) == ["alice", "bob"])
        #expect(Set(posts.map(\.id)).isDisjoint(with: former))
        // The order is kept over a crash, and so are the ids.
        outbox.start()
        let again = outbox.deliverAll()
        #expect(Set(again.map(\.id)) == Set(posts.map(\.id)))
        #expect(parkedKinds.isEmpty && outbox.shown("waiting") == 0)
    }

    @Test func `a state that waits over a restart is not told before newer changes`() throws {
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        outbox.journal.install()
        outbox.refuse()
        #expect(parkedKinds == ["state"] && outbox.turn().isEmpty)
        #expect(try retry() == [1, 0])
        outbox.journal.change(alice)
        outbox.journal.change(alice, access: false)
        outbox.note()
        // The state is under way, and two changes wait behind it.
        #expect(outbox.turn().map(\.cause) == ["reconciled"] && outbox.shown("waiting") == 3)
        outbox.start()
        #expect(outbox.deliverAll().map(\.seq) == [3, 4])
        #expect(outbox.shown("waiting") == 0)
    }

    @Test func `what is told again after a restart stays behind what waited before it`() throws {
        outbox.journal.change(alice)
        outbox.refuse()
        #expect(parkedKinds == ["change"])
        outbox.journal.change(alice)
        outbox.journal.change(alice)
        outbox.note()
        outbox.start()
        // Before anything that waited was read again.
        #expect(try retry() == [1, 0])
        #expect(outbox.deliverAll().map(\.seq) == [2, 3])
    }

    @Test func `a state that is parked once more can be told once more`() throws {
        outbox.journal.change(alice)
        _ = outbox.deliverAll()
        outbox.journal.install()
        var ids: Set<LetterID> = []
        for _ in 0..<3 {
            for post in outbox.turn() { ids.insert(post.id) }
            outbox.refuse()
            #expect(parkedKinds == ["state"])
            #expect(try retry() == [1, 0])
        }
        #expect(ids.count == 3)
    }

    @Test func `a parked erasure stays listed until the person is erased again`() throws {
        outbox.journal.change(alice)
        outbox.refuse()
        outbox.journal.erase(alice)
        outbox.courier?.erased([alice], at: outbox.journal.seq)
        // The change was about nobody else.
        #expect(parkedKinds.isEmpty)
        outbox.refuse()
        #expect(parkedKinds == ["erasure"])
        #expect(try retry() == [0, 1])
        // The states of all do not say it either.
        outbox.journal.border = outbox.journal.seq
        #expect(try retry() == [0, 1])
        #expect(outbox.turn().isEmpty && parkedKinds == ["erasure"])
        outbox.note()
        outbox.start()
        #expect(parkedKinds == ["erasure"])
        outbox.courier?.erased([alice], at: outbox.journal.seq)
        #expect(parkedKinds.isEmpty)
        #expect(outbox.deliverAll().map(\.cause) == ["erased"])
    }

    @Test func `what the journal no longer has is told by the states of all`() throws {
        outbox.journal.change(alice)
        outbox.refuse()
        outbox.journal.change(bob)
        _ = outbox.deliverAll()
        outbox.journal.border = 1
        #expect(try retry() == [1, 0])
        #expect(outbox.deliverAll().map(\.cause) == ["reconciled", "reconciled"])
    }

    @Test func `what nothing says whose it is stays parked, and can be skipped`() throws {
        outbox.journal.change(alice)
        outbox.refuse()
        // As if an outbox of an older release had parked it.
        outbox.journal.erase(alice)
        #expect(try retry() == [0, 1])
        let id = try #require(outbox.shown("parkedChanges")?.array?.first?["id"]?.string)
        #expect(outbox.courier?.skip(LetterID(id)) == true)
        #expect(try retry() == [0, 0])
    }
}
