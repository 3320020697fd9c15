import LoadGenerator
import Testing

/// The other servers' languages, spoken by stand-ins that know no more of them than a load needs.
struct PeerTests {
    private func plan(_ load: LoadPlan.Load, _ server: StandIn) throws -> LoadPlan {
        var plan = LoadPlan(load, at: try #require(Endpoint(server.path)))
        plan.connections = 3
        plan.inFlight = 5
        plan.requests = 300
        plan.seconds = 30
        plan.warmUpSeconds = 0
        plan.accounts = 20
        return plan
    }

    /// Whole lines from the front of `pending`, without CR and LF.
    private static func lines(_ pending: inout [UInt8]) -> [String] {
        var found: [String] = []
        while let end = pending.firstIndex(of: 0x0A) {
            found.append(String(decoding: pending[..<max(0, end - 1)], as: UTF8.self))
            pending.removeFirst(end + 1)
        }
        return found
    }

    /// Whole RESP arrays of bulk strings.
    private static func commands(_ pending: inout [UInt8]) -> [[String]] {
        var found: [[String]] = []
        while true {
            var copy = pending
            let all = lines(&copy)
            guard let first = all.first, let count = Int(first.dropFirst()),
                all.count >= 1 + 2 * count
            else { return found }
            let words = (0..<count).map { all[2 + 2 * $0] }
            let lengths = (0..<count).map { all[1 + 2 * $0] }
            #expect(lengths == words.map { "$\($0.utf8.count)" })
            found.append(words)
            let bytes = all.prefix(1 + 2 * count).reduce(0) { $0 + $1.utf8.count + 2 }
            pending.removeFirst(bytes)
        }
    }

    @Test(arguments: [1, 4, Int.max])
    func `Redis answers bulk strings or nothing`(pieceBytes: Int) throws {
        let server = try StandIn(pieceBytes: pieceBytes) { pending in
            Self.commands(&pending)
                .flatMap { words -> [UInt8] in
                    #expect(words.count == 2 && words[0] == "GET")
                    let isKnown = words[1].hasSuffix("1")
                    return Array((isKnown ? "$5\r\na\r\nbc\r\n" : "$-1\r\n").utf8)
                }
        }
        defer { server.stop() }
        var wanted = try plan(.redisGet, server)
        wanted.distribution = .sequential
        let result = try LoadRun.result(of: wanted)
        #expect(result.replies == 300)
        // Of 20 accounts 1 and 11.
        #expect(result.positives == 30)
        #expect(result.errors == 0)
    }

    @Test func `Redis's script gets a balance, a key of its own and an amount`() throws {
        let script = String(repeating: "ab", count: 20)
        let server = try StandIn { pending in
            Self.commands(&pending)
                .flatMap { words -> [UInt8] in
                    #expect(Array(words.prefix(3)) == ["EVALSHA", script, "2"])
                    #expect(words[3].hasPrefix("b:user-"))
                    #expect(words[4].hasPrefix(words[3].dropFirst(2) + ":"))
                    #expect(words[5] == "1")
                    return Array("$10\r\nconsumed:7\r\n".utf8)
                }
        }
        defer { server.stop() }
        var wanted = try plan(.redisConsume, server)
        wanted.script = script
        #expect(try LoadRun.result(of: wanted).positives == 300)
    }

    @Test func `an error of Redis is an error`() throws {
        let server = try StandIn { pending in
            Self.commands(&pending).flatMap { _ in Array("-LOADING\r\n".utf8) }
        }
        defer { server.stop() }
        let result = try LoadRun.result(of: plan(.redisGet, server))
        #expect(result.errors == 300)
        #expect(result.firstError.hasPrefix("-LOADING"))
    }

    @Test(arguments: [2, Int.max])
    func `memcached answers a value or END`(pieceBytes: Int) throws {
        let server = try StandIn(pieceBytes: pieceBytes) { pending in
            Self.lines(&pending)
                .flatMap { line -> [UInt8] in
                    #expect(line.hasPrefix("get user-"))
                    let isKnown = line.hasSuffix("1")
                    let value = "VALUE \(line.dropFirst(4)) 0 6\r\nEND\r\nx\r\nEND\r\n"
                    return Array((isKnown ? value : "END\r\n").utf8)
                }
        }
        defer { server.stop() }
        var wanted = try plan(.memcachedGet, server)
        wanted.distribution = .sequential
        let result = try LoadRun.result(of: wanted)
        #expect(result.replies == 300)
        #expect(result.positives == 30)
    }

    @Test func `an echo is whole when its frame is`() throws {
        let server = try StandIn(pieceBytes: 11) { pending in
            defer { pending.removeAll() }
            return pending
        }
        defer { server.stop() }
        #expect(try LoadRun.result(of: plan(.echo, server)).positives == 300)
    }
}
