import AppStore
import Entitlements
import Fixtures
import Testing

@Suite struct `The hostile set` {
    @Test func `each case gets the right answer`() throws {
        let judge = try HostileJudge()
        var answers: [HostileCase.Answer: Int] = [:]
        for hostile in judge.set.cases {
            let (answer, detail) = try judge.answer(to: hostile)
            answers[answer, default: 0] += 1
            #expect(answer == hostile.expected, "\(hostile): \(detail)")
        }
        print(
            "hostile set: \(judge.set.cases.count) cases,",
            answers.map { "\($0.value) \($0.key)" }
        )
        #expect(judge.set.cases.count > 300)
    }

    @Test func `ids are distinct and cover the catalogue`() throws {
        let cases = try HostileJudge().set.cases
        #expect(Set(cases.map(\.id)).count == cases.count)
        let numbers = Set(cases.compactMap { Int($0.id.dropFirst(2).prefix(2)) })
        // Bits and truncation of certificates are loops over the verifier itself; a thousand chains
        // and foreign path-building are too.
        let elsewhere: Set = [48, 49, 73, 74]
        #expect(Set(1...75).subtracting(numbers) == elsewhere)
    }

    @Test func `each case is refused for a reason of its own kind`() throws {
        let judge = try HostileJudge()
        let faults: [(String, Set<DocumentFault>)] = [
            ("J-31", [.chain]), ("J-32", [.chain]), ("J-33", [.chain]), ("J-34", [.chain]),
            ("J-35", [.chain]), ("J-36", [.chain]), ("J-37", [.chain]), ("J-38", [.chain]),
            ("J-39", [.chain]), ("J-40", [.chain]), ("J-44", [.chain]), ("J-45", [.chain]),
            ("J-46", [.chain]), ("J-47", [.chain, .malformed]), ("J-50", [.chain]),
            ("J-51", [.signature]),
            ("J-52", [.signature]), ("J-53", [.signature]), ("J-55", [.signature]),
            ("J-56", [.signature]), ("J-57", [.signature]), ("J-59", [.bundle]),
            ("J-60", [.app]), ("J-69", [.wrongDocument]),
        ]
        for (id, allowed) in faults {
            for hostile in judge.set.cases where hostile.id.hasPrefix(id + ".") {
                let verdict = try judge.verdict(on: hostile)
                guard case .refused(let fault, let detail) = verdict else { continue }
                #expect(allowed.contains(fault), "\(hostile): \(detail)")
            }
        }
    }

    /// J-66 sends one document again and again.
    @Test func `a notification replayed a thousand times at once counts once`() async throws {
        let judge = try HostileJudge()
        let good = try #require(judge.set.cases.first)
        let store = try judge.store(for: good)
        let payload = try #require(HostileCase.signedPayload(in: good.body))
        let now = Moment(judge.set.now)
        let heard = await withTaskGroup(of: [Entitlements.Notification].self) { group in
            for _ in 0..<64 {
                group.addTask {
                    (0..<16)
                        .compactMap { _ in
                            store.verdict(onNotification: payload, at: now).notification
                        }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(heard.count == 1024 && Set(heard.map(\.id)).count == 1)
        var ledger = MemoryLedger()
        var receptions: [Outcome: Int] = [:]
        for notification in heard {
            let outcome = ledger.submit(.record(notification), at: now, under: HostileJudge.policy)
            receptions[outcome, default: 0] += 1
        }
        #expect(receptions == [.recorded(.applied): 1, .recorded(.duplicate): 1023])
    }

    @Test func `no detail for the log repeats what the document says`() throws {
        let judge = try HostileJudge()
        for hostile in judge.set.cases {
            guard case .refused(_, let detail)? = try judge.verdict(on: hostile) else { continue }
            #expect(detail.utf8.count < 200 && detail.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
            #expect(!detail.contains("forged") && !detail.contains("hostile"))
        }
    }
}
