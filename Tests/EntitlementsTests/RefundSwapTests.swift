import Chance
import Entitlements
import Fixtures
import JSON
import Testing

/// Law P6 of `Purse`, over random lives in which refunds grow and are reversed while the user goes
/// on spending: of a refund and a charge that is put back, either may come first.
@Suite struct RefundSwapTests {
    private static let storiesCount = 1_000
    private static let seed = Seed.told()

    /// One line of a life.
    private struct Line {
        let text: String
        /// The charge or hold that it makes or puts back.
        var charge: Int?
        var isBack = false
        var isRefund = false
    }

    private struct Life {
        var lines: [Line] = []

        init(_ random: inout SplitMix64) {
            var later: [[Line]] = []
            lines.append(Line(text: "register alice token=A"))
            lines.append(Line(text: Self.month(isRefunded: false)))
            lines.append(Line(text: Self.coins(share: 0)))
            var month = [Line(text: Self.month(isRefunded: true), isRefund: true)]
            var coins = [33_333, 66_667, 100_000].filter { _ in random.pick(2) == 0 }
                .map { Line(text: Self.coins(share: $0), isRefund: true) }
            // A refund that is reversed gives back all that it took, also where that of another
            // purchase would have taken it meanwhile: one of them alone.
            switch random.pick(4) {
            case 0: month = []
            case 1: coins = []
            default: break
            }
            if month.isEmpty, !coins.isEmpty, random.pick(2) == 0 {
                coins.append(Line(text: Self.coins(share: 0), isRefund: true))
            }
            if coins.isEmpty, random.pick(2) == 0 {
                month.append(Line(text: Self.month(isRefunded: false), isRefund: true))
            }
            later += [month, coins]
            for number in 0..<2 {
                let grant = "grantCredits alice key=g\(number) amount=\(1 + random.pick(12))"
                later.append([Line(text: grant)])
            }
            for number in 0..<8 {
                let amount = 1 + random.pick(14)
                let isHold = random.pick(4) == 0
                let deed = isHold ? "reserve" : "consume"
                var lines = [
                    Line(text: "\(deed) alice key=c\(number) amount=\(amount)", charge: number)
                ]
                if isHold || random.pick(3) > 0 {
                    let back =
                        isHold
                        ? "release alice key=c\(number)"
                        : "reverse alice key=r\(number) charge=c\(number)"
                    lines.append(Line(text: back, charge: number, isBack: true))
                }
                later.append(lines)
            }
            later.removeAll(where: \.isEmpty)
            while !later.isEmpty {
                let place = random.pick(later.count)
                lines.append(later[place].removeFirst())
                if later[place].isEmpty { later.remove(at: place) }
            }
            lines.append(Line(text: "grantCredits alice key=last amount=100"))
            lines.append(Line(text: "getCredits alice"))
        }

        private static func month(isRefunded: Bool) -> String {
            let type = isRefunded ? "REFUND" : "SUBSCRIBED/INITIAL_BUY"
            let revoked = isRefunded ? " revoked=2026-03-01T10:01:00Z" : ""
            return "notify \(type) tx=1 original=1 product=month token=A\(revoked)"
                + " purchase=2026-03-01T10:00:00Z expires=2026-04-01T10:00:00Z"
                + " status=\(isRefunded ? 5 : 1) autoRenew=1"
        }

        private static func coins(share: Int) -> String {
            let revoked =
                share == 0
                ? ""
                : " revoked=2026-03-01T10:01:00Z share=\(share)"
                    + " revocationType=\(share == 100_000 ? "REFUND_FULL" : "REFUND_PRORATED")"
            return "notify \(share == 0 ? "ONE_TIME_CHARGE" : "REFUND") tx=2 original=2"
                + " product=coins kind=consumable quantity=3 token=A"
                + " purchase=2026-03-01T10:00:00Z\(revoked)"
        }

        /// Forgets charges.
        mutating func drop(_ charges: Set<Int>) {
            lines.removeAll { $0.charge.map(charges.contains) ?? false }
        }

        /// It as a scenario, a second from line to line.
        func text(owing: Bool) -> String {
            let settings = """
                catalog refundedCredits=\(owing ? "debt" : "floor")
                plan monthly products=month creditsPerPeriod=10
                pack coins 10

                """
            let steps = lines.enumerated()
                .map { number, line in
                    let seconds = number < 10 ? "0\(number)" : "\(number)"
                    return "2026-03-01T10:01:\(seconds)Z  \(line.text)\n"
                }
            return "# a life\n" + settings + steps.joined()
        }

        /// Lives it: the last balance, and the charges that were refused.
        func live(owing: Bool) throws -> (balance: Int64?, refused: Set<Int>) {
            let scenario = try Scenario(name: "life", parsing: text(owing: owing))
            var stage = CoreStage(scenario.settings)
            let replies = try scenario.acts(under: .written).map { try stage.perform($0) }
            var refused: Set<Int> = []
            for (line, reply) in zip(lines, replies) where !line.isBack {
                if let charge = line.charge, reply["outcome"]?.string == "insufficient" {
                    refused.insert(charge)
                }
            }
            return (replies.last?["balance"]?.int64, refused)
        }
    }

    @Test(arguments: [false, true])
    func `a refund and a charge that is put back leave the same in either order`(
        owing: Bool
    ) throws {
        var random = SplitMix64(seed: Self.seed)
        var compared = 0
        for _ in 0..<Self.storiesCount {
            var life = Life(&random)
            life.drop(try life.live(owing: owing).refused)
            let (balance, refused) = try life.live(owing: owing)
            try #require(refused.isEmpty)
            for place in life.lines.indices.dropLast()
            where life.lines[place].isRefund && life.lines[place + 1].isBack {
                var other = life
                other.lines.swapAt(place, place + 1)
                let (expected, refused) = try other.live(owing: owing)
                // A hold that a refund did not need has what a later charge would have taken.
                guard refused.isEmpty else { continue }
                compared += 1
                #expect(
                    balance == expected,
                    "seed \(Self.seed), line \(place + 6)\n\(life.text(owing: owing))"
                )
            }
        }
        #expect(compared > Self.storiesCount / 4)
    }
}
