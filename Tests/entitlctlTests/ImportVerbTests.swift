import JSON
import TestSupport
import Testing

/// What `import` and `compare` make of a daemon's answers.
struct ImportVerbTests {
    private static func error(_ code: Int64, _ name: String) -> FakeDaemon.Act {
        .error([
            "code": .integer(code), "message": "one sentence",
            "data": ["code": .string(name), "retryable": false],
        ])
    }

    private func imports(_ record: String, at daemon: FakeDaemon) throws -> [JSONValue] {
        let words = ["import", "--json", "--connections", "1", "--socket", daemon.path]
        let run = try Invocation(words, input: record + "\n")
        #expect(run.complaint.isEmpty)
        return try run.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
    }

    /// What was not taken: the part, and the error.
    private func faults(_ said: [JSONValue]) -> [String] {
        said.dropLast().map { "\($0["what"]?.string ?? "") \($0["code"]?.string ?? "")" }
    }

    @Test func `where the account cannot be begun, all that was left out is said`() throws {
        let daemon = try FakeDaemon([
            "stats": .result([:]), "registerAccount": Self.error(-32021, "ownership_conflict"),
        ])
        let said = try imports(
            #"{"userId":"a","tokens":["t","u"],"purchases":[{"transactionId":"1"},"#
                + #"{"transactionId":"2"}],"grants":[{"plan":"gold"}],"credits":3}"#,
            at: daemon
        )
        #expect(
            faults(said) == [
                "tokens[0] ownership_conflict", "purchases[0] ownership_conflict",
                "purchases[1] ownership_conflict", "grants[0] ownership_conflict",
                "credits ownership_conflict",
            ]
        )
        #expect(said.last == ["users": 0, "purchases": 0, "grants": 0, "notTaken": 5])
        #expect(daemon.requests.map(\.method) == ["stats", "registerAccount"])
    }

    @Test func `what is refused is not counted as taken`() throws {
        let daemon = try FakeDaemon { request, _ in
            switch request.method {
            case "verifyPurchase" where request.params["transactionId"] == "2":
                Self.error(-32024, "not_found")
            case "grantEntitlement" where request.params["plan"] == "none":
                Self.error(-32602, "invalid_params")
            default: .result(["created": true])
            }
        }
        let said = try imports(
            #"{"userId":"a","purchases":[{"transactionId":"1"},{"transactionId":"2"}],"#
                + #""grants":[{"plan":"none"},{"plan":"gold","reason":"press"}]}"#,
            at: daemon
        )
        #expect(faults(said) == ["purchases[1] not_found", "grants[0] invalid_params"])
        #expect(said.last == ["users": 1, "purchases": 1, "grants": 1, "notTaken": 2])
        let reasons = daemon.requests.filter { $0.method == "grantEntitlement" }
            .map { $0.params["reason"]?.string }
        #expect(reasons == ["import, key import:grant:0", "press, key import:grant:1"])
    }

    /// A daemon that has an account of `a`, and has forgotten all keys but those of `known`.
    private func daemon(_ pages: [JSONValue], known: Set<String> = []) throws -> FakeDaemon {
        try FakeDaemon { request, _ in
            switch request.method {
            case "registerAccount": return .result(["created": false])
            case "grantEntitlement" where request.params["plan"] == "free":
                let isKnown = known.contains(request.params["idempotencyKey"]?.string ?? "")
                return isKnown
                    ? Self.error(-32023, "idempotency_mismatch")
                    : Self.error(-32602, "invalid_params")
            case "getHistory":
                let after = request.params["afterSeq"]?.int64 ?? 0
                let page = pages.first { $0["events"]?.array?.first?["seq"]?.int64 ?? 0 > after }
                return .result(page ?? ["events": []])
            case "getCredits":
                return .result(["buckets": [["amount": 9, "source": "pack"]]])
            default: return .result([:])
            }
        }
    }

    private let record =
        #"{"userId":"a","credits":3,"grants":[{"plan":"gold"},"#
        + #"{"plan":"gold","idempotencyKey":"k"}]}"#

    /// The methods that change something, and are not asked for a key alone.
    private func changes(_ daemon: FakeDaemon) -> [String] {
        daemon.requests
            .filter { $0.params["plan"] != "free" && !$0.method.hasPrefix("get") }
            .dropFirst(2).map(\.method)
    }

    private func event(_ seq: Int64, _ reason: String, _ cause: String = "") -> JSONValue {
        ["seq": .integer(seq), "cause": .string(cause), "detail": ["reason": .string(reason)]]
    }

    @Test func `what the history tells of is not done again`() throws {
        let daemon = try daemon([
            ["events": [event(1, ""), event(2, "import, key import:grant:0")]],
            ["events": [event(3, "import, key import:zero")]],
            ["events": [event(4, "import, key k")]],
        ])
        let said = try imports(record, at: daemon)
        #expect(said == [["users": 1, "purchases": 0, "grants": 2, "notTaken": 0]])
        #expect(changes(daemon).isEmpty)
        // To its end: the parts of a balance are counted.
        #expect(daemon.requests.filter { $0.method == "getHistory" }.count == 4)
    }

    /// The parts of a balance that an import gave long ago, of so many; and those it gives now.
    @Test(arguments: [(0, 1, [0]), (1, 1, []), (1, 2, [1]), (0, 0, []), (0, nil, [])])
    func `what an import began to set long ago is completed, and no more`(
        given: Int,
        parts: Int?,
        gives: [Int]
    ) throws {
        let why = parts.map { "import of a balance in \($0) parts" } ?? "import"
        let events: [JSONValue] =
            [event(1, "import, key import:grant:0"), event(2, "\(why), key import:zero")]
            + (0..<given).map { event(3 + Int64($0), "import", "credits_granted") }
        let daemon = try daemon([["events": .array(events)]])
        let record = #"{"userId":"a","credits":[{"amount":1},{"amount":2}]}"#
        #expect(try imports(record, at: daemon).count == 1)
        let keys = daemon.requests.filter { $0.method == "grantCredits" }
            .map { $0.params["idempotencyKey"]?.string }
        #expect(keys == gives.map { "import:credits:\($0)" })
        #expect(!daemon.requests.contains { $0.method == "adjustCredits" })
    }

    @Test func `a part that was refused is given once its line is corrected, before the others`()
        throws
    {
        let record = #"{"userId":"a","credits":[{"amount":1},{"amount":2}]}"#
        let refusing = try FakeDaemon { request, _ in
            switch (request.method, request.params["idempotencyKey"]) {
            case ("registerAccount", _): .result(["created": true])
            case ("getCredits", _): .result(["buckets": []])
            case ("grantCredits", "import:credits:0"?): Self.error(-32602, "invalid_params")
            default: .result([:])
            }
        }
        #expect(faults(try imports(record, at: refusing)) == ["credits[0] invalid_params"])
        let given = refusing.requests.compactMap { $0.params["idempotencyKey"]?.string }
        #expect(given == ["import:zero", "import:credits:0"])
        let again = try daemon([], known: ["import:zero"])
        #expect(try imports(record, at: again).count == 1)
        #expect(again.requests.suffix(2).map(\.method) == ["grantCredits", "grantCredits"])
    }

    /// A daemon with a new account, whose answer to a purchase and to `reconcile` the test gives.
    private func buying(
        _ purchase: FakeDaemon.Act,
        stale: JSONValue = false,
        _ reconciled: FakeDaemon.Act = .result([:])
    ) throws -> FakeDaemon {
        try FakeDaemon { request, _ in
            switch request.method {
            case "registerAccount": .result(["created": true])
            case "getCredits": .result(["buckets": []])
            case "verifyPurchase": purchase
            // The better one is shown, and the other one may give credits, too.
            case "getSubscriptions":
                .result(["subscriptions": [["stale": false], ["stale": stale]]])
            case "reconcile": reconciled
            default: .result([:])
            }
        }
    }

    private let buyer =
        #"{"userId":"a","credits":3,"purchases":[{"signedTransaction":"x"}]}"#

    @Test func `before a balance is set, the store is asked how what is overdue stands`() throws {
        for act in [FakeDaemon.Act.result([:]), Self.error(-32602, "invalid_params")] {
            let daemon = try buying(.result([:]), stale: true, act)
            #expect(try imports(buyer, at: daemon).last?["notTaken"] == 0)
            let methods = daemon.requests.map(\.method)
            #expect(
                methods.suffix(6) == [
                    "verifyPurchase", "getSubscriptions", "reconcile", "getCredits",
                    "grantCredits", "grantCredits",
                ]
            )
        }
        let daemon = try buying(.result([:]))
        _ = try imports(buyer, at: daemon)
        #expect(!daemon.requests.contains { $0.method == "reconcile" })
    }

    /// Why a purchase was not taken.
    private func refusing(_ code: Int, _ name: String, _ reason: String?) throws -> FakeDaemon {
        var data: JSONObject = ["code": .string(name), "retryable": false]
        data["reason"] = reason.map { .string($0) }
        return try buying(
            .error(["code": .integer(Int64(code)), "message": "one", "data": .object(data)])
        )
    }

    @Test(arguments: [
        (-32021, "ownership_conflict", "unknown_token"), (-32020, "verification_failed", "app"),
        (-32020, "verification_failed", "environment"),
        (-32603, "internal_error", nil), (-32602, "invalid_params", nil),
        (-32024, "not_found", nil), (-32022, "claim_mismatch", nil),
    ])
    func `no balance is set while a later import may take a purchase`(
        code: Int,
        name: String,
        reason: String?
    ) throws {
        let daemon = try refusing(code, name, reason)
        let said = try imports(buyer, at: daemon)
        #expect(faults(said) == ["purchases[0] \(name)", "credits \(name)"])
        #expect(!daemon.requests.contains { $0.method == "grantCredits" })
    }

    @Test(arguments: [
        (-32021, "ownership_conflict", "owned"), (-32020, "verification_failed", "signature"),
    ])
    func `a purchase that is another's or is none does not hold the balance back`(
        code: Int,
        name: String,
        reason: String
    ) throws {
        let daemon = try refusing(code, name, reason)
        #expect(faults(try imports(buyer, at: daemon)) == ["purchases[0] \(name)"])
        #expect(daemon.requests.contains { $0.method == "grantCredits" })
    }

    @Test func `where the history tells of nothing, all is done`() throws {
        let daemon = try daemon([["events": [event(1, "import, key import:grant:7")]]])
        #expect(try imports(record, at: daemon).count == 1)
        #expect(
            changes(daemon) == [
                "grantEntitlement", "grantEntitlement", "adjustCredits", "grantCredits",
            ]
        )
    }

    @Test func `while keys are known, no history is read`() throws {
        let known: Set = ["import:grant:0", "k", "import:zero", "import:credits:0"]
        let daemon = try daemon([], known: known)
        #expect(try imports(record, at: daemon).count == 1)
        // The daemon answers again what it answered then.
        #expect(changes(daemon) == ["grantEntitlement", "grantEntitlement", "grantCredits"])
        #expect(!daemon.requests.contains { $0.method == "getHistory" })
    }

    @Test func `where the history was pruned, nothing is done that may have been done`() throws {
        let events: JSONValue = [event(5, "import, key k")]
        let daemon = try daemon([["events": events, "oldest": "2026-01-01T00:00:00.000Z"]])
        let said = try imports(record, at: daemon)
        #expect(faults(said) == ["grants[0] history_pruned", "credits history_pruned"])
        #expect(said.last?["grants"] == 1)
        #expect(changes(daemon).isEmpty)
    }

    @Test func `where the history cannot be read on, no part of a balance is given again`() throws {
        let zero = event(5, "import of a balance in 1 parts, key import:zero")
        let daemon = try FakeDaemon { request, _ in
            switch request.method {
            case "registerAccount": .result(["created": false])
            case "getHistory" where request.params["afterSeq"] == nil: .result(["events": [zero]])
            case "getHistory": Self.error(-32603, "internal_error")
            case "grantEntitlement": Self.error(-32602, "invalid_params")
            default: .result([:])
            }
        }
        let said = try imports(#"{"userId":"a","credits":3}"#, at: daemon)
        #expect(faults(said) == ["credits internal_error"])
        #expect(!daemon.requests.contains { $0.method == "grantCredits" })
    }

    @Test func `an empty purse is marked for the history, too`() throws {
        let daemon = try FakeDaemon { request, _ in
            .result(request.method == "getCredits" ? ["buckets": []] : ["created": true])
        }
        _ = try imports(#"{"userId":"a","credits":0}"#, at: daemon)
        #expect(daemon.requests.last?.method == "grantCredits")
        #expect(daemon.requests.last?.params["expiresAt"] == "1970-01-01T00:00:00.000Z")
        let reason = "import of a balance in 0 parts, key import:zero"
        #expect(daemon.requests.last?.params["reason"]?.string == reason)
    }
}
