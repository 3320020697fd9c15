import Entitlements
import Testing

@testable import Reconciler

/// The pure parts: budget, circuit, backoff, alarm.
struct BudgetTests {
    @Test(arguments: [2_500, 25_000, 1_000, 100] as [Int64])
    func `no second sees more requests than the rate and one bucket`(_ rate: Int64) {
        for haste in [Haste.patient, .prompt(until: .max)] {
            var budget = RateBudget(requestsPerKilosecond: rate, at: 0)
            var taken: [Int64] = []
            var now: Int64 = 0
            while now < 100_000 {
                let pause = budget.take(at: now, haste)
                if pause == 0 { taken.append(now) } else { now += pause }
            }
            let bucket = max(rate / 1_000, 1)
            #expect(taken.count <= Int(100 * rate / 1_000 + bucket))
            #expect(taken.count >= Int(100 * rate / 1_000) - 1)
            for start in stride(from: Int64(0), to: 99_000, by: 500) {
                let inSecond = taken.count { (start..<start + 1_000).contains($0) }
                #expect(inSecond <= Int(2 * bucket) + 1)
            }
        }
    }

    @Test func `work that nobody waits for leaves half of the bucket`() {
        var budget = RateBudget(requestsPerKilosecond: 10_000, at: 0)
        var patient = 0
        while budget.take(at: 0, .patient) == 0 { patient += 1 }
        #expect(patient == 5)
        var prompt = 0
        while budget.take(at: 0, .prompt(until: .max)) == 0 { prompt += 1 }
        #expect(prompt == 5)
        #expect(budget.take(at: 0, .prompt(until: .max)) == 100)
        #expect(budget.take(at: 0, .patient) == 600)
    }

    @Test func `haste without end leaves a tenth to work that nobody waits for`() {
        var budget = RateBudget(requestsPerKilosecond: 25_000, at: 0)
        var (patient, prompt) = (0, 0)
        for now in Int64(0)..<60_000 {
            while budget.take(at: now, .prompt(until: .max)) == 0 { prompt += 1 }
            if budget.take(at: now, .patient) == 0 { patient += 1 }
        }
        #expect((140...151).contains(patient), "\(patient)")
        #expect((1_340...1_390).contains(prompt), "\(prompt)")
    }

    @Test func `a pause holds back everybody, and the longer one wins`() {
        var budget = RateBudget(requestsPerKilosecond: 10_000, at: 0)
        budget.pause(until: 5_000)
        budget.pause(until: 4_000)
        #expect(budget.take(at: 0, .prompt(until: .max)) == 5_000)
        #expect(budget.take(at: 4_999, .patient) == 1)
        #expect(budget.take(at: 5_000, .patient) == 0)
    }

    @Test func `pauses double, never beyond the longest, never below half`() {
        let backoff = Backoff(first: 500, longest: 60_000)
        #expect((1...4).map { backoff.pause(after: $0, chance: 1) } == [500, 1_000, 2_000, 4_000])
        #expect(backoff.pause(after: 1_000, chance: 1) == 60_000)
        #expect(backoff.pause(after: 2, chance: 0) == 500)
        #expect(backoff.pause(after: 2, chance: 0.5) == 750)
    }

    @Test func `an open circuit lets one request try, and rests longer when that fails`() {
        var circuit = Circuit()
        for failures in 1...5 {
            #expect(circuit.admit(at: 0) == .go)
            circuit.failed(at: 0, chance: 1)
            #expect(circuit.figure == (failures < 5 ? .closed : .open))
        }
        #expect(circuit.admit(at: 4_999) == .wait(1))
        #expect(circuit.admit(at: 5_000) == .go)
        #expect(circuit.admit(at: 5_000) == .wait(1_000))
        circuit.failed(at: 6_000, chance: 1)
        #expect(circuit.admit(at: 15_999) == .wait(1))
        #expect(circuit.admit(at: 16_000) == .go)
        circuit.abandoned(at: 16_500)
        #expect(circuit.admit(at: 16_500) == .go)
        circuit.answered()
        #expect(circuit.figure == .closed)
        #expect(circuit.admit(at: 16_500) == .go)
    }

    @Test func `an answer in between keeps the circuit closed`() {
        var circuit = Circuit()
        for _ in 0..<20 {
            for _ in 0..<4 { circuit.failed(at: 0, chance: 1) }
            circuit.answered()
        }
        #expect(circuit.figure == .closed)
    }

    @Test func `the alarm needs 20 missed renewals, 6 h and three usual intervals`() {
        let hour: Int64 = 3_600_000
        func at(_ hours: Int64) -> Moment { Moment(hours * hour) }
        var alarm = SilenceAlarm(at: at(0))
        for _ in 0..<19 { alarm.miss() }
        #expect(!alarm.isSilent(at: at(1_000)))
        alarm.miss()
        #expect(!alarm.isSilent(at: Moment(6 * hour - 1)))
        #expect(alarm.isSilent(at: at(6)))
        // Heard every four hours: twelve are needed.
        for round in 1...100 { alarm.hear(at: at(Int64(round) * 4)) }
        #expect(alarm.missed == 0)
        for _ in 0..<20 { alarm.miss() }
        #expect(!alarm.isSilent(at: Moment(412 * hour - 1)))
        #expect(alarm.isSilent(at: at(412)))
        alarm.hear(at: at(412))
        #expect(!alarm.isSilent(at: at(500)))
        // A clock that was set back.
        alarm.hear(at: at(1))
        for _ in 0..<20 { alarm.miss() }
        #expect(alarm.isSilent(at: at(7)))
    }
}
