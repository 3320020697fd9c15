import Entitlements
import Fixtures
import Foundation
import Testing

@Suite struct ScenarioTests {
    /// Apple's types and subtypes; `UNKNOWN` stands for types that do not exist yet.
    static let kinds = [
        "SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/RESUBSCRIBE",
        "DID_RENEW", "DID_RENEW/BILLING_RECOVERY",
        "DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
        "DID_CHANGE_RENEWAL_PREF",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_CHANGE_RENEWAL_STATUS",
        "DID_FAIL_TO_RENEW/GRACE_PERIOD", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED",
        "EXPIRED/VOLUNTARY", "EXPIRED/BILLING_RETRY", "EXPIRED/PRICE_INCREASE",
        "EXPIRED/PRODUCT_NOT_FOR_SALE", "EXPIRED",
        "OFFER_REDEEMED", "OFFER_REDEEMED/UPGRADE", "OFFER_REDEEMED/DOWNGRADE",
        "OFFER_REDEEMED/INITIAL_BUY", "OFFER_REDEEMED/RESUBSCRIBE",
        "PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED",
        "REFUND", "REFUND_DECLINED", "REFUND_REVERSED", "CONSUMPTION_REQUEST",
        "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY", "RENEWAL_EXTENSION/FAILURE",
        "REVOKE", "ONE_TIME_CHARGE", "TEST",
        "EXTERNAL_PURCHASE_TOKEN/UNREPORTED", "EXTERNAL_PURCHASE_TOKEN/CREATED",
        "EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER",
        "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE", "UNKNOWN",
    ]

    static let names = (try? ScenarioLibrary.names()) ?? []

    @Test(arguments: names)
    func `a life story goes on the core as it is written`(_ name: String) throws {
        let scenario = try ScenarioLibrary.scenario(name)
        var stage = CoreStage(scenario.settings)
        var met: [Int: [ScenarioStep.Expectation]] = [:]
        var mismatches: [String] = []
        for act in try scenario.acts(under: .written) {
            let reply = try stage.perform(act)
            mismatches += act.mismatches(in: reply)
            if act.step.expected != nil { met[act.step.line] = act.words(of: reply) }
        }
        #expect(!met.isEmpty, "a story without an expectation shows nothing")
        #expect(scenario.steps.allSatisfy { $0.expected?.isEmpty != true }, "an arrow to nothing")
        guard ScenarioLibrary.isRewriting else {
            #expect(mismatches.isEmpty, "\(name): \(mismatches.joined(separator: "; "))")
            return
        }
        try ScenarioLibrary.rewrite(scenario, met)
    }

    @Test(arguments: names)
    func `a check can be rehearsed at another time under other names`(_ name: String) throws {
        let scenario = try ScenarioLibrary.scenario(name)
        for index in scenario.steps.indices {
            // 2031-05-06T07:08:09.010Z: no time of day that a story has.
            let now = Moment(1_935_990_489_010)
            guard
                let acts = try scenario.rehearsal(ofCheck: index, at: now, unique: 7 + index)
            else { continue }
            var stage = CoreStage(scenario.settings)
            for act in acts.dropLast() { _ = try stage.perform(act) }
            let check = try #require(acts.last)
            #expect(check.at == now)
            #expect(check.mismatches(in: try stage.perform(check)) == [])
        }
    }

    @Test(arguments: names)
    func `a story that is played as it happens may be 700 ms late`(_ name: String) throws {
        let scenario = try ScenarioLibrary.scenario(name)
        guard scenario.isPlayedAsItHappens else { return }
        for lateness: Int64 in [0, 350, 700] {
            var stage = CoreStage(scenario.settings)
            let acts = try scenario.playing(
                from: Moment(1_935_990_489_010),
                unique: 7,
                lateByMilliseconds: lateness
            )
            for act in acts { #expect(act.mismatches(in: try stage.perform(act)) == []) }
        }
    }

    @Test(arguments: names)
    func `a journal replays to the same records`(_ name: String) throws {
        let scenario = try ScenarioLibrary.scenario(name)
        var stage = CoreStage(scenario.settings)
        for act in try scenario.acts(under: .written) { _ = try stage.perform(act) }
        let ledger = stage.ledger
        let replayed = MemoryLedger(replaying: ledger.journal)
        #expect(replayed.accounts == ledger.accounts)
        #expect(replayed.subscriptions == ledger.subscriptions)
        #expect(replayed.tokens == ledger.tokens)
        #expect(replayed.unclaimed == ledger.unclaimed)
        #expect(replayed.notifications == ledger.notifications)
        #expect(replayed.settlements == ledger.settlements)
        #expect(replayed.reservations == ledger.reservations)
        #expect(replayed.packs == ledger.packs)
        #expect(replayed.numbering == ledger.numbering)
    }

    @Test(arguments: kinds)
    func `each kind of notification has a scenario that sends it`(_ kind: String) throws {
        let name = kind.replacing("/", with: ".")
        let scenario = try ScenarioLibrary.scenario(name)
        let sent = scenario.steps.filter { $0.verb == .notify }.map(\.subject)
        let isUnknown = kind == "UNKNOWN" && sent.contains { !Self.kinds.contains($0) }
        #expect(sent.contains(kind) || isUnknown)
    }

    @Test func `a check on the very edge of a change is not steady`() throws {
        let scenario = try ScenarioLibrary.scenario("story.lost-expired")
        let steady = try scenario.steps.indices.filter {
            try scenario.isSteady(check: $0, forMilliseconds: 5000)
        }
        #expect(scenario.steps.count == 5)
        #expect(steady == [3, 4])
    }

    @Test func `most checks are steady enough to be put to a daemon`() throws {
        var counts = (steady: 0, all: 0)
        for name in Self.names {
            let scenario = try ScenarioLibrary.scenario(name)
            for (index, step) in scenario.steps.enumerated() where step.verb.isCheck {
                counts.all += 1
                if try scenario.isSteady(check: index, forMilliseconds: 20_000) {
                    counts.steady += 1
                }
            }
        }
        #expect(counts.steady * 10 >= counts.all * 9, "\(counts)")
    }

    @Test func `a malformed scenario names its line`() {
        let texts = [
            "no title": 1, "# t\n2026-03-01 dance alice": 2, "# t\n2026-03-01": 2,
            "# t\nyesterday canRender alice": 2, "# t\ncatalog color=red": 2,
            "# t\n2026-03-02 canRender a\n2026-03-01 canRender a": 3,
            "# t\n2026-03-02 canRender a\ncatalog freeCredits=1": 3,
            "# t\n2026-03-01 canRender a cost=1 cost=2": 2,
        ]
        for (text, line) in texts {
            #expect {
                _ = try Scenario(name: "x", parsing: text)
            } throws: { error in
                (error as? ScenarioFailure)?.line == line
            }
        }
    }
}
