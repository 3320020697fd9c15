import Chance
import Entitlements
import Fixtures
import JSON
import Testing

/// Law P6 of `Purse`, over random lives: where every charge is put back and every hold released, it
/// does not matter whether that was before a refund or after it.
@Suite struct RefundOrderTests {
    private static let storiesCount = 400
    private static let seed = Seed.told()

    /// What was bought, and how many credits it gave.
    private enum Bought: Int, CaseIterable {
        case month = 1
        case week, coins

        var credits: Int64 { self == .week ? 7 : 10 }

        /// The words of a notification about it.
        func told(_ type: String, isRefunded: Bool) -> String {
            let revoked = isRefunded ? " revoked=2026-03-01T10:01:00Z" : ""
            let about = "tx=\(rawValue) original=\(rawValue) product=\(self) token=A\(revoked)"
            let bought = "purchase=2026-03-01T10:00:00Z"
            if self == .coins { return "notify \(type) \(about) kind=consumable \(bought)" }
            let status = "status=\(isRefunded ? 5 : 1) autoRenew=1"
            return "notify \(type) \(about) \(bought) expires=2026-04-01T10:00:00Z \(status)"
        }

        func bought() -> String {
            told(self == .coins ? "ONE_TIME_CHARGE" : "SUBSCRIBED/INITIAL_BUY", isRefunded: false)
        }
    }

    /// A life as a scenario, and what its last answer has to be.
    private struct Life {
        private(set) var lines = ["register alice token=A"]
        private(set) var balance: Int64 = 0

        init(_ random: inout SplitMix64) {
            var later: [[String]] = []
            for one in Bought.allCases {
                lines.append(one.bought())
                balance += one.credits
                guard random.pick(3) > 0 else { continue }
                var refund = [one.told("REFUND", isRefunded: true)]
                balance -= one.credits
                if random.pick(4) == 0 {
                    refund.append(one.told("REFUND_REVERSED", isRefunded: false))
                    balance += one.credits
                }
                later.append(refund)
            }
            var there: Int64 = 27
            for number in 0..<2 {
                let amount = Int64(random.pick(12))
                guard amount > 0 else { continue }
                balance += amount
                let grant = "grantCredits alice key=g\(number) amount=\(amount)"
                if random.pick(3) == 0 {
                    later.append([grant])
                } else {
                    there += amount
                    lines.append(grant)
                }
            }
            for number in 0..<5 {
                let amount = min(there, Int64(1 + random.pick(12)))
                guard amount > 0 else { break }
                there -= amount
                if random.pick(4) == 0 {
                    lines.append("reserve alice key=c\(number) amount=\(amount)")
                    later.append(["release alice key=c\(number)"])
                } else {
                    lines.append("consume alice key=c\(number) amount=\(amount)")
                    later.append(["reverse alice key=r\(number) charge=c\(number)"])
                }
            }
            while !later.isEmpty {
                let place = random.pick(later.count)
                lines.append(later[place].removeFirst())
                if later[place].isEmpty { later.remove(at: place) }
            }
            // What is owed shows where something comes in.
            lines.append("grantCredits alice key=last amount=100")
            balance += 100
            lines.append("getCredits alice")
        }

        /// It as a scenario, a second from line to line.
        func text(owing: Bool) -> String {
            let settings = """
                catalog refundedCredits=\(owing ? "debt" : "floor")
                plan monthly products=month creditsPerPeriod=10
                plan weekly products=week creditsPerPeriod=7
                pack coins 10

                """
            let steps = lines.enumerated()
                .map { number, line in
                    let seconds = number < 10 ? "0\(number)" : "\(number)"
                    return "2026-03-01T10:01:\(seconds)Z  \(line)\n"
                }
            return "# a life\n" + settings + steps.joined()
        }
    }

    @Test(arguments: [false, true])
    func `what was put back leaves the same before a refund and after it`(owing: Bool) throws {
        var random = SplitMix64(seed: Self.seed)
        for _ in 0..<Self.storiesCount {
            let life = Life(&random)
            let text = life.text(owing: owing)
            let scenario = try Scenario(name: "life", parsing: text)
            var stage = CoreStage(scenario.settings)
            let replies = try scenario.acts(under: .written).map { try stage.perform($0) }
            #expect(replies.last?["balance"]?.int64 == life.balance, "seed \(Self.seed)\n\(text)")
        }
    }
}
