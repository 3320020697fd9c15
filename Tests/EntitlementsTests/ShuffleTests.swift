import Chance
import Entitlements
import Fixtures
import Foundation
import Testing

@Suite struct ShuffleTests {
    // Stories, each told in so many orders: in all as many as `ENTITLD_SHUFFLES` says. A change has
    // to pass the million of `make shuffles`; without it these are some to find faults early.
    static let storiesCount = 540
    static let ordersWanted =
        ProcessInfo.processInfo.environment["ENTITLD_SHUFFLES"].flatMap { Int($0) } ?? 20_000
    static let ordersCount = ordersWanted / storiesCount + 1
    /// What each of the suites of rarer stories tells besides: an order of theirs takes three times
    /// as long, and all of them together a twentieth of the time of the million.
    static let rareOrdersWanted = ordersWanted / 100
    static let seed = Seed.told()

    @Test func `any order of the same facts ends in the same accounts`() async {
        let shuffles = await withTaskGroup(of: Int.self) { group in
            let lanes = 2
            for lane in 0..<lanes {
                group.addTask {
                    var count = 0
                    for story in stride(from: lane, to: Self.storiesCount, by: lanes) {
                        let seed = Self.seed &+ UInt64(story)
                        count += ShuffledStory(seed: seed).play(orders: Self.ordersCount)
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        print("shuffles: \(shuffles) orders told to the end")
        #expect(shuffles >= Self.ordersWanted)
    }

    @Test func `the stories that are shuffled have what makes order matter`() {
        var traits: [String: Int] = [:]
        for index in 0..<Self.storiesCount {
            let story = RandomStory(seed: Self.seed &+ UInt64(index))
            #expect((20...90).contains(story.facts.count))
            for trait in Self.traits(of: story) { traits[trait, default: 0] += 1 }
        }
        print("shuffles: stories by trait \(traits.sorted { $0.key < $1.key })")
        let wanted = [
            "equal signing times", "versions", "refund", "reversal", "upgrade", "retry", "grace",
            "token change", "without status", "without renewal", "renewal off", "owner unknown",
            "linked", "changes hands", "superseded", "never began", "two subscriptions",
            "more than are kept", "no period", "trial", "sandbox", "family", "shared again",
            "receipt", "receipt revokes",
        ]
        for trait in wanted {
            #expect(traits[trait, default: 0] >= 20, "\(trait)")
        }
    }

    private static func traits(of story: RandomStory) -> Set<String> {
        var traits: Set<String> = []
        func note(_ trait: String, _ isThere: Bool) { if isThere { traits.insert(trait) } }
        note("linked", !story.links.isEmpty)
        note("two subscriptions", story.keys.count > 1)
        note("changes hands", !story.openings.isEmpty)
        for key in story.keys {
            let facts = story.facts.filter { $0.key == key }
            let transactions = facts.compactMap(\.transaction)
            let byID = Dictionary(grouping: transactions, by: \.id)
            note("more than are kept", byID.count > Limits.transactionsKeptMax)
            note("sandbox", key.environment == .sandbox)
            note("without status", facts.contains { $0.status == nil })
            note("without renewal", facts.contains { $0.renewal == nil })
            note("renewal off", facts.contains { $0.renewalDisabled != nil })
            note("retry", facts.contains { $0.renewal?.isInBillingRetry == true })
            note("grace", facts.contains { $0.renewal?.graceUntil != nil })
            note("upgrade", transactions.contains(where: \.isUpgraded))
            note(
                "superseded",
                transactions.contains { one in
                    one.version.signed < one.purchased && one.revoked == nil
                        && transactions.contains {
                            one.version.signed < $0.purchased && $0.purchased < one.purchased
                        }
                }
            )
            note(
                "never began",
                transactions.contains { one in one.revoked.map { $0 < one.purchased } ?? false }
            )
            note("no period", transactions.contains { $0.expires == nil })
            note("trial", transactions.contains(where: \.isTrial))
            note("refund", transactions.contains { $0.revoked != nil })
            let unshared = transactions.filter { $0.terms.revocationType == "FAMILY_REVOKE" }
            note("family", !unshared.isEmpty)
            note(
                "shared again",
                unshared.contains { one in
                    let left = one.revoked ?? .distantFuture
                    return transactions.contains {
                        $0.id != one.id && left < $0.purchased && $0.expires == one.expires
                    }
                }
            )
            let receipts = transactions.filter { $0.terms == .ofReceipt }
            note("receipt", !receipts.isEmpty)
            note("receipt revokes", receipts.contains { $0.revoked != nil })
            note("token change", Set(transactions.compactMap(\.token)).count > 1)
            note(
                "owner unknown",
                transactions.contains { $0.token.map { story.owners[$0] == nil } ?? false }
            )
            for versions in byID.values {
                note("versions", versions.count > 1)
                note(
                    "equal signing times",
                    Set(versions.map(\.version.signed)).count < versions.count
                )
                let newest = versions.max { $0.version < $1.version }
                note(
                    "reversal",
                    newest?.revoked == nil && versions.contains { $0.revoked != nil }
                )
            }
        }
        return traits
    }
}
