import Entitlements
import Fixtures
import Foundation
import JSON
import Testing

/// Writes the hostile set with our verdicts for Apple's own verifier: `make oracle`.
@Suite struct OracleExport {
    @Test(.enabled(if: OracleTarget.directory != nil))
    func `the cases and our verdicts are written`() throws {
        let directory = try #require(OracleTarget.directory)
        let judge = try HostileJudge()
        var lines: [UInt8] = []
        var count = 0
        for hostile in judge.set.cases {
            guard let payload = hostile.oraclePayload else { continue }
            let verdict = try judge.verdict(on: hostile)
            let accepted = if case .genuine? = verdict { true } else { false }
            let detail =
                if case .refused(let fault, let text)? = verdict { "\(fault): \(text)" } else { "" }
            let line: JSONValue = [
                "id": .string(hostile.id), "name": .string(hostile.name),
                "environments": .array(hostile.environments.map { .string($0.name) }),
                "relaxed": .bool(hostile.isRelaxed), "accepted": .bool(accepted),
                "detail": .string(detail), "payload": .string(payload),
            ]
            lines += line.bytes + Array("\n".utf8)
            count += 1
        }
        let setup: JSONValue = [
            "bundleId": .string(HostileNotification.bundleID),
            "appAppleId": .integer(HostileNotification.appAppleID),
            "roots": .array(judge.set.roots.map { .string(Data($0).base64EncodedString()) }),
            "cases": .integer(Int64(count)),
        ]
        let url = URL(fileURLWithPath: directory)
        try Data(lines).write(to: url.appendingPathComponent("cases.jsonl"))
        try Data(setup.bytes).write(to: url.appendingPathComponent("setup.json"))
        #expect(count > 300)
    }
}

/// Where `make oracle` wants the cases.
enum OracleTarget {
    static let directory = ProcessInfo.processInfo.environment["ENTITLD_ORACLE_DIR"]
}
