import Chance
import Entitlements
import Testing

@testable import Methods
@testable import Wire

/// Who hears of whom, as watchers come and go.
struct WatchIndexTests {
    @Test func `whoever comes is found under each of its users until it leaves`() {
        let seed = Seed.told()
        var random = SplitMix64(seed: seed)
        var index = WatchIndex()
        var present: [(watcher: Watcher, users: Set<UserID>)] = []
        for _ in 0..<2_000 {
            if present.count > 30 || (!present.isEmpty && random.isOne(in: 3)) {
                let leaving = present.remove(at: random.pick(present.count))
                index.remove(leaving.watcher)
                #expect(leaving.watcher.users.isEmpty)
            } else {
                let watcher = Watcher(Listener().pusher, of: nil)
                let users = Set((0..<random.pick(40)).map { _ in random.pick(YearOfLife.users) })
                index.insert(watcher, for: users)
                #expect(Set(watcher.users) == users)
                present.append((watcher, users))
            }
            let user = random.pick(YearOfLife.users)
            var found: Set<Watcher> = []
            index.listeners(of: user)?.visit { found.insert($0) }
            let expected = Set(present.filter { $0.users.contains(user) }.map(\.watcher))
            #expect(found == expected, "seed \(seed)")
        }
        for (watcher, _) in present { index.remove(watcher) }
        #expect(index.count == 0)
    }
}
