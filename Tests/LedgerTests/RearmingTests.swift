import Chance
import Entitlements
import Testing

@testable import Ledger

/// Who waits, and of what they were told.
struct RearmingTests {
    @Test func `what was told of is known of everybody who waits`() throws {
        var random = SplitMix64.told()
        for _ in 0..<300 {
            let users = try (0..<30).map { try user("user \(10 + $0)") }
            var rearming = Rearming()
            var waiting: [UserID: Moment] = [:]
            for step in 0..<40 {
                let moment = Moment(Int64(10 * step + random.pick(5)))
                switch random.pick(4) {
                case 0 where rearming.takesMore:
                    // Now and then the clock was set back.
                    let after = random.isOne(in: 5) ? Moment(moment.milliseconds - 50) : moment
                    rearming.begin(after: after)
                    for user in users { waiting[user] = min(waiting[user] ?? after, after) }
                case 1, 2:
                    let user = random.pick(users)
                    rearming.note(Tick.Passing(user: user, due: moment))
                    if let before = waiting[user] { waiting[user] = max(before, moment) }
                default:
                    guard let place = rearming.next else { continue }
                    let theirs = users.filter { user in
                        !user.bytes.lexicographicallyPrecedes(place.from)
                            && place.to.map { user.bytes.lexicographicallyPrecedes($0) } ?? true
                    }
                    let page = Array(theirs.prefix(1 + random.pick(12)))
                    let next = page.count < theirs.count ? (page.last?.bytes ?? []) + [0] : nil
                    rearming.advance(page, to: next)
                    for user in page { waiting[user] = nil }
                }
                for user in users { #expect(rearming.told(of: user) == waiting[user]) }
            }
        }
    }

    @Test func `a range claims no more than the alarms have come to, but for who was told more`()
        throws
    {
        var rearming = Rearming()
        rearming.begin(after: Moment(10))
        rearming.note(Tick.Passing(user: try user("a"), due: Moment(7)))
        #expect(try rearming.told(of: user("a")) == Moment(10))
        #expect(try rearming.told(of: user("a"), upTo: Moment(5)) == Moment(7))
        #expect(try rearming.told(of: user("b"), upTo: Moment(5)) == Moment(5))
        #expect(try rearming.told(of: user("b"), upTo: Moment(20)) == Moment(10))
    }

    @Test func `so many are noted, and then ends wait`() throws {
        var rearming = Rearming(aheadMax: 2)
        rearming.note(Tick.Passing(user: try user("a"), due: Moment(1)))
        rearming.begin(after: Moment(1))
        for name in ["a", "a", "b"] {
            #expect(rearming.hasRoom)
            rearming.note(Tick.Passing(user: try user(name), due: Moment(2)))
        }
        #expect(!rearming.hasRoom)
        rearming.advance([try user("a")], to: try user("b").bytes)
        #expect(rearming.hasRoom)
        rearming.advance([try user("b")], to: nil)
        #expect(rearming.isDone)
        #expect(try rearming.told(of: user("b")) == nil)
    }

    @Test func `catalogs that come faster than accounts are looked at are bounded`() throws {
        var rearming = Rearming()
        for number in 0..<LedgerLimits.rearmingStretchesMax {
            #expect(rearming.takesMore)
            rearming.begin(after: Moment(Int64(number)))
            rearming.advance([], to: try user("user \(900 - number)").bytes)
        }
        #expect(!rearming.takesMore)
        while !rearming.takesMore { rearming.advance([], to: nil) }
        while !rearming.isDone { rearming.advance([], to: nil) }
    }
}
