import Testing
import Threads

@testable import Ledger

/// Who begins to follow misses nothing that was under way.
struct FeedTests {
    @Test func `a follower waits for the group of which nothing will be told`() throws {
        let feed = LedgerFeed()
        let signs = BlockingQueue<String>(countMax: 4)
        #expect(!feed.begin())
        let thread = try NamedThread(named: "follower") {
            feed.follow { _ in }
            _ = signs.offer("follows")
        }
        // It may take as long as it likes.
        #expect(signs.take(1, waiting: 50) == [])
        _ = signs.offer("published")
        feed.end()
        thread.join()
        #expect(signs.take(4, waiting: 30_000) == ["published", "follows"])
        #expect(feed.begin(), "from the next group on")
        feed.end()
        feed.follow(nil)
        #expect(!feed.begin())
        feed.end()
    }
}
