import Fixtures
import Foundation
import JSON
import Testing

/// Genuine notifications of a shape that nobody here knows: answered, counted, and kept for a look.
@Suite struct UnreadDocumentTests {
    private static let object: JSONObject = ["bundleId": .string(TestDaemon.bundleID), "what": 1]

    private func kept(_ daemon: TestDaemon) throws -> [String] {
        let directory = daemon.storage + "/unread"
        guard FileManager.default.fileExists(atPath: directory) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    private func document(_ body: [UInt8]) throws -> String {
        try JSONValue.parse(body)["signedPayload"]?.string ?? ""
    }

    private func content(_ daemon: TestDaemon, _ name: String) throws -> String {
        let path = URL(fileURLWithPath: daemon.storage + "/unread/" + name)
        return String(decoding: try Data(contentsOf: path), as: UTF8.self)
    }

    @Test func `what is genuine and of no known shape is answered, counted and kept`() throws {
        var setup = TestDaemon.Setup()
        let metrics = try setup.servingMetrics()
        let daemon = try TestDaemon.started(setup)
        let voice = daemon.voice
        let life = StoreLife()
        let strange = try voice.body("NEW", holding: "newData", saying: Self.object)
        #expect(try daemon.deliver(strange) == (200, "ignored"))
        let names = try kept(daemon)
        #expect(names.count == 1)
        #expect(try content(daemon, try #require(names.first)) == document(strange))
        let path = daemon.storage + "/unread"
        for (place, mode) in [(path, 0o700), (path + "/\(names.first ?? "")", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: place)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(place)")
        }
        // The same again is the same file.
        #expect(try daemon.deliver(strange) == (200, "ignored"))
        #expect(try kept(daemon) == names)
        // Values that cannot be: none of something, an end before its beginning.
        var values = [life.transaction(signed: voice.signingTime())]
        values.append(life.transaction(signed: voice.signingTime()))
        values[0]["quantity"] = 0
        values[1]["expiresDate"] = .integer(life.purchased - 1)
        for payload in values {
            let data = try data(payload, daemon)
            let body = try voice.body("SUBSCRIBED", "INITIAL_BUY", saying: data)
            #expect(try daemon.deliver(body) == (200, "ignored"))
        }
        #expect(try kept(daemon).count == 3)
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        #expect(try daemon.rows(of: "notifications").isEmpty)
        // What nobody of Apple's has signed is refused and not kept, whatever its shape.
        let forged = try StoreVoice().body("NEW", holding: "newData", saying: Self.object)
        #expect(try daemon.deliver(forged).status == 401)
        #expect(try kept(daemon).count == 3)
        let page = try HTTPExchange.request("GET", "/metrics", [], port: metrics).text
        let counted = page.split(separator: "\n")
            .filter {
                $0.hasPrefix("entitld_webhook_notifications_total")
                    && $0.contains(#"result="unreadable""#)
            }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(counted.reduce(0, +) == 4)
        let line = TestDaemon.event("Notification", in: daemon.log)
        #expect(line?["result"]?.string == "unreadable" && line?["type"]?.string == "NEW")
        // Verified, backed up and started again with it there.
        try daemon.restart()
        #expect(try kept(daemon).count == 3)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    /// The object of a notification, with this transaction in it.
    private func data(_ transaction: JSONObject, _ daemon: TestDaemon) throws -> JSONObject {
        [
            "appAppleId": .integer(TestDaemon.appAppleID),
            "bundleId": .string(TestDaemon.bundleID), "environment": "Production",
            "signedTransactionInfo": .string(try daemon.voice.sign(transaction)),
        ]
    }

    @Test func `what Apple may write one day is answered and kept, what disagrees is refused`()
        throws
    {
        let daemon = try TestDaemon.started()
        let voice = daemon.voice
        func body(_ members: JSONObject, without missing: String? = nil) throws -> [UInt8] {
            var outer: JSONObject = [
                "notificationType": "NEW", "version": "2.0",
                "notificationUUID": .string(UUID().uuidString.lowercased()),
                "signedDate": .integer(voice.signingTime()),
            ]
            for member in members.members { outer[member.key] = member.value }
            if let missing { outer[missing] = nil }
            return StoreVoice.body(signedPayload: try voice.sign(outer))
        }
        let whole = StoreLife().transaction(signed: voice.signingTime())
        var nameless = whole
        nameless["transactionId"] = nil
        let good = try data(whole, daemon)
        let strange: [(String, JSONObject)] = [
            ("text", ["subject": "new"]), ("an array", ["subject": [1, 2]]), ("nothing", [:]),
            ("text in the place of the object", ["data": "new"]),
            ("another version", ["version": "3.0", "data": .object(good)]),
            ("another version with other names", ["version": "3.0", "data": ["bundle": "new"]]),
            ("a version that is no text", ["version": 3, "data": .object(good)]),
            ("a transaction without its id", ["data": .object(try data(nameless, daemon))]),
        ]
        for (place, (name, members)) in strange.enumerated() {
            #expect(try daemon.deliver(body(members)) == (200, "ignored"), "\(name)")
            #expect(try kept(daemon).count == place + 1, "\(name)")
        }
        var (other, xcode, foreign) = (good, good, nameless)
        other["bundleId"] = "com.example.other"
        xcode["environment"] = "Xcode"
        foreign["bundleId"] = "com.example.other"
        var sandbox = nameless
        sandbox["environment"] = "Sandbox"
        var parted = try data(nameless, daemon)
        var renewal = StoreLife().renewal(signed: voice.signingTime())
        renewal["originalTransactionId"] = "1"
        parted["signedRenewalInfo"] = .string(try voice.sign(renewal))
        let refused: [(String, JSONObject)] = [
            ("another app", ["version": "3.0", "data": .object(other)]),
            ("Xcode", ["version": "3.0", "data": .object(xcode)]),
            ("another app's transaction", ["data": .object(try data(foreign, daemon))]),
            ("another environment's", ["data": .object(try data(sandbox, daemon))]),
            ("another line's renewal", ["data": .object(parted)]),
        ]
        for (name, members) in refused {
            #expect(try daemon.deliver(body(members)).status == 401, "\(name)")
        }
        // Without a type it is no notification; without an id it is one that cannot be told from
        // its repetition.
        let untyped = try body(["subject": "new"], without: "notificationType")
        #expect(try daemon.deliver(untyped).status == 401)
        #expect(try kept(daemon).count == strange.count)
        let nobodys = try body(["subject": "new"], without: "notificationUUID")
        #expect(try daemon.deliver(nobodys) == (200, "ignored"))
        #expect(try kept(daemon).count == strange.count + 1)
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
    }

    @Test func `the last 64 are kept, the oldest go, and one that comes again stays`() throws {
        let daemon = try TestDaemon.started()
        var documents: [String] = []
        for number in 0..<70 {
            var object = Self.object
            object["what"] = .integer(Int64(number))
            let body = try daemon.voice.body("NEW", holding: "newData", saying: object)
            #expect(try daemon.deliver(body) == (200, "ignored"))
            documents.append(try document(body))
            if number == 63 {
                // The oldest of a full house comes again: nothing goes for it.
                let first = StoreVoice.body(signedPayload: documents[0])
                #expect(try daemon.deliver(first) == (200, "ignored"))
                #expect(try kept(daemon).count == 64)
            }
        }
        let names = try kept(daemon)
        #expect(names.count == 64)
        let contents = try Set(names.map { try content(daemon, $0) })
        #expect(contents == Set(documents.suffix(64)))
    }
}
