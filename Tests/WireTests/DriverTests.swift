import JSON
import Testing
import Wire

private func request(_ method: String, id: String? = "1") -> String {
    let id = id.map { ",\"id\":\($0)" } ?? ""
    return "{\"jsonrpc\":\"2.0\"\(id),\"method\":\"\(method)\"}"
}

@Suite struct DriverTests {
    @Test func `an answer that comes later goes out when it is delivered`() {
        var bench = Bench()
        #expect(bench.ask(request("later", id: "\"a\"")) == [])
        #expect(bench.ask(request("later", id: "2")) == [])
        #expect(
            bench.ask(request("ping", id: "3")) == ["{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}"]
        )
        #expect(bench.conversation.unanswered == 2)
        for (id, ticket) in bench.worker.tickets.reversed() {
            ticket.deliver(TestWorker.response(id))
        }
        #expect(
            bench.takeDeliveries() == [
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"late\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":\"late\"}",
            ]
        )
        #expect(bench.conversation.unanswered == 0 && bench.driver.unanswered == 0)
    }

    @Test func `a notification that is answered later counts until then and says nothing`() {
        var bench = Bench()
        #expect(bench.ask(request("later", id: nil)) == [])
        #expect(bench.conversation.unanswered == 1)
        let ticket = bench.worker.tickets[0].ticket
        #expect(ticket.isNotification)
        ticket.deliver(TestWorker.response([]))
        #expect(bench.takeDeliveries() == [])
        #expect(bench.conversation.unanswered == 0)
    }

    @Test func `a notification reaches the worker and leaves nothing`() {
        var bench = Bench()
        #expect(bench.ask(request("ping", id: nil)) == [])
        #expect(bench.worker.calls == ["ping"])
    }

    @Test func `a batch goes out when all its parts are there`() {
        var bench = Bench()
        let parts = [
            request("ping", id: "1"), request("later", id: "2"), request("later", id: nil),
            request("later", id: "3"), "7",
        ]
        #expect(bench.ask("[" + parts.joined(separator: ",") + "]") == [])
        #expect(bench.ask("[" + request("later", id: "4") + "]") == [])
        let tickets = bench.worker.tickets
        #expect(tickets.count == 4 && bench.conversation.unanswered == 4)
        tickets[3].ticket.deliver(TestWorker.response(tickets[3].id))
        #expect(bench.takeDeliveries() == ["[{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":\"late\"}]"])
        tickets[2].ticket.deliver(TestWorker.response(tickets[2].id))
        tickets[1].ticket.deliver(TestWorker.response(tickets[1].id))
        #expect(bench.takeDeliveries() == [])
        tickets[0].ticket.deliver(TestWorker.response(tickets[0].id))
        let frames = bench.takeDeliveries()
        #expect(frames.count == 1)
        let ids = (try? JSONValue.parse(Array((frames.first ?? "").utf8)))?.array?.map { $0["id"] }
        #expect(ids == [1, nil, 3, 2] as [JSONValue])
        #expect(bench.conversation.unanswered == 0)
    }

    @Test func `a batch whose first part comes later is whole`() {
        var bench = Bench()
        #expect(bench.ask("[\(request("later", id: "1")),\(request("ping", id: "2"))]") == [])
        let (id, ticket) = bench.worker.tickets[0]
        ticket.deliver(TestWorker.response(id))
        let frame = bench.takeDeliveries().first ?? ""
        #expect((try? JSONValue.parse(Array(frame.utf8)))?.array?.count == 2)
    }

    @Test(arguments: 1...9)
    func `a batch that is cut is answered like one that is not`(requestsMax: Int) throws {
        let parts = [
            request("ping", id: "1"), request("later", id: "2"), request("later", id: nil), "7",
            request("long", id: "\"a\\u00e9\""), request("ping", id: nil),
            request("later", id: "3"), request("none", id: "4"), request("long", id: "5"),
        ]
        // In a reply of the second length the long answers have no room.
        for frameBytesMax in [1 << 20, 1_100] {
            var whole = Bench(frameBytesMax: frameBytesMax)
            var cut = Bench(frameBytesMax: frameBytesMax)
            let text = "[ " + parts.joined(separator: " ,\n") + " ]"
            #expect(whole.ask(text) == [])
            var turns = 0
            repeat {
                let before = cut.worker.calls.count
                #expect(cut.ask(text, requestsMax: requestsMax) == [])
                #expect(cut.worker.calls.count - before <= requestsMax)
                turns += 1
                // What is answered between two turns does not end the batch.
                if turns == 1, let (id, ticket) = cut.worker.tickets.first {
                    ticket.deliver(TestWorker.response(id))
                    #expect(cut.takeDeliveries() == [])
                    cut.worker.tickets.removeFirst()
                }
            } while cut.conversation.isCut
            #expect(turns == (parts.count + requestsMax - 1) / requestsMax)
            #expect(cut.worker.calls == whole.worker.calls)
            let reply = try #require(whole.deliverAll().first)
            let pieces = try #require(cut.deliverAll().first)
            #expect(Self.responses(pieces) == Self.responses(reply))
            #expect(pieces.utf8.count <= frameBytesMax)
            #expect(cut.conversation.unanswered == 0)
        }
        var bench = Bench()
        let silent =
            "[" + Array(repeating: request("ping", id: nil), count: 3).joined(separator: ",")
        for _ in 0..<3 { #expect(bench.ask(silent + "]", requestsMax: 1) == []) }
        #expect(!bench.conversation.isCut && bench.worker.calls.count == 3)
        #expect(bench.ask(request("ping")).count == 1)
    }

    /// The responses of a batch by their ids, each as it is written.
    private static func responses(_ frame: String) -> [String] {
        let batch = (try? JSONValue.parse(Array(frame.utf8)))?.array ?? []
        return batch.map { String(decoding: $0.bytes, as: UTF8.self) }.sorted()
    }

    @Test func `more than 1024 waiting requests are overloaded`() throws {
        var bench = Bench()
        for index in 0..<WireLimits.unansweredPerConnectionMax {
            #expect(bench.ask(request("later", id: "\(index)")) == [])
        }
        let frames = bench.ask(request("later", id: "\"x\""))
        let error = try JSONValue.parse(Array(frames[0].utf8))
        #expect(error["id"] == "x" && error["error"]?["code"] == -32_029)
        #expect(error["error"]?["data"]?["retryAfterMs"]?.int64 == WireLimits.overloadRetryMs)
        let (id, ticket) = bench.worker.tickets[5]
        ticket.deliver(TestWorker.response(id))
        #expect(bench.takeDeliveries().count == 1)
        #expect(bench.ask(request("later", id: "9")) == [])
    }

    @Test func `a group wakes each thread once`() {
        var bench = Bench()
        _ = bench.ask(request("later", id: "1"))
        _ = bench.ask(request("later", id: "2"))
        var group = DeliveryGroup()
        for (id, ticket) in bench.worker.tickets { group.add(TestWorker.response(id), to: ticket) }
        group.send()
        group.send()
        #expect(bench.outlet.take().map(\.count) == [2])
    }

    @Test func `an answer too long for a frame becomes an error`() throws {
        var bench = Bench(frameBytesMax: 400)
        let now = bench.ask(request("long", id: "\"n\""))
        #expect(try JSONValue.parse(Array(now[0].utf8))["error"]?["code"] == -32_603)
        #expect(now[0].contains("\"id\":\"n\","))
        _ = bench.ask(request("later", id: "1.0"))
        let (id, ticket) = bench.worker.tickets[0]
        ticket.deliver(TestWorker.response(id, "\"" + String(repeating: "y", count: 500) + "\""))
        let later = bench.takeDeliveries()
        #expect(later[0].contains("\"id\":1.0,") && later[0].contains("-32603"))
    }

    @Test func `a batch never passes the frame's limit`() throws {
        let limit = 64 << 10
        var bench = Bench(frameBytesMax: limit)
        let parts = (0..<100).map { request($0 % 2 == 0 ? "long" : "later", id: "\($0)") }
        #expect(bench.ask("[" + parts.joined(separator: ",") + "]") == [])
        for (id, ticket) in bench.worker.tickets {
            ticket.deliver(
                TestWorker.response(id, "\"" + String(repeating: "z", count: 900) + "\"")
            )
        }
        let frame = try #require(bench.takeDeliveries().first)
        #expect(frame.utf8.count <= limit)
        let answers = try #require(try JSONValue.parse(Array(frame.utf8)).array)
        #expect(Set(answers.compactMap { $0["id"]?.int64 }) == Set(0..<100))
        #expect(answers.contains { $0["result"] != nil } && answers.contains { $0["error"] != nil })
    }

    @Test func `of a batch in a small frame as many answers are given as fit`() throws {
        let limit = 4_096
        for isLate in [false, true] {
            var bench = Bench(frameBytesMax: limit)
            let parts = (0..<20).map { request(isLate ? "later" : "long", id: "\"id \($0)\"") }
            var frames = bench.ask("[" + parts.joined(separator: ",") + "]")
            for (id, ticket) in bench.worker.tickets {
                let text = "\"" + String(repeating: "z", count: 600) + "\""
                ticket.deliver(TestWorker.response(id, text))
            }
            frames += bench.takeDeliveries()
            let frame = try #require(frames.first)
            #expect(frame.utf8.count <= limit)
            let answers = try #require(try JSONValue.parse(Array(frame.utf8)).array)
            #expect(Set(answers.compactMap { $0["id"]?.string }).count == 20)
            let refusals = answers.filter { $0["error"] != nil }
            #expect(refusals.allSatisfy { $0["error"]?["code"] == -32_603 })
            // One more would not have fitted.
            #expect(refusals.count < 20)
            #expect(frame.utf8.count + 650 - (refusals.first?.bytes.count ?? 0) > limit)
        }
    }

    @Test func `a batch whose refusals do not fit is refused before anything is done`() throws {
        var bench = Bench(frameBytesMax: 4_096)
        let parts = (0..<40).map { request($0 % 2 == 0 ? "later" : "ping", id: "\($0)") }
        let frames = bench.ask("[" + parts.joined(separator: ",") + "]")
        let error = try JSONValue.parse(Array(try #require(frames.first).utf8))
        #expect(frames.count == 1 && error["error"]?["code"] == -32_600 && error["id"] == .null)
        #expect(bench.worker.calls.isEmpty && bench.conversation.unanswered == 0)
    }

    @Test func `a refused caller is answered by id and the worker never asked`() throws {
        var bench = Bench(isRefused: true)
        let frames = bench.ask(request("ping", id: "5"))
        let error = try JSONValue.parse(Array(frames[0].utf8))
        #expect(error["id"] == 5 && error["error"]?["code"] == -32_001)
        #expect(bench.worker.calls.isEmpty)
    }

    @Test func `a method that gives no answer is an internal error`() throws {
        var bench = Bench()
        let error = try JSONValue.parse(Array(bench.ask(request("silent"))[0].utf8))
        #expect(error["error"]?["data"]?["code"] == "internal_error")
    }

    @Test func `a session ends once`() {
        let session = Session(caller: Caller(uid: 1, gid: 1, pid: 1, role: .reader))
        #expect(session.id != Session(caller: session.caller).id)
        var closes = 0
        session.onClose = { closes += 1 }
        session.attachment = session
        session.close()
        session.close()
        #expect(closes == 1 && !session.isOpen && session.attachment == nil)
    }
}
